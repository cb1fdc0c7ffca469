//! Designs that `turnpike synth` measures of a bus fabric: all of it, or one of nodes that are alike.

use super::whole::{Whole, WholeReport};
use super::{FabricPart, SynthOptions, Synthesised};
use crate::kinds::{Identity, Reported};
use crate::tabular::ReportKind;
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_bus::rtl::place::place;
use turnpike_flow::design::Subject;
use turnpike_flow::session::Session;
use turnpike_kind::Fabric;

/// A bus fabric, at the head of its report.
#[derive(Serialize, JsonSchema)]
pub struct BusHead {
    /// Pairs of a sender and a receiver on one bus, of the whole fabric.
    crosspoints: u64,
    /// Part that was measured: `fabric`, all of it; `node`, one node with its receiver of each bus.
    part: FabricPart,
    /// The fabric.
    #[serde(flatten)]
    fabric: Identity,
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<WholeReport<'_, BusHead>>(
    "synth_bus",
    "area and clock of a bus fabric (`synth ocpc`, `mob`, `split-hash`)",
);

impl Synthesised for BusPlan {
    type Head = BusHead;
    type Figures<'a> = Whole<'a>;

    fn part(&self, options: &SynthOptions) -> anyhow::Result<FabricPart> {
        match options.part {
            Some(FabricPart::Switch) => {
                bail!("a bus fabric has no switches of channels; use --part node or --part fabric")
            }
            part => Ok(part.unwrap_or(FabricPart::Fabric)),
        }
    }
    fn head(&self, part: FabricPart) -> BusHead {
        BusHead { crosspoints: self.extent.crosspoints, part, fabric: Reported::head(self) }
    }
    fn subjects(
        &self,
        _: &SynthOptions,
        part: FabricPart,
        _: &Session,
    ) -> anyhow::Result<Vec<Subject>> {
        let design = if part == FabricPart::Node { place(self)? } else { self.design()? };
        Ok(vec![Subject::of_design(&design)?])
    }
    fn remark(&self, part: FabricPart) -> (&'static str, String) {
        match part {
            FabricPart::Node => ("one node", format!("of {} nodes", self.terminals())),
            FabricPart::Switch | FabricPart::Fabric => {
                ("whole", format!("{} crosspoints", self.extent.crosspoints))
            }
        }
    }
}
