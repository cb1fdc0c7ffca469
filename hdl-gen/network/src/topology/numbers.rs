//! Numbers of nodes, terminals and ports.

use serde::Serialize;

/// A node of the network, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Node(pub u32);

/// A terminal, counted from 0. Its number is its address on `tdest`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Terminal(pub u32);

/// An inject port or an eject port of a switch, each counted from 0 without gaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Local(pub u8);

/// A network port of a switch: an index into [`Topology::port_name`](super::Topology::port_name). Output port `p` and
/// input port `p` carry the same name; they need not be ends of one link, nor need output port
/// `p` lead to the same input port everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Port(pub u8);
