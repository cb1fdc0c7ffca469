//! The fully connected network: a channel each way between any two nodes (Dally and Towles,
//! Principles and Practices of Interconnection Networks, section 3.1.1).
//!
//! Port `plus<d>` leads from node i to node i + d modulo N, and packets that came by it came from
//! d nodes below. So all switches are alike: adding a number to all nodes keeps every name.

use super::parameter::NODES;
use super::positions::{self, Position};
use super::{Node, Port, Size, Sizes, Structure, Topology, TopologyError, TopologyKind, labels};
use turnpike_base::bits::bits_for;

/// The entry in the list of topologies. A switch with more ports than a topology file takes would
/// be more arbiter than network.
pub const KIND: TopologyKind = TopologyKind {
    name: "full",
    aliases: &[],
    summary: "fully connected: a channel each way between any two nodes",
    sizes: Sizes::nodes((2, 64)),
    default_routing: "direct",
    of_size: |size| Ok(Box::new(Full::new(size.expect(&NODES))?)),
};

/// The fully connected network.
#[derive(Debug, Clone, Copy)]
pub struct Full {
    nodes: u32,
}

impl Full {
    /// The network of this many nodes, 2 to 64.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside that range.
    pub fn new(nodes: u32) -> Result<Self, TopologyError> {
        KIND.check_nodes(nodes)?;
        Ok(Self { nodes })
    }
}

impl Topology for Full {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_nodes(self.nodes)
    }
    fn structure(&self) -> Structure {
        Structure::Full
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
        (self.nodes - 1) as u8
    }
    fn port_name(&self, port: Port) -> String {
        format!("plus{}", port.0 + 1)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let further = u32::from(output.0) + 1;
        (further < self.nodes).then(|| (Node((from.0 + further) % self.nodes), output))
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
    fn any_two_nodes_are_one_channel_apart() {
        for n in [2, 3, 8, 13, 64] {
            let full = Full::new(n).unwrap();
            keeps_the_contract(&full);
            assert_eq!(full.channels(), u64::from(n) * u64::from(n - 1));
            for from in full.all_nodes() {
                let distances = full.distances(from).into_iter().zip(0..);
                distances.for_each(|(far, to)| assert_eq!(far, u32::from(to != from.0)));
            }
        }
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        for bad in [0, 1, 65, u32::MAX] {
            let text = Full::new(bad).unwrap_err().to_string();
            assert_eq!(text, format!("full: {bad} nodes are out of range; use 2 to 64"));
        }
        for bad in ["", "5", "01", "+1", "x", "99999999999"] {
            let text = Full::new(5).unwrap().node(bad).unwrap_err().to_string();
            assert!(text.ends_with("a label is a number from 0 to 4"), "{text}");
        }
    }
}
