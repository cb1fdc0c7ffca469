//! The settings of a multistage network, slot by slot, for what its terminals have to send.

use super::{ScheduleOptions, image, report};
use crate::Report;
use crate::circuits::options::{DEFAULT_STAGES, refuse_relation};
use crate::circuits::{
    self,
    slots::{self, Found, Method},
};
use crate::destination::Destination;
use crate::format::{Format, json};
use crate::options::Chosen;
use crate::progress::Progress;
use crate::tabular;
use anyhow::{anyhow, bail};
use turnpike_circuit::plan::{CircuitPlan, Control, DEFAULT_SLOTS, Parameters};
use turnpike_network::topology::multistage::CLOS;
use turnpike_schedule::network::Network;

/// Runs it. What does not pass, where not everything does, does not hold.
///
/// # Errors
/// Unknown names, numbers out of range; a network without settings of this sort; a pattern that it
/// does not have.
pub fn run(options: &ScheduleOptions, chosen: &Chosen) -> anyhow::Result<Report> {
    refuse_relation(&options.network)
        .map_err(|error| anyhow!("{error}, or use --kind switched"))?;
    if options.conflicts.is_some() {
        bail!("--conflicts is for --kind switched");
    }
    if let (None, Some(option)) = (&options.image, options.of_image()) {
        bail!("{option} is of the fabric that --image is for; give --image, or leave {option} out");
    }
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
    /// An option of the fabric that an image is for, where one is given.
    fn of_image(&self) -> Option<&'static str> {
        let slots = self.slots.map(|_| "--slots");
        slots.or(self.stages_per_register.map(|_| "--stages-per-register"))
    }

    /// The fabric that an image is for.
    fn fabric(&self, words: &str, network: &Network) -> anyhow::Result<CircuitPlan> {
        let stages_per_register = self.stages_per_register.unwrap_or(DEFAULT_STAGES);
        let parameters = Parameters { stages_per_register, ..Parameters::default() };
        let control = Control::Memory(self.slots.unwrap_or(DEFAULT_SLOTS));
        let name = Some("fabric");
        Ok(CircuitPlan::new(words, network.clone(), parameters, control, name)?)
    }

    /// Method by which settings are to be found.
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
