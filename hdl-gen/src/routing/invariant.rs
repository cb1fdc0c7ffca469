//! A relation that is asked only at the nodes that stand for others.
//!
//! Whatever the node, the inner relation is shown its representative, and a destination is moved
//! with it. So every route is the translate of a route from a representative *by construction*,
//! in networks of any size: what a relation is not shown, it cannot depend on. One walk from each
//! representative then tells all of the network, and no other has to be looked at.

use super::choice::{Choice, Choices};
use super::{Carry, Header, Hop, Injection, Input, Output, Relation, Select, Vc};
use crate::topology::{Node, Port, Topology};
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
    fn inject(&self, source: Node, destination: Node) -> Header {
        let moved = self.topology.translate_back(destination, source);
        self.inner.inject(self.shown(source), moved)
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
    fn injection(&self, node: Node) -> Injection {
        self.inner.injection(self.shown(node))
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
}

impl Invariant {
    fn choices(&self) -> &dyn Choices {
        self.inner.adaptive().expect("only an adaptive relation is asked for its choices")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::twisted::Twisted;
    use crate::routing::{RELATIONS, build};
    use crate::symmetry::Symmetry;
    use crate::topology::TOPOLOGIES;

    /// Whatever it is put around.
    #[test]
    fn what_is_not_shown_does_not_matter() {
        let cube: Arc<dyn Topology> =
            Arc::from((crate::topology::find("hypercube").unwrap().build)(6).unwrap());
        // Node 5 alone goes down its bits, which no translation keeps.
        let peculiar = || {
            let mut relation = Twisted::new(build("ecube", &*cube).unwrap());
            relation.hop = |node, _, _, header, hop| match header.checked_ilog2() {
                Some(bit) if node == Node(5) => {
                    let output = Output::Network(Port(bit as u8));
                    Hop { output, header: header ^ 1 << bit, ..hop }
                }
                _ => hop,
            };
            Box::new(relation)
        };
        assert!(!Symmetry::of(&*cube, &*peculiar()).unwrap().is_by_translation());
        let invariant = Invariant::new(peculiar(), Arc::clone(&cube));
        assert!(Symmetry::of(&*cube, &invariant).unwrap().is_by_translation());
    }

    /// At every node, input and VC; every pair of a source and a destination.
    #[test]
    fn no_relation_of_the_list_is_changed_by_it() {
        let mut tried = 0;
        for kind in TOPOLOGIES {
            let (low, high) = kind.dimensions;
            for dimension in low..=high.min(6) {
                for name in RELATIONS.iter().map(|relation| relation.name) {
                    let mut topology = Some((kind.build)(dimension).unwrap());
                    while let Some(now) = topology.take() {
                        let Ok(relation) = build(name, &*now) else { break };
                        if !Symmetry::of(&*now, &*relation).unwrap().is_by_translation() {
                            topology = now.with_fewer_translations();
                            continue;
                        }
                        let now: Arc<dyn Topology> = Arc::from(now);
                        let plain = build(name, &*now).unwrap();
                        same(&*plain, &Invariant::new(relation, Arc::clone(&now)), &*now);
                        tried += 1;
                    }
                }
            }
        }
        assert!(tried > 60, "{tried}");
    }

    fn same(plain: &dyn Relation, invariant: &Invariant, topology: &dyn Topology) {
        let name = format!("{} on {} {}", plain.name(), topology.name(), topology.dimension());
        let inputs = || {
            let ports = (0..topology.ports()).map(|port| Input::Network(Port(port)));
            [Input::Inject].into_iter().chain(ports)
        };
        for source in topology.terminal_nodes() {
            for destination in topology.terminal_nodes() {
                let headers = [plain, invariant].map(|r| r.inject(source, destination));
                assert_eq!(headers[0], headers[1], "{name}: {source:?} to {destination:?}");
            }
        }
        for node in topology.all_nodes() {
            assert_eq!(plain.injection(node), invariant.injection(node), "{name}");
            assert_eq!(plain.oblivious_select(node), invariant.oblivious_select(node), "{name}");
            for input in inputs() {
                for vc in (0..plain.vcs()).map(Vc) {
                    let logic = [plain, invariant].map(|r| r.select(node, input, vc));
                    assert_eq!(logic[0], logic[1], "{name}: {node:?} {input:?} {vc:?}");
                }
                let carries = |r: &dyn Relation| -> Vec<Carry> {
                    (0..topology.ports()).map(|port| r.carry(node, input, Port(port))).collect()
                };
                assert_eq!(carries(plain), carries(invariant), "{name}: {node:?} {input:?}");
                if let (Some(one), Some(other)) = (plain.adaptive(), invariant.adaptive()) {
                    assert_eq!(one.choice(node, input), other.choice(node, input), "{name}");
                }
            }
        }
    }
}
