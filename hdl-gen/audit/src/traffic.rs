//! Traffic of an audited network: who sends to whom, and which messages wait for which.

use crate::model::Routed;
use turnpike_base::delivery::{CONDITION, CONDITION_OF_CLASSES};
use turnpike_network::flows::{Flow, Flows, MessageClass};

/// Traffic of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Message classes; none where all messages are alike.
    pub classes: Vec<MessageClass>,
    /// Class, destination and source of each flow, ascending; `None` where each terminal sends to
    /// each other.
    flows: Option<Vec<(u32, u32, u32)>>,
}

impl Traffic {
    /// Packets from each terminal to each other, all alike.
    pub fn all_to_all() -> Self {
        Self::default()
    }

    /// The traffic of a list of flows.
    pub fn of(flows: &Flows) -> Self {
        let flow = |flow: &Flow| {
            let class = flows.class_of(flow.source) as u32;
            (class, flows.address(flow.destination).0, flows.address(flow.source).0)
        };
        Self::new(flows.classes().to_vec(), flows.list().iter().map(flow).collect())
    }

    /// Traffic of flows, each its class, destination and source.
    pub fn new(classes: Vec<MessageClass>, mut flows: Vec<(u32, u32, u32)>) -> Self {
        flows.sort_unstable();
        flows.dedup();
        Self { classes, flows: Some(flows) }
    }

    /// Flows, each its class, destination and source, ascending; `None` where each terminal sends to
    /// each other.
    pub fn flows(&self) -> Option<&[(u32, u32, u32)]> {
        self.flows.as_deref()
    }

    /// Number of message classes, 1 where all messages are alike.
    pub fn class_count(&self) -> usize {
        self.classes.len().max(1)
    }

    /// Terminals that send messages of a class to a destination. A packet from a terminal to itself
    /// uses no channel.
    pub fn sources<'a>(
        &'a self,
        routed: &'a Routed,
        class: usize,
        destination: u32,
    ) -> Box<dyn Iterator<Item = u32> + 'a> {
        let Some(flows) = &self.flows else {
            let sends = |&terminal: &u32| routed.terminals[terminal as usize].source.is_some();
            let all = 0..routed.terminals.len() as u32;
            return Box::new(all.filter(sends).filter(move |&source| source != destination));
        };
        let key = (class as u32, destination);
        let from = flows.partition_point(|flow| (flow.0, flow.1) < key);
        let own = flows[from..].iter().take_while(move |flow| (flow.0, flow.1) == key);
        Box::new(own.map(|flow| flow.2))
    }

    /// Condition under which what is found deadlock-free delivers all packets.
    pub fn condition(&self) -> &'static str {
        match self.classes.iter().any(|class| !class.after.is_empty()) {
            false => CONDITION,
            true => CONDITION_OF_CLASSES,
        }
    }
}
