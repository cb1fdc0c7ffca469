//! One shortest path per pair on the directed cube, in the way of the memo's "How to get from s
//! to t" (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 4).
//!
//! An even node can only cross even dimensions (positions counted from the left), an odd node
//! only odd ones. Each node corrects a bit of its own parity, the first one upward and around
//! from the dimension that the packet came by. Where none is left and the packet is not there,
//! it crosses the first dimension of its own parity all the same: an artificial transition,
//! corrected two steps later. Going around costs fewer virtual channels than going upward from
//! bit 0 each time.

use super::{
    Build, Built, Carried, ChannelOrder, DestinationEncoding, Draw, Header, HeaderUpdate, Hop,
    Injection, Input, Output, Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select,
    Vc, low_bits,
};
use crate::topology::directed_cube::DirectedCube;
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "static",
    routes: |network| matches!(network, Structure::DirectedCube(_)),
    summary: "one shortest path: own bits upward and around, artificial transitions last",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 4",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let Structure::DirectedCube(cube) = topology.structure() else {
        unreachable!("the relation is of directed cubes")
    };
    Ok(of_cube(cube))
}

/// The relation on one cube.
fn of_cube(cube: DirectedCube) -> Relation {
    let order = ChannelOrder::by_number(cube.ports());
    let legend = LEGEND.map(str::to_owned).to_vec();
    Relation::new(KIND.name, order, legend, Arc::new(Static { cube }))
}

/// One shortest path per pair on the directed cube.
#[derive(Debug)]
struct Static {
    cube: DirectedCube,
}

impl Static {
    fn dimension(&self) -> u32 {
        self.cube.dimension()
    }

    /// The dimensions that nodes of one parity cross, in the order in which a packet that came
    /// in by `input` looks at them. The first is that of an artificial transition.
    fn order(&self, odd: bool, input: Input) -> impl Iterator<Item = u32> + use<> {
        let n = self.dimension();
        let own = self.cube.positions(odd);
        let first = match input {
            Input::Inject(_) => 0,
            Input::Network(port) => u32::from(port.0) + 1,
        };
        (0..n).map(move |step| (first + step) % n).filter(move |d| own >> d & 1 == 1)
    }

    /// Whether the nodes that cross this dimension are odd.
    fn parity_of(&self, port: Port) -> bool {
        self.cube.positions(true) >> port.0 & 1 == 1
    }
}

impl RoutingFunction for Static {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        u64::from(source.0 ^ destination.0)
    }
    fn hop(&self, node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        if header == 0 {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        }
        let mut order = self.order(DirectedCube::is_odd(node), input).peekable();
        let artificial = order.peek().copied().unwrap_or(0);
        let dimension = order.find(|d| header >> d & 1 == 1).unwrap_or(artificial);
        let output = Output::Network(Port(dimension as u8));
        Hop { output, vc: Vc(0), header: header ^ 1 << dimension }
    }
}

impl RouteLogic for Static {
    fn header_bits(&self, _input: Input) -> u32 {
        self.dimension()
    }
    fn injection(&self, _source: Terminal) -> Injection {
        Injection::plain(DestinationEncoding::difference(self.dimension()))
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let odd = DirectedCube::is_odd(node);
        let own = self.order(odd, input).map(|d| (d, Port(d as u8)));
        let artificial = self.order(odd, input).next().unwrap_or(0);
        let others = self.order(!odd, input).map(|d| (d, Port(artificial as u8)));
        let rules = own.chain(others).map(|(bit, port)| Rule::bit(bit, port)).collect();
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        let bit = u32::from(output.0);
        let carry = HeaderUpdate::keeping(low_bits(self.dimension()) & !(1 << bit));
        let artificial = self.order(self.parity_of(output), input).next();
        // Only there can the bit that is crossed be right before.
        if artificial == Some(bit) { carry.with(bit, Carried::Inverse(bit)) } else { carry }
    }
}

/// Meaning of the header bits.
const LEGEND: [&str; 2] = [
    "Header bits per port: the bits still to be corrected, by number, and those of",
    "artificial transitions, to be crossed again.",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;

    #[test]
    fn every_route_is_a_shortest_path() {
        for n in 2..=11 {
            let cube = DirectedCube::new(n).unwrap();
            let relation = of_cube(cube);
            for source in [Terminal(0), Terminal(1)] {
                let distances = cube.distances(Node(source.0));
                for destination in cube.sinks() {
                    let steps = route(&cube, &relation, source, destination, Draw::NONE).unwrap();
                    let distance = distances[destination.0 as usize] as usize;
                    assert_eq!(steps.len() - 1, distance, "n={n} {source:?} {destination:?}");
                }
            }
        }
    }
}
