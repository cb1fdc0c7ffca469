//! Edge colouring.

use crate::common::{below, rng, shuffled};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use turnpike_schedule::colouring::{Colouring, ColouringError, Edge, colour};

/// Checks that no two edges of a colour meet, and that each edge has as many colours as copies.
/// Returns the greatest degree.
fn check_proper(edges: &[Edge], colouring: &Colouring) -> u32 {
    let mut left_to_colour: Vec<u32> = edges.iter().map(|e| e.copies).collect();
    let nodes = 1 + edges.iter().map(|e| e.left.max(e.right)).max().unwrap_or(0) as usize;
    let mut seen = vec![[u32::MAX; 2]; nodes];
    for c in 0..colouring.colours() {
        let class = colouring.class(c);
        assert!(class.is_sorted());
        for &index in class {
            let edge = edges[index as usize];
            left_to_colour[index as usize] -= 1;
            assert_ne!(std::mem::replace(&mut seen[edge.left as usize][0], c), c);
            assert_ne!(std::mem::replace(&mut seen[edge.right as usize][1], c), c);
        }
    }
    assert!(left_to_colour.iter().all(|&copies| copies == 0));
    assert!(colouring.class(colouring.colours()).is_empty());
    assert!(colouring.class(u32::MAX).is_empty());
    let mut degrees = vec![[0; 2]; nodes];
    for edge in edges {
        degrees[edge.left as usize][0] += edge.copies;
        degrees[edge.right as usize][1] += edge.copies;
    }
    degrees.into_iter().flatten().max().unwrap_or(0)
}

fn check_graph(left: u32, right: u32, edges: &[Edge]) {
    let colouring = colour(left, right, edges).unwrap();
    assert_eq!(colouring.colours(), check_proper(edges, &colouring));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn colours_are_as_many_as_the_greatest_degree(
        left in 1..20_u32,
        right in 1..20_u32,
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), 0..6_u32), 0..200),
    ) {
        let edge = |(l, r, copies)| Edge { left: l % left, right: r % right, copies };
        let edges: Vec<Edge> = ends.into_iter().map(edge).collect();
        check_graph(left, right, &edges);
    }

    #[test]
    fn regular_graphs_of_any_degree_are_coloured(
        nodes in 1..60_u32, degree in 1..70_u32, seed: u64,
    ) {
        let mut rng = rng(seed);
        let permutations = (0..degree).flat_map(|_| {
            let pairs = (0..).zip(shuffled(nodes, &mut rng));
            pairs.map(|(left, right)| Edge { left, right, copies: 1 }).collect::<Vec<_>>()
        });
        let edges: Vec<Edge> = permutations.collect();
        check_graph(nodes, nodes, &edges);
    }

    #[test]
    fn many_copies_are_coloured(copies in prop::collection::vec(0..3000_u32, 9)) {
        let edge = |(index, copies): (u32, u32)| Edge { left: index / 3, right: index % 3, copies };
        let edges: Vec<Edge> = (0..).zip(copies).map(edge).collect();
        check_graph(3, 3, &edges);
    }
}

/// An edge of no copies gets no colour, even where one colour is all there is.
#[test]
fn edges_of_no_copies_are_left_out() {
    let edge = |copies| Edge { left: 0, right: 0, copies };
    for edges in [[edge(1), edge(0)], [edge(0), edge(1)], [edge(0), edge(3)]] {
        check_graph(1, 1, &edges);
    }
}

#[test]
fn graphs_at_the_ends_of_the_range_are_coloured() {
    check_graph(0, 0, &[]);
    check_graph(5, 0, &[]);
    check_graph(1 << 16, 1 << 16, &[Edge { left: 65_535, right: 65_535, copies: 3 }]);
    // A star: all edges at one node, in all colours.
    let edges: Vec<Edge> = (0..1001).map(|right| Edge { left: 0, right, copies: 1 }).collect();
    check_graph(1, 1001, &edges);
    check_graph(1, 1, &[Edge { left: 0, right: 0, copies: 100_001 }]);
    let mut rng = rng(7);
    let ends = (0..100_000).map(|_| [below(&mut rng, 1 << 16), below(&mut rng, 1 << 10)]);
    let edges: Vec<Edge> = ends.map(|[left, right]| Edge { left, right, copies: 1 }).collect();
    check_graph(1 << 16, 1 << 10, &edges);
}

#[test]
fn what_is_no_graph_is_refused() {
    let edge = Edge { left: 0, right: 1, copies: 1 };
    let many = (1 << 16) + 1;
    assert_eq!(colour(many, 1, &[]), Err(ColouringError::Nodes(many)));
    assert_eq!(colour(1, many, &[]), Err(ColouringError::Nodes(many)));
    let text = colour(1, 1, &[edge]).unwrap_err().to_string();
    assert_eq!(text, "edge 0 ends at right node 1, but there are 1");
    let edges = [Edge { copies: u32::MAX, ..edge }; 2];
    let all = 2 * u64::from(u32::MAX);
    assert_eq!(colour(1, 2, &edges), Err(ColouringError::Edges(all)));
}
