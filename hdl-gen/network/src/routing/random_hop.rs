//! Shortest paths drawn hop by hop, on meshes and hypercubes: where a packet has hops left along several
//! dimensions, bits that its source drew say along which it goes next.
//!
//! A path has the odds 1/2 for each bit that its hops ask for: of two dimensions each has 1/2, of three one
//! 1/2 and two 1/4 ([`halves`]). So paths have not the same odds, as they have under
//! [`super::random_path`]: one that ends a dimension early has less choice from there on.
//!
//! Headers are those of [`to_go`], and above them the draw. Virtual channels are those of one of two ways
//! to leave no cycle of channels that wait for each other:
//! - By direction: the way that a packet goes along each dimension but the first, or up where it does not go
//!   along one, has a virtual channel of its own. On it channels along these dimensions lead one way
//!   (Linder and Harden, An adaptive and fault tolerant wormhole routing strategy for k-ary n-cubes,
//!   IEEE Trans. Computers 40(1), 1991). Of n dimensions that takes 2^(n-1).
//! - By negative hops: nodes have two colours, a hop from an odd node to an even one is negative, and the
//!   virtual channel is the number of negative hops before. Packets on one that hold a channel out of an odd
//!   node wait for no other of it (Gopal, Prevention of store-and-forward deadlock in computer networks,
//!   IEEE Trans. Communications 33(12), 1985; Boppana and Chalasani, A framework for designing
//!   deadlock-free wormhole routing algorithms, IEEE Trans. Parallel and Distributed Systems 7(2), 1996).
//!   Where no route has more than h hops that takes one more than half of h, rounded down.
//!
//! Meshes have the one that takes fewer, by direction where both take as many: half of its virtual
//! channels are in use along a dimension, all along the first alone. Hypercubes have the second, which
//! every translation between nodes of one colour keeps.

mod halves;
#[cfg(test)]
mod tests;
mod to_go;

use super::grid_header::GridHeader;
use super::{
    Build, Built, ChannelOrder, Condition, Draw, Drawn, Header, HeaderUpdate, Hop, Injection,
    Input, Output, Relation, RelationKind, RouteDecision, RouteLogic, RoutingError,
    RoutingFunction, Rule, Select, Vc, drawn_routes,
};
use crate::topology::grid::{Grid, MOST_ROUTED};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use halves::{HalvedRule, Halves};
use std::sync::Arc;
use to_go::ToGo;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "random-hop",
    routes: |network| matches!(network, Structure::Cube) || network.is_mesh(),
    summary: "a shortest path whose next dimension is drawn for each hop, of those that are left",
    source: "Linder and Harden, IEEE Trans. Computers 40(1), 1991, and Gopal, IEEE Trans. \
             Communications 33(12), 1985: their virtual channels",
    build: Build::Fixed(build),
};

/// Most bits of a draw.
const MOST_DRAWN: u32 = 16;

fn build(topology: &dyn Topology) -> Built {
    let (name, instead) = (KIND.name, RoutingError::default_of(topology));
    let to_go = match Grid::of_topology(topology) {
        Some(grid) => ToGo::Mesh(Box::new(GridHeader::new(name, grid, MOST_ROUTED)?)),
        None => ToGo::Cube(topology.size().dim()),
    };
    let (dimensions, longest) = (to_go.dimensions(), to_go.longest());
    if dimensions == 1 {
        return Err(RoutingError::OnePath { name, instead });
    }
    let halves = Halves::new(dimensions, longest, to_go.bits());
    let drawn = halves.bits();
    if drawn > MOST_DRAWN {
        return Err(RoutingError::Hops { name, drawn, most: MOST_DRAWN, instead });
    }
    let (directions, negative_hops) = (1 << (dimensions - 1), longest / 2 + 1);
    let by_direction = matches!(to_go, ToGo::Mesh(_)) && directions <= negative_hops;
    // Routes of so few bits of a draw take no more than 8 either way.
    let vcs = if by_direction { directions } else { negative_hops } as u8;
    let order = ChannelOrder::by_number(to_go.ports());
    let mut legend = to_go.legend();
    legend.extend(halves.legend(&to_go.names()));
    let left = (0..dimensions).map(|dimension| to_go.left(dimension)).collect();
    let parts = RandomHop { to_go, left, halves, by_direction };
    let relation = Relation::new(name, order, legend, Arc::new(parts));
    Ok(relation.with_vcs(vcs).with_draws(1 << drawn).with_uniform_headers(true))
}

