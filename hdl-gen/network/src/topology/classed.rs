//! A network whose terminals have a stream for each message class, in and out: a class is a virtual
//! network (Dally and Towles, Principles and Practices of Interconnection Networks, section 14.2).
//!
//! Each stream is a terminal of its own here. Its number is that of its class, and below it the
//! address, which is the same in every class.
//!
//! The classes share the switches and channels, or each has a network of its own beside the others,
//! with the nodes of all numbered one network after the other.

use super::canonical::Canonical;
use super::positions::Position;
use super::{Local, Node, Port, Structure, Terminal, Topology, TopologyError};
use crate::places::Places;

/// Gap between networks in a picture.
const GAP: f64 = 2.0;

/// A network with a stream of each terminal for each class.
#[derive(Debug)]
pub struct Classed {
    whole: Box<dyn Topology>,
    /// Names of the classes.
    classes: Vec<String>,
    /// Whether each class has a network of its own.
    is_separate: bool,
}

impl Classed {
    /// `whole` with streams for these classes, at most 16 of them; a network like it for each class
    /// where they are separate.
    pub fn new(whole: Box<dyn Topology>, classes: Vec<String>, is_separate: bool) -> Self {
        Self { whole, classes, is_separate }
    }

    /// Streams at a local port of the whole network.
    fn count(&self) -> u8 {
        if self.is_separate { 1 } else { self.classes.len() as u8 }
    }

    /// Class of the network of a node, and the node there; class 0 where all share it.
    fn split_node(&self, node: Node) -> (usize, Node) {
        let nodes = self.whole.nodes();
        match self.is_separate {
            true => ((node.0 / nodes) as usize, Node(node.0 % nodes)),
            false => (0, node),
        }
    }

    fn join_node(&self, class: usize, node: Node) -> Node {
        match self.is_separate {
            true => Node(class as u32 * self.whole.nodes() + node.0),
            false => node,
        }
    }

    fn class_name(&self, class: usize) -> &str {
        self.classes.get(class).map_or("", String::as_str)
    }

    /// Class of a stream, and its terminal in the whole network.
    fn split(&self, terminal: Terminal) -> (usize, Terminal) {
        let bits = self.whole.address_bits();
        ((terminal.0 >> bits) as usize, Terminal(terminal.0 & ((1 << bits) - 1)))
    }

    fn join(&self, class: usize, terminal: Terminal) -> Terminal {
        Terminal((class as u32) << self.whole.address_bits() | terminal.0)
    }

    /// An end of a stream, from the end of its terminal: the classes of a port stand side by side.
    fn end(
        &self,
        terminal: Terminal,
        end: impl Fn(Terminal) -> Option<(Node, Local)>,
    ) -> Option<(Node, Local)> {
        let (class, terminal) = self.split(terminal);
        let (node, Local(local)) = end(terminal).filter(|_| class < self.classes.len())?;
        let first = if self.is_separate { 0 } else { class as u8 };
        Some((self.join_node(class, node), Local(local * self.count() + first)))
    }

    /// The stream at a local port.
    fn at(
        &self,
        node: Node,
        Local(local): Local,
        at: impl Fn(Node, Local) -> Option<Terminal>,
    ) -> Option<Terminal> {
        let (own, node) = self.split_node(node);
        let class = own + usize::from(local % self.count());
        at(node, Local(local / self.count())).map(|terminal| self.join(class, terminal))
    }
}

impl Topology for Classed {
    super::forward::as_in!(whole);

    fn nodes(&self) -> u32 {
        let networks = if self.is_separate { self.classes.len() as u32 } else { 1 };
        self.whole.nodes() * networks
    }
    fn label(&self, node: Node) -> String {
        let (class, node) = self.split_node(node);
        match self.is_separate {
            true => format!("{}_{}", self.whole.label(node), self.class_name(class)),
            false => self.whole.label(node),
        }
    }
    /// The networks stand side by side.
    fn position(&self, node: Node) -> Option<Position> {
        let (class, node) = self.split_node(node);
        let place = |node| self.whole.position(node);
        let all = (0..self.whole.nodes()).map(Node).filter_map(place).map(|(x, _)| x);
        let (low, high) =
            all.fold((0.0, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
        let (x, y) = place(node)?;
        Some((x + class as f64 * (high - low + GAP), y))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let of_class = |(class, name): (usize, &String)| {
            let label = label.strip_suffix(name.as_str())?.strip_suffix('_')?;
            self.whole.node(label).ok().map(|node| self.join_node(class, node))
        };
        let found = self.classes.iter().enumerate().filter(|_| self.is_separate).find_map(of_class);
        found.map_or_else(|| self.whole.node(label), Ok)
    }

    fn structure(&self) -> Structure {
        if self.is_separate { Structure::Other } else { self.whole.structure() }
    }
    fn identifier(&self) -> String {
        self.whole.identifier()
    }
    fn concentration(&self) -> u32 {
        self.whole.concentration()
    }
    fn places(&self) -> Option<&Places> {
        self.whole.places()
    }
    fn address_bits(&self) -> u32 {
        self.whole.address_bits()
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let (class, from) = self.split_node(from);
        let (to, input) = self.whole.channel(from, output)?;
        Some((self.join_node(class, to), input))
    }
    fn delay(&self, from: Node, output: Port) -> u32 {
        self.whole.delay(self.split_node(from).1, output)
    }
    fn given_address(&self, terminal: Terminal) -> Option<u32> {
        self.whole.given_address(self.split(terminal).1)
    }
    fn terminals(&self) -> u32 {
        let last = self.classes.len().saturating_sub(1);
        self.join(last, Terminal(0)).0 + self.whole.terminals()
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.end(terminal, |terminal| self.whole.source(terminal))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.end(terminal, |terminal| self.whole.sink(terminal))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at(node, local, |node, local| self.whole.source_at(node, local))
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at(node, local, |node, local| self.whole.sink_at(node, local))
    }
    /// The label of the terminal, and the class: `mem_reply`.
    fn terminal_label(&self, terminal: Terminal) -> String {
        let (class, _) = self.split(terminal);
        format!("{}_{}", self.place_label(terminal), self.class_name(class))
    }
    fn place_label(&self, terminal: Terminal) -> String {
        self.whole.terminal_label(self.split(terminal).1)
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let class_of = |(class, name): (usize, &String)| {
            let terminal = label.strip_suffix(name.as_str())?.strip_suffix('_')?;
            self.whole.terminal(terminal).ok().map(|terminal| self.join(class, terminal))
        };
        let found = self.classes.iter().enumerate().find_map(class_of);
        found.ok_or_else(|| {
            let (topology, label) = (self.name(), label.to_owned());
            let first = self.whole.a_terminal();
            let class = self.class_name(0);
            let expected = format!("that of a terminal and a class, such as {first}_{class}");
            TopologyError::TerminalLabel { topology, label, expected }
        })
    }
    fn canonical(&self) -> Option<&Canonical> {
        None
    }
}
