//! Builds a fabric with the C++ harness and runs it.

use super::{Digests, Verilator, defines, write_harness};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use turnpike_base::staging::Staging;
use turnpike_emit::{EmitError, verilog_files};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::flattened::flattened;
use turnpike_flow::process::{self, Finished, ProcessError};
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_network::stimulus::Stimulus;

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub enum VerilatedError {
    /// No Verilator.
    #[error(
        "Verilator is missing; install it with `make tools` in Turnpike's folder, or from the \
             system's packages with `apt-get install verilator`"
    )]
    Missing,
    /// A variable that names no program.
    #[error("{name} names {program}, which is no file; name Verilator's program, or unset it")]
    Variable {
        /// The variable.
        name: &'static str,
        /// What it names.
        program: PathBuf,
    },
    /// A program that cannot be started.
    #[error("{0}; `make tools` in Turnpike's folder installs it")]
    Start(#[from] ProcessError),
    /// A step that failed or warned.
    #[error("{step} failed: {message}")]
    Step {
        /// Which one.
        step: &'static str,
        /// The first thing that it said.
        message: String,
    },
    /// The temporary folder.
    #[error("cannot write to a temporary folder: {0}")]
    Io(#[from] io::Error),
    /// The netlist.
    #[error(transparent)]
    Rtl(#[from] RtlError),
    /// The Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

/// A fabric under Verilator, built. Its folder lives as long as this value.
#[derive(Debug)]
pub struct Simulator {
    program: PathBuf,
    folder: Staging,
}

impl Simulator {
    /// Emits the fabric of a plan to a temporary folder and builds it.
    ///
    /// # Errors
    /// [`VerilatedError`]: any warning of Verilator among them.
    pub fn build(verilator: &Verilator, plan: &FabricPlan) -> Result<Self, VerilatedError> {
        let folder = Staging::temporary()?;
        write_harness(folder.path())?;
        let mut sources = Vec::new();
        let fabric = fabric(plan)?;
        let top = flattened(plan, fabric.top())?;
        let design = top.map_or(Ok(fabric), |top| Design::new(&top))?;
        for file in verilog_files(&design)? {
            fs::write(folder.path().join(&file.name), &file.contents)?;
            sources.push(file.name);
        }
        let objects = folder.path().join("objects");
        let mut command = verilator.command();
        command.current_dir(folder.path());
        command.args(["--cc", "--exe", "--quiet", "--prefix", "Vmodel", "--no-timing"]);
        command.args([
            "-Wall",
            "--top-module",
            &design.top().name,
            "-o",
            "simulator",
            "--Mdir",
            "objects",
        ]);
        command.args(["-CFLAGS", "-O1"]);
        for (name, value) in defines(plan) {
            command.arg("-CFLAGS").arg(format!("-D{name}={value}"));
        }
        finish("Verilator", folder.path(), command.args(&sources).arg("lockstep_main.cpp"))?;
        // Only now: make holds objects that are older than its makefile to be stale.
        let kept = verilator.root.as_ref().map(|root| root.join("objects/turnpike"));
        kept.iter().for_each(|kept| copy_objects(kept, &objects));
        let mut make = verilator.with_root(Command::new("make"));
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        make.current_dir(&objects).args(["-f", "Vmodel.mk", "-j", &jobs.to_string()]);
        // Verilator's makefile asks for `python`, which not every machine has, and the packaged
        // Verilator does not know how the compiler takes a precompiled header.
        make.args(["PYTHON3=python3", "CFG_CXXFLAGS_PCH_I=-include", "simulator"]);
        make.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
        finish("the C++ build", folder.path(), &mut make)?;
        // A package that cannot be written to is no failure.
        kept.iter().for_each(|kept| drop(keep_objects(&objects, kept)));
        Ok(Self { program: objects.join("simulator"), folder })
    }

    /// Runs a stimulus.
    ///
    /// # Errors
    /// [`VerilatedError::Step`] names a terminal that is ready or valid under reset, or an
    /// `s_axis_error`.
    pub fn run(&self, stimulus: &Stimulus, cycles: u64) -> Result<Digests, VerilatedError> {
        let mut file = BufWriter::new(fs::File::create(self.folder.path().join("stimulus.txt"))?);
        stimulus.write(&mut file)?;
        file.flush()?;
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.path()).args(["stimulus.txt", &cycles.to_string()]);
        let output = finish("the simulation", self.folder.path(), &mut command)?;
        let step = "the simulation";
        Digests::parse(&output.stdout).map_err(|message| VerilatedError::Step { step, message })
    }
}

/// Longest that one step may take: a large fabric under a slow compiler takes an hour.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// Runs a command to its end. What Verilator warns of ends it with a failure.
fn finish(
    step: &'static str,
    folder: &Path,
    command: &mut Command,
) -> Result<Finished, VerilatedError> {
    // What a compiler leaves behind when it is ended goes with the folder.
    let output = process::run(command.env("TMPDIR", folder), LIMIT)?;
    if output.success() {
        return Ok(output);
    }
    let said = format!("{}{}", output.stderr, output.stdout);
    let telling = ["error", "Error", "%Warning"];
    let line = said.lines().find(|line| telling.iter().any(|word| line.contains(word)));
    let line = line.or_else(|| said.lines().find(|line| !line.trim().is_empty()));
    let message = line.map_or_else(|| output.ending(), str::to_owned);
    Err(VerilatedError::Step { step, message })
}

/// Puts the kept objects where make will find them newer than their sources.
fn copy_objects(kept: &Path, objects: &Path) {
    for object in fs::read_dir(kept).into_iter().flatten().flatten() {
        // Not `copy`: that may keep the time. What does not come over is compiled.
        if let Ok(bytes) = fs::read(object.path()) {
            let _ = fs::write(objects.join(object.file_name()), bytes);
        }
    }
}

/// Keeps the objects of Verilator's own runtime for later builds, in its package so that they
/// go when it goes: they are the same every time and take longer than a small fabric. Several
/// builds may do so at once: the folder appears whole, by a rename, or not at all.
fn keep_objects(objects: &Path, kept: &Path) -> io::Result<()> {
    let Some(parent) = kept.parent().filter(|_| !kept.is_dir()) else { return Ok(()) };
    fs::create_dir_all(parent)?;
    let staging = Staging::within(parent)?;
    let fresh = staging.path().join("objects");
    fs::create_dir(&fresh)?;
    for entry in fs::read_dir(objects)? {
        let (name, path) = entry.map(|e| (e.file_name(), e.path()))?;
        let name = name.to_string_lossy();
        if name.starts_with("verilated") && name.ends_with(".o") {
            fs::copy(&path, fresh.join(&*name))?;
        }
    }
    fs::rename(fresh, kept)
}
