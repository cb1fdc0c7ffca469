//! Table 5-5: average distances in directed cubes with a failed node.

use super::averages::rounded;
use super::exact::{average, ratio};
use super::{Cell, Table, printed};
use num_rational::BigRational;
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::paths::distances_through;
use turnpike_network::topology::{Node, Topology};

/// Effect of a failed node on the pairs of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The sum of the distances over all ordered pairs of the others, a node to itself
    /// included; pairs that are cut off count nothing.
    pub sum: u64,
    /// Ordered pairs that are further apart than with the node, by that many more channels.
    pub lengthened: Vec<(u32, u64)>,
    /// Ordered pairs that are cut off.
    pub cut_off: u64,
}

/// Searches from every node but the failed one.
pub fn fail(topology: &dyn Topology, failed: Node) -> Failure {
    let mut lengthened = std::collections::BTreeMap::new();
    let (mut sum, mut cut_off) = (0, 0);
    for from in topology.all_nodes().filter(|&n| n != failed) {
        let before = topology.distances(from);
        let after = distances_through(topology, from, |n| n != failed);
        for to in topology.all_nodes().filter(|&n| n != failed).map(|n| n.0 as usize) {
            if after[to] == u32::MAX {
                cut_off += 1;
                continue;
            }
            sum += u64::from(after[to]);
            if after[to] > before[to] {
                *lengthened.entry(after[to] - before[to]).or_insert(0) += 1;
            }
        }
    }
    Failure { sum, lengthened: lengthened.into_iter().collect(), cut_off }
}

/// The memo's average with one node down: over the (N − 1)² ordered pairs of the others.
fn average_with(topology: &dyn Topology, failure: &Failure) -> BigRational {
    let others = u64::from(topology.nodes() - 1);
    ratio(failure.sum, others * others)
}

/// Table 5-5.
pub fn table_5_5() -> Table {
    let row = |row: &printed::Failure| {
        let cube = DirectedCube::new(row.n).ok()?;
        let failure = fail(&cube, Node(0));
        let (before, after) = (average(&cube), average_with(&cube, &failure));
        let difference = &after - &before;
        let increase = &difference / &before * ratio(100, 1);
        let pairs: u64 = failure.lengthened.iter().map(|&(_, pairs)| pairs).sum();
        let most = failure.lengthened.iter().map(|&(by, _)| by).max().unwrap_or(0);
        Some(vec![
            Cell::plain(row.n),
            rounded(&before, row.average),
            rounded(&after, row.with_one_down),
            rounded(&difference, row.difference),
            rounded(&increase, row.increase),
            Cell::plain(pairs),
            Cell::plain(most),
        ])
    };
    Table {
        id: "5-5",
        title: "Directed n-cube distances with a single node failure",
        note: "By breadth-first search; it does not matter which node fails. The average is over \
               all N^2 ordered pairs, that with one node down over the (N-1)^2 of the others, a \
               node to itself included: so the memo's figures come out.",
        keys: 1,
        columns: vec![
            "n",
            "average",
            "one node down",
            "difference",
            "% increase",
            "longer pairs",
            "by at most",
        ],
        rows: printed::TABLE_5_5.iter().filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the pairs from a node before the failed one to a node behind it get longer, from 2
    /// to 6: their one shortest path is gone, and the next crosses two positions twice.
    #[test]
    fn only_neighbours_of_the_failed_node_are_further_apart() {
        for n in 4..=8 {
            let cube = DirectedCube::new(n).unwrap();
            let pairs = u64::from(n / 2 * n.div_ceil(2));
            // The closed form of all distances, without those from and to the failed node.
            for failed in [0, 1, cube.nodes() - 1].map(Node) {
                let distance = |a, b| u64::from(cube.distance(a, b));
                let others = || cube.all_nodes().filter(move |&node| node != failed);
                let sum: u64 = others().flat_map(|a| others().map(move |b| distance(a, b))).sum();
                let expected =
                    Failure { sum: sum + 4 * pairs, lengthened: vec![(4, pairs)], cut_off: 0 };
                assert_eq!(fail(&cube, failed), expected);
            }
        }
    }

    /// The memo's table begins at n = 4: smaller cubes are cut.
    #[test]
    fn small_cubes_are_cut() {
        for (n, cut_off) in [(2, 3), (3, 6)] {
            assert_eq!(fail(&DirectedCube::new(n).unwrap(), Node(0)).cut_off, cut_off);
        }
    }
}
