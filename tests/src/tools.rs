//! Finds the open tools, and says what a missing one means.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// An open tool that tests run.
pub trait Tool: Sized {
    /// Its name, for messages.
    const NAME: &'static str;

    /// Finds it: in the project's `.venv` first, then on `PATH`.
    fn locate() -> Option<Self>;
}

/// The tool, or `None` after saying loudly that the test is skipped.
///
/// # Panics
/// Where the tool is missing and must not be: in CI, and wherever
/// `TURNPIKE_REQUIRE_TOOLS=1` is set, as `make test` does.
#[track_caller]
pub fn require<T: Tool>() -> Option<T> {
    let found = T::locate();
    if found.is_none() {
        let name = T::NAME;
        assert!(!must_have(), "{name} is missing and required: run `make tools`");
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        // Straight to the stream: the test runner swallows what `eprintln!` prints.
        let line = format!("SKIPPED {test}: {name} is missing; `make tools` installs it\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    found
}

/// Whether a missing tool is a failure and not a skipped test.
fn must_have() -> bool {
    let set = |name| env::var(name).is_ok_and(|value| !matches!(&*value, "" | "0" | "false"));
    set("TURNPIKE_REQUIRE_TOOLS") || set("CI")
}

/// The project's own Python environment, made by `make tools`.
fn environment() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv")
}

/// A file that the tests bring along, in `tests/tools/`.
pub(crate) fn helper(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(name)
}

/// A program on `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// A Python package: its folder, and the interpreter that can import it.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) python: PathBuf,
    pub(crate) folder: PathBuf,
}

/// Finds a Python package in the project's environment, else in that of the
/// `python3` on `PATH`.
pub(crate) fn package(name: &str) -> Option<Package> {
    in_environment(name).or_else(|| importable(name))
}

fn in_environment(name: &str) -> Option<Package> {
    let root = fs::canonicalize(environment()).ok()?;
    // A stamp is written last: an environment without it is half installed.
    if !root.join(".installed").is_file() {
        return None;
    }
    for entry in fs::read_dir(root.join("lib")).ok()? {
        let folder = entry.ok()?.path().join("site-packages").join(name);
        if folder.is_dir() {
            return Some(Package { python: root.join("bin/python"), folder });
        }
    }
    None
}

fn importable(name: &str) -> Option<Package> {
    let python = on_path("python3")?;
    let script = format!("import {name}, os; print(os.path.dirname({name}.__file__))");
    let output = Command::new(&python).args(["-c", &script]).stdin(Stdio::null()).output().ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    (output.status.success() && folder.is_dir()).then_some(Package { python, folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool that exists nowhere.
    struct Unobtainium;

    impl Tool for Unobtainium {
        const NAME: &'static str = "Unobtainium";

        fn locate() -> Option<Self> {
            package("unobtainium_turnpike").map(|_| Unobtainium)
        }
    }

    #[test]
    fn a_missing_tool_skips_or_fails_but_is_never_found() {
        let outcome = std::panic::catch_unwind(require::<Unobtainium>);
        match outcome {
            Ok(found) => assert!(found.is_none() && !must_have()),
            Err(_) => assert!(must_have()),
        }
    }

    #[test]
    fn a_shell_is_on_the_path() {
        assert!(on_path("sh").is_some());
        assert!(on_path("no-such-program-of-turnpike").is_none());
    }
}
