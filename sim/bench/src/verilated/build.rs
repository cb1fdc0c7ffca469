//! Builds a fabric with the C++ harness and runs it.

use super::compile::{MAKE, compile, finish, tools};
use super::{Builds, Digests, HARNESS, Verilator, defines, write_harness};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use turnpike_base::staging::Staging;
use turnpike_emit::{EmitError, verilog_files};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::flattened::flattened;
use turnpike_flow::cache::Key;
use turnpike_flow::process::ProcessError;
use turnpike_netlist::{Design, RtlError};
use turnpike_sim_network::stimulus::Stimulus;

/// Reason that there is no run.
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
        /// Program that it names.
        program: PathBuf,
    },
    /// A program that cannot be started.
    #[error("{0}; `make tools` in Turnpike's folder installs it")]
    Start(ProcessError),
    /// A simulator that was built and cannot be started.
    #[error("{0}; programs must be allowed to run in the folder for temporary files: TMPDIR")]
    Run(ProcessError),
    /// A step that failed or warned.
    #[error("{step} failed: {message}")]
    Step {
        /// Step that failed.
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
    reused: bool,
    not_kept: Option<String>,
}

/// Arguments of Verilator, before the top module, the macros and the files.
const ARGUMENTS: &[&str] = &[
    "--cc",
    "--exe",
    "--quiet",
    "--prefix",
    "Vmodel",
    "--no-timing",
    "-Wall",
    "-o",
    "simulator",
    "--Mdir",
    "objects",
    "-CFLAGS",
    "-O1",
];

impl Simulator {
    /// Emits the fabric of a plan to a temporary folder and builds it, or takes what was built of
    /// the same before out of `builds`, and keeps it there.
    ///
    /// # Errors
    /// [`VerilatedError`]: any warning of Verilator among them.
    pub fn build(
        verilator: &Verilator,
        plan: &FabricPlan,
        builds: Option<&Builds>,
    ) -> Result<Self, VerilatedError> {
        let folder = Staging::temporary()?;
        write_harness(folder.path())?;
        let fabric = fabric(plan)?;
        let top = flattened(plan, fabric.top())?;
        let design = top.map_or(Ok(fabric), |top| Design::new(&top))?;
        let files = verilog_files(&design)?;
        for file in &files {
            fs::write(folder.path().join(&file.name), &file.contents)?;
        }
        let mut arguments: Vec<String> = ARGUMENTS.iter().map(|&a| a.to_owned()).collect();
        arguments.extend(["--top-module".to_owned(), design.top().name.clone()]);
        for (name, value) in defines(plan) {
            arguments.extend(["-CFLAGS".to_owned(), format!("-D{name}={value}")]);
        }
        arguments.extend(files.iter().map(|file| file.name.clone()));
        arguments.push("lockstep_main.cpp".to_owned());

        let mut not_kept = None;
        let mut key = None;
        if builds.is_some() {
            match tools(verilator, folder.path()) {
                Ok(tools) => {
                    let files = files.iter().flat_map(|file| [&*file.name, &*file.contents]);
                    let harness = HARNESS.iter().flat_map(|(name, text)| [*name, *text]);
                    let arguments = arguments.iter().map(|argument| &**argument);
                    let all = tools.iter().map(|text| &**text).chain(files).chain(harness);
                    key = Some(Key::of(all.chain(arguments).chain(MAKE.iter().copied())));
                }
                Err(error) => not_kept = Some(error.to_string()),
            }
        }
        let kept = builds.zip(key);
        if let Some((builds, key)) = &kept {
            let program = folder.path().join("simulator");
            if builds.copy_to(key, &program)? {
                return Ok(Self { program, folder, reused: true, not_kept });
            }
        }
        let program = compile(verilator, folder.path(), &arguments)?;
        if let Some((builds, key)) = kept
            && let Err(error) = builds.keep(&key, &program)
        {
            not_kept = Some(format!("{}: {error}", builds.folder().display()));
        }
        Ok(Self { program, folder, reused: false, not_kept })
    }

