//! Makes a bipartite multigraph regular, with at most about twice the edges.

use super::Edge;

/// Copies of an edge, in a graph that is part of the whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeBundle {
    pub left: u32,
    pub right: u32,
    pub copies: u32,
    /// The index of the edge in the whole graph.
    pub id: u32,
}

/// A regular bipartite multigraph, of as many nodes on the left as on the right.
#[derive(Debug)]
pub(super) struct Regular {
    /// The edges. Those of the graph that it was made of come first, each at its index.
    pub parts: Vec<EdgeBundle>,
    /// Number of nodes on a side.
    pub nodes: usize,
    /// Number of edges at a node.
    pub degree: u32,
}

/// The graph with nodes merged and edges added until it is regular. A proper colouring of it is
/// one of the edges that were there.
pub(super) fn regular(left: u32, right: u32, edges: &[Edge]) -> Regular {
    let (mut lefts, mut rights) = (vec![0; left as usize], vec![0; right as usize]);
    for edge in edges {
        lefts[edge.left as usize] += edge.copies;
        rights[edge.right as usize] += edge.copies;
    }
    let degree = lefts.iter().chain(&rights).copied().max().unwrap_or(0);
    let (mut lefts, mut rights) = (Merged::new(&lefts, degree), Merged::new(&rights, degree));
    let nodes = lefts.degrees.len().max(rights.degrees.len());
    lefts.degrees.resize(nodes, 0);
    rights.degrees.resize(nodes, 0);
    let part = |(edge, id): (&Edge, u32)| EdgeBundle {
        left: lefts.of[edge.left as usize],
        right: rights.of[edge.right as usize],
        copies: edge.copies,
        id,
    };
    let mut parts: Vec<EdgeBundle> = edges.iter().zip(0..).map(part).collect();
    // As many edges are missing on the left as on the right, so both sides end together.
    let (mut left, mut right) = (0, 0);
    while left < nodes && right < nodes {
        let missing = [degree - lefts.degrees[left], degree - rights.degrees[right]];
        let copies = missing[0].min(missing[1]);
        if copies > 0 {
            let id = parts.len() as u32;
            parts.push(EdgeBundle { left: left as u32, right: right as u32, copies, id });
            lefts.degrees[left] += copies;
            rights.degrees[right] += copies;
        }
        left += usize::from(copies == missing[0]);
        right += usize::from(copies == missing[1]);
    }
    Regular { parts, nodes, degree }
}

/// The nodes of a side, some of them merged.
struct Merged {
    /// By node: the node that it is merged into.
    of: Vec<u32>,
    /// Degrees of those.
    degrees: Vec<u32>,
}

impl Merged {
    /// Merges nodes such that all but one have more than half of `most` edges, and none has more
    /// than `most`. Nodes without edges are merged into any.
    fn new(degrees: &[u32], most: u32) -> Self {
        let mut merged = Self { of: Vec::with_capacity(degrees.len()), degrees: Vec::new() };
        // The node of the fewest edges: all others have more than half of the most.
        let mut open: Option<u32> = None;
        for &degree in degrees {
            let into = open.filter(|&open| merged.degrees[open as usize] + degree <= most);
            let into = into.unwrap_or_else(|| {
                merged.degrees.push(0);
                merged.degrees.len() as u32 - 1
            });
            merged.degrees[into as usize] += degree;
            merged.of.push(into);
            let fewest = |open: u32| merged.degrees[open as usize] <= merged.degrees[into as usize];
            open = open.filter(|&open| fewest(open)).or(Some(into));
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_degrees_are_the_greatest() {
        let edge = |left, right, copies| Edge { left, right, copies };
        let edges = [edge(0, 0, 5), edge(1, 1, 1), edge(2, 1, 2), edge(3, 1, 0), edge(3, 5, 2)];
        let regular = regular(4, 6, &edges);
        assert_eq!((regular.degree, regular.nodes), (5, 2));
        let mut degrees = [[0; 2]; 2];
        for part in &regular.parts {
            degrees[0][part.left as usize] += part.copies;
            degrees[1][part.right as usize] += part.copies;
        }
        assert_eq!(degrees, [[5; 2]; 2]);
    }
}
