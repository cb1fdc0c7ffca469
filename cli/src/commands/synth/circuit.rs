//! Design that `turnpike synth` measures of a circuit fabric: all of it.

use super::whole::{Whole, WholeReport};
use super::{FabricPart, SynthOptions, Synthesised};
use crate::kinds::{Identity, Reported};
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::plan::CircuitPlan;

/// A circuit fabric, at the head of its report.
#[derive(Serialize, JsonSchema)]
pub struct CircuitHead {
    /// Switches of the network that are built as such: those that are wires left out.
    switches: u32,
    /// Bits of a link: the word, the mark of its packet's end, and whether there is one. A switch
    /// of two inputs and two outputs has two LUTs for each.
    link_bits: u32,
    /// The fabric.
    #[serde(flatten)]
    fabric: Identity,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<WholeReport<'_, CircuitHead>>(
    "synth_circuit",
    "area and clock of a circuit fabric (`synth --kind circuit`)",
);

impl Synthesised for CircuitPlan {
    type Head = CircuitHead;
    type Figures<'a> = Whole<'a>;

    fn part(&self, _: &SynthOptions) -> anyhow::Result<FabricPart> {
        Ok(FabricPart::Fabric)
    }
    fn head(&self, _part: FabricPart) -> CircuitHead {
        let network = &self.network;
        let built =
            |stage| (0..network.switches(stage)).filter(move |&s| !network.is_wire(stage, s));
        CircuitHead {
            switches: (0..network.stages()).map(|stage| built(stage).count() as u32).sum(),
            link_bits: self.parameters.width + 2,
            fabric: Reported::head(self),
        }
    }
    fn remark(&self, part: FabricPart) -> (&'static str, String) {
        let CircuitHead { switches, link_bits, .. } = Synthesised::head(self, part);
        ("whole", format!("{switches} switches, links of {link_bits} bits"))
    }
}
