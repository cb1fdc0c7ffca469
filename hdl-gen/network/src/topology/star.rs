//! The star: N nodes with a terminal each, and a hub in the middle, a switch without a terminal; a
//! channel each way between a node and the hub.
//!
//! The nodes come first, then the hub. Nodes have port `hub`, the hub has ports `leaf<i>`.

use super::parameter::NODES;
use super::positions::{self, Position};
use super::{Node, Port, Size, Structure, Topology, TopologyError, TopologyKind, labels};

/// The entry in the list of topologies. The limits are those of the fully connected network: the
/// hub is a crossbar.
pub const KIND: TopologyKind = TopologyKind {
    name: "star",
    aliases: &[],
    summary: "nodes around a hub, a switch without a terminal",
    sizes: super::circulant::FULL.sizes,
    default_routing: "direct",
    of_size: |size| Ok(Box::new(Star::new(size.expect(&NODES))?)),
};

/// The port of a node that leads to the hub, and by which packets come from it.
pub const TO_HUB: Port = Port(0);

/// The star.
#[derive(Debug, Clone, Copy)]
pub struct Star {
    leaves: u32,
}

impl Star {
    /// The star of this many nodes with a terminal, 2 to 64.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside that range.
    pub fn new(leaves: u32) -> Result<Self, TopologyError> {
        KIND.check_nodes(leaves)?;
        Ok(Self { leaves })
    }

    /// The switch in the middle.
    pub fn hub(&self) -> Node {
        Node(self.leaves)
    }

    /// The port of the hub that leads to a node, and by which packets come from it.
    pub fn to_leaf(leaf: Node) -> Port {
        Port(leaf.0 as u8 + 1)
    }

    /// The node to which a port of the hub leads; `None` for another port.
    pub fn leaf(&self, port: Port) -> Option<Node> {
        let leaf = u32::from(port.0).checked_sub(1)?;
        (leaf < self.leaves).then_some(Node(leaf))
    }
}

impl Topology for Star {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        Size::of_nodes(self.leaves)
    }
    fn structure(&self) -> Structure {
        Structure::Star(*self)
    }
    fn nodes(&self) -> u32 {
        self.leaves + 1
    }
    fn terminals(&self) -> u32 {
        self.leaves
    }
    fn label(&self, node: Node) -> String {
        if node == self.hub() { "hub".to_owned() } else { node.0.to_string() }
    }
    fn position(&self, node: Node) -> Option<Position> {
        let leaf = || positions::on_circle(node.0, self.leaves);
        Some(if node == self.hub() { (0.0, 0.0) } else { leaf() })
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        match label {
            "hub" => Ok(self.hub()),
            _ => labels::numbered_node(KIND.name, label, self.leaves),
        }
    }
    fn ports(&self) -> u8 {
        (self.leaves + 1) as u8
    }
    fn port_name(&self, port: Port) -> String {
        match self.leaf(port) {
            Some(leaf) => format!("leaf{}", leaf.0),
            None => "hub".to_owned(),
        }
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        match from == self.hub() {
            true => self.leaf(output).map(|leaf| (leaf, TO_HUB)),
            false => (output == TO_HUB).then(|| (self.hub(), Self::to_leaf(from))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;
    use crate::topology::{Local, Terminal};

    #[test]
    fn nodes_are_two_channels_apart_by_way_of_the_hub() {
        for n in [2, 3, 8, 13, 64] {
            let star = Star::new(n).unwrap();
            keeps_the_contract(&star);
            assert_eq!(star.channels(), 2 * u64::from(n));
            assert_eq!((star.source_at(star.hub(), Local(0)), star.terminals()), (None, n));
            assert_eq!(star.source(Terminal(n)), None);
            for from in star.all_nodes() {
                for (far, to) in star.distances(from).into_iter().zip(0..) {
                    let by_hub = from != star.hub() && Node(to) != star.hub();
                    assert_eq!(far, u32::from(to != from.0) * if by_hub { 2 } else { 1 });
                }
            }
        }
    }

    #[test]
    fn sizes_and_labels_are_bounded() {
        for bad in [0, 1, 65, u32::MAX] {
            let text = Star::new(bad).unwrap_err().to_string();
            assert!(text.ends_with("nodes are out of range; use 2 to 64"), "{text}");
        }
        let star = Star::new(5).unwrap();
        let text = star.terminal("hub").unwrap_err().to_string();
        assert!(text.contains("a switch without a terminal; name a node that has one, such as 0"));
        assert!(star.node("5").is_err());
    }
}
