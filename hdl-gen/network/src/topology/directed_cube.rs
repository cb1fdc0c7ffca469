//! The directed n-cube (Heller, Directed Cube Networks, CSG Memo 253, 1985, sections 3.2 and
//! 6): the n-cube with one channel per edge, which leaves even nodes at even positions and odd
//! nodes at odd positions.
//!
//! A node is even if its label has an even number of ones. The memo counts positions from the
//! left, so its position q is bit n−1−q here, and `dim<i>` is of the parity of n−1−i.
//!
//! For odd n there is one even position more than odd ones, so even nodes have ⌈n/2⌉ outputs
//! and ⌊n/2⌋ inputs, odd nodes the reverse.

use super::positions::{self, Position};
use super::{Node, Port, Size, Sizes, Structure, Topology, TopologyError, TopologyKind, labels};

/// The entry in the list of topologies. The limits are the hypercube's: as many nodes, at
/// most as many channels.
pub const KIND: TopologyKind = TopologyKind {
    name: "directed-cube",
    aliases: &[],
    summary: "directed n-cube: 2^n nodes, each edge of the cube one way",
    sizes: Sizes::dim(2, 20, 10),
    default_routing: "static",
    of_size: |size| Ok(Box::new(DirectedCube::new(size.dim())?)),
};

/// The directed n-cube. A node's number is its label.
#[derive(Debug, Clone, Copy)]
pub struct DirectedCube {
    dimension: u32,
}

impl DirectedCube {
    /// The dimension of its cube.
    pub fn dimension(&self) -> u32 {
        self.dimension
    }

    /// The directed cube of this dimension, 2 to 20.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside that range.
    pub fn new(dimension: u32) -> Result<Self, TopologyError> {
        KIND.check(dimension)?;
        Ok(Self { dimension })
    }

    /// Whether the label of `node` has an odd number of ones.
    pub fn is_odd(node: Node) -> bool {
        node.0.count_ones() % 2 == 1
    }

    /// The bits at positions of one parity, counted from the left: those that odd nodes change
    /// (`odd`), or those that even nodes change.
    pub fn positions(&self, odd: bool) -> u32 {
        let first = if odd { 1 } else { 0 };
        (first..self.dimension).step_by(2).map(|q| 1 << (self.dimension - 1 - q)).sum()
    }
}

