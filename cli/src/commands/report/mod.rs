//! `turnpike report`: a fabric as a page, one file that a browser opens from disk: the network with
//! its loads, switches, routes, curves, area and clock, and whether it can deadlock.

mod area;
mod deadlock;
mod network;
mod page;
mod routes;
mod switches;

use crate::Report;
use crate::commands::analyze::{analyzed, holds};
use crate::commands::sweep::curve::{self, Curve, Runs};
use crate::commands::sweep::kept::Kept;
use crate::commands::sweep::{self, CurveOptions, SweepReport};
use crate::destination::{Destination, ForceOption};
use crate::progress::Progress;
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::jobs;

/// Options of `report`.
#[derive(Args, Clone, Debug)]
pub struct ReportOptions {
    /// The fabric, and what is measured for the curves.
    #[command(flatten)]
    pub curves: CurveOptions,
    /// Leave the curves out: no traffic is run
    #[arg(long)]
    pub no_curves: bool,
    /// Take the runs of the curves from this folder, in which `turnpike sweep --out` kept them; those
    /// that are not there are run, and kept there
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,
    /// Show area and clock from this file, which holds what `turnpike synth --format json` said of the
    /// same fabric. May be given several times
    #[arg(long, value_name = "FILE")]
    pub synth: Vec<PathBuf>,
    /// The page to write, such as report.html
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Whether a page that is there is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// The words of the command line that makes the page again.
    #[arg(skip)]
    pub again: Vec<String>,
}

/// The options that say where the page goes, and nothing of what is in it.
pub const NOT_OF_THE_REPORT: &[&str] = &["config", "force", "out", "runs"];

/// The command with defaults of its own: a sweep that takes seconds.
pub fn amended(command: clap::Command) -> clap::Command {
    // One at a time clap would move to the end of the list.
    command.mut_args(|arg| match arg.get_id().as_str() {
        "load" => arg.default_value("0.1..=0.9:0.1"),
        "seeds" => arg.default_value("3"),
        _ => sweep::amended_curves(arg),
    })
}

/// Runs it. A fabric that can deadlock does not hold, nor one with a channel that its flows ask too
/// much of.
///
/// # Errors
/// Unknown names, numbers out of range, patterns that the terminals do not have, a fabric beyond
/// memory, a folder that holds no runs, a file of `synth` that is of another fabric, a page that cannot
/// be written: no page is written then.
pub fn run(options: &ReportOptions) -> anyhow::Result<Report> {
    options.curves.check()?.fit_a_page("report")?;
    if let Some(same) = options.synth.iter().find(|path| **path == options.out) {
        bail!("--synth and --out name the same file {}; name two", same.display());
    }
    // Before the network, which may take long.
    let to = Destination::new(&options.out, "report.html", options.force)?;
    let kept = options.runs.as_deref().map(Kept::of_a_sweep).transpose()?;
    let areas = options.synth.iter().map(|path| area::read(path)).collect::<Result<Vec<_>, _>>()?;
    let plan = Arc::new(options.curves.fabric.plan(None)?);
    areas.iter().try_for_each(|area| area.check(&plan))?;
    let sweep = curves(options, &plan, kept)?;
    let analysis = {
        let _progress = Progress::spinner(format!("analysing {}", plan.name));
        analyzed(&options.curves.fabric, &plan)
    };
    let page = page::of(options, &plan, &analysis, sweep.as_ref(), &areas)?;
    let shown = to.shown().display().to_string();
    to.write(&page.text)?;
    let left_out = page.left_out.iter().map(|left_out| format!("  {left_out}\n"));
    let text = format!("{shown}: {} bytes\n", page.text.len()) + &left_out.collect::<String>();
    let deadlocked = sweep.is_some_and(|sweep| sweep.has_deadlock());
    Ok(Report::checked(text, holds(&analysis) && !deadlocked))
}

/// The sweep that is asked for, of runs that were kept where they were.
fn curves(
    options: &ReportOptions,
    plan: &Arc<FabricPlan>,
    kept: Option<Kept>,
) -> anyhow::Result<Option<SweepReport>> {
    if options.no_curves {
        return Ok(None);
    }
    let options = &options.curves;
    options.details.check_plan(plan, jobs::workers() as u64)?;
    let curves = Curve::of_plan(options, plan, &curve::files(&options.fabric)?)?;
    let runs = Runs { options, kept };
    let report = sweep::measured(&curves, &runs);
    // Also where a run failed.
    if let Some(kept) = &runs.kept {
        kept.tell("run again");
        kept.tell_missing("run now, and kept there");
    }
    report.map(Some)
}
