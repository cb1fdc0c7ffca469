//! The binary k-cube: 2^k nodes, a channel in each direction between nodes that differ in
//! one bit. Port `dim<i>` crosses bit i, counted from the least significant.

use super::labels;
use super::positions::{self, Position};
use super::{Node, Port, Size, Sizes, Structure, Topology, TopologyError, TopologyKind};

/// The entry in the list of topologies.
///
/// Analysis and simulation stop at 2^20 nodes, where the tables that are linear in the node
/// count reach some tens of megabytes. RTL stops at k = 10 (1,024 switches): the flattened
/// terminal ports then reach 32,768 bits at the default width, half of the 65,536 that
/// IEEE 1364 asks of every tool.
pub const KIND: TopologyKind = TopologyKind {
    name: "hypercube",
    aliases: &["n-cube"],
    summary: "binary k-cube: 2^k nodes, a port per dimension",
    sizes: Sizes::dim(1, 20, 10),
    default_routing: "ecube",
    of_size: |size| Ok(Box::new(Hypercube::new(size.dim())?)),
};

/// The binary k-cube.
#[derive(Debug, Clone, Copy)]
pub struct Hypercube {
    dimension: u32,
    /// Whether translations are those alone that take even nodes to even ones.
    keeps_parity: bool,
}

impl Hypercube {
    /// The cube of this dimension, 1 to 20.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside that range.
    pub fn new(dimension: u32) -> Result<Self, TopologyError> {
        KIND.check(dimension)?;
        Ok(Self { dimension, keeps_parity: false })
    }
}

impl Topology for Hypercube {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_dim(self.dimension)
    }
    fn structure(&self) -> Structure {
        Structure::Cube
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
        (u32::from(output.0) < self.dimension).then(|| (Node(from.0 ^ 1 << output.0), output))
    }
    fn with_fewer_translations(&self) -> Option<Box<dyn Topology>> {
        let fewer = !self.keeps_parity && self.dimension > 1;
        fewer.then(|| Box::new(Self { keeps_parity: true, ..*self }) as _)
    }
    /// Node 0, or one of each parity where that is kept.
    fn representative(&self, node: Node) -> Node {
        Node(u32::from(self.keeps_parity) & node.0.count_ones())
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        Node(node.0 ^ to.0 ^ self.representative(to).0)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.translate(node, to)
    }
    fn generators(&self) -> Vec<Node> {
        match self.keeps_parity {
            true => (0..self.dimension - 1).map(|i| Node(0b11 << i)).collect(),
            false => (0..self.dimension).map(|i| Node(1 << i)).collect(),
        }
    }
    fn channels(&self) -> u64 {
        u64::from(self.dimension) << self.dimension
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests;

    #[test]
    fn keeps_the_contract() {
        for k in 1..=7 {
            let cube = Hypercube::new(k).unwrap();
            tests::keeps_the_contract(&cube);
            let fewer = cube.with_fewer_translations();
            assert_eq!(fewer.is_some(), k > 1);
            if let Some(fewer) = fewer {
                tests::keeps_the_contract(&*fewer);
                assert!(fewer.with_fewer_translations().is_none());
                let representatives = fewer.all_nodes().map(|node| fewer.representative(node));
                let even = fewer.all_nodes().map(|node| Node(node.0.count_ones() % 2));
                assert!(representatives.eq(even));
            }
        }
    }

    #[test]
    fn distances_are_hamming_distances_and_the_graph_agrees() {
        for k in 1..=8 {
            let cube = Hypercube::new(k).unwrap();
            let distances = cube.distances(Node(5 % cube.nodes()));
            for n in cube.all_nodes() {
                let hamming = (n.0 ^ (5 % cube.nodes())).count_ones();
                assert_eq!(distances[n.0 as usize], hamming);
            }
            assert_eq!(cube.graph().edge_count() as u64, cube.channels());
        }
    }

    #[test]
    fn labels_round_trip_and_bad_ones_say_what_is_right() {
        let cube = Hypercube::new(4).unwrap();
        for n in cube.all_nodes() {
            assert_eq!(cube.node(&cube.label(n)).unwrap(), n);
        }
        for bad in ["", "012", "00000", "+001", "001x", "١٠٠١"] {
            let text = cube.node(bad).unwrap_err().to_string();
            assert!(text.contains("4 binary digits"), "{text}");
        }
    }

    #[test]
    fn dimensions_are_bounded() {
        for bad in [0, 21, u32::MAX] {
            let text = Hypercube::new(bad).unwrap_err().to_string();
            assert!(text.ends_with("use 1 to 20"), "{text}");
        }
    }
}
