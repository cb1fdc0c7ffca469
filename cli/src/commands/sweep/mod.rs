//! `turnpike sweep`: latency and throughput over the offered load, for several relations and traffic
//! patterns, each point from runs of several seeds on the reference router.

pub mod curve;
pub mod kept;
mod options;
pub mod page;
mod report;
mod saturation;
mod slurm;
mod text;

pub use options::{CurveOptions, amended as amended_curves};
pub use report::{CLASSES_REPORT, REPORT, SweepReport};

use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::options::Points;
use crate::usage::note;
use crate::{Report, again};
use anyhow::bail;
use clap::Args;
use curve::{Curve, CurveRun, Runs};
use kept::Kept;
use report::SweepPoint;
use saturation::Saturation;
use slurm::SlurmOptions;
use std::path::PathBuf;
use turnpike_sim_network::sweep::{Point, placement};

/// Options of `sweep`.
#[derive(Args, Clone, Debug)]
pub struct SweepOptions {
    /// Curves to be measured.
    #[command(flatten)]
    pub curves: CurveOptions,
    /// Keep each run in this folder as soon as it is done; the same command goes on from there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the report as a page, too: one file that a browser opens from disk
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Whether a page that is there, or a folder, is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// On a cluster.
    #[command(flatten)]
    pub slurm: SlurmOptions,
    /// Format of the report.
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
    let alone = slurm::alone(&command);
    // One at a time clap would move to the end of the list.
    command.mut_args(|arg| match arg.get_id().as_str() {
        "routing" => arg.value_name("NAMES|FILES").help(
            "Routing relations, with commas between them: names (see `turnpike list`), or files \
             that give one (a path, or a name that ends in .relation). Default: that of the topology",
        ),
        _ => alone.amended(amended_curves(arg)),
    })
}

impl SweepOptions {
    /// The curves.
    ///
    /// # Errors
    /// Numbers out of range, too many runs; as [`Curve::all`].
    fn all_curves(&self) -> anyhow::Result<Vec<Curve>> {
        self.check()?;
        Curve::all(&self.curves)
    }

    /// Checks what needs no network.
    fn check(&self) -> anyhow::Result<()> {
        if self.curves.fabric.network.unrouted.topology.is_empty() {
            bail!(
                "no topology is given; name one (see `turnpike list`) or a file that describes one: \
                 turnpike sweep TOPOLOGY|FILE"
            );
        }
        let points = self.curves.check()?;
        if self.html.is_some() {
            points.fit_a_page("--html")?;
        }
        if self.html.is_some() && self.html == self.out {
            bail!("--html and --out name the same; name a file and a folder");
        }
        Ok(())
    }
}

/// Does what is asked: runs it, writes it for Slurm, or does what is to be done with what was written.
///
/// # Errors
/// Unknown names, numbers out of range, patterns that the terminals do not have, a fabric beyond
/// memory, too many runs, a folder or a page that cannot be written or is not what it should be.
pub fn run(options: &SweepOptions) -> anyhow::Result<Report> {
    let SlurmOptions { slurm, merge, missing, task, .. } = &options.slurm;
    match (merge, slurm, task) {
        (Some(folder), ..) if *missing => slurm::missing(folder),
        (Some(folder), ..) => slurm::merge(folder, options),
        (None, Some(folder), Some(task)) => slurm::task(folder, (*task).into()),
        (None, Some(folder), None) => slurm::write(folder, options),
        (None, None, _) => {
            let curves = options.all_curves()?;
            let page = page(options)?;
            let kept = options.out.as_deref().map(Kept::open).transpose()?;
            report(options, &curves, &Runs { options: &options.curves, kept }, page)
        }
    }
}

/// The place of the page, where one is asked for.
fn page(options: &SweepOptions) -> anyhow::Result<Option<Destination>> {
    let place = |path| Destination::new(path, "sweep.html", options.force);
    options.html.as_deref().map(place).transpose()
}

/// The report, and the page. A network that deadlocks does not hold.
fn report(
    options: &SweepOptions,
    curves: &[Curve],
    runs: &Runs<'_>,
    page: Option<Destination>,
) -> anyhow::Result<Report> {
    let report = measured(curves, runs);
    // Also where a run failed: what was damaged is known then.
    runs.kept.iter().for_each(|kept| kept.tell("run again"));
    let report = report?;
    let text = report.write(options.format.format)?;
    if let Some(page) = page {
        page.write(&page::of(&report, &again::line(&options.again))?)?;
    }
    Ok(Report::checked(text, !report.has_deadlock()))
}

