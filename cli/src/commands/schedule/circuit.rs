//! The settings of a multistage network, slot by slot, for what its terminals have to send.

use super::{ScheduleOptions, image, report};
use crate::Report;
use crate::circuits::options::DEFAULT_STAGES;
use crate::circuits::{
    self,
    slots::{self, Found, Method},
};
use crate::destination::Destination;
use crate::messages::Messages;
use crate::options::Chosen;
use crate::progress::Progress;
use anyhow::bail;
use turnpike_circuit::plan::{CircuitPlan, Control, DEFAULT_SLOTS, Parameters};
use turnpike_network::topology::multistage::CLOS;
use turnpike_schedule::network::Network;

/// Runs it. What does not pass, where not everything does, does not hold.
///
/// # Errors
/// Unknown names, numbers out of range; a network without settings of this sort; a pattern that it
/// does not have.
pub fn run(options: &ScheduleOptions, chosen: &Chosen) -> anyhow::Result<Report> {
    let topology = chosen.intact()?;
    let method = options.method(topology.name())?;
    let network = circuits::network(&*topology, options.reduced)?;
    let image = match &options.image {
        Some(path) => {
            let plan = options.fabric(&chosen.to_string(), &network)?;
            Some((plan, Destination::new(path, "settings.image", options.force)?))
        }
        None => None,
    };
    let messages = match &options.network.unrouted.flows {
        Some(path) => Messages::on_circuits(path, &*topology)?,
        None => options.pattern()?.messages(&*topology)?,
    };
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
    options.format.report_with_lines(&report, || report.lines(), passes, || report.text())
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

    /// Method by which settings are to be found.
    fn method(&self, topology: &str) -> anyhow::Result<Method> {
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
