//! A network whose terminals have a stream for each message class, in and out: a class is a virtual
//! network (Dally and Towles, Principles and Practices of Interconnection Networks, section 14.2).
//!
//! Each stream is a terminal of its own here. Its number is that of its class, and below it the
//! address, which is the same in every class.

use super::canonical::Canonical;
use super::{Local, Node, Port, Structure, Terminal, Topology, TopologyError};
use crate::places::Places;

/// A network with a stream of each terminal for each class.
#[derive(Debug)]
pub struct Classed {
    whole: Box<dyn Topology>,
    /// Names of the classes.
    classes: Vec<String>,
}

impl Classed {
    /// `whole` with streams for these classes, at most 16 of them.
    pub fn new(whole: Box<dyn Topology>, classes: Vec<String>) -> Self {
        Self { whole, classes }
    }

    fn count(&self) -> u8 {
        self.classes.len() as u8
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
        Some((node, Local(local * self.count() + class as u8)))
    }

    /// The stream at a local port.
    fn at(&self, Local(local): Local, at: impl Fn(Local) -> Option<Terminal>) -> Option<Terminal> {
        let class = usize::from(local % self.count());
        at(Local(local / self.count())).map(|terminal| self.join(class, terminal))
    }
}

impl Topology for Classed {
    super::forward::as_in!(nodes of whole);

    fn structure(&self) -> Structure {
        self.whole.structure()
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
        self.whole.channel(from, output)
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
        self.at(local, |local| self.whole.source_at(node, local))
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.at(local, |local| self.whole.sink_at(node, local))
    }
    /// The label of the terminal, and the class: `mem_reply`.
    fn terminal_label(&self, terminal: Terminal) -> String {
        let (class, _) = self.split(terminal);
        let class = self.classes.get(class).map_or("", String::as_str);
        format!("{}_{class}", self.place_label(terminal))
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
            let class = self.classes.first().map_or("", String::as_str);
            let expected = format!("that of a terminal and a class, such as {first}_{class}");
            TopologyError::TerminalLabel { topology, label, expected }
        })
    }
    fn canonical(&self) -> Option<&Canonical> {
        None
    }
    fn failed_nodes(&self) -> Vec<Node> {
        self.whole.failed_nodes()
    }
}
