//! A dateline: virtual channels that break the cycles of a relation.
//!
//! Ports are put in an order. A packet starts on VC 0 and moves to the next VC whenever a
//! turn does not ascend in that order, so (VC, place in the order) ascends along every route:
//! no cycle is left (Dally and Seitz 1987). Only the last VC's number depends on how often a
//! route crosses the dateline. Of an adaptive relation it is the escape channels that get one.

use super::choice::Choices;
use super::{Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc};
use crate::topology::{Node, Port};

/// A relation with a dateline.
#[derive(Debug)]
pub struct Dateline {
    inner: Box<dyn Relation>,
    /// Place of each port in the order, by port.
    place: Vec<u32>,
    vcs: u8,
}

impl Dateline {
    /// Puts a dateline on `inner` along `order`, a permutation of the ports; `vcs` bounds the
    /// VCs in use.
    pub fn new(inner: Box<dyn Relation>, order: &[Port], vcs: u8) -> Self {
        let mut place = vec![0; order.len()];
        for (at, port) in order.iter().enumerate() {
            place[usize::from(port.0)] = at as u32;
        }
        Self { inner, place, vcs }
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
    fn inject(&self, source: Node, destination: Node) -> Header {
        self.inner.inject(source, destination)
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let hop = self.inner.hop(node, input, vc, header);
        Hop { vc: self.output_vc(node, input, vc, hop.output), ..hop }
    }
    fn output_vc(&self, _node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let first = self.first_escape_vc();
        match (input, output) {
            (_, Output::Eject) => Vc(0),
            (Input::Inject, _) => first,
            // From an adaptive channel as if from injection.
            _ if vc < first => first,
            (Input::Network(from), Output::Network(to)) => {
                let crosses = self.place[usize::from(to.0)] <= self.place[usize::from(from.0)];
                Vc(vc.0 + u8::from(crosses))
            }
        }
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        self.inner.adaptive()
    }
    fn injection(&self, node: Node) -> Injection {
        self.inner.injection(node)
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
    fn dateline_order(&self) -> Vec<Port> {
        self.inner.dateline_order()
    }
}
