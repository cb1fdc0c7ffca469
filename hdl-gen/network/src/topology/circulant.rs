//! Networks in which each node has a channel to the next one, or to the next several, modulo the number
//! of nodes: all switches are alike, for adding a number to all nodes keeps every name.
//!
//! **Directed ring.** A channel from each node to the next, by port `next`, and none back.
//!
//! **Fully connected.** A channel each way between any two nodes (Dally and Towles, Principles and
//! Practices of Interconnection Networks, section 3.1.1): port `plus<d>` leads from node i to node i + d,
//! and packets that came by it came from d nodes below.

use super::parameter::NODES;
use super::positions::{self, Position};
use super::{
    Node, Port, Size, Sizes, Structure, Topology, TopologyError, TopologyKind, grid, labels,
};

/// The entry of the directed ring in the list of topologies. The limits are the ring's.
pub const DIRECTED_RING: TopologyKind = TopologyKind {
    name: "directed-ring",
    aliases: &[],
    summary: "nodes in a circle, a channel from each to the next",
    sizes: grid::RING.sizes,
    default_routing: "around",
    of_size: |size| Ok(Box::new(Circulant::directed_ring(size.expect(&NODES))?)),
};
/// The entry of the fully connected network. A switch with more ports than a topology file takes would
/// be more arbiter than network.
pub const FULL: TopologyKind = TopologyKind {
    name: "full",
    aliases: &[],
    summary: "fully connected: a channel each way between any two nodes",
    sizes: Sizes::nodes((2, 64)),
    default_routing: "direct",
    of_size: |size| Ok(Box::new(Circulant::full(size.expect(&NODES))?)),
};

/// The only port of a directed ring, to the next node.
pub const NEXT: Port = Port(0);

/// A directed ring, or a fully connected network.
#[derive(Debug, Clone, Copy)]
pub struct Circulant {
    nodes: u32,
    is_full: bool,
}

impl Circulant {
    /// The directed ring of this many nodes, 3 to 1024.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside that range.
    pub fn directed_ring(nodes: u32) -> Result<Self, TopologyError> {
        DIRECTED_RING.check_nodes(nodes)?;
        Ok(Self { nodes, is_full: false })
    }

    /// The fully connected network of this many nodes, 2 to 64.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside that range.
    pub fn full(nodes: u32) -> Result<Self, TopologyError> {
        FULL.check_nodes(nodes)?;
        Ok(Self { nodes, is_full: true })
    }
}

impl Topology for Circulant {
    fn name(&self) -> &'static str {
        if self.is_full { FULL.name } else { DIRECTED_RING.name }
    }
    fn size(&self) -> Size {
        Size::of_nodes(self.nodes)
    }
    fn structure(&self) -> Structure {
        if self.is_full { Structure::Full } else { Structure::DirectedRing }
    }
    fn nodes(&self) -> u32 {
        self.nodes
    }
    fn label(&self, node: Node) -> String {
        node.0.to_string()
    }
    fn position(&self, node: Node) -> Option<Position> {
        Some(positions::on_circle(node.0, self.nodes))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        labels::numbered_node(self.name(), label, self.nodes)
    }
    fn ports(&self) -> u8 {
        if self.is_full { (self.nodes - 1) as u8 } else { 1 }
    }
    fn port_name(&self, port: Port) -> String {
        if self.is_full { format!("plus{}", port.0 + 1) } else { "next".to_owned() }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let further = u32::from(output.0) + 1;
        let to = Node((from.0 + further) % self.nodes);
        (output.0 < self.ports()).then_some((to, output))
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

    #[test]
    fn any_two_nodes_of_a_full_network_are_one_channel_apart() {
        for n in [2, 3, 8, 13, 64] {
            let full = Circulant::full(n).unwrap();
            keeps_the_contract(&full);
            assert_eq!(full.channels(), u64::from(n) * u64::from(n - 1));
            for from in full.all_nodes() {
                let distances = full.distances(from).into_iter().zip(0..);
                distances.for_each(|(far, to)| assert_eq!(far, u32::from(to != from.0)));
            }
        }
    }

    /// From node i to node j it is j - i modulo N: N - 1 at most, (N - 1)/2 on average.
    #[test]
    fn distances_are_those_around() {
        for n in [3, 4, 7, 64] {
            let ring = Circulant::directed_ring(n).unwrap();
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
    fn sizes_and_labels_are_bounded() {
        for bad in [0, 1, 65, u32::MAX] {
            let text = Circulant::full(bad).unwrap_err().to_string();
            assert_eq!(text, format!("full: {bad} nodes are out of range; use 2 to 64"));
        }
        for bad in [0, 2, 1025, u32::MAX] {
            let text = Circulant::directed_ring(bad).unwrap_err().to_string();
            assert!(text.ends_with("nodes are out of range; use 3 to 1024"), "{text}");
        }
        for bad in ["", "5", "01", "+1", "x", "99999999999"] {
            let text = Circulant::full(5).unwrap().node(bad).unwrap_err().to_string();
            assert!(text.ends_with("a label is a number from 0 to 4"), "{text}");
        }
    }
}
