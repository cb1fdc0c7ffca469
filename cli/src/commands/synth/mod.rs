//! `turnpike synth`: area and clock of a switch or a fabric, by Yosys and nextpnr.

mod bus;
mod circuit;
mod fit;
mod report;
mod whole;

pub use bus::REPORT as BUS_REPORT;
pub use circuit::REPORT as CIRCUIT_REPORT;
pub use report::REPORT;

use crate::Report;
use crate::format::FormatOption;
use crate::kinds::{AnyFabric, KindOptions};
use crate::options::values;
use crate::progress::Progress;
use anyhow::bail;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::{FabricPlan, SwitchPlan, full_crossbar_no_uturn};
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{self, Measured};
use turnpike_flow::session::Session;
use turnpike_flow::target::{self, Target};

/// Options of `synth`.
#[derive(Args, Clone, Debug)]
pub struct SynthOptions {
    /// The fabric.
    #[command(flatten)]
    pub fabric: KindOptions,
    /// The device or cell library: ice40-hx8k, ecp5-85k, xilinx7 or osu018
    #[arg(long, value_name = "NAME")]
    pub target: String,
    /// Part of the fabric: switch (the default) or fabric; of a bus fabric, which has no switches
    /// of channels, fabric (the default) or node
    #[arg(long, value_enum, hide_possible_values = true)]
    pub part: Option<FabricPart>,
    /// The switch's crossbar: routed (the turns that routing takes) or full (every turn but
    /// U-turns, for comparison)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub crossbar: Crossbar,
    /// Options of the tools' runs.
    #[command(flatten)]
    pub runs: RunOptions,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

impl SynthOptions {
    /// Part of a switched fabric that is measured.
    pub fn part(&self) -> FabricPart {
        self.part.unwrap_or_default()
    }
}

/// Options of the tools' runs.
#[derive(Args, Clone, Copy, Debug)]
pub struct RunOptions {
    /// Placements, each with a seed of its own; the clock is their median (default: 5; 0: count
    /// alone)
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::placements)]
    pub seeds: Option<u32>,
    /// Run every tool again, and keep nothing in the user's cache
    #[arg(long)]
    pub no_cache: bool,
}

/// Placements where the user says nothing.
const SEEDS: u32 = 5;

/// Number of placements of a design for this target: as many as the user says, else five.
///
/// # Errors
/// A number for a target that has no place and route.
pub fn placements(target: Target, seeds: Option<u32>) -> anyhow::Result<u32> {
    if seeds.is_some() && target.family.placer().is_none() {
        bail!("--seeds is of no use for {}: nothing is placed; leave it out", target.name);
    }
    Ok(seeds.unwrap_or(SEEDS))
}

/// Part of a fabric that is synthesised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FabricPart {
    /// One switch of each class.
    #[default]
    Switch,
    /// All of it.
    Fabric,
    /// One node of a bus fabric, with its receiver of each bus.
    Node,
}

/// The turns of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Crossbar {
    /// Turns that routing takes.
    #[default]
    Routed,
    /// All but U-turns.
    Full,
}

impl Crossbar {
    /// Name of the crossbar on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Routed => "routed",
            Self::Full => "full",
        }
    }
}

/// The plans of the switches, by class, with this crossbar.
pub fn classes(plan: &FabricPlan, crossbar: Crossbar) -> Vec<SwitchPlan> {
    let classes = plan.switches.iter().zip(&plan.network().turns().classes);
    let of = |(switch, turns): (&SwitchPlan, &_)| match crossbar {
        Crossbar::Routed => switch.clone(),
        Crossbar::Full => {
            full_crossbar_no_uturn(plan.network(), turns, format!("{}_full", switch.name))
        }
    };
    classes.map(of).collect()
}

/// Switches with this crossbar, to be measured.
///
/// # Errors
/// None, unless Turnpike is wrong.
pub fn switches(plan: &FabricPlan, crossbar: Crossbar) -> anyhow::Result<Vec<Subject>> {
    let classes = classes(plan, crossbar);
    classes.iter().map(|class| Ok(Subject::switch(plan, class)?)).collect()
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a missing tool, a failing one, a design too large.
pub fn run(options: &SynthOptions) -> anyhow::Result<Report> {
    // Before the network, which may take long.
    let target = target::find(&options.target)?;
    let seeds = placements(target, options.runs.seeds)?;
    let planned = options.fabric.fabric(None, |fabric| {
        if options.part() == FabricPart::Node {
            bail!("--part node is for bus fabrics (ocpc, mob); use switch or fabric");
        }
        if options.part() == FabricPart::Fabric && options.crossbar == Crossbar::Full {
            bail!(
                "a fabric of full crossbars is not built (it could deadlock); use --part switch with \
                 --crossbar full"
            );
        }
        fabric.rtl_plan(None)
    })?;
    match planned {
        AnyFabric::Switched(plan) => switched(options, &plan, target, seeds),
        AnyFabric::Circuit(plan) => circuit::run(options, &plan, target, seeds),
        AnyFabric::Bus(plan) => bus::run(options, &plan, target, seeds),
    }
}

/// Measures the switches of a switched fabric, or the whole.
fn switched(
    options: &SynthOptions,
    plan: &FabricPlan,
    target: Target,
    seeds: u32,
) -> anyhow::Result<Report> {
    let session = Session::open(target, !options.runs.no_cache)?;
    let subjects = match options.part() {
        FabricPart::Switch | FabricPart::Node => switches(plan, options.crossbar)?,
        FabricPart::Fabric => {
            fit::check_before(&session, options, plan)?;
            vec![Subject::fabric(plan)?]
        }
    };
    let measured = {
        let steps = measure::steps(&session, subjects.len(), seeds);
        let progress = Progress::steps(steps, format!("{} for {}", plan.name, target.name));
        measure::measure(&session, &subjects, seeds, || progress.step())
    };
    let measured = measured.map_err(|error| fit::explain(&session, options, error))?;
    let tops = subjects.iter().map(|subject| subject.design.top.as_str());
    let found: Vec<(&str, &Measured)> = tops.zip(&measured).collect();
    Ok(Report::holds(report::render(options, plan, &session, &found)?))
}
