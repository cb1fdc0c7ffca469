//! A relation with one thing changed, for tests of what has to notice.

use super::choice::{Choice, Choices};
use super::{Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc};
use crate::topology::{Node, Port, Terminal};

/// Another relation, and what becomes of its answers.
#[derive(Debug)]
pub struct Twisted {
    inner: Box<dyn Relation>,
    /// Of [`Relation::hop`].
    pub hop: fn(Node, Input, Vc, Header, Hop) -> Hop,
    /// Of [`Relation::select`].
    pub select: fn(Node, Input, Vc, Select) -> Select,
    /// Of [`Relation::carry`].
    pub carry: fn(Input, Port, Carry) -> Carry,
    /// Of [`Relation::injection`].
    pub injection: fn(Terminal, Injection) -> Injection,
    /// Of [`Choices::hops`].
    pub hops: fn(Node, Vec<Hop>) -> Vec<Hop>,
    /// Of [`Choices::choice`].
    pub choice: fn(Input, Choice) -> Choice,
}

impl Twisted {
    /// The relation itself, as yet.
    pub fn new(inner: Box<dyn Relation>) -> Self {
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
    fn hops(&self, node: Node, input: Input, header: Header) -> Vec<Hop> {
        let choices = self.inner.adaptive().expect("asked by `adaptive`");
        (self.hops)(node, choices.hops(node, input, header))
    }
    fn choice(&self, node: Node, input: Input) -> Choice {
        let choices = self.inner.adaptive().expect("asked by `adaptive`");
        (self.choice)(input, choices.choice(node, input))
    }
    fn has_escape(&self) -> bool {
        self.inner.adaptive().is_some_and(Choices::has_escape)
    }
}

impl Relation for Twisted {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn vcs(&self) -> u8 {
        self.inner.vcs()
    }
    fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        self.inner.inject(source, destination)
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.inner.header_bits(input)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        (self.hop)(node, input, vc, header, self.inner.hop(node, input, vc, header))
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        self.inner.output_vc(node, input, vc, output)
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        self.inner.adaptive().map(|_| self as &dyn Choices)
    }
    fn injection(&self, source: Terminal) -> Injection {
        (self.injection)(source, self.inner.injection(source))
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        (self.select)(node, input, vc, self.inner.select(node, input, vc))
    }
    fn carry(&self, node: Node, input: Input, output: Port) -> Carry {
        (self.carry)(input, output, self.inner.carry(node, input, output))
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
