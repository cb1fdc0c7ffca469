//! `turnpike generate --kind circuit`.

use super::Generated;
use super::written::{self, WrittenFile};
use crate::format::wrap;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_emit::File;
use turnpike_fabric::board::Board;

/// A circuit fabric that was written.
#[derive(Serialize, JsonSchema)]
pub struct WrittenCircuit {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Name of the fabric.
    fabric: String,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Path of the folder that was written.
    folder: String,
    /// Files of the fabric's folder.
    files: Vec<WrittenFile>,
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

impl Document for WrittenCircuit {}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<WrittenCircuit>(
    "generate_circuit",
    "a circuit fabric that was written (`generate --kind circuit`)",
);

impl Generated for CircuitPlan {
    type Report = WrittenCircuit;

    fn written(&self, folder: &Path, files: &[File], _board: Option<&Board>) -> WrittenCircuit {
        WrittenCircuit::of(self, folder, files)
    }

    fn text(&self, report: &WrittenCircuit, _board: Option<&Board>) -> String {
        report.text(self)
    }
}

impl WrittenCircuit {
    fn of(plan: &CircuitPlan, path: &Path, files: &[File]) -> Self {
        let network = &plan.network;
        let built = |stage: u32| {
            (0..network.switches(stage)).filter(move |&s| !network.is_wire(stage, s)).count() as u32
        };
        let stages = 0..network.stages();
        let crosspoints =
            stages.clone().map(|s| built(s) * network.inputs(s) * network.outputs(s)).sum();
        let saved = match &plan.control {
            Control::Baked(baked) => Some(baked.saved(network)),
            Control::Memory(_) | Control::SelfRouting => None,
        };
        let memory = matches!(plan.control, Control::Memory(_));
        Self {
            schema_version: 1,
            fabric: plan.name.clone(),
            configuration: plan.canonical(),
            folder: path.display().to_string(),
            files: files.iter().map(WrittenFile::of).collect(),
            terminals: plan.terminals(),
            stages: network.stages(),
            switches: stages.map(built).sum(),
            latency_cycles: plan.latency(),
            slots: plan.slots(),
            words_per_slot: memory.then(|| plan.layout().words().len() as u32),
            crosspoints,
            crosspoints_built: saved.map(|saved| saved.built),
            wires: saved.map(|saved| saved.wires),
            delivery: plan.delivery(),
        }
    }

    fn text(&self, plan: &CircuitPlan) -> String {
        let mut text = format!(
            "{}: {}\nwrote {}: {} files, {} kB\n  {} terminals, {} stages, {} switches\n",
            self.fabric,
            self.configuration,
            self.folder,
            self.files.len(),
            WrittenFile::kilobytes(&self.files),
            self.terminals,
            self.stages,
            self.switches
        );
        let plural = |count: u32, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        text += &match &plan.control {
            Control::Memory(slots) => format!(
                "  settings in two banks of {}, {} of 32 bits each, over AXI4-Lite\n",
                plural(*slots, "slot"),
                plural(self.words_per_slot.unwrap_or(0), "word")
            ),
            Control::Baked(baked) => {
                let saved = baked.saved(&plan.network);
                format!(
                    "  a fixed schedule of {}: {} of {} crosspoints are built; of {} outputs of \
                     switches {} are wires, {} choose, {} are left out\n",
                    plural(baked.slots(), "slot"),
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
        text += &format!("latency: {}\n", plural(self.latency_cycles, "cycle"));
        text + &wrap(&format!("delivery: {}", self.delivery), written::WIDTH)
    }
}
