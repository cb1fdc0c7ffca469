//! Property 3: routes are oblivious.

use super::{ARRIVES, LabelledRoute, is_first, length, routes_from, sources};
use crate::network::Network;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_network::routing::walk::Step;
use turnpike_network::routing::{Draw, Input, Output, Vc, walk};
use turnpike_network::topology::{Node, Terminal, sources_at};

/// Variables that the output port of a packet at a switch depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// The node and the destination alone.
    NodeAndDestination,
    /// The node, the destination and the input port.
    NodeDestinationAndInputPort,
    /// More than those: the header remembers something of the way, or of the source.
    History,
    /// Free choice: packets have a choice.
    Choice,
    /// Draw of the packet's source.
    Draw,
}

/// Property 3: the output port is a function of node and destination alone. (The virtual
/// channel may depend on the turn: it is not part of the property.) A relation that draws does not
/// have it in this sense, though it does not look at the traffic either.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Oblivious {
    /// Whether the property holds.
    pub holds: bool,
    /// Variables that the output port is a function of.
    pub output_port_by: Dependence,
    /// Two packets to one destination that leave one switch by different ports.
    pub counterexample: Option<Disagreement>,
}

/// Two packets to one destination that part at a switch.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Disagreement {
    /// Label of the switch.
    pub at: String,
    /// Destination of both packets.
    pub destination: String,
    /// The route of the packet that passes through.
    pub passing: LabelledRoute,
    /// The route of the packet that starts there; at a switch without a terminal, of another that
    /// passes through.
    pub starting: LabelledRoute,
}

impl Oblivious {
    /// Decides it. A packet that starts at a switch knows the node and the destination alone,
    /// so every other packet must do as it does. Where none can start, those that pass through
    /// must do alike.
    pub fn of(network: &Network) -> Self {
        let (topology, relation) = (network.topology(), network.relation());
        if relation.chooses_ports() {
            return Self { holds: false, output_port_by: Dependence::Choice, counterexample: None };
        }
        if relation.is_randomised() {
            return Self { holds: false, output_port_by: Dependence::Draw, counterexample: None };
        }
        let switches_alone =
            topology.all_nodes().any(|node| sources_at(topology, node).next().is_none());
        let among_passing = if switches_alone { parting_in_passing(network) } else { None };
        let least = parting_from_start(network).into_iter().chain(among_passing).min();
        let counterexample = least.map(|found| Disagreement {
            at: topology.label(found.at),
            destination: topology.terminal_label(found.destination),
            passing: LabelledRoute::of(network, found.source, found.destination, Draw::NONE),
            starting: LabelledRoute::of(network, found.other, found.destination, Draw::NONE),
        });
        let output_port_by = match counterexample {
            None => Dependence::NodeAndDestination,
            Some(_) if by_input_port(network) => Dependence::NodeDestinationAndInputPort,
            Some(_) => Dependence::History,
        };
        Self { holds: counterexample.is_none(), output_port_by, counterexample }
    }
}

/// Two packets that part, the smallest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Parting {
    /// Channels that the one that passes still has to go.
    left: u32,
    /// Channels of its whole way.
    whole: u32,
    source: Terminal,
    destination: Terminal,
    at: Node,
    /// Source of the other packet.
    other: Terminal,
}

/// The smallest disagreement of a packet that passes through with one that starts there.
fn parting_from_start(network: &Network) -> Option<Parting> {
    let (topology, relation) = (network.topology(), network.relation());
    let mut least: Option<Parting> = None;
    for (source, _) in sources(network) {
        routes_from(network, source, |destination, _, steps| {
            let first = |&terminal: &Terminal| is_first(network, terminal);
            let starts = |step: &Step| sources_at(topology, step.node).filter(first);
            let passed = steps.iter().enumerate().skip(1);
            let pairs = passed.flat_map(|(i, step)| starts(step).map(move |from| (i, step, from)));
            for (i, step, other) in pairs {
                let (at, whole) = (step.node, length(steps));
                let header = relation.inject(other, destination, Draw::NONE);
                let (_, inject) = Input::of(topology, other).expect("a source sends");
                let starting = relation.hop(at, inject, Vc(0), header);
                if starting.output != step.hop.output {
                    let left = whole - i as u32;
                    let found = Parting { left, whole, source, destination, at, other };
                    if least.as_ref().is_none_or(|least| found < *least) {
                        least = Some(found);
                    }
                }
            }
        });
    }
    least
}

/// The smallest disagreement of two packets that pass through a switch without a terminal. Goes
/// destination by destination, as [`by_input_port`].
fn parting_in_passing(network: &Network) -> Option<Parting> {
    let (topology, relation) = (network.topology(), network.relation());
    let mut least: Option<Parting> = None;
    for destination in destinations(network) {
        // By switch and output, the packet that is nearest to its end.
        let mut passing: BTreeMap<Node, BTreeMap<Output, (u32, u32, Terminal)>> = BTreeMap::new();
        for source in topology.sources().filter(|&source| is_first(network, source)) {
            let steps =
                walk::route(topology, relation, source, destination, Draw::NONE).expect(ARRIVES);
            let whole = length(&steps);
            for (i, step) in steps.iter().enumerate() {
                if sources_at(topology, step.node).next().is_none() {
                    let packet = (whole - i as u32, whole, source);
                    let by_output = passing.entry(step.node).or_default();
                    let known = by_output.entry(step.hop.output).or_insert(packet);
                    *known = packet.min(*known);
                }
            }
        }
        for (at, by_output) in passing {
            let mut packets: Vec<_> = by_output.into_values().collect();
            packets.sort_unstable();
            if let [(left, whole, source), (.., other), ..] = packets[..] {
                let found = Parting { left, whole, source, destination, at, other };
                if least.as_ref().is_none_or(|least| found < *least) {
                    least = Some(found);
                }
            }
        }
    }
    least
}

/// The destinations that stand for all.
fn destinations(network: &Network) -> impl Iterator<Item = Terminal> + '_ {
    let (topology, symmetry) = (network.topology(), network.symmetry());
    let first = topology.sinks().filter(|&sink| is_first(network, sink));
    first.filter(move |&sink| symmetry.source(topology, sink) == sink)
}

/// Whether node, destination and input port decide the output port. Goes destination by
/// destination (one stands for its orbit), so that the table is
/// linear in the nodes.
fn by_input_port(network: &Network) -> bool {
    let (topology, relation) = (network.topology(), network.relation());
    let local = |source| topology.source(source).map_or(0, |(_, local)| usize::from(local.0));
    let injects = 1 + topology.sources().map(local).max().unwrap_or(0);
    let inputs = usize::from(topology.ports()) + injects;
    for destination in destinations(network) {
        let mut outputs: Vec<Option<Output>> = vec![None; topology.nodes() as usize * inputs];
        let mut agree = true;
        for source in topology.sources().filter(|&source| is_first(network, source)) {
            walk::walk(topology, relation, source, destination, Draw::NONE, |step| {
                let input = match step.input {
                    Input::Inject(local) => usize::from(local.0),
                    Input::Network(port) => usize::from(port.0) + injects,
                };
                let known = &mut outputs[step.node.0 as usize * inputs + input];
                agree &= *known.get_or_insert(step.hop.output) == step.hop.output;
            })
            .expect(ARRIVES);
        }
        if !agree {
            return false;
        }
    }
    true
}
