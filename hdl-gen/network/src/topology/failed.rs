//! A network some of whose nodes have failed: their channels are gone, and their terminals are
//! dead. Nothing is symmetric any more.

use super::canonical::Canonical;
use super::{Local, Node, Port, Terminal, Topology, TopologyError};
use crate::flows::Flows;
use crate::places::Places;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A network without its failed nodes. Numbers, labels and port names are those of the intact
/// one.
#[derive(Debug)]
pub struct Failed {
    intact: Box<dyn Topology>,
    failed: BTreeSet<Node>,
    /// Found when it is asked for.
    canonical: OnceLock<Canonical>,
}

impl Failed {
    /// `intact` without the nodes of these labels.
    ///
    /// # Errors
    /// [`TopologyError::Label`] for a label of no node; [`TopologyError::NoneLeft`] and
    /// [`TopologyError::Alone`] where no terminal is left, or one; [`TopologyError::OneSided`] where
    /// those that are left only send, or only take packets.
    pub fn new(intact: Box<dyn Topology>, labels: &[String]) -> Result<Self, TopologyError> {
        let topology = Self::with_any_left(intact, labels)?;
        let mut left = topology.all_terminals();
        match (left.next(), left.next()) {
            (None, _) => return Err(TopologyError::NoneLeft { topology: topology.name() }),
            (Some(terminal), None) => {
                let left = topology.terminal_label(terminal);
                return Err(TopologyError::Alone { topology: topology.name(), left });
            }
            _ => drop(left),
        }
        Ok(topology)
    }

    /// The network without these nodes, however many terminals are left.
    ///
    /// # Errors
    /// [`TopologyError::Label`] for a label of no node; [`TopologyError::OneSided`] where those that
    /// are left only send, or only take packets.
    pub fn with_any_left(
        intact: Box<dyn Topology>,
        labels: &[String],
    ) -> Result<Self, TopologyError> {
        let failed = labels.iter().map(|label| intact.node(label));
        let failed: BTreeSet<Node> = failed.collect::<Result<_, _>>()?;
        let left = Self { intact, failed, canonical: OnceLock::new() };
        let (sends, takes) = (left.sources().next().is_some(), left.sinks().next().is_some());
        let what = match (sends, takes) {
            (true, false) => "takes packets",
            (false, true) => "sends",
            _ => return Ok(left),
        };
        Err(TopologyError::OneSided { topology: left.name(), what })
    }
}

impl Topology for Failed {
    super::forward::as_in!(structure of intact);

    fn flows(&self) -> Option<&Flows> {
        self.intact.flows()
    }
    fn for_all_pairs(&self) -> Option<&dyn Topology> {
        self.intact.for_all_pairs()
    }
    fn places(&self) -> Option<&Places> {
        self.intact.places()
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        let end = self.intact.channel(from, output)?;
        (!self.failed.contains(&from) && !self.failed.contains(&end.0)).then_some(end)
    }
    fn source(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.intact.source(terminal).filter(|(node, _)| !self.failed.contains(node))
    }
    fn sink(&self, terminal: Terminal) -> Option<(Node, Local)> {
        self.intact.sink(terminal).filter(|(node, _)| !self.failed.contains(node))
    }
    fn source_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.intact.source_at(node, local).filter(|_| !self.failed.contains(&node))
    }
    fn sink_at(&self, node: Node, local: Local) -> Option<Terminal> {
        self.intact.sink_at(node, local).filter(|_| !self.failed.contains(&node))
    }
    fn terminal_label(&self, terminal: Terminal) -> String {
        self.intact.terminal_label(terminal)
    }
    fn place_label(&self, terminal: Terminal) -> String {
        self.intact.place_label(terminal)
    }
    fn terminal(&self, label: &str) -> Result<Terminal, TopologyError> {
        let failed = self.intact.node(label).is_ok_and(|node| self.failed.contains(&node));
        match self.intact.terminal(label) {
            Ok(terminal) if self.is_terminal(terminal) => Ok(terminal),
            Ok(_) => Err(TopologyError::Failed(label.to_owned())),
            Err(_) if failed => Err(TopologyError::Failed(label.to_owned())),
            Err(TopologyError::NoTerminal { label, .. }) => {
                Err(TopologyError::NoTerminal { label, such: self.a_terminal() })
            }
            Err(error) => Err(error),
        }
    }
    fn canonical(&self) -> Option<&Canonical> {
        self.intact.canonical()?;
        Some(self.canonical.get_or_init(|| Canonical::of(self)))
    }
    fn failed_nodes(&self) -> Vec<Node> {
        self.failed.iter().copied().collect()
    }
    fn intact(&self) -> Option<&dyn Topology> {
        Some(&*self.intact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::hypercube::Hypercube;
    use crate::topology::parameter::{DIM, RADIX};

    fn cube(labels: &[&str]) -> Result<Failed, TopologyError> {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        Failed::new(Box::new(Hypercube::new(2).unwrap()), &labels)
    }

    /// The last stage of a butterfly gone, the terminals still send; and the other way round.
    #[test]
    fn terminals_of_one_side_are_no_network() {
        let fail = |labels: [&str; 2]| {
            let kind = crate::topology::find("butterfly").unwrap();
            let intact = kind.build(crate::topology::Size::of([(&DIM, 2), (&RADIX, 2)])).unwrap();
            Failed::new(intact, &labels.map(str::to_owned)).map(drop)
        };
        let error = |what| Err(TopologyError::OneSided { topology: "butterfly", what });
        assert_eq!(fail(["1_0", "1_1"]), error("takes packets"));
        assert_eq!(fail(["0_0", "0_1"]), error("sends"));
        assert_eq!(fail(["0_0", "1_1"]), Ok(()));
    }

    #[test]
    fn channels_and_terminals_of_failed_nodes_are_gone() {
        let left = cube(&["11", "11"]).unwrap();
        assert_eq!(left.failed_nodes(), [Node(3)]);
        let terminals = [Terminal(0), Terminal(1), Terminal(2)];
        assert_eq!(left.sources().collect::<Vec<_>>(), terminals);
        assert_eq!(left.sinks().collect::<Vec<_>>(), terminals);
        assert_eq!(left.terminal("11"), Err(TopologyError::Failed("11".to_owned())));
        // 01 to 10 by 00 alone; nothing to or from 11.
        assert_eq!(left.distances(Node(1)), [1, 0, 2, u32::MAX]);
        assert_eq!((left.channels(), left.intact().unwrap().channels()), (4, 8));
    }

    #[test]
    fn labels_and_an_empty_network_are_refused() {
        assert!(matches!(cube(&["2"]), Err(TopologyError::Label { .. })));
        let none = cube(&["00", "01", "10", "11"]).unwrap_err();
        assert_eq!(none, TopologyError::NoneLeft { topology: "hypercube" });
    }
}
