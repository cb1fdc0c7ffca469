//! What `analyze` reports of each topology and relation, against a search and a walk of our own.

use std::collections::VecDeque;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::report::Analysis;
use turnpike_network::routing::of_kind;
use turnpike_network::routing::walk::walk;
use turnpike_network::topology::{Node, Port, Shape, Size, TOPOLOGIES, Terminal, Topology};

/// The distances from a node to every node, by the channels that leave each.
fn distances(topology: &dyn Topology, from: Node) -> Vec<u32> {
    let mut distance = vec![u32::MAX; topology.nodes() as usize];
    distance[from.0 as usize] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for port in 0..topology.ports() {
            let Some((next, _)) = topology.channel(node, Port(port)) else { continue };
            if distance[next.0 as usize] == u32::MAX {
                distance[next.0 as usize] = distance[node.0 as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    distance
}

/// The largest, and the mean, a terminal to itself included.
fn most_and_mean(lengths: &[u32]) -> (u32, f64) {
    let sum: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    (*lengths.iter().max().unwrap(), sum as f64 / lengths.len() as f64)
}

#[test]
fn lengths_are_those_of_a_search_and_of_a_walk_over_all_pairs() {
    for topology in TOPOLOGIES {
        for kind in of_kind(topology) {
            let network = |size| Network::new(topology.name, size, Some(kind.name), None);
            let network = match kind.name {
                "thacker" => network(Size::of_dim(4)).unwrap(),
                // Turn models are for two dimensions alone, phases on grids for powers of two.
                _ => {
                    let shape = "4x2".parse::<Shape>().unwrap();
                    let small = topology.sizes.small();
                    // Of some there are tables at the least size alone.
                    let sizes = small[1..].iter().chain(&small[..1]).copied();
                    let found = sizes.chain([shape.into()]).find_map(|s| network(s).ok());
                    found.unwrap_or_else(|| panic!("{} {}", topology.name, kind.name))
                }
            };
            let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
            let found = Analysis::of(&plan);
            let name = format!("{} {}", topology.name, kind.name);
            let (network, graph) = (plan.network(), plan.topology());
            let terminals = || (0..graph.terminals()).map(Terminal);
            let searched: Vec<u32> = terminals()
                .flat_map(|from| {
                    let all = distances(graph, graph.source(from).unwrap().0);
                    terminals().map(move |to| all[graph.sink(to).unwrap().0.0 as usize])
                })
                .collect();
            let (diameter, average) = most_and_mean(&searched);
            let lengths = &found.lengths;
            assert_eq!((lengths.diameter, lengths.average_distance), (diameter, average), "{name}");
            let walked: Vec<u32> = terminals()
                .flat_map(|from| terminals().map(move |to| (from, to)))
                .flat_map(|pair| network.relation().draws().map(move |draw| (pair, draw)))
                .map(|((from, to), draw)| {
                    let mut switches = 0;
                    walk(graph, network.relation(), from, to, draw, |_| switches += 1).unwrap();
                    switches - 1
                })
                .collect();
            let (longest, average) = most_and_mean(&walked);
            let reported = (lengths.longest_route, lengths.average_route_length);
            assert_eq!(reported, (longest, average), "{name}");
            // Deadlock-free by a certificate of as many routes as there are.
            assert!(found.deadlock_free && found.certificate.is_some(), "{name}");
        }
    }
}
