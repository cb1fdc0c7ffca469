//! The report of `synth`.

use super::throughput::Accepted;
use super::{Crossbar, FabricPart};
use crate::tabular::Document;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_flow::cells::Cells;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{Clock, Measured};
use turnpike_flow::placement::{CriticalPath, Placement};
use turnpike_flow::session::Session;

/// Designs that were measured, and the tools that did it.
pub struct Found {
    /// Crossbar of the switches.
    pub crossbar: Crossbar,
    /// Part of the fabric that was measured.
    pub part: FabricPart,
    /// The tools.
    pub session: Session,
    /// The designs.
    pub subjects: Vec<Subject>,
    /// Figures of the designs.
    pub measured: Vec<Measured>,
    /// Flits that the terminals take in a cycle, where a whole network was placed.
    pub accepted: Option<Accepted>,
}

/// Figures of a report on what was measured.
pub trait Figures<'a>: Serialize + JsonSchema + Sized {
    /// The list that has a line for each item in CSV.
    const ROWS: Option<&'static str>;
    /// The figures.
    ///
    /// # Errors
    /// A tool that fails.
    fn of(found: &'a Found) -> anyhow::Result<Self>;
    /// The figures as text. `what` was measured, in a word; `own`: a line of the kind's own.
    fn text(&self, found: &Found, what: &str, own: &str) -> String;
}

/// Area and clock of a fabric, under the head of its kind.
#[derive(Serialize, JsonSchema)]
pub struct SynthReport<'a, H, F> {
    /// Version of these fields: 2; of circuits and busses 1.
    pub schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    pub head: H,
    /// Target of the synthesis.
    pub target: &'static str,
    /// The tools, with their versions.
    pub tools: Vec<&'a str>,
    /// Figures of the tools.
    #[serde(flatten)]
    pub figures: F,
}

impl<'a, H: Serialize + JsonSchema, F: Figures<'a>> Document for SynthReport<'a, H, F> {
    const ROWS: Option<&'static str> = F::ROWS;
}

impl<'a, H, F: Figures<'a>> SynthReport<'a, H, F> {
    /// The report as text, under the configuration of the fabric.
    pub fn text(&self, configuration: &str, found: &Found, remark: &(&str, String)) -> String {
        let (what, own) = remark;
        let target = found.session.target;
        let tools: String = self.tools.iter().map(|tool| format!("  {tool}\n")).collect();
        let figures = self.figures.text(found, what, own);
        format!("{configuration}\n{}: {}\n{tools}{figures}", target.name, target.summary)
    }
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
