//! `compare --synth`: the relations side by side on measured figures, each beside the same
//! switch with a full crossbar without U-turns; one class of switches after the other.

mod candidate;
mod charts;
mod write;

use super::{CompareOptions, LeftOut, left_out_text, plans, plot};
use crate::Report;
use crate::commands::synth::{Crossbar, placements};
use crate::progress::Progress;
use crate::tabular::{Document, ReportKind};
use candidate::{Candidate, candidates};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::turns::full_crossbar;
use turnpike_fabric::report::{Analysis, Configuration};
use turnpike_flow::cells::Cells;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{self, Clock, Measured};
use turnpike_flow::session::Session;
use turnpike_flow::{jobs, target};
use turnpike_network::topology::Scale;
use turnpike_network::topology::entering::Entering;

/// Whole fabrics are synthesised up to this many nodes; beyond, their figure is left out.
const FABRIC_NODES: u32 = 16;

/// One switch, measured.
#[derive(Serialize, JsonSchema)]
pub struct SwitchFigures {
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// The network's size.
    #[serde(skip)]
    pub size: Scale,
    /// Crossbar of the switch: the turns that routing takes, or all but U-turns.
    pub crossbar: Crossbar,
    /// Number of the class of switches in its module's name, where the fabric has several.
    pub class: Option<usize>,
    /// Number of switches of the fabric that are like this one.
    pub switches: u32,
    /// Whether the relation was given one VC for comparison's sake; it would deadlock.
    #[serde(skip)]
    pub one_vc: bool,
    /// Crosspoints between network ports, VCs merged.
    pub crosspoints: u32,
    /// Data inputs of the multiplexers, the terminal's included.
    pub multiplexer_inputs: u32,
    /// Look-up tables of the whole switch, flattened.
    pub luts: u64,
    /// Flip-flops of the whole switch.
    pub flip_flops: u64,
    /// Memories made of look-up tables in the whole switch.
    pub lut_rams: u64,
    /// The device's cells that the switch takes once packed.
    pub logic_cells: Option<u64>,
    /// Square micrometres of the whole switch, for standard cells.
    pub area_um2: Option<f64>,
    /// Look-up tables of the data path: the multiplexers, mapped by themselves.
    pub multiplexer_luts: u64,
    /// Area of the multiplexers in square micrometres, for standard cells.
    pub multiplexer_area_um2: Option<f64>,
    /// The size of the whole switch by that with the full crossbar over the same queues: in
    /// look-up tables, or in area where there are none.
    pub size_by_full: Option<f64>,
    /// The size of the multiplexers by that with the full crossbar: in look-up tables, or in area
    /// where there are none.
    pub multiplexers_by_full: Option<f64>,
    /// The clock in MHz: the median over the placements.
    pub median_mhz: Option<f64>,
    /// Clock of the slowest placement, in MHz.
    pub min_mhz: Option<f64>,
    /// Clock of the fastest placement, in MHz.
    pub max_mhz: Option<f64>,
    /// Look-up tables of the whole fabric, synthesised; only up to 16 nodes, beside its first
    /// class of switches.
    pub fabric_luts: Option<u64>,
}

/// The switches of relations, measured.
#[derive(Serialize, JsonSchema)]
struct SynthesisReport<'a> {
    /// Version of these fields: 2.
    schema_version: u32,
    /// Target of the synthesis.
    target: &'static str,
    /// The tools, with their versions.
    tools: Vec<&'a str>,
    /// Number of placements of each design, where designs are placed.
    seeds: Option<u32>,
    /// The switches.
    rows: &'a [SwitchFigures],
    /// Relations that cannot be had.
    left_out: &'a [LeftOut],
}

impl Document for SynthesisReport<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<SynthesisReport<'_>>(
    "compare_synth",
    "relations by measured area and clock (`compare --synth`)",
);

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a missing tool, a failing one, a design too large.
pub fn run(options: &CompareOptions, target: &str) -> anyhow::Result<Report> {
    let target = target::find(target)?;
    let seeds = placements(target, options.seeds)?;
    let svg = options.picture()?;
    let (candidates, left_out) = candidates(options)?;
    let session = Session::open(target, !options.no_cache)?;
    let rows = rows(&session, &candidates, seeds)?;
    if let Some(svg) = svg {
        let title = format!(
            "{}, one switch, {} bits wide, queues {} deep, {}, {}",
            options.topology, options.size.width, options.size.depth, options.build, target.name
        );
        svg.write(&plot::svg(&title, "dimension k", &charts::charts(&rows))?)?;
    }
    let report = SynthesisReport {
        schema_version: 2,
        target: session.target.name,
        tools: session.tools(),
        seeds: session.places().then_some(seeds),
        rows: &rows,
        left_out: &left_out,
    };
    options
        .format
        .report(&report, true, || write::text(options, &session, &rows) + &left_out_text(&left_out))
}

