//! `turnpike sweep`: latency and throughput over the offered load, for several relations and traffic
//! patterns, each point from runs of several seeds on the reference router.

mod curve;
mod kept;
mod page;
mod report;
mod saturation;
mod text;

pub use report::REPORT;

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::traffic::{self, check_cycles};
use crate::options::{FabricOptions, Loads, TrafficOptions, values};
use crate::progress::Progress;
use anyhow::bail;
use clap::{ArgAction, Args};
use curve::{Curve, Runs};
use kept::Kept;
use report::{Row, SweepReport};
use std::path::PathBuf;
use turnpike_flow::jobs;
use turnpike_sim_network::sweep::Point;

/// Most runs of the points that are asked for.
const MOST_RUNS: u64 = 100_000;

/// Options of `sweep`.
#[derive(Args, Clone, Debug)]
pub struct SweepOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// Traffic patterns, with commas between them
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',', default_value = "uniform",
          value_parser = values::traffic,
          help = traffic::help("Traffic patterns, with commas between them"))]
    pub traffic: Vec<String>,
    /// Flits offered per terminal and cycle, 0 to 1: loads and ranges with commas between them, such
    /// as 0.3, 0.05..=1 (with 1, in steps of 0.05) or 0.4..0.5:0.01 (without 0.5, with a step)
    #[arg(long, value_name = "LOADS", allow_hyphen_values = true, default_value = "0.05..=1")]
    pub load: Loads,
    /// Runs of each point, with seeds of their own, 1 to 100
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "5",
          value_parser = values::seeds)]
    pub seeds: u32,
    /// Seed of the first run of each point; the others take those after it
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, default_value = "1",
          value_parser = values::long)]
    pub seed: u64,
    /// Cycles measured in each run. Default: 40000, fewer on large networks
    #[arg(long, value_name = "CYCLES", allow_hyphen_values = true, value_parser = values::cycles)]
    pub cycles: Option<u64>,
    /// What the traffic is made of.
    #[command(flatten)]
    pub details: TrafficOptions,
    /// Find the load at which each network saturates: between the largest found steady and the least
    /// found saturated, within 1 % where runs can tell
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false,
          default_missing_value = "true", action = ArgAction::Set, value_name = "BOOL",
          hide_possible_values = true)]
    pub saturation: bool,
    /// Keep each run in this folder as soon as it is done; the same command goes on from there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the report as a page, too: one file that a browser opens from disk
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// What becomes of a page that is there.
    #[command(flatten)]
    pub force: ForceOption,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
    /// The command line that makes the report again, for the page.
    #[arg(skip)]
    pub again: String,
}

/// The options that say where a report goes, and nothing of what is in it.
pub const NOT_OF_THE_REPORT: &[&str] = &["config", "force", "format", "html", "out"];

/// The command with what its options mean here: several relations.
pub fn amended(command: clap::Command) -> clap::Command {
    command.mut_arg("routing", |arg| {
        arg.value_name("NAMES|FILES").help(
            "Routing relations, with commas between them: names (see `turnpike list`), or files \
             that give one (a path, or a name that ends in .relation). Default: that of the topology",
        )
    })
}

impl SweepOptions {
    /// The relations, each as `--routing` of other commands takes it; one that is none for the default.
    fn relations(&self) -> Vec<Option<String>> {
        match &self.fabric.network.routing {
            Some(several) => several.split(',').map(|name| Some(name.to_owned())).collect(),
            None => vec![None],
        }
    }

