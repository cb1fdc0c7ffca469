//! Property 3: routes are oblivious.

use super::{ARRIVES, LabelledRoute, length, routes_from, sources};
use crate::network::Network;
use crate::routing::{Input, Output, Vc, walk};
use crate::topology::Node;
use serde::Serialize;

/// What decides the output port of a packet at a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// The node and the destination alone.
    NodeAndDestination,
    /// The node, the destination and the input port.
    NodeDestinationAndInputPort,
    /// More than those: the header remembers something of the way, or of the source.
    History,
    /// What is free: packets have a choice.
    Choice,
}

/// Property 3: the output port is a function of node and destination alone. (The virtual
/// channel may depend on the turn: it is not part of the property.)
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Oblivious {
    /// Whether it is so.
    pub holds: bool,
    /// What the output port is a function of.
    pub output_port_by: Dependence,
    /// Two packets to one destination that leave one switch by different ports.
    pub counterexample: Option<Disagreement>,
}

/// Two packets to one destination that part at a switch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Disagreement {
    /// The switch.
    pub at: String,
    /// Where both are going.
    pub destination: String,
    /// The route of the packet that passes through.
    pub passing: LabelledRoute,
    /// The route of the packet that starts there.
    pub starting: LabelledRoute,
}

impl Oblivious {
    /// Decides it. A packet that starts at a switch knows the node and the destination alone,
    /// so every other packet must do as it does. (Switches without a terminal are left out.)
    pub fn of(network: &Network) -> Self {
        let relation = network.relation();
        if relation.adaptive().is_some() {
            return Self { holds: false, output_port_by: Dependence::Choice, counterexample: None };
        }
        // By what is left of the way, then the whole way, source, destination and switch.
        let mut least: Option<(u32, u32, Node, Node, Node)> = None;
        for (source, _) in sources(network) {
            routes_from(network, source, |destination, steps| {
                let terminal = |step: &walk::Step| network.topology().is_terminal(step.node);
                for (i, step) in steps.iter().enumerate().skip(1).filter(|(_, s)| terminal(s)) {
                    let header = relation.inject(step.node, destination);
                    let starting = relation.hop(step.node, Input::Inject, Vc(0), header);
                    if starting.output != step.hop.output {
                        let whole = length(steps);
                        let found = (whole - i as u32, whole, source, destination, step.node);
                        if least.is_none_or(|least| found < least) {
                            least = Some(found);
                        }
                    }
                }
            });
        }
        let counterexample = least.map(|(_, _, source, destination, at)| Disagreement {
            at: network.topology().label(at),
            destination: network.topology().label(destination),
            passing: LabelledRoute::of(network, source, destination),
            starting: LabelledRoute::of(network, at, destination),
        });
        let output_port_by = match counterexample {
            None => Dependence::NodeAndDestination,
            Some(_) if by_input_port(network) => Dependence::NodeDestinationAndInputPort,
            Some(_) => Dependence::History,
        };
        Self { holds: counterexample.is_none(), output_port_by, counterexample }
    }
}

/// Whether node, destination and input port decide the output port. Goes destination by
/// destination (one stands for its orbit), so that the table is
/// linear in the nodes.
fn by_input_port(network: &Network) -> bool {
    let (topology, relation) = (network.topology(), network.relation());
    let inputs = usize::from(topology.ports()) + 1;
    for (destination, _) in sources(network) {
        let mut outputs: Vec<Option<Output>> = vec![None; topology.nodes() as usize * inputs];
        let mut agree = true;
        for source in topology.terminal_nodes() {
            walk::walk(topology, relation, source, destination, |step| {
                let input = match step.input {
                    Input::Inject => 0,
                    Input::Network(port) => usize::from(port.0) + 1,
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