impl Topology for DirectedCube {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_dim(self.dimension)
    }
    fn structure(&self) -> Structure {
        Structure::DirectedCube(*self)
    }
    fn nodes(&self) -> u32 {
        1 << self.dimension
    }
    fn label(&self, node: Node) -> String {
        labels::binary(node.0, self.dimension)
    }
    fn position(&self, node: Node) -> Option<Position> {
        Some(positions::corner(node.0, self.dimension))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        labels::cube_node(KIND.name, label, self.dimension)
    }
    fn ports(&self) -> u8 {
        self.dimension as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("dim{}", port.0)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let position = self.dimension.checked_sub(1 + u32::from(output.0))?;
        let leaves = Self::is_odd(from) == (position % 2 == 1);
        leaves.then(|| (Node(from.0 ^ 1 << output.0), output))
    }
    /// By the definition; no switch has both ends of a dimension, so it never happens.
    /// XOR by an even vector keeps the parity of nodes and with it every channel, so there are
    /// two orbits: the even and the odd nodes.
    fn representative(&self, node: Node) -> Node {
        Node(u32::from(Self::is_odd(node)))
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        Node(node.0 ^ to.0 ^ self.representative(to).0)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.translate(node, to)
    }
    fn generators(&self) -> Vec<Node> {
        (0..self.dimension - 1).map(|i| Node(0b11 << i)).collect()
    }
    fn channels(&self) -> u64 {
        u64::from(self.dimension) << (self.dimension - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests;
    use petgraph::algo::is_isomorphic_matching;
    use petgraph::graph::DiGraph;

    #[test]
    fn keeps_the_contract() {
        for n in 2..=8 {
            tests::keeps_the_contract(&DirectedCube::new(n).unwrap());
        }
    }

    /// The memo's figure 3-3, the directed 2-cube, and its definition of the arcs on strings.
    #[test]
    fn arcs_are_the_memos() {
        let cube = DirectedCube::new(2).unwrap();
        let arcs = [("00", "10"), ("10", "11"), ("11", "01"), ("01", "00")];
        for (from, to) in arcs {
            let (from, to) = (cube.node(from).unwrap(), cube.node(to).unwrap());
            assert_eq!(cube.distances(from)[to.0 as usize], 1);
        }
        for n in 2..=8 {
            let cube = DirectedCube::new(n).unwrap();
            let graph = cube.graph();
            let ends = |a: Node, b: Node| graph.contains_edge((a.0).into(), (b.0).into());
            for from in cube.all_nodes() {
                let label = cube.label(from);
                let even = label.matches('1').count() % 2 == 0;
                for q in 0..n as usize {
                    let mut other: Vec<char> = label.chars().collect();
                    other[q] = if other[q] == '1' { '0' } else { '1' };
                    let to = cube.node(&String::from_iter(other)).unwrap();
                    assert_eq!(ends(from, to), even == (q % 2 == 0));
                }
            }
        }
    }

    #[test]
    fn each_edge_of_the_cube_goes_one_way_and_odd_cubes_have_two_kinds_of_switch() {
        for n in 2..=9 {
            let cube = DirectedCube::new(n).unwrap();
            let mut inputs = vec![0; cube.nodes() as usize];
            for from in cube.all_nodes() {
                let outputs = (0..cube.ports()).filter_map(|p| cube.channel(from, Port(p)));
                let ends: Vec<Node> = outputs.map(|(to, _)| to).collect();
                let expected = if DirectedCube::is_odd(from) { n / 2 } else { n.div_ceil(2) };
                assert_eq!(ends.len() as u32, expected);
                for to in ends {
                    inputs[to.0 as usize] += 1;
                    let back = cube.distances(to)[from.0 as usize];
                    assert!(back > 1, "the same edge both ways");
                }
            }
            for node in cube.all_nodes() {
                let odd = DirectedCube::is_odd(node);
                let expected = if odd { n.div_ceil(2) } else { n / 2 };
                assert_eq!(inputs[node.0 as usize], expected);
                let all = cube.positions(true) | cube.positions(false);
                assert_eq!((all, cube.positions(odd).count_ones()), ((1 << n) - 1, n - expected));
            }
        }
    }

    /// The memo's inductive construction (section 3.2, connection lemma): two directed cubes,
    /// one reversed, joined along the new leftmost position. As the definition has it, the new
    /// arcs leave even nodes.
    #[test]
    fn two_cubes_make_the_next() {
        for n in 2..=5 {
            let (small, large) = (DirectedCube::new(n).unwrap(), DirectedCube::new(n + 1).unwrap());
            let mut graph = DiGraph::<(), ()>::new();
            let nodes: Vec<_> = large.all_nodes().map(|_| graph.add_node(())).collect();
            let half = small.nodes() as usize;
            for from in small.all_nodes() {
                for port in (0..small.ports()).map(Port) {
                    if let Some((to, _)) = small.channel(from, port) {
                        let (a, b) = (from.0 as usize, to.0 as usize);
                        graph.add_edge(nodes[b], nodes[a], ());
                        graph.add_edge(nodes[a + half], nodes[b + half], ());
                    }
                }
                let (low, high) = (from.0 as usize, from.0 as usize + half);
                let (a, b) = if DirectedCube::is_odd(from) { (high, low) } else { (low, high) };
                graph.add_edge(nodes[a], nodes[b], ());
            }
            let by_definition = large.graph();
            assert_eq!(graph.edge_count(), by_definition.edge_count());
            for edge in graph.edge_indices() {
                let (a, b) = graph.edge_endpoints(edge).unwrap();
                assert!(by_definition.contains_edge(a, b));
            }
        }
        // The memo joins them from odd to even nodes where n+1 is odd. That is the same cube
        // with other labels.
        let cube = DirectedCube::new(3).unwrap().graph().map(|_, _| (), |_, _| ());
        let mut other = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = (0..8).map(|_| other.add_node(())).collect();
        for edge in cube.edge_indices() {
            let (a, b) = cube.edge_endpoints(edge).unwrap();
            let leftmost = a.index() ^ b.index() == 0b100;
            let (a, b) = if leftmost { (b, a) } else { (a, b) };
            other.add_edge(nodes[a.index()], nodes[b.index()], ());
        }
        assert!(is_isomorphic_matching(&cube, &other, |(), ()| true, |(), ()| true));
    }

    #[test]
    fn labels_and_dimensions_are_bounded() {
        let cube = DirectedCube::new(5).unwrap();
        for bad in ["", "0123", "000000", "+0001"] {
            let text = cube.node(bad).unwrap_err().to_string();
            assert!(text.contains("of this directed-cube: a label is 5 binary digits"), "{text}");
        }
        for bad in [0, 1, 21, u32::MAX] {
            let text = DirectedCube::new(bad).unwrap_err().to_string();
            assert!(text.ends_with("use 2 to 20"), "{text}");
        }
    }
}