fn rows(
    session: &Session,
    candidates: &[Candidate],
    seeds: u32,
) -> anyhow::Result<Vec<SwitchFigures>> {
    let subject = |c: &Candidate| Subject::switch(&c.plan, &c.switch);
    let subjects: Vec<Subject> = candidates.iter().map(subject).collect::<Result<_, _>>()?;
    let small = |c: &&Candidate| {
        let first = c.plan.switches.iter().position(|switch| !switch.queues.is_empty());
        c.crossbar == Crossbar::Routed
            && first == Some(c.class)
            && c.plan.topology().nodes() <= FABRIC_NODES
    };
    let fabrics: Vec<&Candidate> = candidates.iter().filter(small).collect();
    let steps = measure::steps(session, subjects.len(), seeds) + fabrics.len() as u64;
    let progress = Progress::steps(steps, format!("for {}", session.target.name));
    let measured = measure::measure(session, &subjects, seeds, || progress.step())?;
    let whole = jobs::run(&fabrics, |candidate| -> anyhow::Result<Cells> {
        let cells = session.cells(&Subject::fabric(&candidate.plan)?.design)?;
        progress.step();
        Ok(cells)
    })?;
    let mut whole = whole.into_iter();
    let mut rows: Vec<SwitchFigures> = Vec::new();
    for (candidate, measured) in candidates.iter().zip(&measured) {
        let fabric = small(&candidate).then(|| whole.next()).flatten();
        rows.push(row(candidate, measured, fabric.as_ref()));
    }
    relate(&mut rows);
    Ok(rows)
}

fn row(candidate: &Candidate, measured: &Measured, fabric: Option<&Cells>) -> SwitchFigures {
    let analysis = Analysis::of(&candidate.plan);
    let class = &analysis.switch_classes[candidate.class];
    let turns = &candidate.plan.network().turns().classes[candidate.class];
    let crosspoints = match candidate.crossbar {
        Crossbar::Routed => class.crosspoints,
        Crossbar::Full => {
            let topology = candidate.plan.topology();
            full_crossbar(topology, &Entering::at(topology, &[turns.site])).1
        }
    };
    // Those that are built: in the full crossbar a VC need not reach every port.
    let lanes = &candidate.switch.output_vcs;
    let multiplexer_inputs = lanes.iter().map(|lane| lane.sources.len() as u32).sum();
    let mhz = |rate: fn(&Clock) -> f64| measured.clock.as_ref().map(rate);
    let (cells, multiplexers) = (&measured.cells, &measured.parts.multiplexers);
    SwitchFigures {
        configuration: analysis.configuration.clone(),
        size: analysis.size,
        crossbar: candidate.crossbar,
        class: (analysis.switch_classes.len() > 1).then_some(candidate.class),
        switches: class.nodes,
        one_vc: candidate.one_vc,
        crosspoints,
        multiplexer_inputs,
        luts: cells.luts(),
        flip_flops: cells.flip_flops(),
        lut_rams: cells.lut_rams(),
        logic_cells: measured.logic_cells,
        area_um2: cells.area,
        multiplexer_luts: multiplexers.luts(),
        // None of them is none of area.
        multiplexer_area_um2: cells.area.map(|_| multiplexers.area.unwrap_or(0.0)),
        size_by_full: None,
        multiplexers_by_full: None,
        median_mhz: mhz(Clock::median),
        min_mhz: mhz(Clock::min),
        max_mhz: mhz(Clock::max),
        fabric_luts: fabric.filter(|cells| cells.area.is_none()).map(Cells::luts),
    }
}

impl SwitchFigures {
    /// Square micrometres for standard cells, else look-up tables.
    pub fn size(&self) -> f64 {
        self.area_um2.unwrap_or(self.luts as f64)
    }

    fn multiplexers(&self) -> f64 {
        self.multiplexer_area_um2.unwrap_or(self.multiplexer_luts as f64)
    }
}

/// Puts each relation's switch in proportion to the one with the full crossbar that follows.
fn relate(rows: &mut [SwitchFigures]) {
    for at in 1..rows.len() {
        let (before, full) = rows.split_at_mut(at);
        let (routed, full) = (&mut before[at - 1], &full[0]);
        if (routed.crossbar, full.crossbar) == (Crossbar::Routed, Crossbar::Full) {
            let share = |a: f64, b: f64| (b > 0.0).then(|| a / b);
            routed.size_by_full = share(routed.size(), full.size());
            routed.multiplexers_by_full = share(routed.multiplexers(), full.multiplexers());
        }
    }
}
