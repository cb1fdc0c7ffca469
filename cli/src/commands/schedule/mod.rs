//! `turnpike schedule`: what goes when, so that nothing meets. Of circuits the settings of their switches;
//! of other networks the slots in which words start.

mod circuit;
mod image;
mod report;
mod time_table;

pub use report::REPORT;
pub use time_table::REPORT as TIME_TABLE_REPORT;

use crate::Report;
use crate::circuits;
use crate::destination::ForceOption;
use crate::format::FormatOption;
use crate::messages::{self, Pattern};
use crate::options::acts::Kind;
use crate::options::{Chosen, ChosenTopology, NetworkOptions, values};
use anyhow::Context;
use clap::{ArgAction, Args};
use std::path::PathBuf;

/// Options of `schedule`.
#[derive(Args, Debug)]
pub struct ScheduleOptions {
    /// The network.
    #[command(flatten)]
    pub network: NetworkOptions,
    /// Kind of switching: circuit (settings of its switches; benes, clos, and with --self-routing
    /// butterfly and double-butterfly) or switched (a time table of its terminals). Default:
    /// circuit for those, switched for others
    #[arg(long, value_name = "KIND")]
    pub kind: Option<Kind>,
    /// Messages to be sent
    #[arg(long, value_name = "PATTERN|FILE", help = messages::help("What is to be sent, in place of --flows"))]
    pub pattern: Option<Pattern>,
    /// Circuit: without the switches of a Benes network that no permutation needs (Waksman)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub reduced: bool,
    /// Circuit: by the bits of the destinations alone: greedily, on a Benes network as Nassimi and Sahni do.
    /// Not every permutation passes
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub self_routing: bool,
    /// Circuit: one connection after another, none of which is moved (clos)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub in_turn: bool,
    /// Circuit: write what loads the settings into a circuit fabric to this file: on each line an address
    /// and a word in hexadecimal, to be written over AXI4-Lite in this order
    #[arg(long, value_name = "FILE")]
    pub image: Option<PathBuf>,
    /// Circuit: slots of the fabric that the image is for, as generate has it [default: 16]. Switched:
    /// slots of the frame [default: as few as are found]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = values::whole)]
    pub slots: Option<u32>,
    /// Circuit: stages per register of that fabric [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub stages_per_register: Option<u32>,
    /// Switched: conflicts after which the SAT solver gives a frame up [default: 20000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::long)]
    pub conflicts: Option<u64>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. What does not pass, or has no table, does not hold.
///
/// # Errors
/// Those of the kind.
pub fn run(options: &ScheduleOptions) -> anyhow::Result<Report> {
    let chosen = options.network.chosen()?;
    match options.kind.unwrap_or_else(|| default_kind(&chosen)) {
        Kind::Circuit => circuit::run(options, &chosen),
        // A slotted fabric goes by that table.
        _ => time_table::run(options),
    }
}

impl ScheduleOptions {
    /// The pattern that is to be sent.
    ///
    /// # Errors
    /// None is given.
    fn pattern(&self) -> anyhow::Result<&Pattern> {
        self.pattern
            .as_ref()
            .context("nothing is to be sent; add --pattern PATTERN|FILE or --flows FILE")
    }
}

/// Circuits where there can be.
fn default_kind(chosen: &Chosen) -> Kind {
    match &chosen.topology {
        ChosenTopology::Named(name, _) if circuits::is_network(name) => Kind::Circuit,
        _ => Kind::Switched,
    }
}
