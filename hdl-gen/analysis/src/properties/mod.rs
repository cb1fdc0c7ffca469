//! The five properties that SRC Technical Note 2000-001 asks of a routing scheme, for any
//! network:
//!
//! 1. every route is a shortest path ([`ShortestPath`]);
//! 2. no input port has more than ⌈(k-1)/2⌉ crosspoints ([`PortBound`], which says the same of output
//!    ports);
//! 3. routes are oblivious ([`Oblivious`]);
//! 4. the all-pairs load is balanced ([`Balance`]);
//! 5. what a failed switch costs ([`Failure`]).
//!
//! Each is a verdict with its figures and, where it fails, the smallest counterexample. Where
//! one node stands for others ([`Network::symmetry`]) only its routes are walked: time and
//! memory linear in the nodes. Where routes go row by row ([`Network::by_rows`]) those of one row per
//! dimension are. Otherwise every pair is.
//!
//! Sums and averages are over all N² ordered pairs of terminals, one to itself included.

mod balance;
mod channel_loads;
mod failure;
mod lengths;
mod oblivious;
mod port_bound;

pub use balance::{Balance, ChannelLoad, Load, StepLoad};
pub use channel_loads::{CarriedBy, channel_loads};
pub(crate) use failure::pairs_left;
pub use failure::{Failure, LostRoute};
pub use lengths::{Detour, Lengths, ShortestPath};
pub use oblivious::{Dependence, Disagreement, Oblivious};
pub use port_bound::{BusyPort, Crosspoint, PortBound};

use crate::network::Network;
use crate::rows;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::Draw;
use turnpike_network::routing::walk::{self, Step};
use turnpike_network::topology::{Node, Terminal};

/// The five properties of a network.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Properties {
    /// Property 1.
    pub shortest_path: ShortestPath,
    /// Property 2.
    pub port_bound: PortBound,
    /// Property 3.
    pub oblivious: Oblivious,
    /// Property 4.
    pub balance: Balance,
    /// Property 5.
    pub failure: Failure,
}

impl Properties {
    /// Decides all five, and gives the lengths that the first one measured.
    pub fn of(network: &Network) -> (Self, Lengths) {
        if let Some(rows) = network.by_rows() {
            return rows::properties(network, rows);
        }
        let (shortest_path, lengths) = ShortestPath::of(network);
        let properties = Self {
            shortest_path,
            port_bound: PortBound::of(network),
            oblivious: Oblivious::of(network),
            balance: Balance::of(network, lengths.diameter),
            failure: Failure::of(network),
        };
        (properties, lengths)
    }
}

/// A route as labels, for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LabelledRoute {
    /// Draw of the packet's source, of a randomised relation: the number of the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<u32>,
    /// Labels of the nodes on the route, source first, destination last.
    pub nodes: Vec<String>,
    /// Output port by which the route leaves each node but the last.
    pub ports: Vec<String>,
}

impl LabelledRoute {
    /// The route from `source` to `destination` of a packet of this draw.
    pub fn of(network: &Network, source: Terminal, destination: Terminal, draw: Draw) -> Self {
        let (topology, relation) = (network.topology(), network.relation());
        let steps = walk::route(topology, relation, source, destination, draw).expect(ARRIVES);
        let ports = steps.iter().filter_map(|step| match step.hop.output {
            turnpike_network::routing::Output::Network(port) => Some(topology.port_name(port)),
            turnpike_network::routing::Output::Eject(_) => None,
        });
        Self {
            draw: relation.is_randomised().then_some(draw.0),
            nodes: steps.iter().map(|step| topology.label(step.node)).collect(),
            ports: ports.collect(),
        }
    }
}

/// Reason that a walk cannot fail here.
const ARRIVES: &str = "a network's routes arrive: all were walked when it was built";

/// Whether a terminal is the first of its place. Where a place has several in place of one
/// ([`turnpike_network::topology::concentrated`]), the channels and switches of a route are those of
/// the first terminals of its ends.
fn is_first(network: &Network, terminal: Terminal) -> bool {
    // Flows are of terminals, not of places.
    network.topology().flows().is_some()
        || terminal.0.is_multiple_of(network.topology().concentration())
}

/// The sources whose routes to the first terminals of all places stand for all routes, each with how
/// many pairs a route of it stands for.
fn sources(network: &Network) -> impl Iterator<Item = (Terminal, u64)> + '_ {
    let (topology, symmetry) = (network.topology(), network.symmetry());
    let sizes = symmetry.orbit_sizes(topology);
    let pairs_of_places = match topology.flows() {
        None => u64::from(topology.concentration()).pow(2),
        Some(_) => 1,
    };
    let first = network.sources().into_iter().filter(|&source| is_first(network, source));
    first.filter_map(move |source| {
        let (node, _) = topology.source(source)?;
        Some((source, sizes[symmetry.index(topology, node)] * pairs_of_places))
    })
}

/// Visits the unlike routes from `source` to the first terminal of each place, in their order, each with the
/// number of draws that lead a packet by it, of which `draw` is the first.
fn routes_from(
    network: &Network,
    source: Terminal,
    mut visit: impl FnMut(Terminal, (Draw, u64), &[Step]),
) {
    let mut steps = Vec::new();
    let sinks = network.topology().destinations(source);
    let sinks = sinks.filter(|&sink| is_first(network, sink));
    let relation = network.relation();
    for destination in sinks {
        for (draw, alike) in relation.unlike_draws(source, destination) {
            steps.clear();
            walk::walk(network.topology(), relation, source, destination, draw, |step| {
                steps.push(*step);
            })
            .expect(ARRIVES);
            visit(destination, (draw, alike.into()), &steps);
        }
    }
}

/// The switch of the source of a route of these steps, and that of its destination.
fn ends(steps: &[Step]) -> (Node, Node) {
    (steps[0].node, steps[steps.len() - 1].node)
}

/// Distances (channels) from the switch of a terminal that sends to every node.
fn distances(network: &Network, source: Terminal) -> Vec<u32> {
    let (node, _) = network.topology().source(source).expect("a source sends");
    network.topology().distances(node)
}

/// Number of channels that a route of these steps crosses.
fn length(steps: &[Step]) -> u32 {
    steps.len() as u32 - 1
}

#[cfg(test)]
mod tests;
