//! The report of `synth`.

use super::{Crossbar, Part, SynthOptions};
use crate::format::{Format, indent, json};
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use turnpike_fabric::plan::FabricPlan;
use turnpike_flow::cells::Cells;
use turnpike_flow::measure::{Clock, Measured};
use turnpike_flow::placement::{CriticalPath, Placement};
use turnpike_flow::session::Session;

#[derive(Serialize)]
struct SynthReport<'a> {
    schema_version: u32,
    configuration: String,
    target: &'static str,
    tools: Vec<&'a str>,
    part: Part,
    crossbar: Crossbar,
    results: Vec<ResultReport<'a>>,
}

#[derive(Serialize)]
struct ResultReport<'a> {
    /// The module.
    top: &'a str,
    /// The flattened design.
    whole: Counts,
    /// The device's cells that it takes once packed.
    logic_cells: Option<u64>,
    /// Each part mapped by itself: they need not add up to the whole.
    parts: PartsReport,
    cells_by_type: &'a BTreeMap<String, u64>,
    clock: Option<ClockReport<'a>>,
}

#[derive(Serialize)]
struct PartsReport {
    multiplexers: Counts,
    queues: Counts,
    arbiters: Counts,
    rest: Counts,
}

/// The cells of a design or a part.
#[derive(Clone, Copy, Serialize)]
pub struct Counts {
    /// All cells.
    pub cells: u64,
    /// Look-up tables.
    pub luts: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Memories made of look-up tables.
    pub lut_rams: u64,
    /// Block memories.
    pub block_rams: u64,
    /// Carry cells.
    pub carries: u64,
    /// Square micrometres, for standard cells.
    pub area_um2: Option<f64>,
}

impl Counts {
    /// Of these cells.
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

#[derive(Serialize)]
struct ClockReport<'a> {
    median_mhz: f64,
    min_mhz: f64,
    max_mhz: f64,
    /// From the slowest to the fastest.
    runs: &'a [Placement],
    /// Of the run in the middle.
    critical_path: &'a CriticalPath,
}

impl<'a> ClockReport<'a> {
    fn of(clock: &'a Clock) -> Self {
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
    match options.format.format {
        Format::Json => json(&SynthReport {
            schema_version: 1,
            configuration: plan.canonical(),
            target: session.target.name,
            tools: session.tools(),
            part: options.part,
            crossbar: options.crossbar,
            results: found.iter().map(|(top, measured)| result(top, measured)).collect(),
        }),
        Format::Csv => Ok(csv(session, found)),
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

fn csv(session: &Session, found: &[(&str, &Measured)]) -> String {
    let mut table = Table::new([
        "top",
        "target",
        "cells",
        "luts",
        "flip_flops",
        "lut_rams",
        "block_rams",
        "carries",
        "area_um2",
        "logic_cells",
        "multiplexer_luts",
        "queue_luts",
        "queue_lut_rams",
        "arbiter_luts",
        "rest_luts",
        "median_mhz",
        "min_mhz",
        "max_mhz",
    ]);
    for (top, m) in found {
        let c = Counts::of(&m.cells);
        let mhz = |rate: fn(&Clock) -> f64| {
            m.clock.as_ref().map(|clock| format!("{:.2}", rate(clock))).unwrap_or_default()
        };
        let some = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        table.push(vec![
            (*top).to_owned(),
            session.target.name.to_owned(),
            c.cells.to_string(),
            c.luts.to_string(),
            c.flip_flops.to_string(),
            c.lut_rams.to_string(),
            c.block_rams.to_string(),
            c.carries.to_string(),
            c.area_um2.map(|area| format!("{area:.1}")).unwrap_or_default(),
            some(m.logic_cells),
            m.parts.multiplexers.luts().to_string(),
            m.parts.queues.luts().to_string(),
            m.parts.queues.lut_rams().to_string(),
            m.parts.arbiters.luts().to_string(),
            m.parts.rest.luts().to_string(),
            mhz(Clock::median),
            mhz(Clock::min),
            mhz(Clock::max),
        ]);
    }
    table.csv()
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

fn timing(clock: &Clock) -> String {
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
