//! The commands, one file each. A new one is a file, a line in [`Command`] and one in [`run`].

pub mod analyze;
pub mod compare;
pub mod list;
pub mod route;

use crate::Report;
use clap::Subcommand;

/// Every command.
#[derive(Subcommand)]
pub enum Command {
    /// List topologies and routing relations
    List(list::ListOptions),
    /// Report every figure of a fabric: crossbar, queues, deadlock, load
    Analyze(analyze::AnalyzeOptions),
    /// Put the relations of a topology side by side
    Compare(compare::CompareOptions),
    /// Show the route from one node to another, switch by switch
    Route(route::RouteOptions),
}

/// Runs a command.
///
/// # Errors
/// Wrong usage, or a failure: exit code 2.
pub fn run(command: Command) -> anyhow::Result<Report> {
    match command {
        Command::List(options) => list::run(&options),
        Command::Analyze(options) => analyze::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Route(options) => route::run(&options),
    }
}