    /// The seeds of each point.
    fn all_seeds(&self) -> impl Iterator<Item = u64> + use<'_> {
        (0..u64::from(self.seeds)).map(|run| self.seed.wrapping_add(run))
    }

    /// Checks what needs no network.
    fn check(&self) -> anyhow::Result<()> {
        self.details.check(self.traffic.iter().any(|name| name == "hotspot"))?;
        check_cycles(self.cycles)?;
        let relations = self.relations();
        if relations.iter().flatten().any(String::is_empty) {
            bail!("--routing has a relation without a name; give names with commas between them");
        }
        if let Some(Some(name)) = twice(&relations) {
            bail!("--routing names {name} twice; name each relation once");
        }
        if let Some(name) = twice(&self.traffic) {
            bail!("--traffic names {name} twice; name each pattern once");
        }
        let counts = [relations.len(), self.traffic.len(), self.load.list().len()];
        let [relations, patterns, loads] = counts.map(|count| count as u64);
        let runs = relations * patterns * loads * u64::from(self.seeds);
        if runs > MOST_RUNS {
            bail!(
                "these are {runs} runs (relations {relations}, patterns {patterns}, loads {loads}, \
                 seeds {}); use at most {MOST_RUNS}, by fewer loads or --seeds",
                self.seeds
            );
        }
        let points = relations * patterns * loads;
        if self.html.is_some() && points > page::MOST_POINTS {
            bail!(
                "a page of --html shows at most {} points, and these are {points} (relations \
                 {relations}, patterns {patterns}, loads {loads}); use fewer loads, or --format csv",
                page::MOST_POINTS
            );
        }
        if self.html.is_some() && self.html == self.out {
            bail!("--html and --out name the same; name a file and a folder");
        }
        Ok(())
    }
}

/// The first that stands there again.
fn twice<T: PartialEq>(all: &[T]) -> Option<&T> {
    all.iter().enumerate().find_map(|(at, one)| all[..at].contains(one).then_some(one))
}

/// Runs it. A network that deadlocks does not hold.
///
/// # Errors
/// Unknown names, numbers out of range, patterns that the terminals do not have, a fabric beyond
/// memory, too many runs, a folder or a page that cannot be written.
pub fn run(options: &SweepOptions) -> anyhow::Result<Report> {
    options.check()?;
    let curves = Curve::all(options)?;
    let page = options.html.as_deref();
    let page = page.map(|path| Destination::new(path, "sweep.html", options.force)).transpose()?;
    let kept = options.out.as_deref().map(Kept::open).transpose()?;
    let runs = Runs { options, kept };
    let points = points(options, &curves, &runs);
    // Also where a run failed: what was damaged is known then.
    let rows = points.and_then(|points| rows(options, &curves, &runs, points));
    runs.kept.iter().for_each(Kept::tell);
    let report = SweepReport::of(options, rows?);
    let text = report.write(options.format.format)?;
    if let Some(page) = page {
        page.write(&page::of(&report, &options.again)?)?;
    }
    Ok(Report::checked(text, !report.has_deadlock()))
}

/// The points of each curve, in the order of the loads: all runs of all of them at once.
fn points(
    options: &SweepOptions,
    curves: &[Curve],
    runs: &Runs<'_>,
) -> anyhow::Result<Vec<Vec<(f64, Point)>>> {
    let loads = options.load.list();
    let of_curve = |curve| loads.iter().map(move |&load| (curve, load));
    let of_point = |(curve, load)| options.all_seeds().map(move |seed| (curve, load, seed));
    let all: Vec<(&Curve, f64, u64)> =
        curves.iter().flat_map(of_curve).flat_map(of_point).collect();
    let progress = Progress::timed(all.len() as u64, "runs");
    let figures = jobs::run(&all, |&(curve, load, seed)| {
        let figures = runs.figures(curve, load, seed, curve.cycles);
        progress.step();
        figures
    })?;
    let points: Vec<Point> = figures.chunks(options.seeds as usize).map(Point::of).collect();
    let of_curve = |points: &[Point]| loads.iter().copied().zip(points.iter().copied()).collect();
    Ok(points.chunks(loads.len()).map(of_curve).collect())
}

/// The rows of the report, with what was asked of each curve beside its points.
fn rows(
    options: &SweepOptions,
    curves: &[Curve],
    runs: &Runs<'_>,
    points: Vec<Vec<(f64, Point)>>,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (curve, points) in curves.iter().zip(points) {
        let saturation = match options.saturation {
            true => saturation::of(curve, runs, &points)?,
            false => None,
        };
        rows.extend(points.iter().map(|(load, point)| Row::of(curve, *load, *point, saturation)));
    }
    Ok(rows)
}
