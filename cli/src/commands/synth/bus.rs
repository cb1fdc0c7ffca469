//! `turnpike synth` of a bus fabric.

use super::whole::{Run, Whole};
use super::{Crossbar, FabricPart, SynthOptions};
use crate::Report;
use crate::format::{Format, json};
use crate::tabular::{self, Document, ReportKind};
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_bus::rtl::{fabric, place::place};
use turnpike_flow::target::Target;

#[derive(Serialize, JsonSchema)]
struct BusSynthReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Pairs of a sender and a receiver on one bus, of the whole fabric.
    crosspoints: u64,
    /// Part that was measured: `fabric`, all of it; `node`, one node with its receiver of each bus.
    part: FabricPart,
    /// Figures of the tools.
    #[serde(flatten)]
    whole: Whole<'a>,
}

impl Document for BusSynthReport<'_> {
    const ROWS: Option<&'static str> = Some("modules");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BusSynthReport<'_>>(
    "synth_bus",
    "area and clock of a bus fabric (`synth ocpc`, `mob`, `split-hash`)",
);

/// Runs it.
///
/// # Errors
/// Options of switched fabrics; a missing tool, a failing one, a design too large.
pub(super) fn run(
    options: &SynthOptions,
    plan: &BusPlan,
    target: Target,
    seeds: u32,
) -> anyhow::Result<Report> {
    if options.crossbar == Crossbar::Full {
        bail!("a bus fabric has no crossbar; leave --crossbar out");
    }
    if options.part == Some(FabricPart::Switch) {
        let node = if plan.funnels.is_some() { "" } else { "--part node or " };
        bail!("a bus fabric has no switches of channels; use {node}--part fabric");
    }
    if options.part == Some(FabricPart::Node) && plan.funnels.is_some() {
        bail!(
            "the nodes of a split&hash network are not alike: sources, those between and sinks have \
             busses of their own; use --part fabric"
        );
    }
    let (part, what, design) = match options.part {
        Some(FabricPart::Node) => (FabricPart::Node, "one node", place(plan)?),
        _ => (FabricPart::Fabric, "whole", fabric(plan)?),
    };
    let measured = Run::of(options, &plan.name, &design, (target, seeds))?;
    let report = BusSynthReport {
        schema_version: 1,
        crosspoints: plan.crosspoints(),
        part,
        whole: measured.report(&plan.name, plan.canonical()),
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => {
            let own = match part {
                FabricPart::Node => format!("of {} nodes", plan.terminals()),
                FabricPart::Switch | FabricPart::Fabric => {
                    format!("{} crosspoints", report.crosspoints)
                }
            };
            measured.text(&report.whole, what, &own)
        }
    }))
}
