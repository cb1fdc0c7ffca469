//! A relation that is asked only at the nodes that stand for others.
//!
//! Whatever the node, the inner relation is shown its representative, and a destination is moved
//! with it. So every route is the translate of a route from a representative *by construction*,
//! in networks of any size: what a relation is not shown, it cannot depend on. One walk from each
//! representative then tells all of the network, and no other has to be looked at.

use super::choice::{Choice, Choices};
use super::{Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc};
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;

/// A relation behind the translations of its network.
#[derive(Debug)]
pub struct Invariant {
    inner: Box<dyn Relation>,
    topology: Arc<dyn Topology>,
}

impl Invariant {
    /// Shows `inner` the representatives of `topology` and no other node.
    pub fn new(inner: Box<dyn Relation>, topology: Arc<dyn Topology>) -> Self {
        Self { inner, topology }
    }

    /// The node that the inner relation is shown in place of this one.
    fn shown(&self, node: Node) -> Node {
        self.topology.representative(node)
    }

    /// The source that the inner relation is shown in place of this one, and the node of this one.
    fn shown_source(&self, source: Terminal) -> (Terminal, Node) {
        let at = self.topology.source(source).map_or(Node(0), |(node, _)| node);
        (self.topology.standing_source(source), at)
    }
}

impl Relation for Invariant {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn route_seed(&self) -> Option<u64> {
        self.inner.route_seed()
    }
    fn vcs(&self) -> u8 {
        self.inner.vcs()
    }
    fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        let (shown, to) = self.shown_source(source);
        self.inner.inject(shown, self.topology.translate_terminal_back(destination, to))
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        self.inner.hop(self.shown(node), input, vc, header)
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        self.inner.output_vc(self.shown(node), input, vc, output)
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        self.inner.adaptive().map(|_| self as &dyn Choices)
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.inner.injection(self.shown_source(source).0)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.inner.select(self.shown(node), input, vc)
    }
    fn carry(&self, node: Node, input: Input, output: Port) -> Carry {
        self.inner.carry(self.shown(node), input, output)
    }
    fn header_legend(&self) -> Vec<String> {
        self.inner.header_legend()
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.inner.oblivious_select(self.shown(node))
    }
    fn has_uniform_headers(&self) -> bool {
        self.inner.has_uniform_headers()
    }
    fn dateline_order(&self) -> Vec<Port> {
        self.inner.dateline_order()
    }
    // Not `dateline_places`: a place of its own for each channel is kept by no translation.
}

impl Choices for Invariant {
    fn hops(&self, node: Node, input: Input, header: Header) -> Vec<Hop> {
        self.choices().hops(self.shown(node), input, header)
    }
    fn choice(&self, node: Node, input: Input) -> Choice {
        self.choices().choice(self.shown(node), input)
    }
    fn has_escape(&self) -> bool {
        self.choices().has_escape()
    }
}

impl Invariant {
    fn choices(&self) -> &dyn Choices {
        self.inner.adaptive().expect("only an adaptive relation is asked for its choices")
    }
}
