//! Runs Verilator, make and the compiler.

use super::Verilator;
use super::build::VerilatedError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use turnpike_base::staging::Staging;
use turnpike_flow::process::{self, Finished};

/// Arguments of make. Verilator's makefile asks for `python`, which not every machine has, and the
/// packaged Verilator does not know how the compiler takes a precompiled header.
pub(super) const MAKE: &[&str] = &["PYTHON3=python3", "CFG_CXXFLAGS_PCH_I=-include"];

/// A makefile that says with what Verilator's own one compiles.
const COMPILER: &str = "\
include $(VERILATOR_ROOT)/include/verilated.mk
$(info $(CXX) $(LINK) $(AR) $(CPPFLAGS) $(CXXFLAGS) $(LDFLAGS) $(LDLIBS))
$(info $(OPT) $(OPT_SLOW) $(OPT_FAST) $(OPT_GLOBAL))
turnpike-compiler:
\t@$(CXX) --version
";

/// Versions of Verilator and the compiler, and the arguments of the compiler.
pub(super) fn tools(verilator: &Verilator, folder: &Path) -> Result<[String; 2], VerilatedError> {
    let ask = |arguments: &[&str]| {
        let asked = finish("Verilator", folder, verilator.command().args(arguments));
        asked.map(|said| said.stdout)
    };
    let (version, root) = (ask(&["--version"])?, ask(&["--getenv", "VERILATOR_ROOT"])?);
    fs::write(folder.join("compiler.mk"), COMPILER)?;
    let mut make = make(verilator, folder);
    make.args(["-s", "-f", "compiler.mk", "turnpike-compiler"]);
    make.arg(format!("VERILATOR_ROOT={}", root.trim()));
    Ok([version, finish("the C++ compiler", folder, &mut make)?.stdout])
}

/// Verilates and compiles, and gives the program.
pub(super) fn compile(
    verilator: &Verilator,
    folder: &Path,
    arguments: &[String],
) -> Result<PathBuf, VerilatedError> {
    let mut command = verilator.command();
    finish("Verilator", folder, command.current_dir(folder).args(arguments))?;
    let objects = folder.join("objects");
    // Only now: make holds objects that are older than its makefile to be stale.
    let kept = verilator.root.as_ref().map(|root| root.join("objects/turnpike"));
    kept.iter().for_each(|kept| copy_objects(kept, &objects));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut make = make(verilator, &objects);
    make.args(["-f", "Vmodel.mk", "-j", &jobs.to_string(), "simulator"]);
    finish("the C++ build", folder, &mut make)?;
    // A package that cannot be written to is no failure.
    kept.iter().for_each(|kept| drop(keep_objects(&objects, kept)));
    Ok(objects.join("simulator"))
}

/// make in a folder, whatever make this process itself may run under.
fn make(verilator: &Verilator, folder: &Path) -> Command {
    let mut make = verilator.with_root(Command::new("make"));
    make.current_dir(folder).args(MAKE);
    make.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
    make
}

/// Longest that one step may take: a large fabric under a slow compiler takes an hour.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// Runs a command to its end. What Verilator warns of ends it with a failure.
pub(super) fn finish(
    step: &'static str,
    folder: &Path,
    command: &mut Command,
) -> Result<Finished, VerilatedError> {
    // What a compiler leaves behind when it is ended goes with the folder.
    let output =
        process::run(command.env("TMPDIR", folder), LIMIT).map_err(VerilatedError::Start)?;
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
