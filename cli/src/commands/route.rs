//! `turnpike route`: the way of one packet.

mod paths;

pub use paths::REPORT as ALL_REPORT;

use crate::Report;
use crate::format::{FormatOption, counted};
use crate::network_fields::NetworkFields;
use crate::options::NetworkOptions;
use crate::table::Table;
use crate::tabular::{Document, ReportKind};
use anyhow::{bail, ensure};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::routing::walk::{self, Step};
use turnpike_network::routing::{Draw, Relation, Vc};
use turnpike_network::topology::Topology;

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
    /// The draw of the packet, from 0, where the relation draws for each
    #[arg(long, value_name = "N")]
    pub draw: Option<u32>,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

#[derive(Serialize, JsonSchema)]
struct RouteReport {
    /// Version of these fields: 2.
    schema_version: u32,
    /// The network.
    #[serde(flatten)]
    network: NetworkFields,
    /// The terminal that sends.
    source: String,
    /// The terminal that takes the packet.
    destination: String,
    /// The draw of the packet, where the relation draws for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw: Option<u32>,
    /// Number of draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    draws: Option<u32>,
    /// Number of channels that the route crosses.
    length: u32,
    /// Channels of a shortest path.
    distance: u32,
    /// Virtual channels of the network; `null` for more than 1,024 nodes without `--vcs`, where they
    /// are not derived.
    virtual_channels: Option<u8>,
    /// Virtual channels that a packet takes, where several are alike: `any` or `kept`. Those of the hops are the first
    /// that it may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    vc_allocation: Option<&'static str>,
    /// The switches on the way.
    hops: Vec<HopReport>,
}

impl Document for RouteReport {
    const ROWS: Option<&'static str> = Some("hops");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<RouteReport>("route", "a route (`route`)");

/// Hop of a packet at one switch.
#[derive(Serialize, JsonSchema)]
struct HopReport {
    /// Index of the hop on the route, from 0.
    hop: u32,
    /// Label of the switch.
    node: String,
    /// Input by which the packet comes in.
    input: String,
    /// Virtual channel on which the packet comes in; `null` at `inject`, and where virtual channels
    /// are not derived.
    input_vc: Option<u8>,
    /// The header on arrival, most significant bit first.
    header: String,
    /// Output by which the packet leaves.
    output: String,
    /// Virtual channel on which the packet leaves; `null` at `eject`, and where virtual channels
    /// are not derived.
    output_vc: Option<u8>,
}

/// Nodes up to which the whole network is analysed for one route, as its virtual channels need.
const MOST_ANALYSED: u32 = 1 << 10;

/// A network that a packet can be sent through.
enum Routed {
    /// With its virtual channels.
    Analysed(Box<Network>),
    /// Without: how many are needed against deadlock takes all routes to say.
    Plain(Box<dyn Topology>, Box<Relation>),
}

impl Routed {
    fn new(options: &NetworkOptions) -> anyhow::Result<Self> {
        let chosen = options.chosen()?;
        let routed = options.wanted_of(&chosen, |wanted| {
            if options.vcs.is_none() && wanted.intact()?.nodes() > MOST_ANALYSED {
                let (topology, relation) = Wanted { by_rows: true, ..*wanted }.build()?;
                return Ok(Self::Plain(topology, Box::new(relation)));
            }
            let network = Network::wanted(&Wanted { to_run: true, ..*wanted })?;
            Ok(Self::Analysed(Box::new(network)))
        })?;
        if let Self::Analysed(network) = &routed {
            options.look_at_vcs(network)?;
        }
        Ok(routed)
    }

    fn parts(&self) -> (&dyn Topology, &Relation) {
        match self {
            Self::Analysed(network) => (network.topology(), network.relation()),
            Self::Plain(topology, relation) => (&**topology, relation),
        }
    }

