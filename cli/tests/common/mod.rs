//! Runs the program.

use std::process::{Command, Output};

/// What a run left.
pub struct Run {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code.
    pub code: i32,
}

/// `turnpike` with these arguments.
pub fn turnpike<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_turnpike"))
        .args(args)
        .output()
        .expect("the program was built for this test");
    let Output { stdout, stderr, status } = output;
    Run {
        stdout: String::from_utf8(stdout).expect("text"),
        stderr: String::from_utf8(stderr).expect("text"),
        code: status.code().expect("it exits"),
    }
}

/// `turnpike` with the words of `line`.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn run(line: &str) -> Run {
    turnpike(line.split_whitespace())
}
