//! Every shortest path, on the hypercube and on the directed cube, with escape channels
//! ([`super::choice`]).
//!
//! On the hypercube a packet may cross any dimension still to be corrected. On the directed cube
//! (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 4) an even node crosses even
//! dimensions only, an odd node odd ones; where a packet has more to correct of the other parity
//! than of the node's own, it may also cross a dimension that is right already: an artificial
//! transition, which keeps it on a shortest path just then.
//!
//! The escape relations are `ecube` and `static`. Headers are theirs: the bits in which this node
//! differs from the destination.

use super::choice::{ADAPTIVE_VC, Choice, Choices, Outnumbers};
use super::{
    Build, Carried, Carry, Header, Hop, Injection, Input, Output, Relation, RelationKind,
    RoutingError, Select, Vc, directed_static, ecube, low_bits,
};
use crate::topology::directed_cube::{self, DirectedCube};
use crate::topology::{Node, Port, Topology, hypercube};

/// The largest dimension: beyond it the states of packets on their way are too many to go
/// through.
pub const MOST_DIMENSION: u32 = 14;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "adaptive",
    topologies: &[hypercube::KIND.name, directed_cube::KIND.name],
    summary: "every shortest path, by what is free; escape channels of ecube or static",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 4; Duato 1993",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Result<Box<dyn Relation>, RoutingError> {
    let dimension = topology.dimension();
    if dimension > MOST_DIMENSION {
        let (name, most) = (KIND.name, MOST_DIMENSION);
        return Err(RoutingError::Large { name, most, dimension });
    }
    let directed = topology.name() == directed_cube::KIND.name;
    let crossing = match directed.then(|| DirectedCube::new(dimension)) {
        Some(Ok(cube)) => Crossing::Parity(cube),
        _ => Crossing::Any,
    };
    let escape = if directed { directed_static::KIND.name } else { ecube::KIND.name };
    Ok(Box::new(Adaptive { dimension, crossing, escape: super::build(escape, topology)? }))
}

/// Which dimensions a node can cross.
#[derive(Debug)]
enum Crossing {
    /// All.
    Any,
    /// Those of its own parity.
    Parity(DirectedCube),
}

/// Every shortest path, with an escape relation.
#[derive(Debug)]
pub struct Adaptive {
    dimension: u32,
    crossing: Crossing,
    escape: Box<dyn Relation>,
}

impl Adaptive {
    /// The dimensions that a node can cross, as bits.
    fn own(&self, node: Node) -> Header {
        match &self.crossing {
            Crossing::Any => low_bits(self.dimension),
            Crossing::Parity(cube) => cube.positions(DirectedCube::is_odd(node)).into(),
        }
    }

    /// The channels from a node to where `header` is corrected.
    fn distance(&self, node: Node, header: Header) -> u32 {
        match &self.crossing {
            Crossing::Any => header.count_ones(),
            Crossing::Parity(cube) => cube.distance(node, Node(node.0 ^ header as u32)),
        }
    }

    /// A node's dimensions upward and around from the one that the packet came by: packets that
    /// could go anywhere go on evenly.
    fn order(&self, node: Node, input: Input) -> impl Iterator<Item = u32> + use<> {
        let (n, own) = (self.dimension, self.own(node));
        let first = match input {
            Input::Inject => 0,
            Input::Network(port) => u32::from(port.0) + 1,
        };
        (0..n).map(move |step| (first + step) % n).filter(move |d| own >> d & 1 == 1)
    }
}

impl Choices for Adaptive {
    /// The definition: what brings the packet nearer.
    fn hops(&self, node: Node, input: Input, header: Header) -> Vec<Hop> {
        if header == 0 {
            return Vec::new();
        }
        let distance = self.distance(node, header);
        let hop = |d: u32| {
            let (next, header) = (Node(node.0 ^ 1 << d), header ^ 1 << d);
            let output = Output::Network(Port(d as u8));
            let nearer = self.distance(next, header) + 1 == distance;
            nearer.then_some(Hop { output, vc: ADAPTIVE_VC, header })
        };
        self.order(node, input).filter_map(hop).collect()
    }
    /// Crossing an own bit always brings the packet nearer; an artificial transition does where
    /// the bits of the other parity are more.
    fn choice(&self, node: Node, input: Input) -> Choice {
        let ways = self.order(node, input).map(|d| (d, Port(d as u8))).collect();
        let own = self.own(node);
        let others = low_bits(self.dimension) & !own;
        let all_if = (others != 0).then_some(Outnumbers { these: others, those: own });
        Choice { ways, all_if }
    }
}

