//! `turnpike route`: the way of one packet.

mod paths;

use crate::Report;
use crate::format::{Format, FormatOption, json};
use crate::options::NetworkOptions;
use crate::table::Table;
use clap::Args;
use serde::Serialize;
use turnpike_analysis::network::Network;
use turnpike_network::routing::walk::{self, Step};
use turnpike_network::topology::Scale;

/// Options of `route`.
#[derive(Args, Debug)]
pub struct RouteOptions {
    /// The network.
    #[command(flatten)]
    pub network: NetworkOptions,
    /// Label of the source node, most significant bit first
    pub source: String,
    /// Label of the destination node
    pub destination: String,
    /// List every shortest path of the topology, not the relation's route
    #[arg(long)]
    pub all: bool,
    /// How to report.
    #[command(flatten)]
    pub format: FormatOption,
}

#[derive(Serialize)]
struct RouteReport {
    schema_version: u32,
    topology: String,
    #[serde(flatten)]
    size: Scale,
    routing: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_seed: Option<u64>,
    source: String,
    destination: String,
    /// Channels crossed.
    length: u32,
    distance: u32,
    virtual_channels: u8,
    hops: Vec<HopReport>,
}

/// What happens at one switch.
#[derive(Serialize)]
struct HopReport {
    hop: u32,
    node: String,
    input: String,
    /// `null` at `inject`.
    input_vc: Option<u8>,
    /// The header on arrival, most significant bit first.
    header: String,
    output: String,
    /// `null` at `eject`.
    output_vc: Option<u8>,
}

/// Runs it.
///
/// # Errors
/// Unknown names or labels, nodes that send or take no packets.
pub fn run(options: &RouteOptions) -> anyhow::Result<Report> {
    if options.all {
        return paths::run(options);
    }
    let network = options.network.network()?;
    let report = report(&network, options)?;
    let text = match options.format.format {
        Format::Json => json(&report)?,
        Format::Csv => table(&report, |vc| vc.map_or(String::new(), |vc| vc.to_string())).csv(),
        Format::Text => text(&report),
    };
    Ok(Report::holds(text))
}

fn report(network: &Network, options: &RouteOptions) -> anyhow::Result<RouteReport> {
    let (topology, relation) = (network.topology(), network.relation());
    let source = topology.sender(&options.source)?;
    let destination = topology.receiver(&options.destination)?;
    let steps = walk::route(topology, relation, source, destination)?;
    let (first, last) = (steps[0].node, steps[steps.len() - 1].node);
    let hops = (0..).zip(&steps).map(|(hop, step)| hop_report(network, hop, step)).collect();
    Ok(RouteReport {
        schema_version: 1,
        topology: topology.title(),
        size: topology.scale(),
        routing: relation.name().to_owned(),
        route_seed: relation.route_seed(),
        source: topology.terminal_label(source),
        destination: topology.terminal_label(destination),
        length: steps.len() as u32 - 1,
        distance: topology.distances(first)[last.0 as usize],
        virtual_channels: relation.vcs(),
        hops,
    })
}

fn hop_report(network: &Network, hop: u32, step: &Step) -> HopReport {
    let (topology, relation) = (network.topology(), network.relation());
    let (input, output) = (step.input, step.hop.output);
    let input_vc = (!input.is_inject()).then_some(step.vc.0);
    let output_vc = (!output.is_eject()).then_some(step.hop.vc.0);
    let input = input.name(topology, step.node);
    let output = output.name(topology, step.node);
    let width = relation.header_bits(step.input) as usize;
    let header = format!("{:0width$b}", step.header);
    let node = topology.label(step.node);
    HopReport { hop, node, input, input_vc, header, output, output_vc }
}

fn table(report: &RouteReport, vc: impl Fn(Option<u8>) -> String) -> Table {
    let columns = ["hop", "node", "input", "input_vc", "header", "output", "output_vc"];
    let mut table = Table::new(columns);
    for hop in &report.hops {
        table.push(vec![
            hop.hop.to_string(),
            hop.node.clone(),
            hop.input.clone(),
            vc(hop.input_vc),
            hop.header.clone(),
            hop.output.clone(),
            vc(hop.output_vc),
        ]);
    }
    table
}

fn text(report: &RouteReport) -> String {
    let RouteReport { topology, size, routing, source, destination, length, .. } = report;
    let plural = if *length == 1 { "channel" } else { "channels" };
    let distance = match report.distance {
        d if d == *length => "a shortest path".to_owned(),
        d => format!("the distance is {d}"),
    };
    let mut table = Table::new(["hop", "node", "input", "output", "header on arrival"]);
    let port = |name: &str, vc: Option<u8>| match vc {
        Some(vc) if report.virtual_channels > 1 => format!("{name} vc{vc}"),
        _ => name.to_owned(),
    };
    for hop in &report.hops {
        table.push(vec![
            hop.hop.to_string(),
            hop.node.clone(),
            port(&hop.input, hop.input_vc),
            port(&hop.output, hop.output_vc),
            hop.header.clone(),
        ]);
    }
    format!(
        "{topology}, {}, routing {routing}: {source} to {destination}, \
         {length} {plural} ({distance})\n\n{}",
        size.words(),
        table.text()
    )
}
