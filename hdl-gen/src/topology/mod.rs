//! Topologies: directed graphs of nodes and channels. One file each.
//!
//! A topology names its nodes (labels), its ports, and the channel that each output port
//! drives. It knows nothing of routing.

pub mod hypercube;

use petgraph::graph::DiGraph;
use serde::Serialize;
use std::fmt;

/// A node of the network, counted from 0. Its address on `tdest` is this number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Node(pub u32);

/// A network port of a switch: an index into [`Topology::port_name`]. Output port `p` and
/// input port `p` carry the same name; they need not be ends of one link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Port(pub u8);

/// A dimension that the topology cannot be built in, or a label that is not a node's.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TopologyError {
    /// No topology of this name.
    #[error("unknown topology '{name}'; did you mean '{nearest}'? (there are: {known})")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The closest name there is.
        nearest: String,
        /// All names, comma-separated.
        known: String,
    },
    /// The dimension is outside the range of the topology.
    #[error("{topology}: dimension {dimension} is out of range; use {low} to {high}")]
    Dimension {
        /// The topology.
        topology: &'static str,
        /// The dimension asked for.
        dimension: u32,
        /// The least dimension there is.
        low: u32,
        /// The largest dimension there is.
        high: u32,
    },
    /// The text is not the label of a node.
    #[error("'{label}' is not a node of this {topology}: a label is {expected}")]
    Label {
        /// The topology.
        topology: &'static str,
        /// What was given.
        label: String,
        /// What a label looks like.
        expected: String,
    },
}

/// A directed graph of nodes and channels, with names for its nodes and ports.
pub trait Topology: Send + Sync + fmt::Debug {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The size parameter (`--dim`).
    fn dimension(&self) -> u32;
    /// How many nodes there are, at most 2^20. Nodes are `Node(0)` to `Node(nodes - 1)`.
    fn nodes(&self) -> u32;
    /// Bits of a node's address on `tdest`, at least 1.
    fn address_bits(&self) -> u32;
    /// The label of a node, most significant bit first.
    fn label(&self, node: Node) -> String;
    /// The node of a label.
    ///
    /// # Errors
    /// [`TopologyError::Label`] with what a label looks like.
    fn node(&self, label: &str) -> Result<Node, TopologyError>;
    /// How many network ports a switch can have.
    fn ports(&self) -> u8;
    /// The name of a port, a Verilog identifier.
    fn port_name(&self, port: Port) -> String;
    /// The channel that leaves `from` by `output`: the node and input port where it ends.
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)>;
    /// Whether a turn from this input port to this output port goes back to the node that
    /// the packet came from.
    fn is_u_turn(&self, input: Port, output: Port) -> bool;
    /// The node that stands for `node` under the translations: automorphisms that keep every
    /// port's name, of which none but the identity keeps a node. Itself where there are none.
    fn representative(&self, node: Node) -> Node {
        node
    }
    /// The image of `node` under the translation that takes the representative of `to` to
    /// `to`. `node` itself where there are none.
    fn translate(&self, node: Node, _to: Node) -> Node {
        node
    }
    /// Nodes `to` whose translations ([`Topology::translate`]) generate all of them.
    fn generators(&self) -> Vec<Node> {
        Vec::new()
    }
    /// How many terminals there are: nodes 0 to `terminals - 1` have one each, and terminal t
    /// is that of node t.
    fn terminals(&self) -> u32 {
        self.nodes()
    }

    /// Whether a node has a terminal that sends and takes packets: not one past
    /// [`Topology::terminals`], nor one that failed.
    fn is_terminal(&self, node: Node) -> bool {
        node.0 < self.terminals()
    }

    /// The nodes that have a terminal, in order.
    fn terminal_nodes(&self) -> Box<dyn Iterator<Item = Node> + '_> {
        Box::new((0..self.terminals()).map(Node).filter(|&node| self.is_terminal(node)))
    }

    /// All nodes in order.
    fn all_nodes(&self) -> Box<dyn Iterator<Item = Node>> {
        Box::new((0..self.nodes()).map(Node))
    }

    /// The graph itself, edges labelled with the output port. Memory is linear in the number
    /// of channels: meant for networks of RTL size.
    fn graph(&self) -> DiGraph<Node, Port> {
        let mut graph = DiGraph::new();
        let index: Vec<_> = self.all_nodes().map(|n| graph.add_node(n)).collect();
        for from in self.all_nodes() {
            for port in (0..self.ports()).map(Port) {
                if let Some((to, _)) = self.channel(from, port) {
                    graph.add_edge(index[from.0 as usize], index[to.0 as usize], port);
                }
            }
        }
        graph
    }

    /// How many channels (directed links between switches) there are.
    fn channels(&self) -> u64 {
        let at = |n| (0..self.ports()).filter(|&p| self.channel(n, Port(p)).is_some()).count();
        self.all_nodes().map(|n| at(n) as u64).sum()
    }

    /// Distance (channels) from `from` to every node, by breadth-first search; `u32::MAX`
    /// where there is no path.
    fn distances(&self, from: Node) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.nodes() as usize];
        distance[from.0 as usize] = 0;
        let mut frontier = vec![from];
        let mut steps = 0;
        while !frontier.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for node in frontier {
                for port in (0..self.ports()).map(Port) {
                    if let Some((to, _)) = self.channel(node, port)
                        && distance[to.0 as usize] == u32::MAX
                    {
                        distance[to.0 as usize] = steps;
                        next.push(to);
                    }
                }
            }
            frontier = next;
        }
        distance
    }
}

/// One entry of the list of topologies.
pub struct TopologyKind {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Least and largest dimension for analysis and simulation.
    pub dimensions: (u32, u32),
    /// Largest dimension for RTL.
    pub rtl_limit: u32,
    /// The relation that is used where none is named.
    pub default_routing: &'static str,
    /// Builds it.
    pub build: fn(u32) -> Result<Box<dyn Topology>, TopologyError>,
}

/// Every topology there is. A new one is one file and one line here.
pub const TOPOLOGIES: &[TopologyKind] = &[hypercube::KIND];

/// The entry of that name.
///
/// # Errors
/// [`TopologyError::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static TopologyKind, TopologyError> {
    TOPOLOGIES.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = TOPOLOGIES.iter().map(|k| k.name).collect();
        TopologyError::Unknown {
            name: name.to_owned(),
            nearest: crate::names::nearest(name, &names).to_owned(),
            known: names.join(", "),
        }
    })
}
