//! `turnpike synth`: area and clock of a switch or a fabric, by Yosys and nextpnr.

mod bus;
mod circuit;
mod fit;
mod report;
mod slotted;
mod switched;
mod throughput;
mod whole;

pub use bus::REPORT as BUS_REPORT;
pub use circuit::REPORT as CIRCUIT_REPORT;
pub use slotted::REPORT as SLOTTED_REPORT;
pub use switched::{REPORT, classes};
pub use whole::Whole;

use crate::Report;
use crate::format::FormatOption;
use crate::kinds::KindOptions;
use crate::options::values;
use crate::progress::Progress;
use crate::tabular;
use anyhow::bail;
use clap::{Args, ValueEnum};
use report::{Figures, Found, SynthReport};
use schemars::JsonSchema;
use serde::Serialize;
use throughput::Accepted;
use turnpike_flow::design::Subject;
use turnpike_flow::measure;
use turnpike_flow::session::{FlowError, Session};
use turnpike_flow::target::{self, Target};
use turnpike_kind::Fabric;

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

/// Fabric of a kind as `synth` measures it.
pub trait Synthesised: Fabric {
    /// Version of the fields of the report.
    const VERSION: u32 = 1;
    /// Fields of the report before the target: the fabric, and figures of its plan.
    type Head: Serialize + JsonSchema;
    /// Fields of the report behind the tools.
    type Figures<'a>: Figures<'a>;

    /// The part that is measured.
    ///
    /// # Errors
    /// A part or a crossbar that the kind has not.
    fn part(&self, options: &SynthOptions) -> anyhow::Result<FabricPart>;
    /// The head of a report on this part.
    fn head(&self, part: FabricPart) -> Self::Head;
    /// Designs of this part. `session` tells whether they can fit.
    ///
    /// # Errors
    /// A part that is far too large.
    fn subjects(
        &self,
        _: &SynthOptions,
        _part: FabricPart,
        _session: &Session,
    ) -> anyhow::Result<Vec<Subject>> {
        Ok(vec![Subject::of_design(&self.design()?)?])
    }
    /// Error for the user, with what would fit where the kind knows it.
    fn explain(&self, _options: &SynthOptions, _: &Session, error: FlowError) -> anyhow::Error {
        error.into()
    }
    /// Flits that the terminals of a part that was placed take in a cycle; `None` for a part that has no
    /// network.
    ///
    /// # Errors
    /// A fabric that its model cannot take.
    fn accepted(&self, _part: FabricPart) -> anyhow::Result<Option<Accepted>> {
        Ok(Some(Accepted::Unknown("flits per second are those of switched fabrics")))
    }
    /// The part in words, and a line of the kind's own, for people.
    fn remark(&self, _part: FabricPart) -> (&'static str, String) {
        ("whole", String::new())
    }
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a missing tool, a failing one, a design too large.
pub fn run(options: &SynthOptions) -> anyhow::Result<Report> {
    // Before the network, which may take long.
    let target = target::find(&options.target)?;
    let seeds = placements(target, options.runs.seeds)?;
    let fabric = options.fabric.fabric(None, &|fabric| {
        switched::check(options)?;
        fabric.rtl_plan(None)
    })?;
    fabric.synth(options, target, seeds)
}

/// Measures a fabric or a part of it.
pub(crate) fn measure<F: Synthesised>(
    options: &SynthOptions,
    fabric: &F,
    target: Target,
    seeds: u32,
) -> anyhow::Result<Report> {
    let part = fabric.part(options)?;
    let session = Session::open(target, !options.runs.no_cache)?;
    let subjects = fabric.subjects(options, part, &session)?;
    let measured = {
        let steps = measure::steps(&session, subjects.len(), seeds);
        let progress = Progress::steps(steps, format!("{} for {}", fabric.name(), target.name));
        measure::measure(&session, &subjects, seeds, || progress.step())
    };
    let measured = measured.map_err(|error| fabric.explain(options, &session, error))?;
    let is_placed = measured.iter().any(|design| design.clock.is_some());
    let accepted = if is_placed { fabric.accepted(part)? } else { None };
    let found = Found { crossbar: options.crossbar, part, session, subjects, measured, accepted };
    let figures = F::Figures::of(&found)?;
    let report = SynthReport {
        schema_version: F::VERSION,
        head: fabric.head(part),
        target: target.name,
        tools: found.session.tools(),
        figures,
    };
    Ok(Report::holds(tabular::write(options.format.format, &report, || {
        report.text(&fabric.canonical(), &found, &fabric.remark(part))
    })?))
}
