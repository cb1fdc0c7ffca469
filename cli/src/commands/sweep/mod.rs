//! `turnpike sweep`: latency and throughput over the offered load, for several relations and traffic
//! patterns, each point from runs of several seeds on the reference router.

mod curve;
mod kept;
mod page;
mod report;
mod saturation;
mod slurm;
mod text;

pub use report::REPORT;

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::traffic::{self, check_cycles};
use crate::options::{FabricOptions, Loads, TrafficOptions, values};
use crate::{Report, again};
use anyhow::bail;
use clap::{ArgAction, Args};
use curve::{Curve, RunOf, Runs};
use kept::Kept;
use report::{Row, SweepReport};
use slurm::SlurmOptions;
use std::path::PathBuf;
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
    /// What becomes of a page that is there, or of a folder.
    #[command(flatten)]
    pub force: ForceOption,
    /// On a cluster.
    #[command(flatten)]
    pub slurm: SlurmOptions,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
    /// The words of the command line that makes the report again.
    #[arg(skip)]
    pub again: Vec<String>,
}

/// The options that say how a report comes about and where it goes, and nothing of what is in it.
pub const NOT_OF_THE_REPORT: &[&str] = &[
    "config",
    "force",
    "format",
    "html",
    "merge",
    "missing",
    "out",
    "runs_per_task",
    "sbatch",
    "slurm",
    "task",
    "throttle",
];

/// The command with what its options mean here: several relations, or a folder that says all else.
pub fn amended(command: clap::Command) -> clap::Command {
    slurm::amended(command).mut_arg("routing", |arg| {
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

    /// The curves.
    ///
    /// # Errors
    /// Numbers out of range, too many runs; as [`Curve::all`].
    fn curves(&self) -> anyhow::Result<Vec<Curve>> {
        self.check()?;
        Curve::all(self)
    }

    /// Checks what needs no network.
    fn check(&self) -> anyhow::Result<()> {
        if self.fabric.network.topology.is_empty() {
            bail!(
                "no topology is given; name one (see `turnpike list`) or a file that describes one: \
                 turnpike sweep TOPOLOGY|FILE"
            );
        }
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

/// Does what is asked: runs it, writes it for Slurm, or does what is to be done with what was written.
///
/// # Errors
/// Unknown names, numbers out of range, patterns that the terminals do not have, a fabric beyond
/// memory, too many runs, a folder or a page that cannot be written or is not what it should be.
pub fn run(options: &SweepOptions) -> anyhow::Result<Report> {
    options.slurm.check()?;
    let SlurmOptions { slurm, merge, missing, task, .. } = &options.slurm;
    match (merge, slurm, task) {
        (Some(folder), ..) if *missing => slurm::missing(folder),
        (Some(folder), ..) => slurm::merge(folder, options),
        (None, Some(folder), Some(task)) => slurm::task(folder, (*task).into()),
        (None, Some(folder), None) => slurm::write(folder, options),
        (None, None, _) => {
            let curves = options.curves()?;
            let page = page(options)?;
            let kept = options.out.as_deref().map(Kept::open).transpose()?;
            report(&curves, &Runs { options, kept }, page)
        }
    }
}

/// The place of the page, where one is asked for.
fn page(options: &SweepOptions) -> anyhow::Result<Option<Destination>> {
    let place = |path| Destination::new(path, "sweep.html", options.force);
    options.html.as_deref().map(place).transpose()
}

/// The report, and the page. A network that deadlocks does not hold.
fn report(curves: &[Curve], runs: &Runs<'_>, page: Option<Destination>) -> anyhow::Result<Report> {
    let options = runs.options;
    let points = points(options, curves, runs);
    // Also where a run failed: what was damaged is known then.
    let rows = points.and_then(|points| rows(options, curves, runs, points));
    runs.kept.iter().for_each(|kept| kept.tell("run again"));
    let report = SweepReport::of(options, rows?);
    let text = report.write(options.format.format)?;
    if let Some(page) = page {
        page.write(&page::of(&report, &again::line(&options.again))?)?;
    }
    Ok(Report::checked(text, !report.has_deadlock()))
}

/// The runs of all points: curve by curve, load by load, seed by seed.
fn all_runs<'a>(options: &SweepOptions, curves: &'a [Curve]) -> Vec<RunOf<'a>> {
    let mut all = Vec::new();
    for curve in curves {
        for &load in options.load.list() {
            let run = |seed| RunOf { curve, load, seed, cycles: curve.cycles };
            all.extend(options.all_seeds().map(run));
        }
    }
    all
}

/// The points of each curve, in the order of the loads: all runs of all of them at once.
fn points(
    options: &SweepOptions,
    curves: &[Curve],
    runs: &Runs<'_>,
) -> anyhow::Result<Vec<Vec<(f64, Point)>>> {
    let figures = runs.all_figures(&all_runs(options, curves))?;
    let points: Vec<Point> = figures.chunks(options.seeds as usize).map(Point::of).collect();
    let loads = options.load.list();
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
