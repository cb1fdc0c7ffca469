//! The options of circuit fabrics.

use super::slots::{self, Found, Method, Slot};
use crate::messages::{Messages, Pattern};
use crate::options::acts::Kind;
use crate::options::{FabricOptions, values};
use anyhow::{Context, bail};
use clap::{ArgAction, Args};
use std::path::Path;
use turnpike_base::names;
use turnpike_circuit::baked::Baked;
use turnpike_circuit::plan::{CircuitPlan, Control, DEFAULT_SLOTS, Parameters};
use turnpike_fabric::plan::ResetStyle;
use turnpike_network::topology::Topology;
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::PartialPermutation;

/// Kind of fabric, and options that only circuit fabrics take, or these and slotted ones.
#[derive(Args, Clone, Debug)]
pub struct CircuitOptions {
    /// Kind of switching: switched (packets, in queues), circuit (settings that are known
    /// beforehand, no queues; benes, clos, butterfly, double-butterfly) or slotted (words by a time table,
    /// no queues; any network)
    #[arg(long, value_name = "KIND", default_value = "switched")]
    pub kind: Kind,
    /// Circuit: slots of the settings memory, which is written over AXI4-Lite [default: 16]. Slotted: slots of
    /// the frame [default: as few as are found]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = values::whole)]
    pub slots: Option<u32>,
    /// Circuit: a fixed schedule in place of the memory, a pattern or a file as schedule takes it;
    /// only the crosspoints that it takes are built
    #[arg(long, value_name = "PATTERN|FILE")]
    pub baked: Option<Pattern>,
    /// Circuit: words find their way by their tdest; not every permutation passes
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub self_routing: bool,
    /// Circuit: stages from one stage of registers to the next; 0 for no registers [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::whole)]
    pub stages_per_register: Option<u32>,
    /// Circuit: without the switches of a Benes network that no permutation needs (Waksman)
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL", hide_possible_values = true)]
    pub reduced: bool,
}

/// Stages per register where none are said.
pub const DEFAULT_STAGES: u32 = 1;

impl CircuitOptions {
    /// The circuit fabric that is asked for; `None` where one of another kind is.
    ///
    /// # Errors
    /// What [`CircuitPlan::new`] refuses; a schedule that does not pass.
    pub fn plan(
        &self,
        fabric: &FabricOptions,
        name: Option<&str>,
    ) -> anyhow::Result<Option<CircuitPlan>> {
        if self.kind != Kind::Circuit {
            return Ok(None);
        }
        if let Some(name) = name {
            names::check_fabric_name(name)?;
        }
        let chosen = fabric.network.chosen()?;
        let topology = chosen.intact()?;
        let network = super::network(&*topology, self.reduced)?;
        let control =
            self.control(&*topology, &network, fabric.network.unrouted.flows.as_deref())?;
        let parameters = Parameters {
            width: fabric.size.width,
            stages_per_register: self.stages_per_register.unwrap_or(DEFAULT_STAGES),
            reset_low: fabric.reset == ResetStyle::Low,
        };
        let words = format!("{chosen}{}", if self.reduced { " --reduced" } else { "" });
        Ok(Some(CircuitPlan::new(&words, network, parameters, control, name)?))
    }

    fn control(
        &self,
        topology: &dyn Topology,
        network: &Network,
        flows: Option<&Path>,
    ) -> anyhow::Result<Control> {
        if self.self_routing {
            return Ok(Control::SelfRouting);
        }
        let messages = match (flows, &self.baked) {
            (Some(path), _) => Messages::on_circuits(path, topology)?,
            (None, Some(pattern)) => pattern.messages(topology)?,
            (None, None) => return Ok(Control::Memory(self.slots.unwrap_or(DEFAULT_SLOTS))),
        };
        let demand = slots::demand(network, &messages)?;
        let method = match network {
            Network::Rows(rows) if !rows.is_benes() => Method::SelfRouting,
            _ => Method::Rearranged,
        };
        let slots = match slots::find(method, network, &messages, &demand)? {
            Found::Slots(slots) => slots,
            Found::Blocked(reason) => bail!("{} does not pass: {reason}", messages.name),
        };
        let slot = |Slot { connections, settings }| {
            let permutation = PartialPermutation::new(network.terminals(), connections);
            Ok((permutation.context("internal error: a slot")?, settings))
        };
        let slots = slots.into_iter().map(slot).collect::<anyhow::Result<Vec<_>>>()?;
        let baked = Baked::new(network, slots)?;
        Ok(Control::Baked(match &self.baked {
            Some(Pattern::Named(_) | Pattern::Drawn(_)) => baked.named(&messages.name),
            Some(Pattern::File(_)) | None => baked,
        }))
    }
}
