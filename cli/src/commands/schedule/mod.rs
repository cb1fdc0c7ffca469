//! `turnpike schedule`: the settings of a multistage network, slot by slot, for what its terminals
//! have to send.

mod image;
mod report;

pub use report::REPORT;

use crate::Report;
use crate::circuits::options::{DEFAULT_SLOTS, DEFAULT_STAGES};
use crate::circuits::{
    self,
    slots::{self, Found, Method},
};
use crate::destination::{Destination, ForceOption};
use crate::format::{Format, FormatOption, json};
use crate::messages::{self, Pattern};
use crate::options::{Chosen, NetworkSize, values};
use crate::progress::Progress;
use crate::tabular;
use anyhow::bail;
use clap::{ArgAction, Args};
use std::path::PathBuf;
use turnpike_circuit::plan::{CircuitPlan, Control, Parameters};
use turnpike_network::topology::multistage::CLOS;
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
    /// Write what loads the settings into a circuit fabric to this file: on each line an address
    /// and a word in hexadecimal, to be written over AXI4-Lite in this order
    #[arg(long, value_name = "FILE")]
    pub image: Option<PathBuf>,
    /// Slots of the fabric that the image is for, as generate has it [default: 16]
    #[arg(long, value_name = "S", requires = "image", allow_hyphen_values = true,
          value_parser = values::whole)]
    pub slots: Option<u32>,
    /// Stages per register of that fabric [default: 1]
    #[arg(long, value_name = "N", requires = "image", allow_hyphen_values = true,
          value_parser = values::whole)]
    pub stages_per_register: Option<u32>,
    /// Whether to replace a file.
    #[command(flatten)]
    pub force: ForceOption,
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
    let chosen = Chosen::new(&options.topology, &options.size)?;
    let topology = chosen.wanted().intact()?;
    let method = options.method(topology.name())?;
    let network = circuits::network(&*topology, options.reduced)?;
    let image = match &options.image {
        Some(path) => {
            let plan = options.fabric(&chosen.to_string(), &network)?;
            Some((plan, Destination::new(path, "settings.image", options.force)?))
        }
        None => None,
    };
    let messages = options.pattern.messages(&*topology)?;
    let demand = slots::demand(&network, &messages)?;
    let found = {
        let _progress = Progress::spinner(format!("setting {}", messages.name));
        slots::find(method, &network, &messages, &demand)?
    };
    let passes = matches!(found, Found::Slots(_));
    if let (Some((plan, destination)), Found::Slots(slots)) = (image, &found) {
        destination.write(&image::text(&plan, slots)?)?;
    }
    let report = report::of(options, &*topology, &network, &messages.name, &demand, found);
    let text = match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report.lines())?,
        Format::Text => report.text(),
    };
    Ok(Report::checked(text, passes))
}

impl ScheduleOptions {
    /// The fabric that an image is for.
    fn fabric(&self, words: &str, network: &Network) -> anyhow::Result<CircuitPlan> {
        let stages_per_register = self.stages_per_register.unwrap_or(DEFAULT_STAGES);
        let parameters = Parameters { stages_per_register, ..Parameters::default() };
        let control = Control::Memory(self.slots.unwrap_or(DEFAULT_SLOTS));
        let name = Some("fabric");
        Ok(CircuitPlan::new(words, network.clone(), parameters, control, name)?)
    }

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
