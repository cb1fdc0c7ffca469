//! `turnpike synth` of a bus fabric.

use super::SynthOptions;
use super::whole::{Run, Whole};
use crate::Report;
use crate::format::{Format, json};
use crate::tabular::{self, Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::BusPlan;
use turnpike_bus::rtl::fabric;
use turnpike_flow::target::Target;

#[derive(Serialize, JsonSchema)]
struct BusSynthReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// Pairs of a sender and a receiver on one bus.
    crosspoints: u64,
    /// What the tools say.
    #[serde(flatten)]
    whole: Whole<'a>,
}

impl Document for BusSynthReport<'_> {
    const ROWS: Option<&'static str> = Some("modules");
}

/// For the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BusSynthReport<'_>>(
    "synth_bus",
    "area and clock of a bus fabric (`synth ocpc`, `mob`)",
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
    let measured = Run::of(options, ("bus", &plan.name), &fabric(plan)?, (target, seeds))?;
    let report = BusSynthReport {
        schema_version: 1,
        crosspoints: plan.grid.crosspoints(),
        whole: measured.report(&plan.name, plan.canonical()),
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => {
            measured.text(&report.whole, &format!("{} crosspoints", report.crosspoints))
        }
    }))
}
