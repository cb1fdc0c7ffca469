//! The report of `synth`.

use super::{Crossbar, FabricPart, SynthOptions};
use crate::format::{Format, indent, json};
use crate::table::Table;
use crate::tabular::{self, Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;
use turnpike_flow::cells::Cells;
use turnpike_flow::measure::{Clock, Measured};
use turnpike_flow::placement::{CriticalPath, Placement};
use turnpike_flow::session::Session;

#[derive(Serialize, JsonSchema)]
struct SynthReport<'a> {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    configuration: Configuration,
    /// Target of the synthesis.
    target: &'static str,
    /// The tools, with their versions.
    tools: Vec<&'a str>,
    /// Part of the fabric that was synthesised.
    part: FabricPart,
    /// Crossbar of the switches.
    crossbar: Crossbar,
    /// A design each: the switches of each class, or the whole.
    results: Vec<ResultReport<'a>>,
}

impl Document for SynthReport<'_> {
    const ROWS: Option<&'static str> = Some("results");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<SynthReport<'_>>("synth", "area and clock (`synth`)");

#[derive(Serialize, JsonSchema)]
struct ResultReport<'a> {
    /// Name of the module that was synthesised.
    top: &'a str,
    /// The flattened design.
    whole: Counts,
    /// Cells of the device that the design takes once packed.
    logic_cells: Option<u64>,
    /// Each part mapped by itself: they need not add up to the whole.
    parts: PartsReport,
    /// All cells, by the target's names for them.
    cells_by_type: &'a BTreeMap<String, u64>,
    /// The clock, where it was placed.
    clock: Option<ClockReport<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct PartsReport {
    /// Cells of the crossbar's multiplexers.
    multiplexers: Counts,
    /// Cells of the switch's queues.
    queues: Counts,
    /// Cells of the outputs' arbiters.
    arbiters: Counts,
    /// Route logic and what joins the others.
    rest: Counts,
}

/// The cells of a design or a part.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub struct Counts {
    /// Number of all cells.
    pub cells: u64,
    /// Number of look-up tables.
    pub luts: u64,
    /// Number of flip-flops.
    pub flip_flops: u64,
    /// Number of memories made of look-up tables.
    pub lut_rams: u64,
    /// Number of block memories.
    pub block_rams: u64,
    /// Number of carry cells.
    pub carries: u64,
    /// Area in square micrometres, for standard cells.
    pub area_um2: Option<f64>,
}

impl Counts {
    /// Counts of these cells.
    pub fn of(cells: &Cells) -> Self {
        Self {
            cells: cells.all(),
            luts: cells.luts(),
            flip_flops: cells.flip_flops(),
            lut_rams: cells.lut_rams(),
            block_rams: cells.block_rams(),
            carries: cells.carries(),
            area_um2: cells.area,
        }
    }
}

/// A clock.
#[derive(Serialize, JsonSchema)]
pub struct ClockReport<'a> {
    /// Median clock of the placements, in MHz.
    median_mhz: f64,
    /// Clock of the slowest placement, in MHz.
    min_mhz: f64,
    /// Clock of the fastest placement, in MHz.
    max_mhz: f64,
    /// Placements, from the slowest to the fastest.
    runs: &'a [Placement],
    /// Critical path of the run in the middle.
    critical_path: &'a CriticalPath,
}

impl<'a> ClockReport<'a> {
    /// Report of these placements.
    pub fn of(clock: &'a Clock) -> Self {
        Self {
            median_mhz: clock.median(),
            min_mhz: clock.min(),
            max_mhz: clock.max(),
            runs: clock.placements(),
            critical_path: &clock.median_run().critical_path,
        }
    }
}

/// Writes the report.
///
/// # Errors
/// None: its keys are strings.
pub fn render(
    options: &SynthOptions,
    plan: &FabricPlan,
    session: &Session,
    found: &[(&str, &Measured)],
) -> anyhow::Result<String> {
    let report = SynthReport {
        schema_version: 2,
        configuration: Configuration::of(plan),
        target: session.target.name,
        tools: session.tools(),
        part: options.part(),
        crossbar: options.crossbar,
        results: found.iter().map(|(top, measured)| result(top, measured)).collect(),
    };
    match options.format.format {
        Format::Json => json(&report),
        Format::Csv => tabular::csv(&report),
        Format::Text => Ok(text(plan, session, found)),
    }
}

