//! A relation that is asked only at the nodes that stand for others.
//!
//! Whatever the node, the inner relation is shown its representative, and a destination is moved
//! with it. So every route is the translate of a route from a representative *by construction*,
//! in networks of any size: what a relation is not shown, it cannot depend on. One walk from each
//! representative then tells all of the network, and no other has to be looked at.

use super::choice::{Choice, Choices};
use super::{
    Draw, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation, RouteLogic,
    RoutingFunction, Select, Vc,
};
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;

/// Shows a relation the representatives of `topology` and no other node.
pub fn invariant(inner: Relation, topology: Arc<dyn Topology>) -> Relation {
    let mut relation = inner.clone().behind(Invariant { inner, topology });
    // A place of its own for each channel is kept by no translation.
    relation.order.places = None;
    relation
}

/// A relation behind the translations of its network.
#[derive(Debug)]
struct Invariant {
    inner: Relation,
    topology: Arc<dyn Topology>,
}

impl Invariant {
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

impl RoutingFunction for Invariant {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let (shown, to) = self.shown_source(source);
        self.inner.inject(shown, self.topology.translate_terminal_back(destination, to), draw)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        self.inner.hop(self.shown(node), input, vc, header)
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        self.inner.output_vc(self.shown(node), input, vc, output)
    }
}

impl RouteLogic for Invariant {
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.inner.injection(self.shown_source(source).0)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        self.inner.select(self.shown(node), input, vc)
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, to: (Port, Vc)) -> HeaderUpdate {
        self.inner.carry(self.shown(node), input, vc, to)
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.inner.oblivious_select(self.shown(node))
    }
}

impl Choices for Invariant {
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop> {
        self.choices().hops(self.shown(node), input, vc, header)
    }
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        self.choices().choice(self.shown(node), input, vc)
    }
    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        self.choices().adaptive_vc(input, vc)
    }
    fn are_of_ports(&self) -> bool {
        self.choices().are_of_ports()
    }
    fn beside(&self, input: Input, vc: Vc, routed: Vc) -> Vec<Vc> {
        self.choices().beside(input, vc, routed)
    }
}

impl Invariant {
    fn choices(&self) -> &dyn Choices {
        self.inner.choices().expect("asked of relations that have them")
    }
}
