//! Property 5: what one failed switch costs.

use super::{LabelledRoute, ends, length, routes_from, sources};
use crate::expected::Expected;
use crate::network::Network;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_network::routing::Draw;
use turnpike_network::topology::{Local, Node, Terminal, Topology, sinks_at, sources_at};

/// Property 5: every pair keeps its route when one switch fails. Routes are fixed, so a pair
/// loses its route when the failed switch is on it; pairs that start or end there are not
/// counted. Where packets draw, counts are means over the draws: of the pairs whose packet is lost.
///
/// (The note asks for more, that a repaired scheme keep properties 1 to 4, and proves that no
/// scheme can, for odd k, with properties 1 and 2.)
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// Whether no pair loses its route, whichever switch fails.
    pub holds: bool,
    /// Ordered pairs of different terminals, neither of them at the failed switch, which has one:
    /// (N-1)(N-2). Where switches have more or fewer, the least number that one with terminals
    /// leaves.
    pub pairs: u64,
    /// Pairs that lose their route to the switch that matters most.
    pub lost_most: Expected,
    /// Pairs that lose their route to the switch that matters least.
    pub lost_least: Expected,
    /// The switch that matters most (the first of them).
    pub worst_switch: String,
    /// A failed switch and a shortest route that is lost.
    pub counterexample: Option<LostRoute>,
}

/// A route with a failed switch on it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LostRoute {
    /// Label of the failed switch.
    pub failed: String,
    /// The route that needs it.
    pub route: LabelledRoute,
}

impl Failure {
    /// Counts the routes through each switch: those from the sites, weighted by how many
    /// sources each stands for, pass the switches of an orbit evenly.
    pub fn of(network: &Network) -> Self {
        let topology = network.topology();
        let symmetry = network.symmetry();
        let sizes = symmetry.orbit_sizes(topology);
        let mut lost = vec![0u64; sizes.len()];
        let mut least: Option<(u32, Terminal, Terminal, Draw, Node)> = None;
        let mut passed: Vec<Node> = Vec::new();
        for (source, weight) in sources(network) {
            routes_from(network, source, |destination, (draw, alike), steps| {
                let weight = weight * alike;
                passed.clear();
                let (first, last) = ends(steps);
                let inner = steps.iter().map(|step| step.node);
                passed.extend(inner.filter(|&node| node != first && node != last));
                // A route may pass a switch twice and is lost but once.
                passed.sort_unstable();
                passed.dedup();
                for &node in &passed {
                    lost[symmetry.index(topology, node)] += weight;
                    let found = (length(steps), source, destination, draw, node);
                    if least.is_none_or(|least| found < least) {
                        least = Some(found);
                    }
                }
            });
        }
        // Over all the nodes that a site stands for; each loses as many.
        lost.iter_mut().zip(&sizes).for_each(|(lost, size)| *lost /= size);
        let draws = u64::from(network.relation().draw_count());
        let most = *lost.iter().max().expect("a network has nodes");
        let worst = lost.iter().position(|&n| n == most).expect("the largest is one of them");
        Self {
            holds: most == 0,
            pairs: pairs_left(topology),
            lost_most: Expected::over(most, draws),
            lost_least: Expected::over(*lost.iter().min().expect("a network has nodes"), draws),
            worst_switch: topology.label(symmetry.sites()[worst]),
            counterexample: least.map(|(_, source, destination, draw, failed)| LostRoute {
                failed: topology.label(failed),
                route: LabelledRoute::of(network, source, destination, draw),
            }),
        }
    }
}

/// The fewest ordered pairs of different terminals that are left when a switch fails that has some.
pub(crate) fn pairs_left(topology: &dyn Topology) -> u64 {
    // Terminals that send, that take packets, and that do both.
    let count = |terminals: &mut dyn Iterator<Item = Terminal>| {
        terminals.fold((0u64, 0u64, 0u64), |(sources, sinks, both), terminal| {
            let ends = [topology.source(terminal).is_some(), topology.sink(terminal).is_some()];
            let [source, sink] = ends.map(u64::from);
            (sources + source, sinks + sink, both + source * sink)
        })
    };
    let (sources, sinks, both) = count(&mut topology.all_terminals());
    let left = |node| {
        let receive = sinks_at(topology, node).filter(|&t| at(topology.source(t)) != Some(node));
        let here: Vec<Terminal> = sources_at(topology, node).chain(receive).collect();
        let (fewer_sources, fewer_sinks, fewer_both) = count(&mut here.iter().copied());
        let pairs = (sources - fewer_sources) * (sinks - fewer_sinks);
        (!here.is_empty()).then(|| pairs - (both - fewer_both))
    };
    topology.all_nodes().filter_map(left).min().unwrap_or(0)
}

fn at(place: Option<(Node, Local)>) -> Option<Node> {
    place.map(|(node, _)| node)
}
