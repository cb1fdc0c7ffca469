//! Cost of failed nodes to the others, as distances: the graph with and without them.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_network::topology::{Local, Node, Terminal, Topology};

/// Distances with and without the failed nodes. Pairs are the ordered pairs of terminals that
/// are left, one to itself included.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FailedNodes {
    /// Labels of the failed nodes.
    pub nodes: Vec<String>,
    /// Number of terminals that are left, with those that only send or only take packets.
    pub terminals_left: u32,
    /// Number of sources that are left: terminals that still send packets.
    pub sources_left: u32,
    /// Number of sinks that are left: terminals that still take packets.
    pub sinks_left: u32,
    /// Whether every source still has a path to every sink. (A fabric is refused where one has none.)
    pub connected: bool,
    /// Mean distance of the pairs before.
    pub average_distance_intact: f64,
    /// Mean distance of the pairs now.
    pub average_distance: f64,
    /// Pairs that are farther apart now.
    pub longer_pairs: u64,
    /// By how many channels more: how many pairs.
    pub longer_by: BTreeMap<u32, u64>,
    /// A pair that is farther apart by most, as labels.
    pub worst_pair: Option<(String, String)>,
}

impl FailedNodes {
    /// Measures them, by breadth-first search from every terminal that is left; `None` where no
    /// node failed.
    pub fn of(topology: &dyn Topology) -> Option<Self> {
        let intact = topology.intact()?;
        let node = |terminal: Option<(Node, Local)>| terminal.map(|(node, _)| node);
        let sources: Vec<Terminal> = topology.sources().collect();
        let sinks: Vec<Terminal> = topology.sinks().collect();
        let (mut before, mut now) = (0u64, 0u64);
        let mut longer_by: BTreeMap<u32, u64> = BTreeMap::new();
        let mut worst: Option<(u32, Terminal, Terminal)> = None;
        let mut connected = true;
        for &from in &sources {
            let Some(start) = node(topology.source(from)) else { continue };
            let (with, without) = (intact.distances(start), topology.distances(start));
            for &to in &sinks {
                let Some(end) = node(topology.sink(to)) else { continue };
                let (with, without) = (with[end.0 as usize], without[end.0 as usize]);
                if without == u32::MAX {
                    connected = false;
                    continue;
                }
                before += u64::from(with);
                now += u64::from(without);
                let more = without.saturating_sub(with);
                if more > 0 {
                    *longer_by.entry(more).or_default() += 1;
                    if worst.is_none_or(|(most, _, _)| more > most) {
                        worst = Some((more, from, to));
                    }
                }
            }
        }
        let pairs = (sources.len() * sinks.len()) as f64;
        let label = |terminal| topology.terminal_label(terminal);
        Some(Self {
            nodes: topology.failed_nodes().into_iter().map(|node| topology.label(node)).collect(),
            terminals_left: topology.all_terminals().count() as u32,
            sources_left: sources.len() as u32,
            sinks_left: sinks.len() as u32,
            connected,
            average_distance_intact: before as f64 / pairs,
            average_distance: now as f64 / pairs,
            longer_pairs: longer_by.values().sum(),
            longer_by,
            worst_pair: worst.map(|(_, from, to)| (label(from), label(to))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_network::topology::directed_cube::DirectedCube;
    use turnpike_network::topology::failed::Failed;
    use turnpike_network::topology::hypercube::Hypercube;

    #[test]
    fn a_square_without_a_corner_is_a_path() {
        let cube = Box::new(Hypercube::new(2).unwrap());
        let left = Failed::new(cube, &["11".to_owned()]).unwrap();
        let found = FailedNodes::of(&left).unwrap();
        assert_eq!((found.connected, found.longer_pairs), (true, 0));
        assert_eq!(found.average_distance, 8.0 / 9.0);
        let ring = Box::new(DirectedCube::new(2).unwrap());
        let left = Failed::new(ring, &["11".to_owned()]).unwrap();
        assert!(!FailedNodes::of(&left).unwrap().connected, "a ring one way falls apart");
    }

    /// Heller's Table 5-5 at n = 4: 2.809 with one node down, the 2 x 2 pairs from a node before
    /// it to one behind it 4 further apart. From 2.75 over 16² pairs go those from and to the
    /// node, 2 x 16 x 2.75, and 4 x 4 come: (704 - 88 + 16) / 15².
    #[test]
    fn the_directed_cube_grows_a_little() {
        let cube = Box::new(DirectedCube::new(4).unwrap());
        let left = Failed::new(cube, &["0000".to_owned()]).unwrap();
        let found = FailedNodes::of(&left).unwrap();
        assert!(found.connected);
        assert_eq!((found.longer_pairs, &found.longer_by), (4, &[(4, 4)].into()));
        assert_eq!(found.average_distance, 632.0 / 225.0);
        // The same pairs with the node there.
        assert_eq!(found.average_distance_intact, 616.0 / 225.0);
    }
}
