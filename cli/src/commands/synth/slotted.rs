//! Design that `turnpike synth` measures of a slotted fabric: all of it, module by module.

use super::whole::{Whole, WholeReport};
use super::{FabricPart, SynthOptions, Synthesised};
use crate::kinds::{Identity, Reported};
use crate::tabular::ReportKind;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::switches::SlottedSwitch;

/// A slotted fabric, at the head of its report.
#[derive(Serialize, JsonSchema)]
pub struct SlottedHead {
    /// Number of switches.
    switches: usize,
    /// Crosspoints of all switches.
    crosspoints: usize,
    /// Slots of a frame.
    slots: u32,
    /// Bits of a link: the word, the mark of its packet's end, and whether there is one.
    link_bits: u32,
    /// The fabric.
    #[serde(flatten)]
    fabric: Identity,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<WholeReport<'_, SlottedHead>>(
    "synth_slotted",
    "area and clock of a slotted fabric (`synth --kind slotted`)",
);

impl Synthesised for SlottedPlan {
    type Head = SlottedHead;
    type Figures<'a> = Whole<'a>;

    fn part(&self, _: &SynthOptions) -> anyhow::Result<FabricPart> {
        Ok(FabricPart::Fabric)
    }
    fn head(&self, _part: FabricPart) -> SlottedHead {
        SlottedHead {
            switches: self.switches().len(),
            crosspoints: self.switches().iter().map(SlottedSwitch::crosspoints).sum(),
            slots: self.frame(),
            link_bits: self.over().flit_width() + 1,
            fabric: Reported::head(self),
        }
    }
    fn remark(&self, part: FabricPart) -> (&'static str, String) {
        let SlottedHead { switches, crosspoints, slots, link_bits, .. } =
            Synthesised::head(self, part);
        let switches = format!("{switches} switches with {crosspoints} crosspoints in all");
        ("whole", format!("{switches}, {slots} slots, links of {link_bits} bits"))
    }
}
