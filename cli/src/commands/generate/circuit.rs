//! Report of `generate` on a circuit fabric.

use super::{Generated, WIDTH, Written};
use crate::format::{counted, wrap};
use crate::kinds::Identity;
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_emit::File;
use turnpike_fabric::board::Board;

/// Figures of a circuit fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct CircuitFigures {
    /// Number of terminals.
    terminals: u32,
    /// Stages of switches.
    stages: u32,
    /// Switches that are built: those that are wires are left out.
    switches: u32,
    /// Cycles from a word at its source to the same word at its sink.
    latency_cycles: u32,
    /// Slots that a schedule may have, or has where it is fixed; 1 where words find their way.
    slots: u32,
    /// Words of 32 bits that set a slot, where there is a settings memory.
    words_per_slot: Option<u32>,
    /// Crosspoints of all switches.
    crosspoints: u32,
    /// Number of crosspoints that are built, where the schedule is fixed.
    crosspoints_built: Option<u32>,
    /// Outputs of switches that are wires, where the schedule is fixed.
    wires: Option<u32>,
    /// Promise of the fabric on the delivery of words.
    delivery: String,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<Written<Identity, CircuitFigures>>(
    "generate_circuit",
    "a circuit fabric that was written (`generate --kind circuit`)",
);

impl Generated for CircuitPlan {
    type Figures = CircuitFigures;

    fn figures(&self, _: &[File], _: Option<&Board>) -> CircuitFigures {
        let network = &self.network;
        let built = |stage: u32| {
            (0..network.switches(stage)).filter(move |&s| !network.is_wire(stage, s)).count() as u32
        };
        let stages = 0..network.stages();
        let crosspoints =
            stages.clone().map(|s| built(s) * network.inputs(s) * network.outputs(s)).sum();
        let saved = match &self.control {
            Control::Baked(baked) => Some(baked.saved(network)),
            Control::Memory(_) | Control::SelfRouting => None,
        };
        let memory = matches!(self.control, Control::Memory(_));
        CircuitFigures {
            terminals: self.terminals(),
            stages: network.stages(),
            switches: stages.map(built).sum(),
            latency_cycles: self.latency(),
            slots: self.slots(),
            words_per_slot: memory.then(|| self.layout().words().len() as u32),
            crosspoints,
            crosspoints_built: saved.map(|saved| saved.built),
            wires: saved.map(|saved| saved.wires),
            delivery: self.delivery(),
        }
    }

    fn text(&self, figures: &CircuitFigures) -> String {
        let CircuitFigures { terminals, stages, switches, latency_cycles, .. } = figures;
        let mut text = format!("  {terminals} terminals, {stages} stages, {switches} switches\n");
        text += &match &self.control {
            Control::Memory(slots) => format!(
                "  settings in two banks of {}, {} of 32 bits each, over AXI4-Lite\n",
                counted(*slots, "slot"),
                counted(figures.words_per_slot.unwrap_or(0), "word")
            ),
            Control::Baked(baked) => {
                let saved = baked.saved(&self.network);
                format!(
                    "  a fixed schedule of {}: {} of {} crosspoints are built; of {} outputs of \
                     switches {} are wires, {} choose, {} are left out\n",
                    counted(baked.slots(), "slot"),
                    saved.built,
                    saved.crosspoints,
                    saved.outputs,
                    saved.wires,
                    saved.multiplexers,
                    saved.outputs - saved.wires - saved.multiplexers
                )
            }
            Control::SelfRouting => "  words find their way by tdest\n".to_owned(),
        };
        text += &format!("latency: {}\n", counted(*latency_cycles, "cycle"));
        text + &wrap(&format!("delivery: {}", figures.delivery), WIDTH)
    }
}
