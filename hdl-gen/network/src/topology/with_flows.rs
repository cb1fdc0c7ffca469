//! A network for flows: a terminal that no flow begins at does not send, one that none ends at takes
//! no packets. Nothing is symmetric any more.

use super::canonical::Canonical;
use super::classed::Classed;
use super::{Local, Node, Port, Terminal, Topology, TopologyError};
use crate::flows::Flows;
use crate::places::Places;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// A network for flows. Numbers, labels and ports are those of the network that it is made of.
#[derive(Debug)]
pub struct WithFlows {
    whole: Box<dyn Topology>,
    flows: Flows,
    sources: FxHashSet<Terminal>,
    sinks: FxHashSet<Terminal>,
    /// Found when it is asked for.
    canonical: OnceLock<Canonical>,
}

impl WithFlows {
    /// `whole` for these flows alone, which are between terminals of it.
    pub fn new(mut whole: Box<dyn Topology>, flows: Flows) -> Self {
        if !flows.classes().is_empty() {
            let names = flows.classes().iter().map(|class| class.name.clone()).collect();
            whole = Box::new(Classed::new(whole, names, flows.are_separate()));
        }
        let sources = flows.list().iter().map(|flow| flow.source).collect();
        let sinks = flows.list().iter().map(|flow| flow.destination).collect();
        Self { whole, flows, sources, sinks, canonical: OnceLock::new() }
    }
}

impl Topology for WithFlows {
    super::forward::as_in!(structure of whole);

    fn flows(&self) -> Option<&Flows> {
        Some(&self.flows)
    }
    fn for_all_pairs(&self) -> Option<&dyn Topology> {
        Some(&*self.whole)
    }
    fn places(&self) -> Option<&Places> {
        self.whole.places()
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        self.whole.channel(from, output)
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.whole.source(terminal).filter(|_| self.sources.contains(&terminal))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.whole.sink(terminal).filter(|_| self.sinks.contains(&terminal))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.whole.source_at(node, local).filter(|terminal| self.sources.contains(terminal))
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.whole.sink_at(node, local).filter(|terminal| self.sinks.contains(terminal))
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        self.whole.terminal_label(terminal)
    }
    fn place_label(&self, terminal: Terminal) -> String {
        self.whole.place_label(terminal)
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let terminal = self.whole.terminal(label)?;
        match self.is_terminal(terminal) {
            true => Ok(terminal),
            false => Err(TopologyError::WithoutFlow(label.to_owned())),
        }
    }
    fn canonical(&self) -> Option<&Canonical> {
        self.whole.canonical()?;
        Some(self.canonical.get_or_init(|| Canonical::of(self)))
    }
    fn failed_nodes(&self) -> Vec<Node> {
        self.whole.failed_nodes()
    }
    fn intact(&self) -> Option<&dyn Topology> {
        self.whole.intact()
    }
}
