//! Finds the open tools, and says what a missing one means.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use turnpike_flow::find;
pub(crate) use turnpike_flow::find::on_path;

/// An open tool that tests run.
pub trait Tool: Sized {
    /// Name of the tool, for messages.
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
        skip(&format!("{name} is missing; `make tools` installs it"));
    }
    found
}

/// Whether the program finds all of these tools; says loudly that the test is skipped where
/// not.
///
/// # Panics
/// As [`require`].
#[track_caller]
pub fn require_found(tools: &[&'static turnpike_flow::tool::Tool]) -> bool {
    tools.iter().all(|tool| require_ok(tool.find()).is_some())
}

/// Result where there is one, or `None` after saying loudly that the test is skipped.
///
/// # Panics
/// As [`require`].
#[track_caller]
pub fn require_ok<T, E: std::fmt::Display>(found: Result<T, E>) -> Option<T> {
    if let Err(error) = &found {
        assert!(!must_have(), "{error}");
        skip(&error.to_string());
    }
    found.ok()
}

fn skip(why: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    // Straight to the stream: the test runner swallows what `eprintln!` prints.
    let _ = std::io::stderr().write_all(format!("SKIPPED {test}: {why}\n").as_bytes());
}

/// Whether a missing tool is a failure and not a skipped test.
fn must_have() -> bool {
    let set = |name| env::var(name).is_ok_and(|value| !matches!(&*value, "" | "0" | "false"));
    set("TURNPIKE_REQUIRE_TOOLS") || set("CI")
}

/// A file that the tests bring along, in `tests/tools/`.
pub(crate) fn helper(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(name)
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
    let root = find::environment_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    Some(Package { folder: find::package(&root, name)?, python: root.join("bin/python") })
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
}
