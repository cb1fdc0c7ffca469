//! Topologies: directed graphs of nodes and channels. One file each.
//!
//! A topology names its nodes (labels), its ports, and the channel that each output port
//! drives. It knows nothing of routing.

pub mod arc_cube;
pub mod arc_cube_2;
pub mod canonical;
pub mod ccc;
pub mod circulant;
pub mod classed;
mod clos;
pub mod concentrated;
pub mod directed_cube;
mod directed_distance;
pub mod dragonfly;
mod ends;
pub mod entering;
mod error;
pub mod failed;
pub mod fly;
mod forward;
pub mod grid;
pub mod hypercube;
pub mod hyperx;
mod kinds;
mod labels;
pub mod multistage;
mod numbers;
pub mod parameter;
pub mod paths;
pub mod placed;
pub mod positions;
pub mod random_regular;
mod scale;
mod shape;
mod size;
mod sizes;
pub mod slim_fly;
pub mod star;
mod structure;
pub mod tree;
pub mod wired;
pub mod with_flows;
pub mod words;

use canonical::Canonical;
pub use clos::{Clos, ClosError};
pub use ends::{by_destination, sinks_at, sources_at};
pub use error::TopologyError;
pub use kinds::{MOST_SWITCHES, TOPOLOGIES, TopologyKind, find, parameters};
pub use numbers::{Local, Node, Port, Terminal};
pub use parameter::{Parameter, Value};
pub use scale::Scale;
pub use shape::{MOST_SIDES, SIDES, Shape, ShapeError};
pub use size::Size;
pub use sizes::{Limit, Range, Sizes};
pub use structure::Structure;

use crate::flows::{Flow, Flows};
use crate::places::Places;
use petgraph::graph::DiGraph;
use positions::Position;
use std::fmt;
use turnpike_base::bits::bits_for;

