//! Shortest paths drawn hop by hop: where a packet has to go along X and along Y,
//! a bit that its source drew says which comes next, with equal odds. On meshes of two dimensions.
//!
//! A path has the odds 1/2 for each of its hops with a choice, the product over its hops of one over the
//! ways that are open. So paths have not the same odds, as they have under [`super::random_path`]: one
//! that ends a dimension early has no choice from there on.
//!
//! Headers are those of [`super::grid_header`], and above them a bit for each hop that may have a choice,
//! that of the next hop lowest: every hop takes one off. Packets that go up along Y, or not along Y, and
//! packets that go down along Y have a virtual channel of their own (Linder and Harden, An adaptive and
//! fault tolerant wormhole routing strategy for k-ary n-cubes, IEEE Trans. Computers 40(1), 1991): on
//! each of them channels along Y lead one way, so that no waits close to a cycle.

use super::dimension_order;
use super::grid_header::GridHeader;
use super::{
    Build, Built, Carried, ChannelOrder, Condition, Draw, Drawn, Header, HeaderUpdate, Hop,
    Injection, Input, Output, Relation, RelationKind, RouteDecision, RouteLogic, RoutingError,
    RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::grid::{Grid, MOST_ROUTED};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "random-hop",
    routes: Structure::is_mesh,
    summary: "X or Y drawn for each hop where both are left; a virtual channel for each way along Y",
    source: "Linder and Harden, IEEE Trans. Computers 40(1), 1991: its virtual channels",
    build: Build::Fixed(build),
};

const X: usize = 0;
const Y: usize = 1;
/// Most bits of a draw.
const MOST_DRAWN: u32 = 16;

fn build(topology: &dyn Topology) -> Built {
    let grid = Grid::of_topology(topology).expect("the relation is of grids");
    let (name, only) = (KIND.name, 2);
    let &[width, height] = grid.sides() else {
        let (dimensions, topology, instead) =
            (grid.sides().len(), topology.name(), dimension_order::KIND.name);
        return Err(RoutingError::Dimensions { name, topology, only, dimensions, instead });
    };
    // In the last hop with a choice one hop is left along each.
    let drawn = width + height - 3;
    if drawn > MOST_DRAWN {
        return Err(RoutingError::Hops { name, drawn, most: MOST_DRAWN });
    }
    let headers = GridHeader::new(name, grid, MOST_ROUTED)?;
    let order = ChannelOrder::by_number(grid.ports());
    let low = headers.bits();
    let mut legend = headers.legend();
    legend.push(format!("From bit {low} on a bit for each hop, the next lowest: where both are"));
    legend.push("left 0 leads along X and 1 along Y.".to_owned());
    let relation = Relation::new(name, order, legend, Arc::new(RandomHop { headers, drawn }));
    Ok(relation.with_vcs(2).with_draws(1 << drawn).with_uniform_headers(true))
}

/// The relation on one mesh.
#[derive(Debug)]
struct RandomHop {
    headers: GridHeader,
    /// Bits of a draw.
    drawn: u32,
}

impl RandomHop {
    /// The header bit that says how the next hop goes.
    fn next(&self) -> Header {
        1 << self.headers.bits()
    }

    /// The bits of the distances and directions.
    fn to_go(&self) -> Header {
        low_bits(self.headers.bits())
    }

    /// The virtual channels of new packets, by what their headers have to be: one for each way along Y.
    fn classes(&self, node: Node) -> impl Iterator<Item = (Vc, Condition)> + use<> {
        let ways = self.headers.directions(node, Y, Input::INJECT).into_iter();
        ways.map(|(to, when)| (Vc(to.minus.into()), Condition::value(when.care, when.value)))
    }

    /// The virtual channel of a packet.
    fn class(&self, node: Node, input: Input, vc: Vc, header: Header) -> Vc {
        if !input.is_inject() {
            return vc;
        }
        let mut classes = self.classes(node).filter(|(_, when)| when.holds(header));
        classes.next().map_or(Vc(0), |(vc, _)| vc)
    }
}

impl RoutingFunction for RandomHop {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.headers.inject(source, destination) | u64::from(draw.0) << self.headers.bits()
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let [x, y] = [X, Y].map(|dimension| self.headers.onward(node, dimension, input, header));
        let onward = if header & self.next() == 0 { x.or(y) } else { y.or(x) };
        let Some(onward) = onward else {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        };
        let port = onward.port();
        let vc = self.class(node, input, vc, header);
        let left = header >> 1 & !self.to_go();
        let header = self.headers.after(port, header & self.to_go()) | left;
        Hop { output: Output::Network(port), vc, header }
    }
    fn output_vc(&self, _node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        // Rules name it at injection, where the header says it.
        if input.is_inject() || output.is_eject() { Vc(0) } else { vc }
    }
}

