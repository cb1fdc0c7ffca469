//! The command line of Turnpike: `turnpike <command> <topology> [options]`.
//!
//! Exit codes: 0 for success, 1 for "checked, and it does not hold", 2 for wrong usage or a
//! failure, 130 after Ctrl-C. An error is one line: `error: ` and what was wrong, where, and what would be
//! right.

pub mod commands;
pub mod config;
pub mod destination;
pub mod format;
pub mod input;
pub mod memory;
pub mod options;
pub mod progress;
pub mod relation_file;
pub mod table;
pub mod usage;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use turnpike_flow::interrupt;

/// The whole command line.
#[derive(Parser)]
#[command(
    name = "turnpike",
    version,
    about = "Interconnection networks in synthesizable Verilog, with crossbars of just the \
             turns that routing takes",
    after_help = "Exit codes: 0 success; 1 checked, and it does not hold; 2 wrong usage.",
    infer_long_args = false,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// TOML file of options, such as dim = 4; the command line wins over it
    #[arg(long, global = true, value_name = "FILE", display_order = 900)]
    pub config: Option<PathBuf>,
}

/// What a command has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// For standard output.
    pub text: String,
    /// Whether what was checked holds.
    pub holds: bool,
}

impl Report {
    /// A report of something that has nothing to check, or holds.
    pub fn holds(text: String) -> Self {
        Self { text, holds: true }
    }
}

/// Runs the command line and prints what it says.
pub fn main(args: Vec<OsString>) -> ExitCode {
    let interruptible = interrupt::install().context("cannot watch for Ctrl-C");
    let (text, code) = match interruptible.and_then(|()| run(args)) {
        Ok(report) => (report.text, ExitCode::from(u8::from(!report.holds))),
        Err(error) => {
            eprintln!("error: {}", usage::one_line(&format!("{error:#}")));
            return ExitCode::from(2);
        }
    };
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Ok(()) => code,
        // Whoever reads has read enough (`turnpike ... | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command line.
///
/// # Errors
/// Wrong usage, or a failure: exit code 2.
pub fn run(args: Vec<OsString>) -> anyhow::Result<Report> {
    let command = config::apply(Cli::command(), &args)?;
    let matches = match command.clone().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(help) if matches!(help.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(Report::holds(help.render().to_string()));
        }
        Err(error) => return Err(usage::explain(&command, &error)),
    };
    commands::run(Cli::from_arg_matches(&matches)?.command)
}
