//! Figures of a network of busses: how many, how long, how many at a node; and what the papers give.

use crate::{BusFlows, Grid, SplitHash};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// Busses of one sort.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Busses {
    /// Name of the sort: along a dimension, or between two levels.
    pub which: String,
    /// Number of such busses.
    pub count: u64,
    /// Most nodes that send on one bus.
    pub senders: u32,
    /// Number of nodes that hear one bus.
    pub receivers: u32,
    /// Length of a bus: the nodes on it, at most.
    pub length: u32,
    /// Length of each by the paper's formula.
    pub length_of_the_paper: u32,
    /// Pairs of a sender and a receiver, over all of them; a fabric builds none at places that no
    /// function leads to.
    pub crosspoints: u64,
}

/// Figures of a network of busses.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Figures {
    /// The network: the words of the command line.
    pub topology: String,
    /// Number of terminals; of a bus for flows, those that have some.
    pub terminals: u32,
    /// Nodes of all levels.
    pub nodes: u64,
    /// Busses of the network, by sort.
    pub busses: Vec<Busses>,
    /// Nodes on the longest bus.
    pub longest_bus: u32,
    /// Busses at a node, at most.
    pub degree: u32,
    /// Pairs of a sender and a receiver on one bus, in all.
    pub crosspoints: u64,
    /// Busses from a terminal to the farthest.
    pub diameter: u32,
    /// Diameter by the paper's formula.
    pub diameter_of_the_paper: u32,
    /// Busses from terminal to terminal: mean over all ordered pairs, a terminal to itself included; of a bus
    /// for flows, over these.
    pub average_distance: f64,
    /// Slots of a time table for any permutation; absent where there is none.
    pub slots_of_a_time_table: Option<u32>,
}

impl Figures {
    /// Figures of a grid. Its diameter is searched for from node 0, which all nodes are like.
    pub fn of_grid(grid: &Grid) -> Self {
        let dimensions = grid.dimensions();
        let busses: Vec<Busses> = (0..dimensions)
            .map(|dimension| {
                let (side, count) = (grid.sides()[dimension], grid.lines(dimension).into());
                Busses {
                    which: match dimensions {
                        1 => "of all nodes".to_owned(),
                        _ => format!("along {}", grid.name(dimension)),
                    },
                    count,
                    senders: side,
                    receivers: side,
                    length: side,
                    length_of_the_paper: side,
                    // None leads from a node to itself.
                    crosspoints: count * u64::from(side) * u64::from(side - 1),
                }
            })
            .collect();
        let distances = distances(grid, 0);
        let sum: u64 = distances.iter().map(|&distance| u64::from(distance)).sum();
        Self {
            topology: grid.to_string(),
            terminals: grid.nodes(),
            nodes: grid.nodes().into(),
            degree: dimensions as u32,
            diameter: distances.iter().copied().max().unwrap_or(0),
            diameter_of_the_paper: dimensions as u32,
            average_distance: sum as f64 / f64::from(grid.nodes()),
            slots_of_a_time_table: Some(2 * dimensions as u32 - 1),
            ..Self::over(busses)
        }
    }

    /// Figures of one bus for these flows: of the nodes that have some, and of the pairs that they are.
    pub fn for_flows(grid: &Grid, flows: &BusFlows) -> Self {
        let (sources, sinks) = (flows.sources(), flows.sinks());
        let nodes: BTreeSet<u32> = sources.iter().chain(&sinks).copied().collect();
        let nodes = nodes.len() as u32;
        let bus = Busses {
            which: "of the flows".to_owned(),
            count: 1,
            senders: sources.len() as u32,
            receivers: sinks.len() as u32,
            length: nodes,
            length_of_the_paper: grid.nodes(),
            crosspoints: flows.pairs().len() as u64,
        };
        Self {
            topology: grid.to_string(),
            terminals: nodes,
            nodes: nodes.into(),
            degree: 1,
            diameter: 1,
            diameter_of_the_paper: 1,
            average_distance: 1.0,
            slots_of_a_time_table: Some(1),
            ..Self::over(vec![bus])
        }
    }

