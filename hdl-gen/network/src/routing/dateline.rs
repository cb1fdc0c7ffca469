//! A dateline: virtual channels that break the cycles of a relation.
//!
//! Ports, or channels, are put in an order. A packet starts on VC 0 and moves to the next VC whenever a
//! turn does not ascend in that order, so (VC, place in the order) ascends along every route:
//! no cycle is left (Dally and Seitz 1987). Only the last VC's number depends on how often a
//! route crosses the dateline. Of an adaptive relation it is the escape channels that get one.

use super::choice::Choices;
use super::{Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc};
use crate::topology::{Node, Port, Terminal, Topology};

/// A relation with a dateline.
#[derive(Debug)]
pub struct Dateline {
    inner: Box<dyn Relation>,
    places: Places,
    vcs: u8,
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

impl Dateline {
    /// Puts a dateline on `inner` along `order`, a permutation of the ports. Routes that need
    /// more than `vcs` VCs all end on one beyond them.
    pub fn new(inner: Box<dyn Relation>, order: &[Port], vcs: u8) -> Self {
        let mut place = vec![0; order.len()];
        for (at, port) in order.iter().enumerate() {
            place[usize::from(port.0)] = at as u32;
        }
        Self { inner, places: Places::Ports(place), vcs }
    }

    /// Puts a dateline on `inner` along the places of the channels
    /// ([`Relation::dateline_places`]).
    pub fn by_channel(
        inner: Box<dyn Relation>,
        topology: &dyn Topology,
        leaving: Vec<u32>,
        vcs: u8,
    ) -> Self {
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
        Self { inner, places: Places::Channels { ports, leaving, entering }, vcs }
    }

    /// The same with the number of VCs that its routes turned out to use.
    pub fn with_vcs(self, vcs: u8) -> Self {
        Self { vcs, ..self }
    }
}

impl Relation for Dateline {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn route_seed(&self) -> Option<u64> {
        self.inner.route_seed()
    }
    fn vcs(&self) -> u8 {
        self.vcs
    }
    fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        self.inner.inject(source, destination)
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let hop = self.inner.hop(node, input, vc, header);
        Hop { vc: self.output_vc(node, input, vc, hop.output), ..hop }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let first = self.first_escape_vc();
        match (input, output) {
            (_, Output::Eject(_)) => Vc(0),
            (Input::Inject(_), _) => first,
            // From an adaptive channel as if from injection.
            _ if vc < first => first,
            (Input::Network(from), Output::Network(to)) => {
                let crosses = self.places.crosses(node, from, to);
                Vc((vc.0 + u8::from(crosses)).min(self.vcs))
            }
        }
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        self.inner.adaptive()
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.inner.injection(source)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.inner.select(node, input, vc)
    }
    fn carry(&self, node: Node, input: Input, output: Port) -> Carry {
        self.inner.carry(node, input, output)
    }
    fn header_legend(&self) -> Vec<String> {
        self.inner.header_legend()
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.inner.oblivious_select(node)
    }
    fn has_uniform_headers(&self) -> bool {
        self.inner.has_uniform_headers()
    }
    fn dateline_order(&self) -> Vec<Port> {
        self.inner.dateline_order()
    }
    fn dateline_places(&self) -> Option<&[u32]> {
        self.inner.dateline_places()
    }
}
