//! The report of `compare --synth`.

use super::SwitchFigures;
use crate::commands::compare::CompareOptions;
use crate::table::Table;
use turnpike_flow::session::Session;

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

fn cells(row: &SwitchFigures) -> Vec<String> {
    let number = |x: Option<f64>, digits: usize| {
        x.map_or_else(|| "-".to_owned(), |x| format!("{x:.digits$}"))
    };
    let whole = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    vec![
        row.size.figure().1,
        row.configuration.routing.clone(),
        row.crossbar.name().to_owned(),
        whole(row.class.map(|class| class as u64)),
        row.switches.to_string(),
        row.configuration.virtual_channels.to_string(),
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

/// The table for people. Columns that have nothing to say for the target are left out.
pub fn text(options: &CompareOptions, session: &Session, rows: &[SwitchFigures]) -> String {
    let all: Vec<Vec<String>> = rows.iter().map(cells).collect();
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
