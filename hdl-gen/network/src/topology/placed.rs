//! A network whose terminals have names of a user's own.

use super::{Local, Node, Port, Terminal, Topology, TopologyError};
use crate::places::Places;
use crate::topology::canonical::Canonical;
use turnpike_base::nearest::Nearest;

/// A network of some terminals of another, under names of a user's own. Numbers and ports are those of
/// the network that it is made of, and a port that no named terminal has keeps its number. The network
/// for the flows of these terminals is made of it ([`super::with_flows`]).
#[derive(Debug)]
pub struct Placed {
    whole: Box<dyn Topology>,
    places: Places,
}

impl Placed {
    /// `whole` with its terminals at these places.
    pub fn new(whole: Box<dyn Topology>, places: Places) -> Self {
        Self { whole, places }
    }

    fn is_named(&self, terminal: Terminal) -> bool {
        self.places.name(terminal).is_some()
    }
}

impl Topology for Placed {
    super::forward::as_in!(structure of whole);

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        self.whole.channel(from, output)
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.whole.source(terminal).filter(|_| self.is_named(terminal))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.whole.sink(terminal).filter(|_| self.is_named(terminal))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.whole.source_at(node, local)
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.whole.sink_at(node, local)
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        let name = self.places.name(terminal).map(str::to_owned);
        name.unwrap_or_else(|| self.whole.terminal_label(terminal))
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        self.places.terminal(label).ok_or_else(|| {
            let nearest = Nearest::of(label, self.places.names());
            TopologyError::NoName { label: label.to_owned(), nearest, such: self.a_terminal() }
        })
    }
    fn canonical(&self) -> Option<&Canonical> {
        self.whole.canonical()
    }
    fn failed_nodes(&self) -> Vec<Node> {
        self.whole.failed_nodes()
    }
}
