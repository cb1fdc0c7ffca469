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

use super::choice::{ADAPTIVE_VC, Choice, Choices, ChosenWay, Outnumbers};
use super::{
    Build, Carried, Carry, Header, Hop, Injection, Input, Output, Relation, RelationKind,
    RoutingError, Select, Vc, directed_static, ecube, low_bits,
};
use crate::topology::directed_cube::{self, DirectedCube};
use crate::topology::{Node, Port, Terminal, Topology, hypercube};

/// The largest dimension: beyond it the states of packets on their way are too many to go
/// through.
pub const MOST_DIMENSION: u32 = 14;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "adaptive",
    topologies: &[hypercube::KIND.name, directed_cube::KIND.name],
    any: false,
    summary: "every shortest path, by what is free; escape channels of ecube or static",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 4; Duato 1993",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Result<Box<dyn Relation>, RoutingError> {
    let dimension = topology.size().dim();
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
            Input::Inject(_) => 0,
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
        let ways = self.order(node, input).map(|d| ChosenWay::bit(d, Port(d as u8))).collect();
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
    fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        self.escape.inject(source, destination)
    }
    fn header_bits(&self, input: Input) -> u32 {
        self.escape.header_bits(input)
    }
    /// The escape relation's.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let from = if vc == ADAPTIVE_VC { Input::INJECT } else { input };
        let hop = self.escape.hop(node, from, Vc(0), header);
        Hop { vc: self.output_vc(node, input, vc, hop.output), ..hop }
    }
    fn output_vc(&self, _node: Node, _input: Input, _vc: Vc, output: Output) -> Vc {
        match output {
            Output::Eject(_) => Vc(0),
            Output::Network(_) => self.first_escape_vc(),
        }
    }
    fn adaptive(&self) -> Option<&dyn Choices> {
        Some(self)
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.escape.injection(source)
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let from = if vc == ADAPTIVE_VC { Input::INJECT } else { input };
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
