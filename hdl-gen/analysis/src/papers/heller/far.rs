//! The number of far nodes: those at the maximum distance from a node (sections 5.1 and 6).

use super::{Cell, Table, printed};
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::{Node, Topology};

/// The largest cube that is searched.
const SEARCHED: u32 = 12;

/// The maximum distance from a node, and how many nodes are as far.
fn far(topology: &dyn Topology, from: Node) -> (u32, usize) {
    let distances = topology.distances(from);
    let most = distances.iter().copied().max().unwrap_or(0);
    (most, distances.iter().filter(|&&d| d == most).count())
}

/// Far nodes of directed cubes and of the n-cube.
pub fn table() -> Table {
    let row = |(n, odd): (u32, bool)| {
        let cube = DirectedCube::new(n).ok()?;
        let (most, count) = far(&cube, Node(u32::from(odd)));
        let (_, in_cube) = far(&Hypercube::new(n).ok()?, Node(0));
        let (memo, memo_count) = match (n.is_multiple_of(2), odd) {
            (true, _) => (n + 1, printed::FAR_EVEN(n)),
            (false, false) => (n + 1, printed::FAR_ODD(n)),
            (false, true) => (n + 2, printed::FAR_ODD(n)),
        };
        Some(vec![
            Cell::plain(n),
            Cell::plain(if odd { "odd" } else { "even" }),
            Cell::against(most, memo),
            Cell::against(count, memo_count),
            Cell::against(in_cube, 1),
        ])
    };
    Table {
        id: "5.1 and 6, far nodes",
        title: "Nodes at the maximum distance from a node",
        note: "By breadth-first search from an even and from an odd node. The memo's: 2^(n/2-1) \
               at n+1 for even n; for odd n 2^((n-1)/2) at n+1 from even and n+2 from odd nodes.",
        keys: 2,
        columns: vec!["n", "source", "maximum distance", "far nodes", "in the n-cube"],
        rows: (2..=SEARCHED).flat_map(|n| [(n, false), (n, true)]).filter_map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far nodes differ from the source in all positions of the larger parity (the other one
    /// among equals), and of the remaining ⌊n/2⌋ in a number whose parity is fixed: half of all
    /// subsets, 2^(⌊n/2⌋−1).
    #[test]
    fn far_nodes_have_a_closed_form() {
        for n in 2..=14 {
            let cube = DirectedCube::new(n).unwrap();
            for from in [Node(0), Node(1)] {
                let (most, count) = far(&cube, from);
                assert_eq!(count, 1 << (n / 2 - 1));
                let odd_from_odd = n % 2 == 1 && from == Node(1);
                assert_eq!(most, n + 1 + u32::from(odd_from_odd));
            }
        }
    }
}
