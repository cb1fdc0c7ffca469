//! Edge colouring of bipartite multigraphs with as few colours as the greatest degree, which is
//! the least there can be (König 1916).
//!
//! The method is Alon's (A Simple Algorithm for Edge-Coloring Bipartite Multigraphs, Information
//! Processing Letters 85(6), 2003), on Gabow's frame (Using Euler Partitions to Edge Color
//! Bipartite Multigraphs, 1976). In steps:
//!
//! 1. The graph is made regular: nodes of few edges are merged, and edges added.
//! 2. A graph of odd degree gives up a perfect matching, which takes one colour. The matching
//!    comes from halving a graph of many copies.
//! 3. A graph of even degree is halved: each node keeps half of its edges in either half.
//! 4. One half is coloured alike. So many of its colours are then given back to the other half
//!    that the degree of that is a power of two, and it takes no more than halving. So there is
//!    one matching at each level, and the levels halve.
//!
//! Edges with the same ends are kept as one with a number of copies. Time is O(M log M) for M
//! copies in all, space O(M).

mod halve;
mod matching;
mod regular;

use crate::demand::MOST_WORDS;
use crate::network::MOST_TERMINALS;
use halve::Halver;
use regular::EdgeBundle;

/// Edges with the same ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The end on the left.
    pub left: u32,
    /// The end on the right.
    pub right: u32,
    /// Number of edges, each with a colour of its own.
    pub copies: u32,
}

/// Edges by colour. No two edges of a colour meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// The edges of colour c are those from `starts[c]` to before `starts[c + 1]`.
    edges: Vec<u32>,
    starts: Vec<usize>,
}

/// A graph that is not coloured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColouringError {
    /// More nodes than there may be on a side.
    #[error("{0} nodes on a side are more than {MOST_TERMINALS}")]
    Nodes(u32),
    /// An end that is no node.
    #[error("edge {edge} ends at {side} node {node}, but there are {nodes}")]
    Node {
        /// The edge's index.
        edge: usize,
        /// Left or right.
        side: &'static str,
        /// The end.
        node: u32,
        /// Number of nodes on that side.
        nodes: u32,
    },
    /// More copies of edges than there may be.
    #[error("{0} edges are more than {MOST_WORDS}")]
    Edges(u64),
}

impl Colouring {
    /// Number of colours: the greatest degree of a node, 0 without edges.
    pub fn colours(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The edges of a colour, by ascending index; none where there is no such colour. Each edge is
    /// in as many colours as it has copies.
    pub fn class(&self, colour: u32) -> &[u32] {
        let colour = colour as usize;
        match self.starts.get(colour..).and_then(|starts| starts.get(..2)) {
            Some(&[start, end]) => &self.edges[start..end],
            _ => &[],
        }
    }
}

/// Colours the edges between at most [`MOST_TERMINALS`] nodes on each side, at most [`MOST_WORDS`]
/// copies in all. An edge of no copies gets no colour.
///
/// # Errors
/// [`ColouringError`] where an edge ends nowhere, or the graph is too large.
pub fn colour(left: u32, right: u32, edges: &[Edge]) -> Result<Colouring, ColouringError> {
    check(left, right, edges)?;
    let regular = regular::regular(left, right, edges);
    let parts = regular.parts;
    let mut classes = Classes { parts: &parts, nodes: regular.nodes, ids: Vec::new() };
    let mut halver = Halver::new(regular.nodes);
    // A graph without edges has degree 0 and needs no colour.
    if regular.degree > 0 {
        let copied = parts.iter().filter(|part| part.copies > 0).copied().collect();
        classes.colour(copied, regular.degree, &mut halver);
    }
    let mut colouring = Colouring { edges: Vec::new(), starts: vec![0] };
    for class in classes.ids.chunks_mut(regular.nodes.max(1)) {
        class.sort_unstable();
        // What was added to make the graph regular has the indices above.
        let real = class.iter().copied().filter(|&id| (id as usize) < edges.len());
        colouring.edges.extend(real);
        colouring.starts.push(colouring.edges.len());
    }
    Ok(colouring)
}

fn check(left: u32, right: u32, edges: &[Edge]) -> Result<(), ColouringError> {
    if let Some(nodes) = [left, right].into_iter().find(|&nodes| nodes > MOST_TERMINALS) {
        return Err(ColouringError::Nodes(nodes));
    }
    for (edge, e) in edges.iter().enumerate() {
        for (side, node, nodes) in [("left", e.left, left), ("right", e.right, right)] {
            if node >= nodes {
                return Err(ColouringError::Node { edge, side, node, nodes });
            }
        }
    }
    let copies: u64 = edges.iter().map(|e| u64::from(e.copies)).sum();
    if copies > u64::from(MOST_WORDS) || edges.len() > MOST_WORDS as usize {
        return Err(ColouringError::Edges(copies.max(edges.len() as u64)));
    }
    Ok(())
}

/// Colour classes of a regular graph, all of as many edges as it has nodes on a side.
struct Classes<'a> {
    /// The edges of the whole graph.
    parts: &'a [EdgeBundle],
    nodes: usize,
    /// Indices of edges, class after class.
    ids: Vec<u32>,
}

impl Classes<'_> {
    /// Adds the classes of a colouring of a graph of this degree, at least 1.
    fn colour(&mut self, mut parts: Vec<EdgeBundle>, mut degree: u32, halver: &mut Halver) {
        if degree.is_power_of_two() {
            return self.colour_by_halves(parts, degree, halver);
        }
        if degree % 2 == 1 {
            for index in matching::perfect(&parts, degree, self.nodes, halver) {
                parts[index].copies -= 1;
                self.ids.push(parts[index].id);
            }
            parts.retain(|part| part.copies > 0);
            degree -= 1;
        }
        let [first, mut second] = halver.halve(&parts);
        drop(parts);
        let half = degree / 2;
        self.colour(first, half, halver);
        let power = half.next_power_of_two();
        let kept = self.ids.len() - (power - half) as usize * self.nodes;
        let single = |id: u32| EdgeBundle { copies: 1, ..self.parts[id as usize] };
        second.extend(self.ids.drain(kept..).map(single));
        self.colour_by_halves(second, power, halver);
    }

    /// Colours the parts as [`Classes::colour`] does, of a degree that is a power of two.
    fn colour_by_halves(&mut self, parts: Vec<EdgeBundle>, degree: u32, halver: &mut Halver) {
        if degree == 1 {
            return self.ids.extend(parts.iter().map(|part| part.id));
        }
        let [first, second] = halver.halve(&parts);
        drop(parts);
        self.colour_by_halves(first, degree / 2, halver);
        self.colour_by_halves(second, degree / 2, halver);
    }
}
