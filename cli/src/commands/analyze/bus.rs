//! `turnpike analyze` of a network of busses: how many, how long, how many at a node.

use super::AnalyzeOptions;
use crate::Report;
use crate::busses;
use crate::format::{indent, number};
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_bus::Figures;

#[derive(Serialize, JsonSchema)]
struct BusReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    figures: Figures,
}

impl Document for BusReport {
    const ROWS: Option<&'static str> = Some("busses");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BusReport>(
    "analyze_bus",
    "figures of a network of busses (`analyze ocpc`, `mob`, `split-hash`)",
);

/// Runs it; `None` where the network is none of busses.
///
/// # Errors
/// A size that is missing or out of range.
pub(super) fn run(options: &AnalyzeOptions) -> anyhow::Result<Option<Report>> {
    let fabric = &options.fabric;
    let Some((figures, _)) = busses::figures(&fabric.network, &options.funnels)? else {
        return Ok(None);
    };
    let report = BusReport { schema_version: 1, figures };
    options.format.report(&report, true, || text(&report.figures)).map(Some)
}

fn text(figures: &Figures) -> String {
    let mut text = format!("{}\n\n", figures.topology);
    let mut table =
        Table::new(["busses", "count", "senders", "receivers", "length", "paper", "crosspoints"]);
    for sort in &figures.busses {
        table.push(vec![
            sort.which.clone(),
            sort.count.to_string(),
            sort.senders.to_string(),
            sort.receivers.to_string(),
            sort.length.to_string(),
            sort.length_of_the_paper.to_string(),
            sort.crosspoints.to_string(),
        ]);
    }
    text += &indent(&table.text());
    text += "\nNetwork\n";
    let mut lines = vec![
        ("terminals", figures.terminals.to_string()),
        ("nodes", figures.nodes.to_string()),
        ("busses at a node", figures.degree.to_string()),
        ("longest bus", figures.longest_bus.to_string()),
        ("crosspoints", figures.crosspoints.to_string()),
        ("diameter", format!("{} (paper: {})", figures.diameter, figures.diameter_of_the_paper)),
        ("average distance", number(figures.average_distance)),
    ];
    if let Some(slots) = figures.slots_of_a_time_table {
        lines.push(("time table", format!("{slots} slot(s) for any permutation")));
    }
    let line = |(name, figure): &(&str, String)| format!("{name:<18}  {figure}\n");
    text += &indent(&lines.iter().map(line).collect::<String>());
    text + "\nlength       nodes on a bus, at most; paper: by its formula\n\
            crosspoints  pairs of a sender and a receiver on one bus\n\
            diameter     in busses; average distance: over all ordered pairs, a node to itself included;\n             \
            of flows, over these\n"
}
