//! `compare --synth`: the relations side by side on measured figures, each beside the same
//! switch with a full crossbar without U-turns; one class of switches after the other.

use super::destination::Destination;
use super::plot::{self, Chart, Line};
use super::{CompareOptions, LeftOut, left_out_text, plans};
use crate::Report;
use crate::commands::synth::{Crossbar, classes, placements};
use crate::format::{Format, json};
use crate::progress::Progress;
use crate::table::Table;
use plotters::prelude::SeriesLabelPosition;
use serde::Serialize;
use std::sync::Arc;
use turnpike_flow::cells::Cells;
use turnpike_flow::design::Subject;
use turnpike_flow::measure::{self, Clock, Measured};
use turnpike_flow::session::Session;
use turnpike_flow::{jobs, target};
use turnpike_hdl_gen::analysis::Analysis;
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::plan::{FabricPlan, SwitchPlan};
use turnpike_hdl_gen::turns::full_crossbar;

/// Whole fabrics are synthesised up to this many nodes; beyond, their figure is left out.
const FABRIC_NODES: u32 = 16;

/// One switch, measured.
#[derive(Serialize)]
pub struct Row {
    /// The dimension.
    pub dimension: u32,
    /// The relation.
    pub routing: &'static str,
    /// Whether the crossbar has the turns that routing takes, or all but U-turns.
    pub crossbar: Crossbar,
    /// Which class of switches, where the fabric has several: the number in its module's name.
    pub class: Option<usize>,
    /// How many switches of the fabric are like this one.
    pub switches: u32,
    /// Virtual channels.
    pub virtual_channels: u8,
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
    /// Their square micrometres, for standard cells.
    pub multiplexer_area_um2: Option<f64>,
    /// The size of the whole switch by that with the full crossbar over the same queues: in
    /// look-up tables, or in area where there are none.
    pub size_by_full: Option<f64>,
    /// The same of the multiplexers.
    pub multiplexers_by_full: Option<f64>,
    /// The clock in MHz: the median over the placements.
    pub median_mhz: Option<f64>,
    /// The slowest placement.
    pub min_mhz: Option<f64>,
    /// The fastest placement.
    pub max_mhz: Option<f64>,
    /// Look-up tables of the whole fabric, synthesised; only up to 16 nodes, beside its first
    /// class of switches.
    pub fabric_luts: Option<u64>,
}

/// A switch to be measured.
struct Candidate {
    plan: Arc<FabricPlan>,
    /// The class, and its switch with this crossbar.
    class: usize,
    switch: SwitchPlan,
    crossbar: Crossbar,
    one_vc: bool,
}

