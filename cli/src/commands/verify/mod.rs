//! `turnpike verify`: checks a fabric, from its routes to its RTL.

mod bus;
mod circuit;
mod formal;

pub use bus::{FORMAL_REPORT as BUS_FORMAL_REPORT, REPORT as BUS_REPORT};
pub use circuit::{FORMAL_REPORT as CIRCUIT_FORMAL_REPORT, REPORT as CIRCUIT_REPORT};
pub use formal::REPORT as FORMAL_REPORT;

use crate::Report;
use crate::busses::{BusOptions, FunnelFabric};
use crate::circuits::CircuitOptions;
use crate::commands::analyze::deadlock;
use crate::format::{Format, FormatOption, json, wrap};
use crate::memory;
use crate::options::FabricOptions;
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{self, Document, ReportKind};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, Configuration};
use turnpike_sim_bench::verify::{self, CHECKS, Check, CheckVerdict};
use turnpike_sim_network::reference::Reference;

/// Options of `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// The kind of fabric, and what circuit fabrics take.
    #[command(flatten)]
    pub circuit: CircuitOptions,
    /// Options of bus fabrics.
    #[command(flatten)]
    pub bus: BusOptions,
    /// Options of split&hash fabrics.
    #[command(flatten)]
    pub funnels: FunnelFabric,
    /// Run the proofs that stand beside the RTL instead (SymbiYosys)
    #[arg(long)]
    pub formal: bool,
    /// Seconds that each proof may take, 1 or more
    #[arg(long, value_name = "SECONDS", default_value = "600", requires = "formal",
          allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

#[derive(Serialize, JsonSchema)]
struct VerifyReport<'a> {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    configuration: Configuration,
    /// Whether no check fails.
    holds: bool,
    /// Every check.
    checks: &'a [Check],
}

impl Document for VerifyReport<'_> {
    const ROWS: Option<&'static str> = Some("checks");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<VerifyReport<'_>>("verify", "checks of a fabric (`verify`)");

/// Runs it. Does not hold where a check fails.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond memory; with `--formal`, a missing tool
/// or one that fails.
pub fn run(options: &VerifyOptions) -> anyhow::Result<Report> {
    if let Some(plan) =
        options.bus.plan(&options.funnels, &options.fabric, &options.circuit, None)?
    {
        return bus::run(options, &plan);
    }
    if let Some(plan) = options.circuit.plan(&options.fabric, None)? {
        return circuit::run(options, &plan);
    }
    let plan = options.fabric.plan(None)?;
    if options.formal {
        let limit = Duration::from_secs(options.limit.into());
        return formal::run(&plan, limit, options.format.format);
    }
    let what = format!("the reference router of {}", plan.name);
    memory::check(&what, Reference::bytes(&plan), "use a lower --dim or --depth")?;
    let checks = {
        let progress = Progress::steps(CHECKS.len() as u64, "");
        let mut begun = 0;
        verify::run(&plan, &mut |check| {
            progress.message(check);
            progress.at(begun, Some(CHECKS.len() as u64));
            begun += 1;
        })
    };
    let holds = checks.iter().all(|check| check.verdict != CheckVerdict::Fails);
    let report = VerifyReport {
        schema_version: 2,
        configuration: Configuration::of(&plan),
        holds,
        checks: &checks,
    };
    let text = match options.format.format {
        Format::Text => text(&plan, &checks, holds),
        Format::Csv => tabular::csv(&report)?,
        Format::Json => json(&report)?,
    };
    Ok(Report::checked(text, holds))
}

fn word(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Holds => "holds",
        CheckVerdict::Fails => "FAILS",
        CheckVerdict::Skipped => "skipped",
    }
}

fn text(plan: &FabricPlan, checks: &[Check], holds: bool) -> String {
    let mut text = table(&plan.canonical(), checks);
    if !plan.is_deadlock_free() {
        text += "\nDeadlock\n";
        text += &crate::format::indent(&deadlock::section(&Analysis::of(plan)));
    }
    text + ending(holds)
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
