//! `turnpike synth --kind circuit`.

use super::whole::{Run, Whole};
use super::{Crossbar, SynthOptions};
use crate::Report;
use crate::format::{Format, json};
use crate::tabular::{self, Document, ReportKind};
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::circuit;
use turnpike_flow::target::Target;

#[derive(Serialize, JsonSchema)]
struct CircuitSynthReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Switches of the network that are built as such: those that are wires left out.
    switches: u32,
    /// Bits of a link: the word, the mark of its packet's end, and whether there is one. A switch
    /// of two inputs and two outputs has two LUTs for each.
    link_bits: u32,
    /// Figures of the tools.
    #[serde(flatten)]
    whole: Whole<'a>,
}

impl Document for CircuitSynthReport<'_> {
    const ROWS: Option<&'static str> = Some("modules");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<CircuitSynthReport<'_>>(
    "synth_circuit",
    "area and clock of a circuit fabric (`synth --kind circuit`)",
);

/// Runs it.
///
/// # Errors
/// Options of switched fabrics; a missing tool, a failing one, a design too large.
pub(super) fn run(
    options: &SynthOptions,
    plan: &CircuitPlan,
    target: Target,
    seeds: u32,
) -> anyhow::Result<Report> {
    if options.part.is_some() || options.crossbar == Crossbar::Full {
        bail!("a circuit fabric is measured whole; leave --part and --crossbar out");
    }
    let measured = Run::of(options, &plan.name, &circuit(plan)?, (target, seeds))?;
    let network = &plan.network;
    let built = |stage| (0..network.switches(stage)).filter(move |&s| !network.is_wire(stage, s));
    let report = CircuitSynthReport {
        schema_version: 1,
        switches: (0..network.stages()).map(|stage| built(stage).count() as u32).sum(),
        link_bits: plan.parameters.width + 2,
        whole: measured.report(&plan.name, plan.canonical()),
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => {
            let CircuitSynthReport { switches, link_bits, .. } = report;
            let own = format!("{switches} switches, links of {link_bits} bits");
            measured.text(&report.whole, "whole", &own)
        }
    }))
}
