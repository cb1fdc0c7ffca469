//! A relation with one thing changed, for tests of what has to notice.

use super::choice::{Choice, Choices};
use super::{
    Draw, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation, RouteLogic,
    RoutingFunction, Select, Vc,
};
use crate::topology::{Node, Port, Terminal};

/// Another relation, and what becomes of its answers.
#[derive(Clone, Debug)]
pub struct Twisted {
    inner: Relation,
    /// Change of [`RoutingFunction::hop`].
    pub hop: fn(Node, Input, Vc, Header, Hop) -> Hop,
    /// Change of [`RouteLogic::select`].
    pub select: fn(Node, Input, Vc, Select) -> Select,
    /// Change of [`RouteLogic::carry`].
    pub carry: fn(Input, Port, HeaderUpdate) -> HeaderUpdate,
    /// Change of [`RouteLogic::injection`].
    pub injection: fn(Terminal, Injection) -> Injection,
    /// Change of [`Choices::hops`].
    pub hops: fn(Node, Vec<Hop>) -> Vec<Hop>,
    /// Change of [`Choices::choice`].
    pub choice: fn(Input, Choice) -> Choice,
}

impl Twisted {
    /// The relation itself, as yet.
    pub fn new(inner: Relation) -> Self {
        Self {
            inner,
            hop: |_, _, _, _, hop| hop,
            select: |_, _, _, select| select,
            carry: |_, _, carry| carry,
            injection: |_, injection| injection,
            hops: |_, hops| hops,
            choice: |_, choice| choice,
        }
    }
}

impl Choices for Twisted {
    fn hops(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vec<Hop> {
        let choices = self.inner.choices().expect("asked of relations that have them");
        (self.hops)(node, choices.hops(node, input, vc, header))
    }
    fn choice(&self, node: Node, input: Input, vc: Vc) -> Choice {
        let choices = self.inner.choices().expect("asked of relations that have them");
        (self.choice)(input, choices.choice(node, input, vc))
    }
    fn adaptive_vc(&self, input: Input, vc: Vc) -> Option<Vc> {
        self.inner.choices()?.adaptive_vc(input, vc)
    }
    fn are_of_ports(&self) -> bool {
        self.inner.chooses_ports()
    }
}

impl RoutingFunction for Twisted {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.inner.inject(source, destination, draw)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        (self.hop)(node, input, vc, header, self.inner.hop(node, input, vc, header))
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        self.inner.output_vc(node, input, vc, output)
    }
}

impl RouteLogic for Twisted {
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn injection(&self, source: Terminal) -> Injection {
        (self.injection)(source, self.inner.injection(source))
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        (self.select)(node, input, vc, self.inner.select(node, input, vc))
    }
    fn carry(&self, node: Node, input: Input, vc: Vc, to: (Port, Vc)) -> HeaderUpdate {
        (self.carry)(input, to.0, self.inner.carry(node, input, vc, to))
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        self.inner.oblivious_select(node)
    }
}

impl Twisted {
    /// The whole relation.
    pub fn relation(&self) -> Relation {
        self.inner.clone().behind(self.clone())
    }
}