    /// Figures of a split&hash network. Each packet takes a bus from each level to the next:
    /// distances are levels by construction.
    pub fn of_split_hash(network: &SplitHash) -> Self {
        let (side, levels, nodes) = (network.side(), network.levels(), network.nodes());
        let busses = (0..levels).rev().map(|level| {
            let (senders, receivers) = network.bus(level);
            let groups = u64::from(nodes / network.group(level + 1));
            let (functions, places) = match level {
                0 => (1, 1),
                _ => (network.functions(level), network.block(level, 0).len() as u64),
            };
            Busses {
                which: format!("from level {} to {level}", level + 1),
                count: groups * u64::from(functions) * places,
                senders,
                receivers,
                length: senders + receivers,
                length_of_the_paper: side + side * functions,
                crosspoints: u64::from(nodes) * u64::from(functions) * u64::from(side),
            }
        });
        Self {
            topology: network.to_string(),
            terminals: nodes,
            nodes: u64::from(nodes) * u64::from(levels + 1),
            degree: (0..=levels).map(|level| network.degree(level)).max().unwrap_or(0),
            diameter: levels,
            diameter_of_the_paper: levels,
            average_distance: levels.into(),
            ..Self::over(busses.collect())
        }
    }

    fn over(busses: Vec<Busses>) -> Self {
        Self {
            longest_bus: busses.iter().map(|sort| sort.length).max().unwrap_or(0),
            crosspoints: busses.iter().map(|sort| sort.crosspoints).sum(),
            busses,
            topology: String::new(),
            terminals: 0,
            nodes: 0,
            degree: 0,
            diameter: 0,
            diameter_of_the_paper: 0,
            average_distance: 0.0,
            slots_of_a_time_table: None,
        }
    }
}