fn result<'a>(top: &'a str, measured: &'a Measured) -> ResultReport<'a> {
    let parts = &measured.parts;
    ResultReport {
        top,
        whole: Counts::of(&measured.cells),
        logic_cells: measured.logic_cells,
        parts: PartsReport {
            multiplexers: Counts::of(&parts.multiplexers),
            queues: Counts::of(&parts.queues),
            arbiters: Counts::of(&parts.arbiters),
            rest: Counts::of(&parts.rest),
        },
        cells_by_type: &measured.cells.by_type,
        clock: measured.clock.as_ref().map(ClockReport::of),
    }
}

fn text(plan: &FabricPlan, session: &Session, found: &[(&str, &Measured)]) -> String {
    let mut text = format!("{}\n", plan.canonical());
    let mut line = |s: String| writeln!(text, "{s}").expect("a string takes any text");
    line(format!("{}: {}", session.target.name, session.target.summary));
    session.tools().iter().for_each(|tool| line(format!("  {tool}")));
    for (top, measured) in found {
        line(String::new());
        line((*top).to_owned());
        line(indent(&area(measured)).trim_end().to_owned());
        if let Some(cells) = measured.logic_cells {
            line(format!("  logic cells: {cells}, packed"));
        }
        if let Some(clock) = &measured.clock {
            line(indent(&timing(clock)).trim_end().to_owned());
        }
    }
    text
}

fn area(measured: &Measured) -> String {
    let standard_cells = measured.cells.area.is_some();
    let mut table = match standard_cells {
        true => Table::new(["", "cells", "flip-flops", "area (um2)"]),
        false => Table::new(["", "LUTs", "flip-flops", "LUT-RAM", "block RAM", "carry"]),
    };
    let parts = &measured.parts;
    for (name, cells) in [
        ("whole, flattened", &measured.cells),
        ("multiplexers, alone", &parts.multiplexers),
        ("queues, alone", &parts.queues),
        ("arbiters, alone", &parts.arbiters),
        ("rest, alone", &parts.rest),
    ] {
        let c = Counts::of(cells);
        let numbers = match standard_cells {
            true => {
                let area = c.area_um2.unwrap_or(0.0);
                vec![c.cells.to_string(), c.flip_flops.to_string(), format!("{area:.0}")]
            }
            false => [c.luts, c.flip_flops, c.lut_rams, c.block_rams, c.carries]
                .map(|n| n.to_string())
                .to_vec(),
        };
        table.push([vec![name.to_owned()], numbers].concat());
    }
    table.text()
}

/// A clock, for people.
pub fn timing(clock: &Clock) -> String {
    let (median, path) = (clock.median(), &clock.median_run().critical_path);
    let seeds = clock.placements().len();
    let mut text = format!(
        "clock: {median:.1} MHz, median of {seeds} placement(s), {:.1} to {:.1}\n",
        clock.min(),
        clock.max()
    );
    text += &format!(
        "critical path at {:.1} MHz: {:.2} ns, {:.2} in cells and {:.2} in wires, {} levels\n",
        clock.median_run().mhz,
        path.ns,
        path.logic_ns,
        path.routing_ns,
        path.levels
    );
    text + &format!("  from {}\n  to   {}\n", short(&path.from), short(&path.to))
}

/// A cell's name without what the tools put behind the design's own.
fn short(cell: &str) -> &str {
    let ends = ["_SB_", "_TRELLIS_", "_LUT4", "_PFUMX", "_L6MUX21", "_CCU2C", "$"];
    let end = ends.iter().filter_map(|mark| cell.find(mark)).filter(|&at| at > 0).min();
    &cell[..end.unwrap_or(cell.len())]
}