impl Candidate {
    /// The switches of a fabric, class by class, with each of the crossbars; those of no node
    /// that is alive left out.
    fn of(plan: &Arc<FabricPlan>, crossbars: &[Crossbar], one_vc: bool) -> Vec<Self> {
        let by_crossbar: Vec<_> = crossbars.iter().map(|&c| (c, classes(plan, c))).collect();
        let built = (0..plan.switches.len()).filter(|&i| !plan.switches[i].queues.is_empty());
        let of_class = |class: usize| {
            by_crossbar.iter().map(move |(crossbar, switches)| Self {
                plan: Arc::clone(plan),
                class,
                switch: switches[class].clone(),
                crossbar: *crossbar,
                one_vc,
            })
        };
        built.flat_map(of_class).collect()
    }
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range, a missing tool, a failing one, a design too large.
pub fn run(options: &CompareOptions, target: &str) -> anyhow::Result<Report> {
    let target = target::find(target)?;
    let seeds = placements(target, options.seeds)?;
    let svg = options.svg.as_deref().map(Destination::new).transpose()?;
    let (candidates, left_out) = candidates(options)?;
    let session = Session::open(target, !options.no_cache)?;
    let rows = rows(&session, &candidates, seeds)?;
    if let Some(svg) = svg {
        let title = format!(
            "{}, one switch, {} bits wide, queues {} deep, {}, {}",
            options.topology, options.size.width, options.size.depth, options.build, target.name
        );
        svg.write(&plot::svg(&title, "dimension k", &charts(&rows))?)?;
    }
    let text = match options.format.format {
        Format::Json => json(&serde_json::json!({
            "schema_version": 1,
            "topology": options.topology,
            "width": options.size.width,
            "depth": options.size.depth,
            "pipeline": options.build.pipeline.registers(),
            "queue": options.build.queue.word(),
            "mux": options.build.mux.word(),
            "target": target.name,
            "tools": session.tools(),
            "seeds": session.places().then_some(seeds),
            "rows": rows,
            "left_out": left_out,
        }))?,
        Format::Csv => csv(&rows),
        Format::Text => text(options, &session, &rows) + &left_out_text(&left_out),
    };
    Ok(Report::holds(text))
}

/// Each relation's switch; the same with a full crossbar over its queues; and where it has
/// several VCs, a full crossbar with one.
fn candidates(options: &CompareOptions) -> anyhow::Result<(Vec<Candidate>, Vec<LeftOut>)> {
    let mut found = Vec::new();
    let left_out = plans(options, |plan| found.push(Arc::new(plan)))?;
    // No full crossbar is defined for packets that choose.
    found.retain(|plan| plan.network.relation().adaptive().is_none());
    let mut candidates = Vec::new();
    for plan in found {
        plan.check_rtl()?;
        candidates.extend(Candidate::of(&plan, &[Crossbar::Routed, Crossbar::Full], false));
        if plan.network.relation().vcs() > 1 {
            let (topology, name) = (plan.topology(), plan.network.relation().name());
            let one = Network::new(topology.name(), topology.dimension(), Some(name), Some(1))?;
            // Routes by table keep the VCs that they were given.
            if one.relation().vcs() > 1 {
                continue;
            }
            let plan = FabricPlan::new(Arc::new(one), plan.parameters, None)?;
            candidates.extend(Candidate::of(&Arc::new(plan), &[Crossbar::Full], true));
        }
    }
    Ok((candidates, left_out))
}

fn rows(session: &Session, candidates: &[Candidate], seeds: u32) -> anyhow::Result<Vec<Row>> {
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
    let mut rows: Vec<Row> = Vec::new();
    for (candidate, measured) in candidates.iter().zip(&measured) {
        let fabric = small(&candidate).then(|| whole.next()).flatten();
        rows.push(row(candidate, measured, fabric.as_ref()));
    }
    relate(&mut rows);
    Ok(rows)
}

fn row(candidate: &Candidate, measured: &Measured, fabric: Option<&Cells>) -> Row {
    let analysis = Analysis::of(&candidate.plan);
    let class = &analysis.switch_classes[candidate.class];
    let turns = &candidate.plan.network.turns().classes[candidate.class];
    let crosspoints = match candidate.crossbar {
        Crossbar::Routed => class.crosspoints,
        Crossbar::Full => full_crossbar(candidate.plan.topology(), &[turns.site]).1,
    };
    // Those that are built: in the full crossbar a VC need not reach every port.
    let lanes = &candidate.switch.output_vcs;
    let multiplexer_inputs = lanes.iter().map(|lane| lane.sources.len() as u32).sum();
    let mhz = |rate: fn(&Clock) -> f64| measured.clock.as_ref().map(rate);
    let (cells, multiplexers) = (&measured.cells, &measured.parts.multiplexers);
    Row {
        dimension: analysis.dimension,
        routing: analysis.routing,
        crossbar: candidate.crossbar,
        class: (analysis.switch_classes.len() > 1).then_some(candidate.class),
        switches: class.nodes,
        virtual_channels: candidate.plan.network.relation().vcs(),
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

impl Row {
    /// Square micrometres for standard cells, else look-up tables.
    pub fn size(&self) -> f64 {
        self.area_um2.unwrap_or(self.luts as f64)
    }

    fn multiplexers(&self) -> f64 {
        self.multiplexer_area_um2.unwrap_or(self.multiplexer_luts as f64)
    }
}

/// Puts each relation's switch in proportion to the one with the full crossbar that follows.
fn relate(rows: &mut [Row]) {
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

/// The size of the whole switch and its clock, where there is one, over the dimension.
fn charts(rows: &[Row]) -> Vec<Chart> {
    let areas = rows.iter().any(|row| row.area_um2.is_some());
    let size = if areas { "area (um2)" } else { "look-up tables (LUTs)" };
    let chart = |label: &str, figure: fn(&Row) -> Option<f64>, names| Chart {
        label: label.to_owned(),
        names,
        lines: lines(rows, figure),
    };
    let mut charts = vec![
        chart(size, |row| Some(row.size()), SeriesLabelPosition::UpperLeft),
        chart("clock (MHz), median", |row| row.median_mhz, SeriesLabelPosition::LowerLeft),
    ];
    charts.retain(|chart| chart.lines.iter().any(|line| !line.points.is_empty()));
    charts
}

/// A line per relation, class of switches and crossbar, relation by relation.
fn lines(rows: &[Row], figure: fn(&Row) -> Option<f64>) -> Vec<Line> {
    let key = |row: &Row| (row.routing, row.class, row.crossbar, row.one_vc);
    let mut relations = Vec::new();
    let mut keys = Vec::new();
    for row in rows {
        if !relations.contains(&row.routing) {
            relations.push(row.routing);
        }
        if !keys.contains(&key(row)) {
            keys.push(key(row));
        }
    }
    let place = |routing| relations.iter().position(|name| *name == routing).unwrap_or(0);
    keys.sort_by_key(|key| place(key.0));
    let line = |wanted: (&'static str, Option<usize>, Crossbar, bool)| {
        let (routing, class, crossbar, one_vc) = wanted;
        let of_line = rows.iter().filter(|row| key(row) == wanted);
        let points = of_line.filter_map(|row| Some((f64::from(row.dimension), figure(row)?)));
        // Full crossbars are hollow, and paler.
        let switch = match class {
            Some(class) => format!("{routing} (switch {class})"),
            None => routing.to_owned(),
        };
        let (name, opacity) = match (crossbar, one_vc) {
            (Crossbar::Routed, _) => (switch, 1.0),
            (Crossbar::Full, false) => (format!("{switch}, full crossbar"), 0.65),
            (Crossbar::Full, true) => (format!("{switch}, full crossbar, one VC"), 0.35),
        };
        let (color, filled) = (place(routing), crossbar == Crossbar::Routed);
        Line { name, color, opacity, filled, points: points.collect() }
    };
    keys.into_iter().map(line).collect()
}

const COLUMNS: [&str; 21] = [
    "dimension",
    "routing",
    "crossbar",
    "class",
    "switches",
    "virtual_channels",
    "crosspoints",
    "multiplexer_inputs",
    "luts",
    "flip_flops",
    "lut_rams",
    "logic_cells",
    "area_um2",
    "multiplexer_luts",
    "multiplexer_area_um2",
    "size_by_full",
    "multiplexers_by_full",
    "median_mhz",
    "min_mhz",
    "max_mhz",
    "fabric_luts",
];

const TITLES: [&str; 21] = [
    "k",
    "routing",
    "crossbar",
    "class",
    "switches",
    "VCs",
    "crosspoints",
    "mux inputs",
    "LUTs",
    "FFs",
    "LUT-RAM",
    "cells",
    "um2",
    "mux LUTs",
    "mux um2",
    "by full",
    "mux by full",
    "MHz",
    "min",
    "max",
    "fabric LUTs",
];

fn cells(row: &Row, nothing: &str) -> Vec<String> {
    let number = |x: Option<f64>, digits: usize| {
        x.map_or_else(|| nothing.to_owned(), |x| format!("{x:.digits$}"))
    };
    let whole = |n: Option<u64>| n.map_or_else(|| nothing.to_owned(), |n| n.to_string());
    vec![
        row.dimension.to_string(),
        row.routing.to_owned(),
        row.crossbar.name().to_owned(),
        whole(row.class.map(|class| class as u64)),
        row.switches.to_string(),
        row.virtual_channels.to_string(),
        row.crosspoints.to_string(),
        row.multiplexer_inputs.to_string(),
        row.luts.to_string(),
        row.flip_flops.to_string(),
        row.lut_rams.to_string(),
        whole(row.logic_cells),
        number(row.area_um2, 0),
        row.multiplexer_luts.to_string(),
        number(row.multiplexer_area_um2, 0),
        number(row.size_by_full, 3),
        number(row.multiplexers_by_full, 3),
        number(row.median_mhz, 1),
        number(row.min_mhz, 1),
        number(row.max_mhz, 1),
        whole(row.fabric_luts),
    ]
}

fn csv(rows: &[Row]) -> String {
    let mut table = Table::new(COLUMNS);
    rows.iter().for_each(|row| table.push(cells(row, "")));
    table.csv()
}

/// Columns that have nothing to say for the target are left out.
fn text(options: &CompareOptions, session: &Session, rows: &[Row]) -> String {
    let all: Vec<Vec<String>> = rows.iter().map(|row| cells(row, "-")).collect();
    let says = |at: &usize| all.iter().any(|row| !matches!(&*row[*at], "-" | "0"));
    let kept: Vec<usize> = (0..TITLES.len()).filter(says).collect();
    let mut table = Table::new(kept.iter().map(|&at| TITLES[at]));
    for row in &all {
        table.push(kept.iter().map(|&at| row[at].clone()).collect());
    }
    let tools: String = session.tools().iter().map(|tool| format!("  {tool}\n")).collect();
    format!(
        "{}, one switch, {} bits wide, queues {} deep, {}\n{}: {}\n{tools}\n{}\n{}",
        options.topology,
        options.size.width,
        options.size.depth,
        options.build,
        session.target.name,
        session.target.summary,
        table.text(),
        LEGEND
    )
}

const LEGEND: &str = "\
crossbar      routed: the turns that routing takes; full: every turn but U-turns, over the
              relation's own queues (with its VCs, or with one)
class         of switches, where there are several: the number in the module's name;
              switches: how many of the fabric are of it
LUTs, FFs     of the whole switch, flattened; mux LUTs: of its multiplexers, by themselves
cells         the device's logic cells, packed
by full       the switch by the one with the full crossbar below it; so of the multiplexers
MHz           median of the placements, the slowest, the fastest; channels lead back to the
              switch itself
fabric LUTs   of the whole network, synthesised, up to 16 nodes; never extrapolated
";
