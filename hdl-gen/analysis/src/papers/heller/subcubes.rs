//! Decomposability (section 5.4): which sub-cubes of a directed cube are directed cubes.

use super::{Cell, Table};
use petgraph::algo::is_isomorphic;
use petgraph::graph::DiGraph;
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::{Node, Topology, TopologyError};

/// The largest cube whose sub-cubes are all looked at: 3^6 of them.
const SEARCHED: u32 = 6;

/// Sub-cubes of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Count {
    all: u32,
    /// Number that are directed cubes: the same graph under some renumbering of the nodes.
    directed: u32,
    /// Number of which the memo's condition is true.
    by_condition: u32,
    /// Number of which only one of the two holds.
    apart: u32,
}

/// The graph of the nodes that agree with `base` outside the bits `spanned`.
fn subcube(cube: &DirectedCube, spanned: u32, base: u32) -> DiGraph<Node, ()> {
    let inside = |node: Node| node.0 & !spanned == base;
    cube.graph().filter_map(|_, &node| inside(node).then_some(node), |_, _| Some(()))
}

/// The memo: as many even as odd positions, or one more of either.
fn condition(cube: &DirectedCube, spanned: u32) -> bool {
    let [even, odd] = [false, true].map(|odd| (cube.positions(odd) & spanned).count_ones());
    even.abs_diff(odd) <= 1
}

/// The sub-cubes of the directed n-cube of dimension `m`, 2 ≤ m ≤ n.
fn count(n: u32, m: u32) -> Result<Count, TopologyError> {
    let cube = DirectedCube::new(n)?;
    let whole = DirectedCube::new(m)?.graph().map(|_, &node| node, |_, _| ());
    let mut count = Count::default();
    for spanned in (0_u32..1 << n).filter(|s| s.count_ones() == m) {
        for base in (0_u32..1 << n).filter(|b| b & spanned == 0) {
            let directed = is_isomorphic(&subcube(&cube, spanned, base), &whole);
            let expected = condition(&cube, spanned);
            count.all += 1;
            count.directed += u32::from(directed);
            count.by_condition += u32::from(expected);
            count.apart += u32::from(directed != expected);
        }
    }
    Ok(count)
}

/// All sub-cubes of small directed cubes.
pub fn table() -> Table {
    let row = |(n, m): (u32, u32)| {
        let count = count(n, m).ok()?;
        Some(vec![
            Cell::plain(n),
            Cell::plain(m),
            Cell::plain(count.all),
            Cell::against(count.directed, count.by_condition),
            Cell::against(count.apart, 0),
        ])
    };
    Table {
        id: "5.4",
        title: "Sub-cubes of directed n-cubes",
        note: "Every sub-cube of m dimensions, compared with the directed m-cube as a graph (up \
               to the names of its nodes). The memo's: those that span as many even as odd \
               positions, or one more of either.",
        keys: 2,
        columns: vec!["n", "m", "sub-cubes", "directed cubes", "against the condition"],
        rows: (2..=SEARCHED).flat_map(|n| (2..=n).map(move |m| (n, m))).filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By degrees alone: nodes of a directed cube have at least ⌊m/2⌋ outputs, and a sub-cube
    /// has a node with as few as it spans positions of one parity.
    #[test]
    fn degrees_tell_sub_cubes_from_directed_cubes() {
        for n in 2..=7 {
            let cube = DirectedCube::new(n).unwrap();
            for spanned in (0_u32..1 << n).filter(|s| s.count_ones() >= 2) {
                let graph = subcube(&cube, spanned, !spanned & ((1 << n) - 1));
                let outputs = graph.node_indices().map(|node| graph.neighbors(node).count());
                let enough = outputs.min().unwrap() as u32 >= spanned.count_ones() / 2;
                assert_eq!(enough, condition(&cube, spanned));
            }
        }
    }

    #[test]
    fn the_condition_is_exact() {
        for (n, m) in (2..=6).flat_map(|n| (2..=n).map(move |m| (n, m))) {
            let count = count(n, m).unwrap();
            assert_eq!((count.apart, count.directed), (0, count.by_condition), "n={n} m={m}");
        }
        // The condition is no empty one: of the squares of a 4-cube, a third fail it.
        let squares = count(4, 2).unwrap();
        assert_eq!((squares.all, squares.directed), (24, 16));
    }
}
