//! Shifting in the destination's letters on networks of words: those that are not at the end of the
//! source's word already, one with each channel (Pradhan and Reddy, A fault-tolerant communication
//! architecture for distributed systems, IEEE Trans. Computers C-31(9), 1982). It is the one
//! shortest path.
//!
//! The header holds how many letters are still to come, and above that number the letters, the
//! next lowest, each as the port that shifts it in. Which they are is looked up at the source. So no
//! switch knows where it stands.
//!
//! Deadlock: a channel is a word of one letter more than a node. Mykkeltveit's set
//! ([`super::mykkeltveit`]) cuts every cycle of channels, so there is an order in which turns ascend
//! but for some of those onto channels of the set; the dateline follows it. (Of words of one letter
//! every route is one channel.)

use super::mykkeltveit::is_cut;
use super::{
    Build, Built, Carried, ChannelOrder, Condition, Draw, Header, HeaderUpdate, Hop, Injection,
    Input, Output, Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::words::Words;
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use std::sync::Arc;
use turnpike_base::bits::bits_for;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "shift",
    routes: |network| matches!(network, Structure::Words(_)),
    summary: "shift in the destination's letters that are missing",
    source: "Pradhan and Reddy, IEEE Trans. Computers C-31(9), 1982",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let words = Words::of_topology(topology).expect("the relation is of networks of words");
    let (letter, count) = (bits_for(words.arity()), bits_for(words.length() + 1));
    let ports = (0..words.ports()).map(Port).collect();
    let order = ChannelOrder { ports, places: Some(places(&words)) };
    let parts = Shift { words, letter, count };
    let relation = Relation::new(KIND.name, order, parts.legend(), Arc::new(parts));
    Ok(relation.with_uniform_headers(true))
}

/// The relation on one network.
#[derive(Debug)]
struct Shift {
    words: Words,
    /// Bits of a letter.
    letter: u32,
    /// Bits of the number of letters.
    count: u32,
}

/// An order of the channels, by node and port, in which turns ascend but for some of those onto
/// channels that are cut.
fn places(words: &Words) -> Vec<u32> {
    let ports = || (0..words.ports()).map(Port);
    let channel = |node: Node, port: Port| node.0 * words.arity() + u32::from(port.0);
    let mut places: Vec<u32> = (0..words.nodes() * words.arity()).collect();
    if words.length() == 1 {
        return places;
    }
    let mut graph = DiGraph::<(), (), u32>::new();
    for _ in &places {
        graph.add_node(());
    }
    for (node, port) in words.all_nodes().flat_map(|node| ports().map(move |port| (node, port))) {
        let Some((to, _)) = words.channel(node, port) else { continue };
        for next in ports().filter(|&next| !is_cut(&words.channel_word(to, next))) {
            graph.add_edge(channel(node, port).into(), channel(to, next).into(), ());
        }
    }
    let order = toposort(&graph, None).expect("the set cuts every cycle");
    (0..).zip(order).for_each(|(place, channel)| places[channel.index()] = place);
    places
}

impl Shift {
    /// Bits of a header.
    fn bits(&self) -> u32 {
        self.count + self.words.length() * self.letter
    }
}

impl RoutingFunction for Shift {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        let ports = self.words.shortest(Node(source.0), Node(destination.0));
        let letters =
            ports.iter().rev().fold(0, |all, port| all << self.letter | u64::from(port.0));
        letters << self.count | ports.len() as u64
    }
    fn hop(&self, _node: Node, _input: Input, _vc: Vc, header: Header) -> Hop {
        if header & low_bits(self.count) == 0 {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        }
        let port = Port((header >> self.count & low_bits(self.letter)) as u8);
        let output = Output::Network(port);
        // A letter less, and the others move down.
        let letters = header >> (self.count + self.letter) << self.count;
        Hop { output, vc: Vc(0), header: letters | ((header & low_bits(self.count)) - 1) }
    }
}

impl RouteLogic for Shift {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits()
    }
    fn injection(&self, source: Terminal) -> Injection {
        let bits = self.words.address_bits();
        let header = |destination| self.inject(source, destination, Draw::NONE);
        Injection::by_address("letters", bits, self.bits(), self.words.nodes(), header)
    }
    fn select(&self, _node: Node, _input: Input, _vc: Vc) -> Select {
        let next = low_bits(self.letter) << self.count;
        let rule = |port: u32| {
            let is_next = Condition::value(next, u64::from(port) << self.count);
            Rule::on(is_next.and_any(low_bits(self.count)), Port(port as u8))
        };
        let rules = (0..self.words.arity()).map(rule).collect();
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        let less = HeaderUpdate::default().counting_down(0, self.count);
        let left = self.count..self.bits() - self.letter;
        left.fold(less, |carry, bit| carry.with(bit, Carried::Bit(bit + self.letter)))
    }
    fn oblivious_select(&self, node: Node) -> Option<Select> {
        Some(self.select(node, Input::INJECT, Vc(0)))
    }
}

impl Shift {
    fn legend(&self) -> Vec<String> {
        vec![
            format!("Header bits per port: {} to 0, how many letters are to come; above,", {
                self.count - 1
            }),
            format!("the letters, {} bits each, as the ports that shift them in.", self.letter),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::{Step, route};
    use crate::topology::Size;
    use crate::topology::parameter::{ARITY, DIM};
    use crate::topology::words::{DE_BRUIJN, KAUTZ};

    /// Every route is a shortest path, and the route logic and the injector do what the definition
    /// says.
    #[test]
    fn routes_are_shortest() {
        for (arity, length) in [(2, 1), (2, 2), (2, 4), (3, 1), (3, 3), (5, 2)] {
            for kind in [DE_BRUIJN, KAUTZ] {
                let network = kind.build(Size::of([(&ARITY, arity), (&DIM, length)])).unwrap();
                let relation = super::build(&*network).unwrap();
                for source in network.sources() {
                    let distances = network.distances(Node(source.0));
                    let injection = relation.injection(source);
                    for destination in network.sinks() {
                        let header = relation.inject(source, destination, Draw::NONE);
                        assert_eq!(injection.header(source, destination, Draw::NONE), header);
                        let steps =
                            route(&*network, &relation, source, destination, Draw::NONE).unwrap();
                        assert_eq!(steps.len() as u32 - 1, distances[destination.0 as usize]);
                        for Step { node, input, vc, header, hop } in &steps {
                            let logic = relation.select(*node, *input, *vc);
                            assert_eq!(logic.output(*header), hop.output);
                            if let Output::Network(port) = hop.output {
                                let carry = relation.carry(*node, *input, *vc, (port, hop.vc));
                                assert_eq!(carry.apply(*header), hop.header);
                            }
                        }
                    }
                }
            }
        }
    }
}