    /// Whether it was built before, and not now.
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// Reason that the simulator is not kept for the next time, where it was to be.
    pub fn not_kept(&self) -> Option<&str> {
        self.not_kept.as_deref()
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
        let step = "the simulation";
        let mut tries = 100;
        let output = loop {
            match finish(step, self.folder.path(), &mut command) {
                // A child that another thread is just starting has the file open, written to.
                Err(VerilatedError::Start(ProcessError::Start { error, .. }))
                    if error.kind() == io::ErrorKind::ExecutableFileBusy && tries > 0 =>
                {
                    tries -= 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
                // Built already: it is not for want of a tool.
                Err(VerilatedError::Start(error)) => return Err(VerilatedError::Run(error)),
                output => break output?,
            }
        };
        Digests::parse(&output.stdout).map_err(|message| VerilatedError::Step { step, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;

    /// A Verilator whose simulators are scripts, and which notes each of its compilations.
    fn fake(folder: &Path) -> Verilator {
        let text = r##"#!/bin/sh
here=$(dirname "$0")
case "$1" in
  --version) echo "Fake 1"; exit;;
  --getenv) echo "$here"; exit;;
esac
mkdir objects
printf 'simulator:\n\techo "#!/bin/sh" > simulator\n\techo "echo accepted 0 delivered 0" >> simulator\n\tchmod +x simulator\n\techo >> %s/compiled\n' "$here" > objects/Vmodel.mk
"##;
        fs::create_dir(folder.join("include")).unwrap();
        fs::write(folder.join("include/verilated.mk"), "CXX = echo\n").unwrap();
        let program = folder.join("verilator");
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Verilator { program, root: None }
    }

    fn compiled(folder: &Path) -> usize {
        fs::read_to_string(folder.join("compiled")).map_or(0, |text| text.lines().count())
    }

    fn plan(width: u32) -> FabricPlan {
        let network = Network::new("hypercube", 1, None, None).unwrap();
        let parameters = Parameters { width, ..Parameters::default() };
        FabricPlan::new(Arc::new(network), parameters, None).unwrap()
    }

    #[test]
    fn what_was_built_is_built_again_only_when_something_differs_or_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, verilator) = (folder.path(), fake(folder.path()));
        let builds = Builds::at(folder.join("not/yet/there"));
        let build = |width| {
            let built = Simulator::build(&verilator, &plan(width), Some(&builds)).unwrap();
            assert_eq!(built.not_kept(), None);
            (built.is_reused(), compiled(folder))
        };
        assert_eq!(
            [build(8), build(8), build(16), build(16)],
            [(false, 1), (true, 1), (false, 2), (true, 2)]
        );
        for entry in fs::read_dir(builds.folder()).unwrap().flatten() {
            fs::write(entry.path(), "#!/bin/s").unwrap();
        }
        assert_eq!([build(8), build(8)], [(false, 3), (true, 3)]);
        // Another compiler, then other flags.
        let settings = folder.join("include/verilated.mk");
        fs::write(&settings, "CXX = echo other\n").unwrap();
        assert_eq!([build(8), build(8)], [(false, 4), (true, 4)]);
        fs::write(&settings, "CXX = echo other\nOPT_FAST = -O3\n").unwrap();
        assert_eq!([build(8), build(8)], [(false, 5), (true, 5)]);
        let without = Simulator::build(&verilator, &plan(8), None).unwrap();
        assert!(!without.is_reused() && compiled(folder) == 6);
    }

    /// A kept simulator runs from a folder of its own: wherever the kept one lies, whatever its
    /// permissions are, and after it was removed.
    #[test]
    fn a_kept_simulator_runs_whatever_becomes_of_the_kept_file() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, verilator) = (folder.path(), fake(folder.path()));
        let plan = plan(8);
        let stimulus = Stimulus::new(&plan, 1);
        // By a path from the current folder, which is not the one that simulators run in.
        let here = std::env::current_dir().unwrap();
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let relative = up.join(folder.canonicalize().unwrap().strip_prefix("/").unwrap());
        assert!(relative.is_relative());
        let builds = Builds::at(relative.join("kept"));
        let build = || Simulator::build(&verilator, &plan, Some(&builds)).unwrap();
        let run = |simulator: &Simulator| simulator.run(&stimulus, 0).map(|ran| ran.digests.len());
        let first = build();
        assert!(!first.is_reused() && matches!(run(&first), Ok(0)));
        let again = build();
        assert!(again.is_reused() && matches!(run(&again), Ok(0)));
        // As where nothing may be run.
        for entry in fs::read_dir(folder.join("kept")).unwrap().flatten() {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o644)).unwrap();
        }
        let again = build();
        assert!(again.is_reused() && matches!(run(&again), Ok(0)));
        // As another process does that keeps simulators of its own.
        fs::remove_dir_all(folder.join("kept")).unwrap();
        assert!(matches!(run(&again), Ok(0)));
        // One that cannot be started is not for want of a tool.
        fs::remove_file(&again.program).unwrap();
        let error = run(&again).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("cannot run") && !said.contains("make tools"), "{said}");
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn two_at_once_leave_one_whole_build() {
        let folder = tempfile::tempdir().unwrap();
        let (verilator, builds) = (fake(folder.path()), Builds::at(folder.path().join("kept")));
        let build = || Simulator::build(&verilator, &plan(8), Some(&builds)).unwrap();
        std::thread::scope(|scope| {
            let both = [scope.spawn(build), scope.spawn(build)];
            for one in both {
                assert_eq!(one.join().unwrap().not_kept(), None);
            }
        });
        assert!(build().is_reused());
        assert_eq!(fs::read_dir(builds.folder()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_written_does_no_harm_and_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let verilator = fake(folder.path());
        fs::write(folder.path().join("file"), "").unwrap();
        let builds = Builds::at(folder.path().join("file/below"));
        let built = Simulator::build(&verilator, &plan(8), Some(&builds)).unwrap();
        assert!(!built.is_reused() && built.not_kept().unwrap().contains("file/below"));
    }
}
