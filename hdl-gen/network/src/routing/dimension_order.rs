//! Dimension order on meshes and tori: first all the way in X, then in Y, and so on (Dally and
//! Towles, Principles and Practices of Interconnection Networks, section 8.4.2).
//!
//! Headers are those of [`super::grid_header`]. In a torus a packet moves to the second virtual
//! channel of a dimension where it passes the link that closes the ring (Dally and Seitz,
//! Deadlock-free message routing in multiprocessor interconnection networks, IEEE Trans. Computers
//! C-36(5), 1987).

use super::grid_header::GridHeader;
use super::rows::Rows;
use super::{
    Build, Built, ChannelOrder, Draw, Header, HeaderUpdate, Hop, Injection, Input, Output,
    Relation, RelationKind, RouteLogic, RoutingFunction, Rule, Select, Vc,
};
use crate::topology::grid::{Direction, Grid};
use crate::topology::hyperx::HyperX;
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::convert::Infallible;
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "dimension-order",
    routes: |network| matches!(network, Structure::Grid(_) | Structure::HyperX(_)),
    summary: "X first, then Y, and so on; the shorter way around a ring",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, section 8.4.2",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    if let Some(network) = HyperX::of_topology(topology) {
        return super::hyperx::build(network);
    }
    let grid = Grid::of_topology(topology).expect("the relation is of grids");
    let headers = || GridHeader::of(grid);
    let relation = of_headers(headers());
    Ok(match headers() {
        headers if headers.has_ties() => {
            relation.with_other_ties(of_headers(headers.with_ties_down()))
        }
        _ => relation,
    })
}

/// Dimension order on a grid of any size, made of its rows ([`Rows`]): for analysis, as there may
/// be no tables at the sources; `None` for another topology.
///
/// Hops are those of the rows. The route logic is that of the whole grid, which the caller has to
/// hold against them.
pub fn by_rows(topology: &dyn Topology) -> Option<Relation> {
    let grid = Grid::of_topology(topology)?;
    let row = |row| Ok::<_, Infallible>(of_headers(GridHeader::of(row)));
    let Ok(rows) = Rows::new(grid, row);
    Some(of_headers(GridHeader::of(grid)).with_rows(rows))
}

fn of_headers(headers: GridHeader) -> Relation {
    let rings = (0..headers.dimensions()).any(|d| headers.grid().wraps(d));
    let order = ChannelOrder::by_number(headers.grid().ports());
    let legend = headers.legend();
    let relation = Relation::new(KIND.name, order, legend, Arc::new(DimensionOrder { headers }));
    relation.with_vcs(if rings { 2 } else { 1 }).with_uniform_headers(true)
}

/// Dimension-order routing on one grid.
#[derive(Debug)]
struct DimensionOrder {
    headers: GridHeader,
}

impl DimensionOrder {
    /// The dimensions in which a packet that came by this input may have to go on: those before
    /// its own are done.
    fn left(&self, input: Input) -> std::ops::Range<usize> {
        GridHeader::came(input).map_or(0, |came| came.dimension)..self.headers.dimensions()
    }

    /// The header bits that count behind a port beside those of its own dimension.
    fn kept(&self, port: Port) -> Header {
        self.headers.later(Direction::of(port).dimension)
    }
}

impl RoutingFunction for DimensionOrder {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        self.headers.inject(source, destination)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let mut left = self.left(input);
        let Some(onward) = left.find_map(|d| self.headers.onward(node, d, input, header)) else {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        };
        let port = onward.port();
        let kept = self.kept(port) | self.headers.far(onward.dimension);
        let header = self.headers.after(port, header) & kept;
        let output = Output::Network(port);
        Hop { output, vc: self.output_vc(node, input, vc, output), header }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let Output::Network(port) = output else { return Vc(0) };
        if self.headers.grid().closes_ring(node, port) {
            return Vc(1);
        }
        match GridHeader::came(input) {
            Some(came) if came.dimension == Direction::of(port).dimension => vc,
            _ => Vc(0),
        }
    }
}