impl RouteLogic for RandomHop {
    fn header_bits(&self, input: Input) -> u32 {
        // The first hop has taken one off.
        self.headers.bits() + self.drawn - u32::from(!input.is_inject())
    }
    fn injection(&self, source: Terminal) -> Injection {
        let drawn = Some(Drawn::Field { low: self.headers.bits(), bits: self.drawn });
        Injection { drawn, ..self.headers.injection(source) }
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let classes: Vec<(Vc, Condition)> = match input.is_inject() {
            true => self.classes(node).collect(),
            false => vec![(vc, Condition::value(0, 0))],
        };
        let along = |dimension: usize, care: Header, value: Header| {
            let classes = classes.clone();
            let directions = self.headers.directions(node, dimension, input).into_iter();
            directions.flat_map(move |(to, when)| {
                let when = when.and_value(care, value);
                let of_class = move |(vc, class): (Vc, Condition)| {
                    // What two say of one bit is the same where both can hold.
                    let both = when.care & class.care;
                    let can = (when.value ^ class.value) & both == 0;
                    let way = RouteDecision { output: Output::Network(to.port()), vc: Some(vc) };
                    can.then(|| Rule { when: when.and_value(class.care, class.value), way })
                };
                classes.clone().into_iter().filter_map(of_class)
            })
        };
        let [x, y] = [X, Y].map(|dimension| self.headers.far(dimension));
        let rules = along(X, y, 0)
            .chain(along(Y, x, 0))
            .chain(along(X, self.next(), 0))
            .chain(along(Y, self.next(), self.next()))
            .collect();
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        let low = self.headers.bits();
        let bits = low..low + self.drawn - 1;
        // A packet comes back to either dimension, so both directions stay.
        let carry = self.headers.carry(output, self.to_go());
        bits.fold(carry, |carry, bit| carry.with(bit, Carried::Bit(bit + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::build;
    use crate::routing::walk::route;
    use crate::topology::Shape;
    use crate::topology::grid::Direction;
    use crate::topology::grid::MESH;
    use crate::topology::paths::Paths;
    use std::collections::BTreeMap;

    fn mesh(shape: &str) -> Box<dyn Topology> {
        MESH.build(shape.parse::<Shape>().unwrap()).unwrap()
    }

    /// Every shortest path is drawn, and of all draws as large a share as the product over its hops of one
    /// over the ways that are open there. Route logic and injector do what the definition says, and
    /// packets that go down along Y have the second virtual channel to themselves.
    #[test]
    fn every_shortest_path_has_the_odds_of_its_hops() {
        for shape in ["2x2", "3x2", "2x4", "3x3", "5x3", "4x4"] {
            let mesh = mesh(shape);
            let relation = build(KIND.name, &*mesh).unwrap();
            let mut paths = Paths::new(&*mesh);
            for (source, destination) in
                mesh.sources().flat_map(|s| mesh.sinks().map(move |d| (s, d)))
            {
                let injection = relation.injection(source);
                let mut drawn: BTreeMap<Vec<Port>, u32> = BTreeMap::new();
                for draw in relation.draws() {
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                    let steps = route(&*mesh, &relation, source, destination, draw).unwrap();
                    let mut ports = Vec::new();
                    for step in &steps {
                        let way = relation.select(step.node, step.input, step.vc).way(step.header);
                        assert_eq!(way.output, step.hop.output);
                        let Output::Network(port) = step.hop.output else { continue };
                        assert_eq!(way.vc, Some(step.hop.vc));
                        let carry =
                            relation.carry(step.node, step.input, step.vc, (port, step.hop.vc));
                        assert_eq!(carry.apply(step.header), step.hop.header);
                        let along = Direction::of(port);
                        assert!(along.dimension == X || step.hop.vc == Vc(along.minus.into()));
                        ports.push(port);
                    }
                    *drawn.entry(ports).or_default() += 1;
                }
                let (from, to) = paths.between(source, destination).unwrap();
                let all = from.all(to, usize::MAX);
                assert_eq!(drawn.keys().cloned().collect::<Vec<_>>(), all);
                for (path, times) in drawn {
                    // Where hops along both are left there are two ways.
                    let left = |at: usize| {
                        let along = |dimension| {
                            let of = |port: &&Port| Direction::of(**port).dimension == dimension;
                            path[at..].iter().filter(of).count()
                        };
                        [along(X), along(Y)]
                    };
                    let choices = (0..path.len()).filter(|&at| !left(at).contains(&0)).count();
                    assert_eq!(times << choices, relation.draw_count(), "{shape} {path:?}");
                }
            }
        }
    }

    #[test]
    fn other_meshes_are_refused() {
        for shape in ["4", "2x2x2"] {
            let error = build(KIND.name, &*mesh(shape)).unwrap_err().to_string();
            assert!(error.contains("of 2 dimensions"), "{error}");
        }
        let error = build(KIND.name, &*mesh("10x10")).unwrap_err().to_string();
        assert!(error.contains("17 of them here, and at most 16"), "{error}");
    }
}
