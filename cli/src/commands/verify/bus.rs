//! `turnpike verify` of a bus fabric.

use super::formal::{self, ProofRow, Proven};
use super::{VerifyOptions, table};
use crate::format::{Format, json};
use crate::progress::Progress;
use crate::tabular::{self, Document, ReportKind};
use crate::{Report, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use turnpike_bus::BusPlan;
use turnpike_sim_bench::verify::bus::{BUS_CHECKS, run_bus};
use turnpike_sim_bench::verify::{Check, CheckVerdict};

#[derive(Serialize, JsonSchema)]
struct BusVerifyReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The name of the fabric.
    fabric: &'a str,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Whether no check fails.
    holds: bool,
    /// Every check.
    checks: &'a [Check],
}

impl Document for BusVerifyReport<'_> {
    const ROWS: Option<&'static str> = Some("checks");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BusVerifyReport<'_>>(
    "verify_bus",
    "checks of a bus fabric (`verify ocpc`, `mob`, `split-hash`)",
);

#[derive(Serialize, JsonSchema)]
struct BusFormalReport<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The name of the fabric.
    fabric: &'a str,
    /// The words after `turnpike generate` that make the fabric.
    configuration: String,
    /// Whether every proof holds; `null` where that is not decided, as where there is none.
    holds: Option<bool>,
    /// Every proof.
    proofs: &'a [ProofRow],
}

impl Document for BusFormalReport<'_> {
    const ROWS: Option<&'static str> = Some("proofs");
}

/// Entry in the list of reports.
pub const FORMAL_REPORT: ReportKind = ReportKind::of::<BusFormalReport<'_>>(
    "verify_bus_formal",
    "proofs of a bus fabric (`verify ocpc --formal`)",
);

/// Runs it.
///
/// # Errors
/// With `--formal`, a missing tool or one that fails.
pub(super) fn run(options: &VerifyOptions, plan: &BusPlan) -> anyhow::Result<Report> {
    if options.formal {
        return prove(options, plan);
    }
    let checks = {
        let progress = Progress::steps(BUS_CHECKS.len() as u64, "");
        let mut begun = 0;
        run_bus(plan, &mut |check| {
            progress.message(check);
            progress.at(begun, Some(BUS_CHECKS.len() as u64));
            begun += 1;
        })
    };
    let holds = checks.iter().all(|check| check.verdict != CheckVerdict::Fails);
    let report = BusVerifyReport {
        schema_version: 1,
        fabric: &plan.name,
        configuration: plan.canonical(),
        holds,
        checks: &checks,
    };
    let text = match options.format.format {
        Format::Text => table(&plan.canonical(), &checks) + super::ending(holds),
        Format::Csv => tabular::csv(&report)?,
        Format::Json => json(&report)?,
    };
    Ok(Report::checked(text, holds))
}

fn prove(options: &VerifyOptions, plan: &BusPlan) -> anyhow::Result<Report> {
    let limit = Duration::from_secs(options.limit.into());
    let files = turnpike_emit::bus::render(plan)?;
    let proofs = turnpike_emit::bus::proofs(plan)?;
    let Proven { rows, verdict } = formal::prove(&plan.name, &files, &proofs, limit)?;
    let report = BusFormalReport {
        schema_version: 1,
        fabric: &plan.name,
        configuration: plan.canonical(),
        holds: match verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Undecided | Verdict::Interrupted => None,
        },
        proofs: &rows,
    };
    let text = match options.format.format {
        Format::Text => formal::text(&plan.canonical(), &rows, verdict, limit),
        Format::Csv => tabular::csv(&report)?,
        Format::Json => json(&report)?,
    };
    Ok(Report { text, verdict })
}
