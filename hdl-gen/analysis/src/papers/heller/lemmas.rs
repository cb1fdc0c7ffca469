//! The lemmas of section 4 as properties of the graph, for random dimensions, nodes and
//! choices. Distances are those of a search.

use proptest::prelude::*;
use turnpike_network::topology::directed_cube::DirectedCube;
use turnpike_network::topology::{Node, Port, Topology};

/// A directed cube and two of its nodes.
fn pairs() -> impl Strategy<Value = (DirectedCube, Node, Node)> {
    (2..=10_u32).prop_flat_map(|n| {
        let node = || (0..1_u32 << n).prop_map(Node);
        (Just(DirectedCube::new(n).unwrap()), node(), node())
    })
}

fn searched(cube: &DirectedCube, from: Node, to: Node) -> u32 {
    cube.distances(from)[to.0 as usize]
}

/// |Q_e| and |Q_o|: even and odd positions, from the left, in which two labels differ. From the
/// labels, not from what the topology says of its positions.
fn differing(cube: &DirectedCube, a: Node, b: Node) -> (u32, u32) {
    let (a, b) = (cube.label(a), cube.label(b));
    let differ = a.chars().zip(b.chars()).enumerate().filter(|(_, (x, y))| x != y);
    let (even, odd): (Vec<usize>, Vec<usize>) = differ.map(|(q, _)| q).partition(|q| q % 2 == 0);
    (even.len() as u32, odd.len() as u32)
}

/// The parity of the position that a step crosses.
fn step_is_odd(cube: &DirectedCube, a: Node, b: Node) -> bool {
    differing(cube, a, b).1 == 1
}

/// The memo's procedure ("How to get from s to t"): any position still to be crossed that can
/// be, else any that can be. `choices` decide among them.
fn procedure(cube: &DirectedCube, from: Node, to: Node, choices: &[u32]) -> Vec<Node> {
    let mut route = vec![from];
    let mut choices = choices.iter().cycle();
    let mut node = from;
    while node != to {
        let steps: Vec<Node> = (0..cube.ports())
            .filter_map(|port| cube.channel(node, Port(port)))
            .map(|(next, _)| next)
            .collect();
        let useful = |next: &&Node| (node.0 ^ next.0) & (node.0 ^ to.0) != 0;
        let wanted: Vec<Node> = steps.iter().filter(useful).copied().collect();
        let open = if wanted.is_empty() { steps } else { wanted };
        node = open[*choices.next().unwrap() as usize % open.len()];
        route.push(node);
    }
    route
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..1_u32 << 16, 24)
}

proptest! {
    /// Node alternation, path alternation and both corollaries, on any walk.
    #[test]
    fn walks_alternate((cube, from, _) in pairs(), choices in choices(), length in 1..24_usize) {
        let mut walk = vec![from];
        for &choice in &choices[..length] {
            let at = walk[walk.len() - 1];
            let open: Vec<Node> = (0..cube.ports())
                .filter_map(|p| cube.channel(at, Port(p)))
                .map(|(to, _)| to)
                .collect();
            walk.push(open[choice as usize % open.len()]);
        }
        let arcs: Vec<bool> = walk.windows(2).map(|w| step_is_odd(&cube, w[0], w[1])).collect();
        for (w, arc) in walk.windows(2).zip(&arcs) {
            prop_assert_ne!(DirectedCube::is_odd(w[0]), DirectedCube::is_odd(w[1]));
            prop_assert_eq!(*arc, DirectedCube::is_odd(w[0]));
        }
        prop_assert!(arcs.windows(2).all(|w| w[0] != w[1]));
        let odd = arcs.iter().filter(|&&arc| arc).count();
        prop_assert!(odd.abs_diff(length - odd) <= 1);
        let same_parity = DirectedCube::is_odd(from) == DirectedCube::is_odd(walk[length]);
        prop_assert_eq!(length.is_multiple_of(2), same_parity);
    }

    /// Connection, parity and the lower bounds: the n-cube lemma, the directed n-cube lemma and
    /// its corollary.
    #[test]
    fn distances_keep_the_bounds((cube, from, to) in pairs()) {
        let distance = searched(&cube, from, to);
        let (even, odd) = differing(&cube, from, to);
        let same_parity = DirectedCube::is_odd(from) == DirectedCube::is_odd(to);
        prop_assert_ne!(distance, u32::MAX);
        prop_assert_eq!((even + odd).is_multiple_of(2), same_parity);
        prop_assert_eq!(distance.is_multiple_of(2), same_parity);
        prop_assert!(distance >= even + odd);
        prop_assert!(distance + 1 >= 2 * even.max(odd));
        prop_assert!(!same_parity || distance >= 2 * even.max(odd));
        prop_assert!(even != odd || distance == even + odd);
    }

    /// The four cases, from an even node of an even cube, and the length in each.
    #[test]
    fn the_four_cases((cube, from, to) in pairs()) {
        prop_assume!(cube.dimension().is_multiple_of(2) && !DirectedCube::is_odd(from));
        let (even, odd) = differing(&cube, from, to);
        let expected = match (DirectedCube::is_odd(to), even < odd) {
            (false, true) => 2 * odd,    // case 1
            (false, false) => 2 * even,  // case 2, or none of them
            (true, true) => 2 * odd + 1, // case 3; the memo has |Q_e| by a slip
            (true, false) => 2 * even - 1, // case 4; the memo has |Q_o|
        };
        prop_assert_eq!(searched(&cube, from, to), expected);
    }

    /// The procedure makes shortest paths, whatever it chooses, in odd cubes too.
    #[test]
    fn the_procedure_makes_shortest_paths((cube, from, to) in pairs(), choices in choices()) {
        let route = procedure(&cube, from, to, &choices);
        prop_assert_eq!(route.len() as u32 - 1, searched(&cube, from, to));
    }
}