/// A directed graph of nodes and channels, with names for its nodes and ports.
pub trait Topology: Send + Sync + fmt::Debug {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// Title of the network in reports: the name of its topology, or the one that its file gives.
    fn title(&self) -> String {
        self.name().to_owned()
    }
    /// Size of the network, among those of its name.
    fn size(&self) -> Size;
    /// Structure of the network, by which relations route it and patterns address it. Of a network
    /// with failed nodes, or with several terminals at a switch, that of the network without.
    fn structure(&self) -> Structure {
        Structure::Other
    }
    /// Identifier of the network as part of a module's name, with `-` in place of `_`.
    fn identifier(&self) -> String {
        format!("{}_{}", self.name(), self.size().identifier())
    }
    /// Number of terminals at each switch that has one ([`concentrated`]).
    fn concentration(&self) -> u32 {
        1
    }
    /// Size and concentration, for reports.
    fn scale(&self) -> Scale {
        Scale { size: self.size(), concentration: self.concentration() }
    }
    /// Number of nodes, at most 2^20. Nodes are `Node(0)` to `Node(nodes - 1)`.
    fn nodes(&self) -> u32;
    /// Bits of a terminal's address on `tdest`, at least 1.
    fn address_bits(&self) -> u32 {
        bits_for(self.terminals())
    }
    /// The label of a node, most significant bit first.
    fn label(&self, node: Node) -> String;
    /// Position of a node in a picture, no two at one place; `None` for all where the topology has
    /// no drawing of its own.
    fn position(&self, _node: Node) -> Option<Position> {
        None
    }
    /// The node of a label.
    ///
    /// # Errors
    /// [`TopologyError::Label`] with what a label looks like.
    fn node(&self, label: &str) -> Result<Node, TopologyError>;
    /// Number of network ports that a switch can have.
    fn ports(&self) -> u8;
    /// The name of a port, a Verilog identifier.
    fn port_name(&self, port: Port) -> String;
    /// The channel that leaves `from` by `output`: the node and input port where it ends. Another
    /// node than `from`, and no two channels end at one input port. Two channels may lead from one
    /// node to another. The inverse is [`entering::Entering`].
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)>;
    /// Registers on the channel that leaves `from` by `output`, and as many on the way back: at most
    /// [`MOST_DELAY`](crate::description::MOST_DELAY). Translations keep them.
    fn delay(&self, _from: Node, _output: Port) -> u32 {
        0
    }
    /// Largest of the delays of all channels.
    fn most_delay(&self) -> u32 {
        0
    }
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
    /// The inverse: where `node` is before the translation that takes the representative of `to`
    /// to `to`. `node` itself where there are none.
    fn translate_back(&self, node: Node, _to: Node) -> Node {
        node
    }
    /// The network with fewer translations, for relations that not all of them keep; `None` where
    /// there is nothing between these and none.
    fn with_fewer_translations(&self) -> Option<Box<dyn Topology>> {
        None
    }
    /// Nodes `to` whose translations ([`Topology::translate`]) generate all of them.
    fn generators(&self) -> Vec<Node> {
        Vec::new()
    }
    /// Number of addresses of terminals that are in use: terminals 0 to `terminals - 1`.
    fn terminals(&self) -> u32 {
        self.nodes()
    }
    /// P, where terminal t is at node t / P, by the inject and eject port of number t modulo P: what
    /// [`Topology::source`], [`Topology::sink`] and their inverses are made of by default.
    fn at_each_node(&self) -> u32 {
        1
    }
    /// Switch and inject port by which the packets of a terminal enter. `None` for a terminal that
    /// only receives, or failed, or is none. Where there are translations each is at one node, and
    /// they keep the local port.
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        let (number, each) = (terminal.0, self.at_each_node());
        let place = (Node(number / each), Local((number % each) as u8));
        (number < self.terminals()).then_some(place)
    }
    /// Switch and eject port by which packets to a terminal leave. `None` for a terminal that only
    /// sends, or failed, or is none.
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        let (number, each) = (terminal.0, self.at_each_node());
        let place = (Node(number / each), Local((number % each) as u8));
        (number < self.terminals()).then_some(place)
    }
    /// The inverse of [`Topology::source`]: the terminal of an inject port, where there is one.
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        let terminal = Terminal(node.0.checked_mul(self.at_each_node())? + u32::from(local.0));
        (self.source(terminal) == Some((node, local))).then_some(terminal)
    }
    /// The inverse of [`Topology::sink`]: the terminal of an eject port, where there is one.
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        let terminal = Terminal(node.0.checked_mul(self.at_each_node())? + u32::from(local.0));
        (self.sink(terminal) == Some((node, local))).then_some(terminal)
    }
    /// The label of a terminal, of letters, digits and `_`: that of its node by default.
    fn terminal_label(&self, terminal: Terminal) -> String {
        self.label(Node(terminal.0))
    }
    /// The terminal of a label, which sends or takes packets.
    ///
    /// # Errors
    /// [`TopologyError::Label`]; [`TopologyError::Failed`] and [`TopologyError::NoTerminal`] for a
    /// node whose terminal failed, or that has none.
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let node = self.alive(label)?;
        let terminal = Terminal(node.0);
        match self.is_terminal(terminal) {
            true => Ok(terminal),
            false => {
                Err(TopologyError::NoTerminal { label: label.to_owned(), such: self.a_terminal() })
            }
        }
    }

    /// Flows that the network is for, where it is not for packets from every terminal that sends to
    /// every one that takes them.
    fn flows(&self) -> Option<&Flows> {
        None
    }
    /// Names of the terminals, where a user gave them ([`placed`]).
    fn places(&self) -> Option<&Places> {
        None
    }
    /// Address of a terminal, as `tdest` has it: its number, but that streams of several message classes
    /// share that of their terminal ([`classed`]).
    fn address(&self, terminal: Terminal) -> Terminal {
        self.flows().map_or(terminal, |flows| flows.address(terminal))
    }
    /// Address that a user's file gives a terminal, for the ports of a fabric; `None` where it is
    /// [`Topology::address`].
    fn given_address(&self, _terminal: Terminal) -> Option<u32> {
        None
    }
    /// Label of a terminal, without that of a message class.
    fn place_label(&self, terminal: Terminal) -> String {
        self.terminal_label(terminal)
    }
    /// Network of which this is the part that [`Topology::flows`] need; `None` where there are none.
    fn for_all_pairs(&self) -> Option<&dyn Topology> {
        None
    }
    /// Whether packets go from one terminal to another.
    fn sends_to(&self, source: Terminal, destination: Terminal) -> bool {
        self.source(source).is_some()
            && self.sink(destination).is_some()
            && self.flows().is_none_or(|flows| flows.between(source, destination).is_some())
    }
    /// The terminals that packets of `source` go to, in order.
    fn destinations(&self, source: Terminal) -> Box<dyn Iterator<Item = Terminal> + '_> {
        match self.flows() {
            None => self.sinks(),
            Some(flows) => {
                let to = flows.of_source(source).iter().map(|flow| flow.destination);
                Box::new(to.filter(|&to| self.sink(to).is_some()))
            }
        }
    }
    /// The flows whose terminals did not fail; `None` where the network is not for flows.
    fn live_flows(&self) -> Option<Vec<Flow>> {
        let live = |flow: &&Flow| {
            self.source(flow.source).is_some() && self.sink(flow.destination).is_some()
        };
        self.flows().map(|flows| flows.list().iter().filter(live).copied().collect())
    }
    /// The pairs of a source and a destination of its packets, by ascending source.
    fn pairs(&self) -> Box<dyn Iterator<Item = (Terminal, Terminal)> + '_> {
        Box::new(
            self.sources().flat_map(|source| self.destinations(source).map(move |to| (source, to))),
        )
    }

    /// The order of a network whose names and numbers mean nothing, as a file could give them in
    /// another order; `None` where they follow from the topology.
    fn canonical(&self) -> Option<&Canonical> {
        None
    }

    /// The nodes that failed, ascending.
    fn failed_nodes(&self) -> Vec<Node> {
        Vec::new()
    }
    /// The network before nodes failed; `None` where none did.
    fn intact(&self) -> Option<&dyn Topology> {
        None
    }

    /// The terminal of a label, which sends packets.
    ///
    /// # Errors
    /// As [`Topology::terminal`]; [`TopologyError::SendsNothing`].
    fn sender(&self, label: &str) -> Result<Terminal, TopologyError> {
        let terminal = self.terminal(label)?;
        match self.source(terminal) {
            Some(_) => Ok(terminal),
            None => Err(TopologyError::SendsNothing(label.to_owned())),
        }
    }

    /// The terminal of a label, which takes packets.
    ///
    /// # Errors
    /// As [`Topology::terminal`]; [`TopologyError::TakesNothing`].
    fn receiver(&self, label: &str) -> Result<Terminal, TopologyError> {
        let terminal = self.terminal(label)?;
        match self.sink(terminal) {
            Some(_) => Ok(terminal),
            None => Err(TopologyError::TakesNothing(label.to_owned())),
        }
    }

    /// The label of a terminal, for messages: of the first that did not fail.
    fn a_terminal(&self) -> String {
        self.all_terminals().next().map(|t| self.terminal_label(t)).unwrap_or_default()
    }

    /// Whether a terminal sends packets or takes them.
    fn is_terminal(&self, terminal: Terminal) -> bool {
        self.source(terminal).is_some() || self.sink(terminal).is_some()
    }

    /// Whether a number is that of a terminal, or of one that failed: numbers of streams of message classes
    /// leave gaps, which have no label.
    fn has_number(&self, number: Terminal) -> bool {
        match self.intact() {
            Some(intact) => intact.has_number(number),
            None => {
                let leaves_gaps = self.flows().is_some_and(|flows| !flows.classes().is_empty());
                !leaves_gaps || self.is_terminal(number)
            }
        }
    }

    /// The node of a label, which has not failed.
    ///
    /// # Errors
    /// [`TopologyError::Label`]; [`TopologyError::Failed`] for one that has.
    fn alive(&self, label: &str) -> Result<Node, TopologyError> {
        let node = self.node(label)?;
        match self.failed_nodes().contains(&node) {
            true => Err(TopologyError::Failed(label.to_owned())),
            false => Ok(node),
        }
    }

    /// The terminals that send packets, in order.
    fn sources(&self) -> Box<dyn Iterator<Item = Terminal> + '_> {
        Box::new((0..self.terminals()).map(Terminal).filter(|&t| self.source(t).is_some()))
    }

    /// The terminals that take packets, in order.
    fn sinks(&self) -> Box<dyn Iterator<Item = Terminal> + '_> {
        Box::new((0..self.terminals()).map(Terminal).filter(|&t| self.sink(t).is_some()))
    }

    /// The terminals, in order.
    fn all_terminals(&self) -> Box<dyn Iterator<Item = Terminal> + '_> {
        Box::new((0..self.terminals()).map(Terminal).filter(|&t| self.is_terminal(t)))
    }

    /// The terminal that stands for one that sends: the one whose place a translation takes to
    /// that of `source`. Itself where there are no translations.
    fn standing_source(&self, source: Terminal) -> Terminal {
        self.source(source).map_or(source, |(node, _)| self.translate_terminal_back(source, node))
    }

    /// [`Topology::translate`] of a terminal.
    fn translate_terminal(&self, terminal: Terminal, to: Node) -> Terminal {
        Terminal(self.translate(Node(terminal.0), to).0)
    }

    /// [`Topology::translate_back`] of a terminal.
    fn translate_terminal_back(&self, terminal: Terminal, to: Node) -> Terminal {
        Terminal(self.translate_back(Node(terminal.0), to).0)
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

    /// Number of channels: directed links between switches.
    fn channels(&self) -> u64 {
        let at = |n| (0..self.ports()).filter(|&p| self.channel(n, Port(p)).is_some()).count();
        self.all_nodes().map(|n| at(n) as u64).sum()
    }

    /// Distance (channels) from `from` to every node, by breadth-first search; `u32::MAX`
    /// where there is no path.
    fn distances(&self, from: Node) -> Vec<u32> {
        paths::distances_through(self, from, |_| true)
    }
}

#[cfg(test)]
pub(crate) mod tests;
