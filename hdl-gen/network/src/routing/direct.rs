//! Shortest paths of networks so small that each pair has one: by the channel to the destination
//! where all nodes are connected, and by way of the hub of a star (Dally and Towles, Principles and
//! Practices of Interconnection Networks, section 3.1.1).
//!
//! Fully connected: the header is the destination less the source modulo N, which is the port's
//! number. Behind a channel nothing is left to decide.
//!
//! Star: the header is source XOR destination. A node looks whether it is 0. An input of the hub
//! comes from one node, so it knows the source, and with it the destination.

use super::{
    Build, Built, ChannelOrder, Condition, DestinationEncoding, Draw, Header, HeaderUpdate, Hop,
    Injection, Input, Output, Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select,
    Vc, low_bits,
};
use crate::topology::star::{Star, TO_HUB};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "direct",
    routes: |network| matches!(network, Structure::Full | Structure::Star(_)),
    summary: "by the channel to the destination, or by way of the hub",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, section 3.1.1",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let star = match topology.structure() {
        Structure::Star(star) => Some(star),
        _ => None,
    };
    let (bits, terminals) = (topology.address_bits(), topology.terminals());
    let parts = Direct { star, bits, terminals };
    let order = ChannelOrder::by_number(topology.ports());
    Ok(Relation::new(KIND.name, order, parts.legend(), Arc::new(parts)))
}

/// The relation on a fully connected network or a star.
#[derive(Debug)]
struct Direct {
    /// The star; `None` for the fully connected network.
    star: Option<Star>,
    /// Bits of an address.
    bits: u32,
    terminals: u32,
}

impl Direct {
    /// The node from which packets come to the hub by this input, at the hub of a star.
    fn leaf(&self, node: Node, input: Input) -> Option<(Star, Node)> {
        let star = self.star.filter(|star| star.hub() == node)?;
        match input {
            Input::Network(port) => star.leaf(port).map(|leaf| (star, leaf)),
            Input::Inject(_) => None,
        }
    }

    /// Output of the hub for a packet that comes from `leaf`.
    fn from_hub(star: Star, leaf: Node, header: Header) -> Output {
        let to = Node(leaf.0 ^ header as u32);
        match to.0 < star.terminals() {
            true => Output::Network(Star::to_leaf(to)),
            // No packet: to no address.
            false => Output::EJECT,
        }
    }

    /// Output of a fully connected node for a packet of its own.
    fn to_port(&self, header: Header) -> Output {
        match header.checked_sub(1) {
            Some(port) if header < self.terminals.into() => Output::Network(Port(port as u8)),
            _ => Output::EJECT,
        }
    }
}

impl RoutingFunction for Direct {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        self.injection(source).header(source, destination, Draw::NONE)
    }
    fn hop(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        let (output, kept) = match (self.leaf(node, input), input) {
            (Some((star, leaf)), _) => (Self::from_hub(star, leaf, header), 0),
            (None, Input::Network(_)) => (Output::EJECT, 0),
            (None, Input::Inject(_)) if self.star.is_none() => (self.to_port(header), 0),
            (None, Input::Inject(_)) => match header {
                0 => (Output::EJECT, 0),
                _ => (Output::Network(TO_HUB), header),
            },
        };
        Hop { output, vc: Vc(0), header: kept }
    }
}

impl RouteLogic for Direct {
    fn header_bits(&self, input: Input) -> u32 {
        match (input, self.star) {
            (Input::Inject(_), _) => self.bits,
            (Input::Network(port), Some(star)) if star.leaf(port).is_some() => self.bits,
            (Input::Network(_), _) => 0,
        }
    }
    fn injection(&self, _source: Terminal) -> Injection {
        match self.star {
            Some(_) => Injection::plain(DestinationEncoding::difference(self.bits)),
            None => Injection::modulo("port", self.terminals),
        }
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let table = |output: &dyn Fn(Header) -> Output| {
            let ways = (0..1 << self.bits).map(|header| output(header).into()).collect();
            Select::Table { low: 0, bits: self.bits, ways }
        };
        let rules = match (self.leaf(node, input), input) {
            (Some((star, leaf)), _) => {
                return table(&|header| Self::from_hub(star, leaf, header));
            }
            (None, Input::Network(_)) => Vec::new(),
            (None, Input::Inject(_)) if self.star.is_none() => {
                return table(&|header| self.to_port(header));
            }
            (None, Input::Inject(_)) => {
                vec![Rule::on(Condition::value(0, 0).and_any(low_bits(self.bits)), TO_HUB)]
            }
        };
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        match (self.star, input) {
            (Some(_), Input::Inject(_)) => HeaderUpdate::keeping(low_bits(self.bits)),
            _ => HeaderUpdate::default(),
        }
    }
}

impl Direct {
    fn legend(&self) -> Vec<String> {
        vec![match self.star {
            Some(_) => "Header bits: source XOR destination, as far as the hub.".to_owned(),
            None => "Header bits, at injection alone: the port's number, 0 to eject.".to_owned(),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::topology::{Size, find};

    /// Every route is as long as the distance, and the injector of its source makes its header.
    #[test]
    fn routes_are_shortest() {
        for topology in ["full", "star"] {
            for n in [2, 3, 5, 8, 13, 64] {
                let network = find(topology).unwrap().build(Size::of_nodes(n)).unwrap();
                let relation = super::build(&*network).unwrap();
                for source in network.sources() {
                    let distances = network.distances(Node(source.0));
                    for destination in network.sinks() {
                        let steps =
                            route(&*network, &relation, source, destination, Draw::NONE).unwrap();
                        let last = steps.last().unwrap();
                        assert_eq!((last.node.0, last.header), (destination.0, 0));
                        let length = steps.len() as u32 - 1;
                        assert_eq!(length, distances[destination.0 as usize], "{topology} {n}");
                    }
                }
            }
        }
    }
}
