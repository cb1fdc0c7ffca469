//! `turnpike schedule`: the settings of a multistage network, slot by slot, for what its terminals
//! have to send.

mod find;
mod report;

pub use report::REPORT;

use crate::Report;
use crate::format::{Format, FormatOption, json};
use crate::messages::{self, Pattern};
use crate::options::{Chosen, NetworkSize};
use crate::progress::Progress;
use crate::tabular;
use anyhow::bail;
use clap::{ArgAction, Args};
use find::Found;
use turnpike_network::topology::multistage::{BENES, BUTTERFLY, CLOS, DOUBLE_BUTTERFLY};
use turnpike_network::topology::{Clos, Size, Topology, wired};
use turnpike_schedule::network::Network;

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
    let network = network(options, &*topology)?;
    let messages = options.pattern.messages(&*topology)?;
    let demand = find::demand(&network, &messages)?;
    let found = {
        let _progress = Progress::spinner(format!("setting {}", messages.name));
        find::find(options, &network, &messages, &demand)?
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

/// The network of circuits that a topology is.
fn network(options: &ScheduleOptions, topology: &dyn Topology) -> anyhow::Result<Network> {
    let name = topology.name();
    let chosen = [options.reduced, options.self_routing, options.in_turn];
    if chosen.into_iter().filter(|chosen| *chosen).count() > 1 {
        bail!("--reduced, --self-routing and --in-turn exclude each other; leave out all but one");
    }
    if options.reduced && name != BENES.name {
        bail!("--reduced is for {}", BENES.name);
    }
    if options.in_turn && name != CLOS.name {
        bail!("--in-turn is for {}", CLOS.name);
    }
    Ok(match topology.size() {
        Size::Stages { radix, stages } if name == BUTTERFLY.name => {
            Network::butterfly(radix, stages)?
        }
        Size::Stages { radix, stages } if name == DOUBLE_BUTTERFLY.name => {
            Network::double_butterfly(radix, stages)?
        }
        Size::Stages { stages, .. } if options.reduced => Network::reduced_benes(stages)?,
        Size::Stages { stages, .. } => Network::benes(stages)?,
        Size::Clos(Clos { middle, inputs, outer }) => Network::clos(middle, inputs, outer)?,
        _ => {
            let such = [BENES, CLOS, BUTTERFLY, DOUBLE_BUTTERFLY].map(|kind| kind.name).join(", ");
            if name == wired::NAME {
                bail!("schedule takes {such} by name, and no network from a file");
            }
            bail!("{name} has no settings of stages; schedule takes {such}")
        }
    })
}