impl Relation for Adaptive {
    fn name(&self) -> &str {
        KIND.name
    }
    fn vcs(&self) -> u8 {
        ADAPTIVE_VC.0 + 1 + self.escape.vcs()
    }
    fn inject(&self, source: Node, destination: Node) -> Header {
        self.escape.inject(source, destination)
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.escape.header_bits(input)
    }
    /// The escape relation's.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let from = if vc == ADAPTIVE_VC { Input::Inject } else { input };
        let hop = self.escape.hop(node, from, Vc(0), header);
        Hop { vc: self.output_vc(node, input, vc, hop.output), ..hop }
    }
    fn output_vc(&self, _node: Node, _input: Input, _vc: Vc, output: Output) -> Vc {
        match output {
            Output::Eject => Vc(0),
            Output::Network(_) => self.first_escape_vc(),
        }
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        Some(self)
    }
    fn injection(&self, node: Node) -> Injection {
        self.escape.injection(node)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let from = if vc == ADAPTIVE_VC { Input::Inject } else { input };
        self.escape.select(node, from, Vc(0))
    }
    /// Whoever crosses a dimension turns its bit over; on the hypercube it was set.
    fn carry(&self, _node: Node, _input: Input, output: Port) -> Carry {
        let bit = u32::from(output.0);
        let carry = Carry::keeping(low_bits(self.dimension) & !(1 << bit));
        match self.crossing {
            Crossing::Any => carry,
            Crossing::Parity(_) => carry.with(bit, Carried::Inverse(bit)),
        }
    }
    fn header_legend(&self) -> Vec<String> {
        let mut legend = self.escape.header_legend();
        legend.push("VC 0 is adaptive, those above are escape channels.".into());
        legend
    }
    fn oblivious_select(&self, _node: Node) -> Option<Select> {
        None
    }
    fn dateline_order(&self) -> Vec<Port> {
        self.escape.dateline_order()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use crate::topology::paths::Paths;
    use std::collections::BTreeMap;

    fn network(topology: &str, dimension: u32) -> Network {
        Network::new(topology, dimension, Some("adaptive"), None).unwrap()
    }

    const SMALL: [(&str, u32); 2] = [("hypercube", 1), ("directed-cube", 2)];

    /// Ways from `node` with so much to correct, by the relation's choices.
    fn by_choice(
        choices: &dyn Choices,
        known: &mut BTreeMap<(Node, Header), u128>,
        node: Node,
        header: Header,
    ) -> u128 {
        if header == 0 {
            return 1;
        }
        if let Some(&ways) = known.get(&(node, header)) {
            return ways;
        }
        let hops = choices.hops(node, Input::Inject, header);
        let ways = hops.iter().map(|hop| {
            let Output::Network(Port(d)) = hop.output else { return 0 };
            by_choice(choices, known, Node(node.0 ^ 1 << d), hop.header)
        });
        let ways = ways.sum();
        known.insert((node, header), ways);
        ways
    }

    #[test]
    fn every_shortest_path_and_no_other() {
        for (name, least) in SMALL {
            for n in least..=7 {
                let network = network(name, n);
                let topology = network.topology();
                let choices = network.relation().adaptive().unwrap();
                let mut paths = Paths::new(topology);
                for source in [Node(0), Node(1)] {
                    let wanted = paths.from(source);
                    let mut known = BTreeMap::new();
                    for destination in topology.all_nodes() {
                        let header = network.relation().inject(source, destination);
                        let found = by_choice(choices, &mut known, source, header);
                        let wanted = wanted.count(destination);
                        assert_eq!(found, wanted, "{name} {n}: {source:?} {destination:?}");
                    }
                }
            }
        }
    }

    /// For every node, input and header, wanted or not.
    #[test]
    fn definition_and_hardware_agree() {
        for (name, least) in SMALL {
            for n in least..=8 {
                let relation = network(name, n);
                let (topology, relation) = (relation.topology(), relation.relation());
                let choices = relation.adaptive().unwrap();
                let ports = (0..topology.ports()).map(|p| Input::Network(Port(p)));
                for input in ports.chain([Input::Inject]) {
                    for node in [Node(0), Node(1)] {
                        let choice = choices.choice(node, input);
                        for header in 0..1 << n {
                            let hops = choices.hops(node, input, header);
                            let defined: Vec<Output> = hops.iter().map(|hop| hop.output).collect();
                            let built: Vec<Output> =
                                choice.ports(header).map(Output::Network).collect();
                            assert_eq!(defined, built, "{name} {n} {node:?} {header:b}");
                        }
                    }
                }
            }
        }
    }

    /// As many escape channels as the escape relation needs alone, and one VC more.
    #[test]
    fn certificates_are_those_of_the_escape_relation() {
        for n in 2..=8 {
            for (name, escape) in [("hypercube", "ecube"), ("directed-cube", "static")] {
                let adaptive = network(name, n);
                let alone = Network::new(name, n, Some(escape), None).unwrap();
                assert_eq!(adaptive.relation().vcs(), 1 + alone.relation().vcs(), "{name} {n}");
                let (found, wanted) =
                    (adaptive.certificate().unwrap(), alone.certificate().unwrap());
                assert_eq!(found.numbers.len(), wanted.numbers.len(), "{name} {n}");
                assert!(found.numbers.iter().all(|number| number.vc > ADAPTIVE_VC));
            }
        }
    }

    #[test]
    fn sizes_and_vcs_that_do_not_go_are_refused() {
        let error = Network::new("hypercube", 15, Some("adaptive"), None).unwrap_err();
        assert_eq!(error.to_string(), "routing 'adaptive' goes up to dimension 14, not 15");
        let error = Network::new("hypercube", 4, Some("adaptive"), Some(1)).unwrap_err();
        assert!(error.to_string().contains("beside its escape channels"), "{error}");
    }
}