/// Least number of busses that a word takes from a node to each: a search over busses, each looked
/// at once.
fn distances(grid: &Grid, from: u32) -> Vec<u32> {
    let mut distances = vec![u32::MAX; grid.nodes() as usize];
    let mut seen = vec![vec![false; grid.nodes() as usize]; grid.dimensions()];
    distances[from as usize] = 0;
    let mut at = vec![from];
    for distance in 1.. {
        let mut next = Vec::new();
        for node in at {
            for (dimension, seen) in seen.iter_mut().enumerate() {
                // A bus by its node at coordinate 0.
                let bus = grid.along(node, dimension, 0);
                if std::mem::replace(&mut seen[bus as usize], true) {
                    continue;
                }
                for coordinate in 0..grid.sides()[dimension] {
                    let other = grid.along(node, dimension, coordinate);
                    if distances[other as usize] == u32::MAX {
                        distances[other as usize] = distance;
                        next.push(other);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        at = next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_hash::SplitHashError;
    use std::collections::BTreeMap;

    /// The figures of a grid, from lists of who is on which bus, from every node.
    #[test]
    fn a_grid_counted_bus_by_bus() {
        for sides in [&[7][..], &[3, 4], &[2, 3, 4], &[2, 2, 2, 3]] {
            let grid = Grid::new(sides).unwrap();
            let figures = Figures::of_grid(&grid);
            let mut pairs = BTreeSet::new();
            let mut at = vec![0; grid.nodes() as usize];
            for dimension in 0..grid.dimensions() {
                assert_eq!(figures.busses[dimension].count, u64::from(grid.lines(dimension)));
                for line in 0..grid.lines(dimension) {
                    let on: Vec<u32> = grid.line(dimension, line).collect();
                    assert_eq!(on.len() as u32, figures.busses[dimension].length);
                    for &a in &on {
                        at[a as usize] += 1;
                        pairs.extend(on.iter().filter(|b| **b != a).map(|b| (dimension, a, *b)));
                    }
                }
            }
            assert_eq!(pairs.len() as u64, figures.crosspoints);
            assert_eq!(figures.crosspoints, grid.crosspoints());
            assert!(at.iter().all(|&count| count == figures.degree));
            // Distance by coordinates that differ, from everywhere: all nodes are alike.
            for from in 0..grid.nodes() {
                let differ = |to: u32| {
                    let differs = |d: &usize| grid.coordinate(from, *d) != grid.coordinate(to, *d);
                    (0..grid.dimensions()).filter(differs).count() as u32
                };
                let expected: Vec<u32> = (0..grid.nodes()).map(differ).collect();
                assert_eq!(distances(&grid, from), expected);
                assert_eq!(expected.iter().max(), Some(&figures.diameter));
                let mean = f64::from(expected.iter().sum::<u32>()) / f64::from(grid.nodes());
                assert_eq!(mean, figures.average_distance);
            }
        }
    }

    /// A bus for flows with two senders, two receivers, a node that is both, and one that is neither.
    #[test]
    fn a_bus_for_flows_counts_its_pairs() {
        let grid = Grid::new(&[4]).unwrap();
        let flows = BusFlows::new([(0, 1), (1, 3), (0, 3)], String::new());
        let figures = Figures::for_flows(&grid, &flows);
        let bus = &figures.busses[0];
        assert_eq!((bus.senders, bus.receivers, bus.length, bus.crosspoints), (2, 2, 3, 3));
        assert_eq!((figures.terminals, figures.nodes, figures.crosspoints), (3, 3, 3));
        // Of all pairs it is the bus of all nodes.
        let pairs = (0..4).flat_map(|a| (0..4).filter(move |b| *b != a).map(move |b| (a, b)));
        let all = Figures::for_flows(&grid, &BusFlows::new(pairs, String::new()));
        let grid = Figures::of_grid(&grid);
        assert_eq!((all.terminals, all.crosspoints), (grid.terminals, grid.crosspoints));
        assert_eq!(all.longest_bus, grid.longest_bus);
    }

    /// The senders and the receivers of a bus.
    type Ends = (BTreeSet<u32>, BTreeSet<u32>);

    /// The figures of a split&hash network, from who reaches whom under functions that fold the
    /// nodes of a group evenly into their blocks.
    #[test]
    fn a_split_hash_network_counted_bus_by_bus() {
        for (side, levels, factor) in [(4, 2, 2), (8, 2, 2), (6, 3, 2), (7, 2, 3)] {
            let network = SplitHash::new(side, levels, factor).unwrap();
            let figures = Figures::of_split_hash(&network);
            let (mut pairs, mut degrees) = (0u64, vec![0; levels as usize + 1]);
            for (busses, level) in figures.busses.iter().zip((0..levels).rev()) {
                // By bus (group, function, place), its senders and its receivers.
                let mut on: BTreeMap<(u32, u32, u32), Ends> = BTreeMap::new();
                let (upper, lower) = (network.group(level + 1), network.group(level));
                let functions = if level == 0 { 1 } else { network.functions(level) };
                for node in 0..network.nodes() {
                    for function in 0..functions {
                        let block = match level {
                            0 => 0..1,
                            _ => network.block(level, function),
                        };
                        let place = block.start + node % upper % block.len() as u32;
                        let bus = on.entry((node / upper, function, place)).or_default();
                        bus.0.insert(node);
                        let parts = node / upper * upper..(node / upper + 1) * upper;
                        bus.1.extend(parts.step_by(lower as usize).map(|part| part + place));
                    }
                }
                assert_eq!(on.len() as u64, busses.count, "{network} {level}");
                let most = |end: fn(&Ends) -> usize| on.values().map(end).max().unwrap() as u32;
                assert_eq!(most(|bus| bus.0.len()), busses.senders);
                assert_eq!(most(|bus| bus.1.len()), busses.receivers);
                assert_eq!(most(|bus| bus.0.len() + bus.1.len()), busses.length);
                pairs += on.values().map(|b| (b.0.len() * b.1.len()) as u64).sum::<u64>();
                degrees[level as usize + 1] += functions;
                degrees[level as usize] += 1;
            }
            assert_eq!(pairs, figures.crosspoints, "{network}");
            assert_eq!(degrees.into_iter().max(), Some(figures.degree), "{network}");
        }
        let error = SplitHash::new(3, 2, 2).unwrap_err();
        assert_eq!(error, SplitHashError::Side { side: 3, functions: 4 });
    }
}
