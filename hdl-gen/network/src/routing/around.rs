//! Around a directed ring, from node to node.
//!
//! A header holds how many channels the packet still has to go; each hop takes one off. A packet
//! moves to the second virtual channel where it passes the channel that closes the ring (Dally and
//! Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE Trans.
//! Computers C-36(5), 1987).

use super::{
    Build, ChannelOrder, Condition, Draw, Header, HeaderUpdate, Hop, Injection, Input, Output,
    Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::circulant::NEXT;
use crate::topology::{Node, Port, Structure, Terminal};
use std::sync::Arc;
use turnpike_base::bits::bits_for;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "around",
    routes: |network| matches!(network, Structure::DirectedRing),
    summary: "around the ring, on the second VC past the channel that closes it",
    source: "Dally and Seitz, IEEE Trans. Computers C-36(5), 1987",
    build: Build::Fixed(|topology| Ok(around(topology.nodes()))),
};

/// The relation on a ring of so many nodes.
fn around(nodes: u32) -> Relation {
    let legend = vec!["Header bits: the channels still to go.".to_owned()];
    let order = ChannelOrder::ports([NEXT]);
    let relation = Relation::new(KIND.name, order, legend, Arc::new(Around { nodes }));
    relation.with_vcs(2).with_uniform_headers(true)
}

/// Parts of the relation.
#[derive(Debug)]
struct Around {
    nodes: u32,
}

impl Around {
    /// Bits of the distance.
    fn bits(&self) -> u32 {
        bits_for(self.nodes)
    }
}

impl RoutingFunction for Around {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        u64::from((destination.0 + self.nodes - source.0) % self.nodes)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        match header.checked_sub(1) {
            None => Hop { output: Output::EJECT, vc: Vc(0), header: 0 },
            Some(left) => {
                let output = Output::Network(NEXT);
                Hop { output, vc: self.output_vc(node, input, vc, output), header: left }
            }
        }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        match (input, output) {
            (_, Output::Eject(_)) => Vc(0),
            _ if node.0 + 1 == self.nodes => Vc(1),
            (Input::Inject(_), _) => Vc(0),
            (Input::Network(_), _) => vc,
        }
    }
}

impl RouteLogic for Around {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits()
    }
    fn injection(&self, _source: Terminal) -> Injection {
        Injection::modulo("distance", self.nodes)
    }
    fn select(&self, _node: Node, _input: Input, _vc: Vc) -> Select {
        let rules = vec![Rule::on(Condition::value(0, 0).and_any(low_bits(self.bits())), NEXT)];
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::default().counting_down(0, self.bits())
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        Some(self.select(node, Input::INJECT, Vc(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::topology::Topology;
    use crate::topology::circulant::Circulant;

    #[test]
    fn routes_go_around_and_pass_the_dateline_once() {
        for n in [3, 4, 7, 16, 33] {
            let ring = Circulant::directed_ring(n).unwrap();
            let relation = around(n);
            for source in ring.sources() {
                for destination in ring.sinks() {
                    let header = relation.inject(source, destination, Draw::NONE);
                    let injection = relation.injection(source);
                    assert_eq!(injection.header(source, destination, Draw::NONE), header);
                    let steps = route(&ring, &relation, source, destination, Draw::NONE).unwrap();
                    assert_eq!(steps.len() as u64, header + 1);
                    for step in &steps[1..] {
                        assert_eq!(step.vc.0, u8::from(step.node.0 < source.0));
                    }
                }
            }
        }
    }
}
