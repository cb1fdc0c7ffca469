//! Every shortest path on the hypercube and on the directed cube.
//!
//! On the hypercube a packet may cross any dimension still to be corrected. On the directed cube
//! (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 4) an even node crosses even
//! dimensions only, an odd node odd ones; where a packet has more to correct of the other parity
//! than of the node's own, it may also cross a dimension that is right already: an artificial
//! transition, which keeps it on a shortest path just then.

use super::Shortest;
use crate::routing::choice::{ADAPTIVE_VC, Choice, Choices, ChosenWay, Outnumbers};
use crate::routing::{
    Carried, Header, HeaderUpdate, Hop, Input, Output, RoutingError, Vc, low_bits,
};
use crate::topology::directed_cube::DirectedCube;
use crate::topology::{Node, Port, Structure, Topology};

/// The largest dimension: beyond it the states of packets on their way are too many to go
/// through.
pub const MOST_DIMENSION: u32 = 14;

/// Dimensions that a node can cross.
#[derive(Debug)]
enum Crossing {
    /// All.
    Any,
    /// Dimensions of the node's own parity.
    Parity(DirectedCube),
}

/// Every shortest path on one cube.
#[derive(Debug)]
pub struct Cube {
    dimension: u32,
    crossing: Crossing,
}

impl Cube {
    /// Shortest paths of a hypercube or a directed cube.
    ///
    /// # Errors
    /// [`RoutingError::Large`] beyond [`MOST_DIMENSION`].
    pub fn new(name: &'static str, topology: &dyn Topology) -> Result<Self, RoutingError> {
        let dimension = topology.size().dim();
        if dimension > MOST_DIMENSION {
            return Err(RoutingError::Large { name, most: MOST_DIMENSION, dimension });
        }
        let crossing = match topology.structure() {
            Structure::DirectedCube(cube) => Crossing::Parity(cube),
            _ => Crossing::Any,
        };
        Ok(Self { dimension, crossing })
    }

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

impl Choices for Cube {
    /// The definition: what brings the packet nearer.
    fn hops(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Vec<Hop> {
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
    fn choice(&self, node: Node, input: Input, _vc: Vc) -> Choice {
        let ways = self.order(node, input).map(|d| ChosenWay::bit(d, Port(d as u8))).collect();
        let own = self.own(node);
        let others = low_bits(self.dimension) & !own;
        let all_if = (others != 0).then_some(Outnumbers { these: others, those: own });
        Choice { ways, all_if }
    }
}

impl Shortest for Cube {
    fn after(&self, output: Port, header: Header) -> Header {
        header ^ 1 << output.0
    }
    /// Header update of a hop: crossing a dimension inverts its bit; on the hypercube the bit was
    /// set.
    fn carry(&self, output: Port) -> HeaderUpdate {
        let bit = u32::from(output.0);
        let carry = HeaderUpdate::keeping(low_bits(self.dimension) & !(1 << bit));
        match self.crossing {
            Crossing::Any => carry,
            Crossing::Parity(_) => carry.with(bit, Carried::Inverse(bit)),
        }
    }
}
