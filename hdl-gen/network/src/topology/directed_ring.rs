//! The directed ring: nodes in a circle, a channel from each to the next and none back.

use super::parameter::NODES;
use super::positions::{self, Position};
use super::{Node, Port, Size, Structure, Topology, TopologyError, TopologyKind, labels};
use turnpike_base::bits::bits_for;

/// The entry in the list of topologies. The limits are the ring's.
pub const KIND: TopologyKind = TopologyKind {
    name: "directed-ring",
    aliases: &[],
    summary: "nodes in a circle, a channel from each to the next",
    sizes: super::grid::RING.sizes,
    default_routing: "around",
    of_size: |size| Ok(Box::new(DirectedRing::new(size.expect(&NODES))?)),
};

/// The only port, to the next node.
pub const NEXT: Port = Port(0);

/// The directed ring.
#[derive(Debug, Clone, Copy)]
pub struct DirectedRing {
    nodes: u32,
}

impl DirectedRing {
    /// The ring of this many nodes, 3 to 1024.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside that range.
    pub fn new(nodes: u32) -> Result<Self, TopologyError> {
        KIND.check_nodes(nodes)?;
        Ok(Self { nodes })
    }
}

impl Topology for DirectedRing {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_nodes(self.nodes)
    }
    fn structure(&self) -> Structure {
        Structure::DirectedRing
    }
    fn nodes(&self) -> u32 {
        self.nodes
    }
    fn address_bits(&self) -> u32 {
        bits_for(self.nodes)
    }
    fn label(&self, node: Node) -> String {
        node.0.to_string()
    }
    fn position(&self, node: Node) -> Option<Position> {
        Some(positions::on_circle(node.0, self.nodes))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        labels::numbered_node(KIND.name, label, self.nodes)
    }
    fn ports(&self) -> u8 {
        1
    }
    fn port_name(&self, _port: Port) -> String {
        "next".to_owned()
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        (output == NEXT).then(|| (Node((from.0 + 1) % self.nodes), NEXT))
    }
    fn representative(&self, _node: Node) -> Node {
        Node(0)
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        Node((node.0 + to.0) % self.nodes)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        Node((node.0 + self.nodes - to.0) % self.nodes)
    }
    fn generators(&self) -> Vec<Node> {
        vec![Node(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;

    /// From node i to node j it is j - i modulo N: N - 1 at most, (N - 1)/2 on average.
    #[test]
    fn distances_are_those_around() {
        for n in [3, 4, 7, 64] {
            let ring = DirectedRing::new(n).unwrap();
            keeps_the_contract(&ring);
            assert_eq!(ring.channels(), n.into());
            for from in ring.all_nodes() {
                let distances = ring.distances(from);
                assert_eq!(distances[((from.0 + n - 1) % n) as usize], n - 1);
                assert_eq!(2 * distances.iter().sum::<u32>(), n * (n - 1));
            }
        }
    }

    #[test]
    fn sizes_are_bounded() {
        for bad in [0, 2, 1025, u32::MAX] {
            let text = DirectedRing::new(bad).unwrap_err().to_string();
            assert!(text.ends_with("nodes are out of range; use 3 to 1024"), "{text}");
        }
    }
}
