//! `turnpike analyze --collapse`: a butterfly with its levels merged is the hypercube.

use super::AnalyzeOptions;
use crate::Report;
use crate::network_fields::NetworkFields;
use crate::progress::Progress;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::ensure;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::collapse::{Collapse, StageLoad, collapse};
use turnpike_analysis::pattern_load::{MOST_ROUTES, Message};
use turnpike_network::topology::Topology;

#[derive(Serialize, JsonSchema)]
struct CollapseReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// Hypercube that the butterfly becomes.
    collapse: CollapseFields,
}

impl Document for CollapseReport {}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<CollapseReport>(
    "analyze_collapse",
    "a butterfly with its levels merged (`analyze --collapse`)",
);

#[derive(Serialize, JsonSchema)]
struct CollapseFields {
    /// The messages: `all pairs`, a pattern's name, or a file.
    messages: String,
    /// Routes that were walked, one for each message.
    routes: usize,
    /// Nodes of the butterfly as a graph: rows times levels.
    graph_nodes: u64,
    /// Straight edges: those within a row, which vanish.
    straight_edges: u64,
    /// Cross edges, between rows.
    cross_edges: u64,
    /// Nodes once the levels are merged: one for each row.
    nodes: u32,
    /// Channels that the cross edges become.
    channels: u64,
    /// Whether the channels are those of the hypercube, each of one cross edge.
    is_hypercube: bool,
    /// The routes that become those of bit fixing on the hypercube, in the order of the stages.
    bit_fixing_routes: u64,
    /// Whether channels, routes and loads are all the hypercube's.
    holds: bool,
    /// Stage by stage, from the first.
    stages: Vec<StageFields>,
}

/// Load of a stage, and the dimension that it becomes.
#[derive(Serialize, JsonSchema)]
struct StageFields {
    /// The stage, from 0.
    stage: usize,
    /// The hypercube's port across which its cross edges lead.
    port: String,
    /// Least words on a cross edge of the stage.
    min_edge_load: u64,
    /// Most words on one.
    max_edge_load: u64,
    /// Least words on a channel of that port, by bit fixing on the hypercube.
    min_channel_load: u64,
    /// Most words on one.
    max_channel_load: u64,
    /// Whether each channel carries what its cross edge carries.
    alike: bool,
}

/// Runs it.
///
/// # Errors
/// Unknown names, numbers out of range; a network that is no butterfly of radix 2, or too large for the
/// routes of all pairs.
pub(super) fn run(options: &AnalyzeOptions) -> anyhow::Result<Report> {
    let (topology, relation) = options.fabric.network.route_for_each_draw("--collapse")?;
    let (name, messages) = match &options.pattern {
        Some(pattern) => {
            let messages = pattern.messages(&*topology)?;
            (messages.name, messages.list)
        }
        None => ("all pairs".to_owned(), all_pairs(&*topology)?),
    };
    let collapse = {
        let _progress = Progress::spinner(format!("walking {} routes", messages.len()));
        collapse(&*topology, &relation, &messages)?
    };
    let network = NetworkFields::of(&*topology, &relation);
    let collapse = fields(name, messages.len(), &collapse);
    let report = CollapseReport { schema_version: 1, network, collapse };
    options.format.report(&report, report.collapse.holds, || text(&report))
}

/// One word from each terminal to each.
fn all_pairs(topology: &dyn Topology) -> anyhow::Result<Vec<Message>> {
    let pairs = topology.sources().count() as u64 * topology.sinks().count() as u64;
    ensure!(
        pairs <= MOST_ROUTES,
        "{pairs} pairs are too many routes to walk all; there may be {MOST_ROUTES}: use a smaller \
         network, or the messages of --pattern"
    );
    let to = |source| topology.sinks().map(move |sink| (source, sink));
    let message = |(source, destination)| Message { source, destination, words: 1 };
    Ok(topology.sources().flat_map(to).map(message).collect())
}

fn fields(messages: String, routes: usize, collapse: &Collapse) -> CollapseFields {
    let stage = |(stage, of): (usize, &StageLoad)| StageFields {
        stage,
        port: format!("dim{}", of.dimension),
        min_edge_load: of.on_edges.0,
        max_edge_load: of.on_edges.1,
        min_channel_load: of.on_channels.0,
        max_channel_load: of.on_channels.1,
        alike: of.alike,
    };
    CollapseFields {
        messages,
        routes,
        graph_nodes: u64::from(collapse.rows) * u64::from(collapse.levels),
        straight_edges: collapse.straight_edges,
        cross_edges: collapse.cross_edges,
        nodes: collapse.rows,
        channels: collapse.channels,
        is_hypercube: collapse.is_hypercube,
        bit_fixing_routes: collapse.bit_fixing,
        holds: collapse.holds(routes),
        stages: collapse.stages.iter().enumerate().map(stage).collect(),
    }
}

fn text(report: &CollapseReport) -> String {
    let CollapseReport { network, collapse, .. } = report;
    let CollapseFields { messages, routes, stages, .. } = collapse;
    let dimension = stages.len();
    let order: Vec<&str> = stages.iter().map(|stage| &*stage.port).collect();
    let channels = match collapse.is_hypercube {
        true => format!("those of hypercube --dim {dimension}, a cross edge each"),
        false => format!("not those of hypercube --dim {dimension}"),
    };
    let mut text = format!(
        "{}, levels merged: {messages}, {routes} routes\n\n\
         graph     {} nodes, {} straight edges, {} cross edges\n\
         merged    {} nodes, {} channels: {channels}\n\
         routes    {} of {routes} become bit fixing in the order {}\n\n",
        network.title(),
        collapse.graph_nodes,
        collapse.straight_edges,
        collapse.cross_edges,
        collapse.nodes,
        collapse.channels,
        collapse.bit_fixing_routes,
        order.join(", "),
    );
    let head =
        ["stage", "port", "words on a cross edge", "on a channel by bit fixing", "edge by edge"];
    let mut table = Table::new(head);
    let ends = |least: u64, most: u64| match least == most {
        true => most.to_string(),
        false => format!("{least} to {most}"),
    };
    for stage in stages {
        table.push(vec![
            stage.stage.to_string(),
            stage.port.clone(),
            ends(stage.min_edge_load, stage.max_edge_load),
            ends(stage.min_channel_load, stage.max_channel_load),
            if stage.alike { "alike" } else { "not alike" }.to_owned(),
        ]);
    }
    text += &table.text();
    text
}
