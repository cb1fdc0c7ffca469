//! `turnpike bsp`: a network as a bulk-synchronous computer sees it (Valiant, A Bridging Model for
//! Parallel Computation, Communications of the ACM 33(8), 1990). A superstep in which no terminal sends
//! or takes more than h words takes g·h + L cycles.

mod circuit;
mod switched;

pub use circuit::REPORT as CIRCUIT_REPORT;
pub use switched::REPORT;

use crate::Report;
use crate::busses;
use crate::circuits::CircuitOptions;
use crate::format::FormatOption;
use crate::kinds::{KINDS, Kind, KindOptions};
use crate::options::{FabricOptions, values};
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::Document;
use anyhow::ensure;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_kind::Fabric;
use turnpike_sim_network::statistics::line::Line;

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
    /// Kinds of fabric that the options may name.
    #[arg(skip = KINDS)]
    pub kinds: &'static [Kind],
}

/// Fabric of a kind on which supersteps are measured.
pub(crate) trait Supersteps: Fabric {
    /// Fabric at the head of the report.
    type Head: Serialize + JsonSchema;
    /// Closed forms of g and L, where the kind has them.
    type ClosedForms: Serialize + JsonSchema;

    /// The head and the closed forms of a report.
    fn fields(&self) -> (Self::Head, Self::ClosedForms);
    /// Checks that supersteps of up to so many words can be measured.
    ///
    /// # Errors
    /// The bound on words or on memory.
    fn check_size(&self, most: u32) -> anyhow::Result<()>;
    /// Cycles of one superstep: h permutations, drawn from a seed.
    ///
    /// # Errors
    /// A network that not every permutation passes; one that deadlocks.
    fn superstep(&self, h: u32, seed: u64) -> anyhow::Result<u64>;
    /// Remarks of the text behind g and behind L.
    fn remarks(&self) -> [String; 2] {
        Default::default()
    }
}

/// A fabric by g and L, under the head of its kind.
#[derive(Serialize, JsonSchema)]
struct BspReport<H, C> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    head: H,
    /// Seed of the first run of each h.
    seed: u64,
    /// Runs for each h.
    runs: u32,
    /// g: cycles more for each word more, by least squares over the means. A word of a
    /// switched fabric is a packet of one flit.
    g: f64,
    /// L: cycles that the fitted line leaves at h = 0.
    l: f64,
    /// The root of the mean square by which the means are off g·h + L, in cycles.
    residual: f64,
    /// Closed forms of g and L.
    #[serde(flatten)]
    closed_forms: C,
    /// Supersteps by h.
    rows: Vec<SuperstepFigures>,
}

impl<H: Serialize + JsonSchema, C: Serialize + JsonSchema> Document for BspReport<H, C> {
    const ROWS: Option<&'static str> = Some("rows");
}

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

/// Runs it on the reference model of the fabric.
///
/// # Errors
/// Unknown names, numbers out of range, a fabric beyond memory, one that deadlocks, a network that not
/// every permutation passes.
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
    busses::refuse_name(&options.fabric.network.unrouted.topology)?;
    let (fabric, circuit) = (options.fabric.clone(), options.circuit.clone());
    let (bus, funnels) = Default::default();
    let options_of_kind = KindOptions { fabric, circuit, bus, funnels, kinds: options.kinds };
    options_of_kind.fabric(None, &|fabric| fabric.plan(None))?.bsp(options)
}

/// Measures supersteps on a fabric.
pub(crate) fn measure<F: Supersteps>(options: &BspOptions, fabric: &F) -> anyhow::Result<Report> {
    let BspOptions { up_to, runs, seed, .. } = *options;
    fabric.check_size(up_to)?;
    let powers = (0..).map(|power| 1 << power).take_while(|&h| h < up_to);
    let all: Vec<u32> = powers.chain([up_to]).collect();
    let progress = Progress::steps(all.len() as u64 * u64::from(runs), "supersteps");
    let mut measured: Vec<(u32, Vec<u64>)> = Vec::new();
    for h in all {
        let mut cycles = Vec::new();
        for run in 0..u64::from(runs) {
            cycles.push(fabric.superstep(h, seed.wrapping_add(run))?);
            progress.step();
        }
        measured.push((h, cycles));
    }
    drop(progress);
    let (Line { slope: g, intercept: l, residual }, rows) = fit(measured);
    let (head, closed_forms) = fabric.fields();
    let report =
        BspReport { schema_version: 1, head, seed, runs, g, l, residual, closed_forms, rows };
    options.format.report(&report, true, || report.text(fabric))
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

impl<H, C> BspReport<H, C> {
    fn text<F: Supersteps>(&self, fabric: &F) -> String {
        let Self { g, l, residual, runs, seed, rows, .. } = self;
        let [of_g, of_l] = fabric.remarks();
        format!(
            "{}: {} terminals\nconfiguration: {}\n\ng  {g:.3} cycles per word{of_g}\n\
             L  {l:.1} cycles{of_l}\n   {residual:.2} cycles off, root mean square\n\n\
             {}\nEach h: the mean of {runs} runs of h random permutations, from seed {seed}.\n",
            fabric.name(),
            fabric.terminals(),
            fabric.canonical(),
            rows_text(rows)
        )
    }
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
