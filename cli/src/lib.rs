//! The command line of Turnpike: `turnpike <command> <topology> [options]`.
//!
//! Exit codes: those of [`Verdict`], and 2 for wrong usage or a failure. An error is one line:
//! `error: ` and what was wrong, where, and what would be right.
#![warn(clippy::print_stderr, reason = "it panics where nobody reads any more")]

pub mod again;
mod asked;
pub mod busses;
pub mod circuits;
pub mod commands;
pub mod config;
pub mod destination;
mod ends_file;
pub mod flows_file;
pub mod format;
pub mod input;
pub mod kinds;
pub mod memory;
pub mod messages;
pub mod network_fields;
pub mod options;
pub mod places_file;
pub mod progress;
pub mod relation_file;
mod searching;
mod slotted;
pub mod system;
pub mod table;
pub mod tabular;
mod time_tables;
pub mod toml_file;
pub mod usage;
pub mod words;
pub mod written;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use config::Configured;
use options::acts;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use turnpike_base::standard_error::say;
use turnpike_flow::{interrupt, jobs};

/// The whole command line.
#[derive(Parser)]
#[command(
    name = "turnpike",
    version,
    about = "Interconnection networks in synthesizable Verilog, with crossbars of just the \
             turns that routing takes",
    infer_long_args = false
)]
pub struct Cli {
    /// Command to run.
    #[command(subcommand)]
    pub command: Command,
    /// TOML file of options, such as dim = 4; the command line wins over it
    #[arg(long, global = true, value_name = "FILE", display_order = 900)]
    pub config: Option<PathBuf>,
}

/// The exit codes, for people.
const EXIT_CODES: &str = "Exit codes: 0 success; 1 checked, and it does not hold; 2 wrong usage \
                          or a failure; 3 not decided; 130 interrupted.";

/// Verdict of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds, or there was nothing to check.
    Holds,
    /// The claim does not hold.
    Fails,
    /// Undecided: time was up, or a tool gave up.
    Undecided,
    /// Undecided: Ctrl-C.
    Interrupted,
}

impl Verdict {
    /// The exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Fails => 1,
            Self::Undecided => 3,
            Self::Interrupted => interrupt::EXIT_CODE,
        }
    }
}

/// Result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Text for standard output.
    pub text: String,
    /// Verdict of the command.
    pub verdict: Verdict,
}

impl Report {
    /// A report of something that has nothing to check, or holds.
    pub fn holds(text: String) -> Self {
        Self { text, verdict: Verdict::Holds }
    }

    /// A report of something that was checked, and holds or does not.
    pub fn checked(text: String, holds: bool) -> Self {
        Self { text, verdict: holds.into() }
    }
}

/// Verdict of something that holds or does not.
impl From<bool> for Verdict {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// The command line as clap has it.
pub fn command() -> clap::Command {
    let command = Cli::command().after_help(EXIT_CODES);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        commands::groups::list(&command)
    );
    // One at a time clap would move to the end of the list.
    command.help_template(template).mut_subcommands(|subcommand| {
        let amended = match subcommand.get_name() {
            "report" => commands::report::amended(subcommand),
            "sweep" => commands::sweep::amended(subcommand),
            _ => subcommand,
        };
        options::groups::grouped(amended).after_help(EXIT_CODES)
    })
}

/// Runs the command line and prints what it says.
pub fn main(args: Vec<OsString>) -> ExitCode {
    jobs::hold_threads();
    let interruptible = interrupt::install().context("cannot watch for Ctrl-C");
    let (text, code) = match interruptible.and_then(|()| run(args)) {
        Ok(report) => {
            usage::notes_at_the_end();
            (report.text, ExitCode::from(report.verdict.exit_code()))
        }
        Err(error) => {
            say(format_args!("error: {}", usage::one_line(&words::message(&error))));
            return ExitCode::from(2);
        }
    };
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Ok(()) => code,
        // Whoever reads has read enough (`turnpike ... | head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            say(format_args!("error: cannot write to standard output: {error}"));
            ExitCode::from(2)
        }
    }
}

/// The command and the topology or kind of `turnpike help COMMAND TOPOLOGY`.
fn asks_for_help_on(args: &[OsString]) -> Option<(&str, &str)> {
    match args {
        [_, help, command, topic] if help == "help" => Some((command.to_str()?, topic.to_str()?)),
        _ => None,
    }
}

/// Runs the command line.
///
/// # Errors
/// Wrong usage, or a failure: exit code 2.
pub fn run(args: Vec<OsString>) -> anyhow::Result<Report> {
    if let Some((name, topic)) = asks_for_help_on(&args) {
        return Ok(Report::holds(acts::help(&mut command(), name, topic)?));
    }
    let Configured { command, given, args } = config::apply(command(), args)?;
    let matches = match command.clone().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(help) if matches!(help.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(Report::holds(help.render().to_string()));
        }
        Err(error) => return Err(usage::explain(&command, &error)),
    };
    let (name, chosen) = matches.subcommand().context("internal error: a command")?;
    let subcommand = command.find_subcommand(name).context("internal error: a command")?;
    acts::check(subcommand, chosen, &given)?;
    let mut asked = Cli::from_arg_matches(&matches)?.command;
    let again = |but: &[&str]| again::words(self::command(), &matches, but);
    match &mut asked {
        Command::Report(options) => options.again = again(commands::report::NOT_OF_THE_REPORT),
        Command::Sweep(options) => options.again = again(commands::sweep::NOT_OF_THE_REPORT),
        _ => {}
    }
    commands::run(asked).map_err(|error| match given.place(subcommand, &words::message(&error)) {
        Some(place) => error.context(place),
        None => error,
    })
}
