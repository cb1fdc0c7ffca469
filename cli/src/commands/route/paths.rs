//! `turnpike route --all`: every shortest path between two nodes.

use super::RouteOptions;
use crate::Report;
use crate::network_fields::{TopologyFields, failed};
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::RoutingError;
use turnpike_network::topology::paths::Paths;
use turnpike_network::topology::{Node, Port, Topology};

/// Paths that are listed at most; all are counted.
const MOST: usize = 10_000;

#[derive(Serialize, JsonSchema)]
struct PathsReport {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The topology.
    #[serde(flatten)]
    topology: TopologyFields,
    /// Labels of the nodes that failed.
    failed: Vec<String>,
    /// Label of the node at which paths begin.
    source: String,
    /// Label of the node at which paths end.
    destination: String,
    /// Number of channels of each path.
    distance: u32,
    /// Number of shortest paths, as a decimal number.
    count: String,
    /// Number of paths that are listed.
    listed: usize,
    /// The paths.
    paths: Vec<Path>,
}

impl Document for PathsReport {
    const ROWS: Option<&'static str> = Some("paths");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<PathsReport>("route_all", "every shortest path (`route --all`)");

#[derive(Serialize, JsonSchema)]
struct Path {
    /// Output ports of the path, one for each node but the last.
    ports: Vec<String>,
    /// Labels of the path's nodes.
    nodes: Vec<String>,
}

/// Runs it. No relation is asked: the paths are the topology's.
///
/// # Errors
/// Unknown names or labels, two nodes without a path.
pub fn run(options: &RouteOptions) -> anyhow::Result<Report> {
    let network = &options.network;
    let topology = network.unrouted.left(network.chosen()?.intact()?)?;
    let report = report(&*topology, options)?;
    options.format.report(&report, true, || text(&report))
}

fn report(topology: &dyn Topology, options: &RouteOptions) -> anyhow::Result<PathsReport> {
    let source = topology.alive(&options.source)?;
    let destination = topology.alive(&options.destination)?;
    let mut paths = Paths::new(topology);
    let from = paths.from(source);
    let Some(distance) = from.distance(destination) else {
        return Err(RoutingError::no_path(
            topology,
            options.source.clone(),
            options.destination.clone(),
        )
        .into());
    };
    let paths = from.all(destination, MOST);
    Ok(PathsReport {
        schema_version: 2,
        topology: TopologyFields::of(topology),
        failed: failed(topology),
        source: topology.label(source),
        destination: topology.label(destination),
        distance,
        count: match from.count(destination) {
            u128::MAX => "more than 10^38".to_owned(),
            count => count.to_string(),
        },
        listed: paths.len(),
        paths: paths.iter().map(|ports| path(topology, source, ports)).collect(),
    })
}

fn path(topology: &dyn Topology, source: Node, ports: &[Port]) -> Path {
    let mut at = source;
    let mut nodes = vec![topology.label(at)];
    for &port in ports {
        at = topology.channel(at, port).map_or(at, |(to, _)| to);
        nodes.push(topology.label(at));
    }
    Path { ports: ports.iter().map(|&port| topology.port_name(port)).collect(), nodes }
}

fn table(report: &PathsReport) -> Table {
    let mut table = Table::new(["path", "ports", "nodes"]);
    for (at, path) in (1..).zip(&report.paths) {
        let at: u64 = at;
        table.push(vec![at.to_string(), path.ports.join(" "), path.nodes.join(" ")]);
    }
    table
}

fn text(report: &PathsReport) -> String {
    let PathsReport { source, destination, distance, count, .. } = report;
    let TopologyFields { topology, size_words, .. } = &report.topology;
    let (paths, channels) = match (&**count, distance) {
        ("1", 1) => ("path", "channel"),
        ("1", _) => ("path", "channels"),
        (_, 1) => ("paths", "channel"),
        _ => ("paths", "channels"),
    };
    let listed = match report.paths.len() < MOST {
        true => String::new(),
        false => format!(", the first {MOST} listed"),
    };
    format!(
        "{topology}, {size_words}: {source} to {destination}, {count} shortest {paths} of \
         {distance} {channels}{listed}\n\n{}",
        table(report).text()
    )
}
