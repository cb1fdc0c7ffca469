//! The attributes that say something of a network. All others are how it is drawn.

use std::collections::BTreeMap;

/// Terminals of a node; how many, and what they do.
pub(super) const TERMINALS: &str = "terminals";
pub(super) const ROLE: &str = "role";
/// Address of the first of them.
pub(super) const ADDRESS: &str = "address";
/// Ports of an edge, where it leaves and where it arrives.
pub(super) const TAIL_PORT: &str = "tailport";
pub(super) const HEAD_PORT: &str = "headport";
/// Attribute that tells apart edges between the same nodes.
pub(super) const KEY: &str = "key";
/// Registers on an edge.
pub(super) const DELAY: &str = "delay";
/// The graph's ports, in their order.
pub(super) const PORTS: &str = "ports";

const ALL: [&str; 8] = [TERMINALS, ROLE, ADDRESS, TAIL_PORT, HEAD_PORT, KEY, DELAY, PORTS];

/// Attributes of nodes that hold by default. An address is that of one node.
pub(super) const OF_NODES: [&str; 2] = [TERMINALS, ROLE];

/// Attributes of edges that hold by default.
pub(super) const OF_EDGES: [&str; 3] = [TAIL_PORT, HEAD_PORT, DELAY];

/// Values of attributes, with their lines: the last of each.
pub(super) type Attributes = BTreeMap<&'static str, (String, usize)>;

/// The attribute of this name.
pub(super) fn known(name: &str) -> Option<&'static str> {
    ALL.into_iter().find(|known| *known == name)
}
