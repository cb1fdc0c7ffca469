//! `turnpike analyze`: every figure of a fabric.

mod bounds;
mod bus;
mod collapse;
pub(crate) mod deadlock;
pub(crate) mod flows;
mod matrix;
mod pattern;
mod properties;
mod text;

use crate::Report;
use crate::busses::FunnelSize;
use crate::destination::{Destination, ForceOption};
use crate::format::FormatOption;
use crate::messages::{self, Pattern};
use crate::options::FabricOptions;
use crate::progress::Progress;
use crate::tabular::{Document, ReportKind};
use clap::Args;
use std::path::PathBuf;
use turnpike_emit::picture;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::{Analysis, FlowFigures};

/// Longest line of a text.
const WIDTH: usize = 96;

/// Options of `analyze`.
#[derive(Args, Debug)]
pub struct AnalyzeOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: FabricOptions,
    /// The size of a split&hash network.
    #[command(flatten)]
    pub funnels: FunnelSize,
    /// The load of a pattern in place of the figures
    #[arg(long, value_name = "PATTERN|FILE",
          help = messages::help("The load of a pattern in place of the figures"))]
    pub pattern: Option<Pattern>,
    /// Merge the levels of a butterfly of radix 2 into a hypercube: its channels, its routes and the
    /// loads on them, of all pairs or of --pattern
    #[arg(long)]
    pub collapse: bool,
    /// Cycles that no packet of a flow exceeds, from its release to its last flit at the sink
    #[arg(long)]
    pub bounds: bool,
    /// Draw the network, its commonest switches with their crossbars, and the cycle of channels that
    /// could wait for each other
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Whether a file that is there is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// Runs it. A fabric that can deadlock does not hold, nor one with a channel that its flows ask too
/// much of.
///
/// # Errors
/// Unknown names, numbers out of range; a picture that cannot be drawn or written, and nothing is
/// written then.
pub fn run(options: &AnalyzeOptions) -> anyhow::Result<Report> {
    if let Some(report) = bus::run(options)? {
        return Ok(report);
    }
    if options.collapse {
        return collapse::run(options);
    }
    if options.bounds {
        return bounds::run(options);
    }
    if let Some(pattern) = &options.pattern {
        return pattern::run(options, pattern);
    }
    let to = |path| Destination::new(path, "network.svg", options.force);
    let to = options.svg.as_deref().map(to).transpose()?;
    let plan = options.fabric.figures_plan_if(|topology| match to {
        Some(_) => Ok(picture::check(topology)?),
        None => Ok(()),
    })?;
    let analysis = {
        let _progress = Progress::spinner(format!("analysing {}", plan.name));
        analyzed(&options.fabric, &plan)
    };
    if let Some(to) = to {
        to.write(&picture::picture(&plan)?.contents)?;
    }
    options.format.report(&analysis, holds(&analysis), || text::report(&plan, &analysis))
}

/// Figures of a fabric. A network for flows stands beside that from all to all.
pub fn analyzed(fabric: &FabricOptions, plan: &FabricPlan) -> Analysis {
    let flows = FlowFigures::of(plan, fabric.for_all_pairs(plan).as_ref());
    Analysis { flows, ..Analysis::of(plan) }
}

/// Whether a fabric is free of deadlock, and its channels carry what its flows ask for.
pub fn holds(analysis: &Analysis) -> bool {
    analysis.deadlock_free && analysis.flows.as_ref().is_none_or(FlowFigures::fits)
}

impl Document for Analysis {}

pub use bounds::REPORT as BOUNDS_REPORT;
pub use bus::REPORT as BUS_REPORT;
pub use collapse::REPORT as COLLAPSE_REPORT;
pub use pattern::REPORT as PATTERN_REPORT;

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<Analysis>("analyze", "figures of a fabric (`analyze`)");
