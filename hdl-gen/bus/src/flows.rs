//! Flows on one bus: which node sends to which.

use crate::BusError;
use std::collections::BTreeSet;

/// The flows of a bus that is for some pairs of nodes alone. None leads from a node to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BusFlows {
    /// Source and sink, ascending.
    pairs: Vec<(u32, u32)>,
    /// The file of the flows, in its canonical form.
    text: String,
}

impl BusFlows {
    /// Flows between these nodes, with the file that says them.
    pub fn new(pairs: impl IntoIterator<Item = (u32, u32)>, text: String) -> Self {
        let pairs: BTreeSet<(u32, u32)> = pairs.into_iter().collect();
        Self { pairs: pairs.into_iter().collect(), text }
    }

    /// Checks that none leads from a node to itself.
    ///
    /// # Errors
    /// [`BusError::ToItself`] with the first.
    pub fn check(&self) -> Result<(), BusError> {
        let itself = self.pairs.iter().find(|(source, sink)| source == sink);
        itself.map_or(Ok(()), |(node, _)| Err(BusError::ToItself(*node)))
    }

    /// The file of the flows.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Source and sink of each, ascending.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Nodes that send, ascending.
    pub fn sources(&self) -> Vec<u32> {
        let all: BTreeSet<u32> = self.pairs.iter().map(|pair| pair.0).collect();
        all.into_iter().collect()
    }

    /// Nodes that take words, ascending.
    pub fn sinks(&self) -> Vec<u32> {
        let all: BTreeSet<u32> = self.pairs.iter().map(|pair| pair.1).collect();
        all.into_iter().collect()
    }

    /// Nodes that a node sends to, ascending.
    pub fn of_source(&self, node: u32) -> Vec<u32> {
        self.pairs.iter().filter(|pair| pair.0 == node).map(|pair| pair.1).collect()
    }

    /// Nodes that send to a node, ascending.
    pub fn of_sink(&self, node: u32) -> Vec<u32> {
        self.pairs.iter().filter(|pair| pair.1 == node).map(|pair| pair.0).collect()
    }

    /// Whether one node sends to another.
    pub fn has(&self, source: u32, sink: u32) -> bool {
        self.pairs.binary_search(&(source, sink)).is_ok()
    }

    /// Most senders that a sink hears.
    pub fn most_senders(&self) -> u32 {
        self.sinks().into_iter().map(|sink| self.of_sink(sink).len() as u32).max().unwrap_or(0)
    }
}
