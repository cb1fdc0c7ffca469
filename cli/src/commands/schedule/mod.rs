//! `turnpike schedule`: the settings of a multistage network, slot by slot, for what its terminals
//! have to send.

mod report;

pub use report::REPORT;

use crate::Report;
use crate::circuits::{
    self,
    slots::{self, Found, Method},
};
use crate::format::{Format, FormatOption, json};
use crate::messages::{self, Pattern};
use crate::options::{Chosen, NetworkSize};
use crate::progress::Progress;
use crate::tabular;
use anyhow::bail;
use clap::{ArgAction, Args};
use turnpike_network::topology::multistage::CLOS;

/// Options of `schedule`.
#[derive(Args, Debug)]
pub struct ScheduleOptions {
    /// The network: benes or clos; with --self-routing butterfly, double-butterfly or benes
    pub topology: String,
    /// Its size.
    #[command(flatten)]
    pub size: NetworkSize,
    /// What is to be sent
    #[arg(long, value_name = "PATTERN|FILE", help = messages::help("What is to be sent"))]
    pub pattern: Pattern,
    /// Without the switches of a Benes network that no permutation needs (Waksman)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub reduced: bool,
    /// By the bits of the destinations alone: greedily, on a Benes network as Nassimi and Sahni do.
    /// Not every permutation passes
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub self_routing: bool,
    /// One connection after another, none of which is moved (clos)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub in_turn: bool,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. What does not pass, where not everything does, does not hold.
///
/// # Errors
/// Unknown names, numbers out of range; a network without settings of this sort; a pattern that it
/// does not have.
pub fn run(options: &ScheduleOptions) -> anyhow::Result<Report> {
    let topology = Chosen::new(&options.topology, &options.size)?.wanted().intact()?;
    let method = options.method(topology.name())?;
    let network = circuits::network(&*topology, options.reduced)?;
    let messages = options.pattern.messages(&*topology)?;
    let demand = slots::demand(&network, &messages)?;
    let found = {
        let _progress = Progress::spinner(format!("setting {}", messages.name));
        slots::find(method, &network, &messages, &demand)?
    };
    let passes = matches!(found, Found::Slots(_));
    let report = report::of(options, &*topology, &network, &messages.name, &demand, found);
    let text = match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report.lines())?,
        Format::Text => report.text(),
    };
    Ok(Report::checked(text, passes))
}

impl ScheduleOptions {
    /// How settings are to be found.
    fn method(&self, topology: &str) -> anyhow::Result<Method> {
        let chosen = [self.reduced, self.self_routing, self.in_turn];
        if chosen.into_iter().filter(|chosen| *chosen).count() > 1 {
            bail!(
                "--reduced, --self-routing and --in-turn exclude each other; leave out all but one"
            );
        }
        if self.in_turn && topology != CLOS.name {
            bail!("--in-turn is for {}", CLOS.name);
        }
        Ok(match (self.self_routing, self.in_turn) {
            (true, _) => Method::SelfRouting,
            (_, true) => Method::InTurn,
            _ => Method::Rearranged,
        })
    }
}