/// The runs of all points, where their loads are known beforehand: curve by curve, load by load, seed by
/// seed.
///
/// # Errors
/// Points that place themselves.
fn all_runs<'a>(options: &CurveOptions, curves: &'a [Curve]) -> anyhow::Result<Vec<CurveRun<'a>>> {
    let loads = options.load.listed()?;
    let of_curve = |curve: &'a Curve| {
        loads.iter().flat_map(move |&load| runs_of(options, curve, load, curve.cycles))
    };
    Ok(curves.iter().flat_map(of_curve).collect())
}

/// Runs of a point of a curve, of so many cycles each.
fn runs_of<'a>(
    options: &CurveOptions,
    curve: &'a Curve,
    load: f64,
    cycles: u64,
) -> impl Iterator<Item = CurveRun<'a>> {
    options.all_seeds().map(move |seed| CurveRun { curve, load, seed, cycles })
}

/// The report of these curves.
///
/// # Errors
/// A run that failed, a folder that cannot be written to.
pub fn measured(curves: &[Curve], runs: &Runs<'_>) -> anyhow::Result<SweepReport> {
    let placed = curves.iter().map(|curve| Placed::of(curve, runs));
    let placed = placed.collect::<anyhow::Result<Vec<_>>>()?;
    let points = points(&placed, runs)?;
    Ok(SweepReport::of(runs.options.run.seed, rows(&placed, runs, &points)?))
}

/// A curve with the loads of its points.
struct Placed<'a> {
    curve: &'a Curve,
    loads: Vec<f64>,
    /// Load at which the curve saturates, where the loads follow from that.
    saturation: Option<Saturation>,
}

impl<'a> Placed<'a> {
    fn of(curve: &'a Curve, runs: &Runs<'_>) -> anyhow::Result<Self> {
        Ok(match &runs.options.load {
            Points::At(loads) => Self { curve, loads: loads.list().to_owned(), saturation: None },
            Points::Auto(points) => {
                let saturation = saturation::of(curve, runs, &[])?;
                let loads = match saturation {
                    Some(saturation) => placement::around(saturation.middle(), *points),
                    None => placement::even(*points),
                };
                if let Some(Saturation { decided: false, low, high, .. }) = saturation {
                    note(format_args!(
                        "{}: saturation is not decided between loads {low} and {}; the points stand \
                         around the middle; --cycles for longer runs",
                        curve.name(),
                        high.unwrap_or(1.0)
                    ));
                }
                Self { curve, loads, saturation }
            }
        })
    }
}

/// The points of each curve, in the order of the loads: all runs of one length at once, and longer ones of those
/// points whose mean latency is not as precise as is asked for.
fn points(curves: &[Placed<'_>], runs: &Runs<'_>) -> anyhow::Result<Vec<Vec<(f64, Point)>>> {
    let options = runs.options;
    let places: Vec<(&Curve, f64)> = curves
        .iter()
        .flat_map(|Placed { curve, loads, .. }| loads.iter().map(move |&load| (*curve, load)))
        .collect();
    let mut points: Vec<Option<Point>> = vec![None; places.len()];
    for round in 0.. {
        // By place: the length of its runs in this round.
        let longer = |at: usize| {
            let curve = places[at].0;
            let goes_on =
                points[at].as_ref().is_none_or(|point| curve.is_precise(point) == Some(false));
            Some((at, *curve.lengths.get(round).filter(|_| goes_on)?))
        };
        let open: Vec<(usize, u64)> = (0..places.len()).filter_map(longer).collect();
        if open.is_empty() {
            break;
        }
        let runs_at = |&(at, cycles): &(usize, u64)| {
            let (curve, load) = places[at];
            runs_of(options, curve, load, cycles)
        };
        let figures = runs.all_figures(&open.iter().flat_map(runs_at).collect::<Vec<_>>())?;
        for (&(at, _), figures) in open.iter().zip(figures.chunks(options.seeds as usize)) {
            points[at] = Some(Point::of(figures));
        }
    }
    let mut points = points.into_iter().flatten();
    let of_curve = |curve: &Placed<'_>| curve.loads.iter().copied().zip(&mut points).collect();
    Ok(curves.iter().map(of_curve).collect())
}

/// The rows of the report, with what was asked of each curve beside its points.
fn rows(
    curves: &[Placed<'_>],
    runs: &Runs<'_>,
    points: &[Vec<(f64, Point)>],
) -> anyhow::Result<Vec<SweepPoint>> {
    let mut rows = Vec::new();
    for (Placed { curve, saturation, .. }, points) in curves.iter().zip(points) {
        let saturation = match (&runs.options.load, runs.options.saturation) {
            (Points::At(_), true) => saturation::of(curve, runs, points)?,
            _ => *saturation,
        };
        let row =
            |(load, point): &(f64, Point)| SweepPoint::of(curve, *load, point.clone(), saturation);
        rows.extend(points.iter().map(row));
    }
    Ok(rows)
}