/// Whether the relation routes a network, with no more routes than are walked.
pub(super) fn takes(topology: &dyn Topology) -> bool {
    let by_translation = !topology.generators().is_empty();
    (KIND.routes)(&topology.structure())
        && build(topology).is_ok_and(|relation| {
            let (routes, most) = drawn_routes(topology, &relation, by_translation);
            routes <= most
        })
}

/// The relation on one network.
#[derive(Debug)]
struct RandomHop {
    to_go: ToGo,
    /// [`ToGo::left`] by dimension.
    left: Vec<Header>,
    halves: Halves,
    /// Whether virtual channels are those of directions; of negative hops otherwise.
    by_direction: bool,
}

impl RandomHop {
    /// The virtual channels of packets that leave a node, by what their headers have to be.
    fn classes(&self, node: Node, input: Input, Vc(vc): Vc) -> Vec<(Vc, Condition)> {
        let mut classes = vec![(self.kept(node, input, Vc(vc)), Condition::value(0, 0))];
        if !self.by_direction || !input.is_inject() {
            return classes;
        }
        for dimension in 1..self.to_go.dimensions() {
            let ways = self.to_go.ways(node, dimension, input);
            let with = |(Vc(vc), class): (Vc, Condition)| {
                let with = move |(port, when): &(Port, Condition)| {
                    let vc = Vc(vc | (port.0 % 2) << (dimension - 1));
                    (vc, class.and_value(when.care, when.value))
                };
                ways.iter().map(with).collect::<Vec<_>>()
            };
            classes = classes.into_iter().flat_map(with).collect();
        }
        classes
    }

    /// The virtual channel of a new packet by its directions.
    fn direction(&self, node: Node, header: Header) -> Vc {
        let down = |dimension| u8::from(self.to_go.goes_down(node, dimension, header));
        let bits = (1..self.to_go.dimensions()).map(|dimension| down(dimension) << (dimension - 1));
        Vc(bits.sum())
    }

    /// The virtual channel of a packet that leaves a node, where its header does not say it.
    fn kept(&self, node: Node, input: Input, Vc(vc): Vc) -> Vc {
        // A hop that ends at an even node was negative.
        let more = !self.by_direction && self.to_go.is_even(node);
        Vc(if input.is_inject() { 0 } else { vc + u8::from(more) })
    }
}

impl RoutingFunction for RandomHop {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.to_go.inject(source, destination) | u64::from(draw.0) << self.to_go.bits()
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let open =
            self.left.iter().enumerate().fold(0, |open, (dimension, left)| {
                open | u32::from(header & left != 0) << dimension
            });
        let next = self.halves.choose(open, header);
        let Some(port) = self.to_go.onward(node, next, input, header) else {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        };
        let vc = match self.by_direction && input.is_inject() {
            true => self.direction(node, header),
            false => self.kept(node, input, vc),
        };
        let header = self.to_go.after(port, header & self.to_go.mask()) | self.halves.left(header);
        Hop { output: Output::Network(port), vc, header }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        // By direction rules name it at injection, where the header says it.
        if output.is_eject() { Vc(0) } else { self.kept(node, input, vc) }
    }
}

impl RouteLogic for RandomHop {
    fn header_bits(&self, input: Input) -> u32 {
        // The first hop has taken the highest off.
        self.to_go.bits() + self.halves.bits() - u32::from(!input.is_inject())
    }
    fn injection(&self, source: Terminal) -> Injection {
        let drawn = Some(Drawn::Field { low: self.to_go.bits(), bits: self.halves.bits() });
        Injection { drawn, ..self.to_go.injection(source) }
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let classes = self.classes(node, input, vc);
        let along = |HalvedRule { dimension, closed, drawn }: HalvedRule| {
            let closed = closed.iter().fold(0, |mask, &closed| mask | self.left[closed]);
            let classes = classes.clone();
            let ways = self.to_go.ways(node, dimension, input).into_iter();
            ways.flat_map(move |(to, when)| {
                let when = when.and_value(closed | drawn.care, drawn.value);
                let of_class = move |(vc, class): (Vc, Condition)| {
                    // What two say of one bit is the same where both can hold.
                    let both = when.care & class.care;
                    let can = (when.value ^ class.value) & both == 0;
                    let way = RouteDecision { output: Output::Network(to), vc: Some(vc) };
                    can.then(|| Rule { when: when.and_value(class.care, class.value), way })
                };
                classes.clone().into_iter().filter_map(of_class)
            })
        };
        let rules = self.halves.rules().into_iter().flat_map(along).collect();
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        self.halves.taken_off(self.to_go.carry(output))
    }
}
