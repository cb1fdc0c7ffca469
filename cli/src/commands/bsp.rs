//! `turnpike bsp`: a network as a bulk-synchronous computer sees it (Valiant, A Bridging Model for
//! Parallel Computation, Communications of the ACM 33(8), 1990). A superstep in which no terminal sends
//! or takes more than h words takes g·h + L cycles.

mod circuit;

pub use circuit::REPORT as CIRCUIT_REPORT;

use crate::Report;
use crate::circuits::CircuitOptions;
use crate::format::{Format, FormatOption, json};
use crate::memory;
use crate::options::{FabricOptions, values};
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{self, Document, ReportKind};
use anyhow::{bail, ensure};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_circuit::plan::MOST_SLOTS;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;
use turnpike_sim_network::reference::Reference;
use turnpike_sim_network::statistics::line::Line;
use turnpike_sim_network::workload::{self, Pipelined, Schedule, WorkloadConfig, WorkloadOutcome};

/// The largest h.
const MOST_H: u32 = 1 << 12;

/// Options of `bsp`.
#[derive(Args, Debug)]
pub struct BspOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// The kind of fabric, and what circuit fabrics take.
    #[command(flatten)]
    pub circuit: CircuitOptions,
    /// The largest h, 2 to 4096: measured at 1, 2, 4 and so on up to it
    #[arg(long, value_name = "H", allow_hyphen_values = true, default_value = "64",
          value_parser = values::whole)]
    pub up_to: u32,
    /// Runs for each h, with seeds of their own, 1 to 100
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "5",
          value_parser = values::whole)]
    pub runs: u32,
    /// Seed of the first run
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// A network by g and L.
#[derive(Serialize, JsonSchema)]
struct BspReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    configuration: Configuration,
    /// Seed of the first run of each h.
    seed: u64,
    /// Runs for each h.
    runs: u32,
    /// g: cycles more for each word more, by least squares over the means. A word is a packet of one
    /// flit.
    g: f64,
    /// L: cycles that the fitted line leaves at h = 0.
    l: f64,
    /// The root of the mean square by which the means are off g·h + L, in cycles.
    residual: f64,
    /// Supersteps by h.
    rows: Vec<SuperstepFigures>,
}

impl Document for BspReport {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BspReport>("bsp", "g and L of a network (`bsp`)");

/// The supersteps of one h.
#[derive(Serialize, JsonSchema)]
struct SuperstepFigures {
    /// Words that each terminal sends, and each takes.
    h: u32,
    /// Cycles from the start to the end of the last delivery: the mean of the runs.
    mean_cycles: f64,
    /// Cycles of the shortest run of a superstep.
    least_cycles: u64,
    /// Cycles of the longest run of a superstep.
    most_cycles: u64,
    /// Cycles of the fitted line at this h: g·h + L.
    fitted_cycles: f64,
}

/// Runs it on the reference router.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond memory, one that deadlocks.
pub fn run(options: &BspOptions) -> anyhow::Result<Report> {
    ensure!(
        (2..=MOST_H).contains(&options.up_to),
        "--up-to {} is out of range; use 2 to {MOST_H}",
        options.up_to
    );
    ensure!(
        (1..=100).contains(&options.runs),
        "--runs {} is out of range; use 1 to 100",
        options.runs
    );
    let powers = (0..).map(|power| 1 << power).take_while(|&h| h < options.up_to);
    let all: Vec<u32> = powers.chain([options.up_to]).collect();
    if let Some(plan) = options.circuit.plan(&options.fabric, None)? {
        ensure!(
            options.up_to <= MOST_SLOTS,
            "--up-to {} is out of range; a circuit fabric has {MOST_SLOTS} slots at most",
            options.up_to
        );
        return circuit::run(options, &plan, &all);
    }
    let plan = options.fabric.plan(None)?;
    let what = format!("the reference router of {}", plan.name);
    memory::check(&what, Reference::bytes(&plan), "use a lower --dim or --depth")?;
    let mut measured: Vec<(u32, Vec<u64>)> = Vec::new();
    let progress = Progress::steps(all.len() as u64 * u64::from(options.runs), "supersteps");
    for h in all {
        let mut cycles = Vec::new();
        for run in 0..u64::from(options.runs) {
            cycles.push(superstep(&plan, h, options.seed.wrapping_add(run))?);
            progress.step();
        }
        measured.push((h, cycles));
    }
    drop(progress);
    let (Line { slope, intercept, residual }, rows) = fit(measured);
    let report = BspReport {
        schema_version: 1,
        configuration: Configuration::of(&plan),
        seed: options.seed,
        runs: options.runs,
        g: slope,
        l: intercept,
        residual,
        rows,
    };
    Ok(Report::holds(match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => tabular::csv(&report)?,
        Format::Text => text(&report),
    }))
}

/// The line through the means, and the rows beside it.
fn fit(measured: Vec<(u32, Vec<u64>)>) -> (Line, Vec<SuperstepFigures>) {
    let mean = |cycles: &[u64]| cycles.iter().sum::<u64>() as f64 / cycles.len() as f64;
    let points: Vec<(f64, f64)> = measured.iter().map(|(h, c)| (f64::from(*h), mean(c))).collect();
    let line = Line::through(&points).expect("two h at least");
    let row = |(h, cycles): (u32, Vec<u64>)| SuperstepFigures {
        h,
        mean_cycles: mean(&cycles),
        least_cycles: cycles.iter().copied().min().unwrap_or(0),
        most_cycles: cycles.iter().copied().max().unwrap_or(0),
        fitted_cycles: line.slope * f64::from(h) + line.intercept,
    };
    let rows = measured.into_iter().map(row).collect();
    (line, rows)
}

/// Cycles of one superstep: h permutations, drawn from a seed. A source sends a word in a cycle at
/// most, so that it makes no difference whether its words are there at once or cycle by cycle.
fn superstep(plan: &FabricPlan, h: u32, seed: u64) -> anyhow::Result<u64> {
    let pipelined = (h > 1).then_some(Pipelined { interval: 1, rounds: h });
    let config = WorkloadConfig { pipelined, seed, ..WorkloadConfig::default() };
    let schedule = Schedule::draw(plan.network(), &config)?;
    let report = workload::run(plan, &config, &schedule, false, &mut |_| {})?.report;
    if report.outcome == WorkloadOutcome::Deadlocked {
        bail!("{} deadlocks at h = {h}, seed {seed}; it has no g and L", plan.name);
    }
    Ok(report.delivery_cycles + 1)
}

fn text(report: &BspReport) -> String {
    let BspReport { configuration, g, l, residual, runs, seed, rows, .. } = report;
    format!(
        "{}: {} terminals\nconfiguration: {}\n\n\
         g  {g:.3} cycles per word\nL  {l:.1} cycles\n   {residual:.2} cycles off, root mean square\n\n\
         {}\nEach h: the mean of {runs} runs of h random permutations, from seed {seed}.\n",
        configuration.fabric,
        configuration.terminals,
        configuration.configuration,
        rows_text(rows)
    )
}

/// The rows as a table.
fn rows_text(rows: &[SuperstepFigures]) -> String {
    let mut table = Table::new(["h", "cycles", "least", "most", "g h + L"]);
    for row in rows {
        table.push(vec![
            row.h.to_string(),
            format!("{:.1}", row.mean_cycles),
            row.least_cycles.to_string(),
            row.most_cycles.to_string(),
            format!("{:.1}", row.fitted_cycles),
        ]);
    }
    table.text()
}
