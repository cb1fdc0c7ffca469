//! `turnpike verify`: checks a fabric, from its routes to its RTL.

mod formal;

pub use formal::{
    BUS_REPORT as BUS_FORMAL_REPORT, CIRCUIT_REPORT as CIRCUIT_FORMAL_REPORT,
    REPORT as FORMAL_REPORT, SLOTTED_REPORT as SLOTTED_FORMAL_REPORT,
};

use crate::Report;
use crate::format::{FormatOption, wrap};
use crate::kinds::{Identity, KindOptions, Reported};
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use turnpike_fabric::report::Configuration;
use turnpike_sim_bench::verify::{Check, CheckVerdict};

/// Options of `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: KindOptions,
    /// Run the proofs that stand beside the RTL instead (SymbiYosys)
    #[arg(long)]
    pub formal: bool,
    /// Seconds that each proof may take, 1 or more
    #[arg(long, value_name = "SECONDS", default_value = "600",
          allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Checks of a fabric, under the head of its kind.
#[derive(Serialize, JsonSchema)]
struct VerifyReport<'a, H> {
    /// Version of these fields: 2; of circuits, slotted fabrics and busses 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    fabric: H,
    /// Whether no check fails.
    holds: bool,
    /// Every check.
    checks: &'a [Check],
}

impl<H: Serialize + JsonSchema> Document for VerifyReport<'_, H> {
    const ROWS: Option<&'static str> = Some("checks");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<VerifyReport<'_, Configuration>>("verify", "checks of a fabric (`verify`)");

/// Entry in the list of reports, of circuit fabrics.
pub const CIRCUIT_REPORT: ReportKind = ReportKind::of::<VerifyReport<'_, Identity>>(
    "verify_circuit",
    "checks of a circuit fabric (`verify --kind circuit`)",
);

/// Entry in the list of reports, of slotted fabrics.
pub const SLOTTED_REPORT: ReportKind = ReportKind::of::<VerifyReport<'_, Identity>>(
    "verify_slotted",
    "checks of a slotted fabric (`verify --kind slotted`)",
);

/// Entry in the list of reports, of bus fabrics.
pub const BUS_REPORT: ReportKind = ReportKind::of::<VerifyReport<'_, Identity>>(
    "verify_bus",
    "checks of a bus fabric (`verify ocpc`, `mob`, `split-hash`)",
);

/// Runs it. Does not hold where a check fails.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond memory; with `--formal`, a missing tool
/// or one that fails.
pub fn run(options: &VerifyOptions) -> anyhow::Result<Report> {
    options.fabric.fabric(None, &|fabric| fabric.plan(None))?.verify(options)
}

/// Checks or proves a fabric.
pub(crate) fn verify<F: Reported>(options: &VerifyOptions, fabric: &F) -> anyhow::Result<Report> {
    if options.formal {
        let limit = Duration::from_secs(options.limit.into());
        return formal::run(fabric, limit, options.format);
    }
    fabric.check_memory()?;
    let checks = {
        let steps = fabric.checks().len() as u64;
        let progress = Progress::steps(steps, "");
        let mut begun = 0;
        fabric.check(&mut |check| {
            progress.message(check);
            progress.at(begun, Some(steps));
            begun += 1;
        })
    };
    let holds = checks.iter().all(|check| check.verdict != CheckVerdict::Fails);
    let report = VerifyReport {
        schema_version: F::VERIFY_VERSION,
        fabric: fabric.head(),
        holds,
        checks: &checks,
    };
    options.format.report(&report, holds, || {
        table(&fabric.canonical(), &checks) + &fabric.remark() + ending(holds)
    })
}

fn word(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Holds => "holds",
        CheckVerdict::Fails => "FAILS",
        CheckVerdict::Skipped => "skipped",
    }
}

/// The checks under the configuration.
fn table(configuration: &str, checks: &[Check]) -> String {
    let mut table = Table::new(["check", "verdict", "figure"]);
    for Check { check, verdict, figure } in checks {
        // The first line in the row, the others below it.
        let lines = wrap(figure, FIGURE);
        for (i, line) in lines.lines().enumerate() {
            let row = if i == 0 { [*check, word(*verdict)] } else { ["", ""] };
            table.push(vec![row[0].to_owned(), row[1].to_owned(), line.trim().to_owned()]);
        }
    }
    format!("{configuration}\n\n{}", table.text())
}

/// The last line.
fn ending(holds: bool) -> &'static str {
    if holds { "\nevery check holds\n" } else { "\nNOT every check holds\n" }
}

/// Columns of a figure.
const FIGURE: usize = 76;
