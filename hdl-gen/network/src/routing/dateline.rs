//! A dateline: virtual channels that break the cycles of a relation.
//!
//! Ports, or channels, are put in an order. A packet starts on VC 0 and moves to the next VC whenever a
//! turn does not ascend in that order, so (VC, place in the order) ascends along every route:
//! no cycle is left (Dally and Seitz 1987). Only the last VC's number depends on how often a
//! route crosses the dateline. Of an adaptive relation it is the escape channels that get one.

use super::{
    ChannelOrder, Draw, Header, Hop, Input, MAX_VCS, Output, Relation, RoutingFunction, Vc,
};
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;

/// Puts a dateline on a relation, along its order. Routes that need more than [`MAX_VCS`] virtual
/// channels all end on one beyond them.
pub fn dateline(relation: Relation, topology: &dyn Topology) -> Relation {
    let places = Places::of(&relation.order, topology);
    let (first, inner) = (relation.first_escape_vc(), relation.function);
    let function = Arc::new(Dateline { inner, places, first });
    Relation { function, vcs: MAX_VCS, rows: None, ..relation }
}

/// A routing function with a dateline.
#[derive(Debug)]
struct Dateline {
    inner: Arc<dyn RoutingFunction>,
    places: Places,
    /// The first virtual channel that has it.
    first: Vc,
}

/// Places in the order.
#[derive(Debug)]
enum Places {
    /// By port, the same at every node.
    Ports(Vec<u32>),
    /// By node and port, of the channels that leave by it and that enter by it.
    Channels { ports: u32, leaving: Vec<u32>, entering: Vec<u32> },
}

impl Places {
    fn of(order: &ChannelOrder, topology: &dyn Topology) -> Self {
        let Some(leaving) = order.places.clone() else {
            let mut place = vec![0; order.ports.len()];
            for (at, port) in order.ports.iter().enumerate() {
                place[usize::from(port.0)] = at as u32;
            }
            return Self::Ports(place);
        };
        let ports = u32::from(topology.ports());
        let at = |node: Node, port: Port| (node.0 * ports + u32::from(port.0)) as usize;
        let mut entering = vec![0; leaving.len()];
        for node in topology.all_nodes() {
            for port in (0..topology.ports()).map(Port) {
                if let Some((to, input)) = topology.channel(node, port) {
                    entering[at(to, input)] = leaving[at(node, port)];
                }
            }
        }
        Self::Channels { ports, leaving, entering }
    }

    /// Whether a turn does not ascend.
    fn crosses(&self, node: Node, from: Port, to: Port) -> bool {
        match self {
            Self::Ports(place) => place[usize::from(to.0)] <= place[usize::from(from.0)],
            Self::Channels { ports, leaving, entering } => {
                let at = |port: Port| (node.0 * ports + u32::from(port.0)) as usize;
                leaving[at(to)] <= entering[at(from)]
            }
        }
    }
}

impl RoutingFunction for Dateline {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.inner.inject(source, destination, draw)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let hop = self.inner.hop(node, input, vc, header);
        Hop { vc: self.output_vc(node, input, vc, hop.output), ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let first = self.first;
        match (input, output) {
            (_, Output::Eject(_)) => Vc(0),
            (Input::Inject(_), _) => first,
            // From an adaptive channel as if from injection.
            _ if vc < first => first,
            (Input::Network(from), Output::Network(to)) => {
                let crosses = self.places.crosses(node, from, to);
                Vc((vc.0 + u8::from(crosses)).min(MAX_VCS))
            }
        }
    }
}
