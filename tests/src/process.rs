//! Runs a program to its end or to its time limit: see [`turnpike_flow::process`].

use std::process::Command;
use std::time::Duration;

pub use turnpike_flow::process::{Finished, LIMIT};

/// Runs `command`; see [`turnpike_flow::process::run`].
///
/// # Panics
/// Where the program cannot be started at all.
pub fn run(command: &mut Command, limit: Duration) -> Finished {
    turnpike_flow::process::run(command, limit).unwrap_or_else(|error| panic!("{error}"))
}
