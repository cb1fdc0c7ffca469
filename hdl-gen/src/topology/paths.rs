//! Shortest paths in the graph of a topology, by breadth-first search.

use super::{Node, Port, Topology};

/// Distance (channels) from `from` to every node by way of nodes that are `open`; `u32::MAX`
/// where there is no such path, and at nodes that are not open. `from` itself is taken as open.
pub fn distances_through<T: Topology + ?Sized>(
    topology: &T,
    from: Node,
    open: impl Fn(Node) -> bool,
) -> Vec<u32> {
    let mut distance = vec![u32::MAX; topology.nodes() as usize];
    distance[from.0 as usize] = 0;
    let mut frontier = vec![from];
    let mut steps = 0;
    while !frontier.is_empty() {
        steps += 1;
        let mut next = Vec::new();
        for node in frontier {
            for to in successors(topology, node).filter(|&to| open(to)) {
                if distance[to.0 as usize] == u32::MAX {
                    distance[to.0 as usize] = steps;
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    distance
}

/// How many shortest paths lead from `from` to `to`: 1 to itself, 0 where there is none,
/// `u128::MAX` for that many or more. Time and memory linear in the channels.
pub fn shortest_paths<T: Topology + ?Sized>(topology: &T, from: Node, to: Node) -> u128 {
    let mut paths = vec![0_u128; topology.nodes() as usize];
    let mut closed = vec![false; topology.nodes() as usize];
    paths[from.0 as usize] = 1;
    closed[from.0 as usize] = true;
    let mut frontier = vec![from];
    // Layer by layer: the counts of a layer are whole before the next one begins.
    while paths[to.0 as usize] == 0 && !frontier.is_empty() {
        let mut next = Vec::new();
        for node in frontier {
            for end in successors(topology, node).map(|end| end.0 as usize) {
                if !closed[end] {
                    if paths[end] == 0 {
                        next.push(Node(end as u32));
                    }
                    paths[end] = paths[end].saturating_add(paths[node.0 as usize]);
                }
            }
        }
        next.iter().for_each(|end| closed[end.0 as usize] = true);
        frontier = next;
    }
    paths[to.0 as usize]
}

fn successors<T: Topology + ?Sized>(topology: &T, node: Node) -> impl Iterator<Item = Node> {
    (0..topology.ports()).filter_map(move |p| topology.channel(node, Port(p))).map(|(to, _)| to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::ccc::{Ccc, Variant};
    use crate::topology::hypercube::Hypercube;

    #[test]
    fn a_cube_has_a_path_per_order_of_its_bits() {
        let cube = Hypercube::new(6).unwrap();
        for to in cube.all_nodes() {
            let factorial = (1..=u128::from(to.0.count_ones())).product::<u128>();
            assert_eq!(shortest_paths(&cube, Node(0), to), factorial);
        }
        assert_eq!(shortest_paths(&Hypercube::new(20).unwrap(), Node(0), Node(0xF_FFFF)), {
            (1..=20).product::<u128>()
        });
    }

    /// Every path walked, one by one.
    #[test]
    fn counts_are_those_of_a_search_of_all_paths() {
        fn walk(ccc: &Ccc, node: Node, to: Node, left: u32) -> u128 {
            match left {
                0 => u128::from(node == to),
                _ => successors(ccc, node).map(|next| walk(ccc, next, to, left - 1)).sum(),
            }
        }
        for variant in Variant::ALL {
            let ccc = Ccc::new(variant, 3).unwrap();
            let distances = ccc.distances(Node(0));
            for to in ccc.all_nodes() {
                let expected = walk(&ccc, Node(0), to, distances[to.0 as usize]);
                assert_eq!(shortest_paths(&ccc, Node(0), to), expected);
            }
        }
    }

    #[test]
    fn closed_nodes_are_gone_round_or_cut_off() {
        let cube = Hypercube::new(2).unwrap();
        let around = distances_through(&cube, Node(0), |n| n != Node(1));
        assert_eq!(around, [0, u32::MAX, 1, 2]);
        let cut_off = distances_through(&cube, Node(0), |n| n != Node(1) && n != Node(2));
        assert_eq!(cut_off, [0, u32::MAX, u32::MAX, u32::MAX]);
    }
}