impl RouteLogic for DimensionOrder {
    fn header_bits(&self, _input: Input) -> u32 {
        self.headers.bits()
    }
    fn injection(&self, source: Terminal) -> Injection {
        self.headers.injection(source)
    }
    fn common_injection(&self) -> Option<Injection> {
        Some(self.headers.common_injection())
    }
    fn select(&self, node: Node, input: Input, _vc: Vc) -> Select {
        let directions = self.left(input).flat_map(|d| self.headers.directions(node, d, input));
        let rules = directions.map(|(to, when)| Rule::on(when, to.port()));
        Select::FirstRule { rules: rules.collect(), one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        self.headers.carry(output, self.kept(output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::topology::grid::{MESH, TORUS};

    /// Every route is a shortest path, its dimensions in order, and the injector of its source
    /// makes its header.
    #[test]
    fn routes_are_shortest_and_in_order() {
        let shapes = ["2", "7", "4x4", "3x5", "5x3", "2x2x3", "6x4"];
        let grids = shapes.iter().flat_map(|shape| {
            [MESH, TORUS].map(|kind| kind.build(shape.parse::<crate::topology::Shape>().unwrap()))
        });
        for grid in grids.map(Result::unwrap) {
            let relation = super::build(&*grid).unwrap();
            for source in grid.sources() {
                let distances = grid.distances(grid.source(source).unwrap().0);
                let injection = relation.injection(source);
                for destination in grid.sinks() {
                    let header = relation.inject(source, destination, Draw::NONE);
                    assert_eq!(injection.header(source, destination, Draw::NONE), header);
                    let steps = route(&*grid, &relation, source, destination, Draw::NONE).unwrap();
                    let (last, hops) = steps.split_last().unwrap();
                    assert_eq!((last.node, last.header), (Node(destination.0), 0));
                    assert_eq!(hops.len() as u32, distances[destination.0 as usize]);
                    let dimension = |hop: &crate::routing::walk::Step| match hop.hop.output {
                        Output::Network(port) => Direction::of(port).dimension,
                        Output::Eject(_) => usize::MAX,
                    };
                    assert!(hops.is_sorted_by_key(dimension), "{source:?} {destination:?}");
                }
            }
        }
    }

    /// The relation made of its rows is the relation: at every node of all small grids, for every
    /// input, virtual channel and header that packets have there, and more.
    #[test]
    fn rows_make_the_whole() {
        let shapes = ["2", "3", "8", "9", "2x2", "3x2", "4x4", "5x3", "8x8", "2x3x2", "4x3x5"];
        let grids = shapes.iter().flat_map(|shape| {
            [MESH, TORUS].map(|kind| kind.build(shape.parse::<crate::topology::Shape>().unwrap()))
        });
        for grid in grids.map(Result::unwrap) {
            let (whole, rows) = (super::build(&*grid).unwrap(), by_rows(&*grid).unwrap());
            assert!(whole.rows().is_none() && rows.rows().is_some());
            let ports: Vec<Port> = (0..grid.ports()).map(Port).collect();
            let inputs = ports.iter().map(|&port| Input::Network(port));
            let inputs: Vec<Input> = inputs.chain([Input::INJECT]).collect();
            let mut headers = std::collections::BTreeSet::new();
            for source in grid.sources() {
                for destination in grid.sinks() {
                    let header = whole.inject(source, destination, Draw::NONE);
                    assert_eq!(rows.inject(source, destination, Draw::NONE), header);
                    headers.insert(header);
                }
            }
            for node in grid.all_nodes() {
                for &input in &inputs {
                    for vc in (0..whole.vcs()).map(Vc) {
                        for &header in &headers {
                            let hop = whole.hop(node, input, vc, header);
                            assert_eq!(rows.hop(node, input, vc, header), hop);
                            let of = |relation: &Relation| {
                                relation.output_vc(node, input, vc, hop.output)
                            };
                            assert_eq!(of(&rows), of(&whole));
                        }
                    }
                }
            }
        }
    }
}