    /// A virtual channel of a route, where they are known.
    fn vc(&self, vc: Vc) -> Option<u8> {
        matches!(self, Self::Analysed(_)).then_some(vc.0)
    }
}

/// Runs it.
///
/// # Errors
/// Unknown names or labels, nodes that send or take no packets.
pub fn run(options: &RouteOptions) -> anyhow::Result<Report> {
    if options.all {
        return paths::run(options);
    }
    let routed = Routed::new(&options.network)?;
    let report = report(&routed, options)?;
    options.format.report(&report, true, || text(&report))
}

fn report(routed: &Routed, options: &RouteOptions) -> anyhow::Result<RouteReport> {
    let (topology, relation) = routed.parts();
    let source = topology.sender(&options.source)?;
    let destination = topology.receiver(&options.destination)?;
    ensure!(
        topology.sends_to(source, destination),
        "there is no flow from {} to {}",
        options.source,
        options.destination
    );
    let draw = drawn(relation, options.draw)?;
    let steps = walk::route(topology, relation, source, destination, draw)?;
    let (first, last) = (steps[0].node, steps[steps.len() - 1].node);
    let hops = (0..).zip(&steps).map(|(hop, step)| hop_report(routed, hop, step)).collect();
    Ok(RouteReport {
        schema_version: 2,
        network: NetworkFields::of(topology, relation),
        source: topology.terminal_label(source),
        destination: topology.terminal_label(destination),
        draw: relation.is_randomised().then_some(draw.0),
        draws: relation.is_randomised().then_some(relation.draw_count()),
        length: steps.len() as u32 - 1,
        distance: topology.distances(first)[last.0 as usize],
        virtual_channels: routed.vc(Vc(relation.vcs())),
        vc_allocation: relation.vc_allocation().map(VcAllocation::name),
        hops,
    })
}

/// The draw that is asked for; the first where none is.
fn drawn(relation: &Relation, asked: Option<u32>) -> anyhow::Result<Draw> {
    let (name, draws) = (relation.name(), relation.draw_count());
    match asked {
        Some(_) if draws == 1 => bail!("routing '{name}' draws nothing; leave --draw out"),
        Some(draw) if draw >= draws => {
            bail!("--draw {draw}: the draws of '{name}' here are 0 to {}", draws - 1)
        }
        asked => Ok(asked.map_or(Draw::NONE, Draw)),
    }
}

fn hop_report(routed: &Routed, hop: u32, step: &Step) -> HopReport {
    let (topology, relation) = routed.parts();
    let (input, output) = (step.input, step.hop.output);
    let input_vc = routed.vc(step.vc).filter(|_| !input.is_inject());
    let output_vc = routed.vc(step.hop.vc).filter(|_| !output.is_eject());
    let input = input.name(topology, step.node);
    let output = output.name(topology, step.node);
    let width = relation.header_bits(step.input) as usize;
    let header = format!("{:0width$b}", step.header);
    let node = topology.label(step.node);
    HopReport { hop, node, input, input_vc, header, output, output_vc }
}

/// The network that a route is of, in a line. `drawn`: the draw of the packet, and how many there are.
pub fn title(network: &NetworkFields, drawn: Option<(u32, u32)>) -> String {
    let drawn = drawn.map(|(draw, draws)| format!(", draw {draw} of 0 to {}", draws - 1));
    network.title() + &drawn.unwrap_or_default()
}

fn text(report: &RouteReport) -> String {
    let RouteReport { source, destination, length, .. } = report;
    let title = title(&report.network, report.draw.zip(report.draws));
    let distance = match report.distance {
        d if d == *length => "a shortest path".to_owned(),
        d => format!("the distance is {d}"),
    };
    let mut table = Table::new(["hop", "node", "input", "output", "header on arrival"]);
    let port = |name: &str, vc: Option<u8>| match vc {
        Some(vc) if report.virtual_channels > Some(1) => format!("{name} vc{vc}"),
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
    let vcs = match report.virtual_channels {
        Some(_) if report.vc_allocation == Some(VcAllocation::Any.name()) => {
            "\nVirtual channels are the first of those that are alike: the packet takes any of them.\n"
                .to_owned()
        }
        Some(_) if report.vc_allocation.is_some() => {
            "\nVirtual channels are the first of those that are alike: the packet takes any of them where \
             it enters their class, and keeps its place.\n"
                .to_owned()
        }
        Some(_) => String::new(),
        None => {
            format!("\nVirtual channels are not derived for more than {MOST_ANALYSED} nodes.\n")
        }
    };
    format!(
        "{title}: {source} to {destination}, \
         {} ({distance})\n\n{}{vcs}",
        counted(*length, "channel"),
        table.text()
    )
}
