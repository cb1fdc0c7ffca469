//! O1TURN: each packet goes X first or Y first, with equal odds, by one turn at most (Seo, Ali, Lim,
//! Rafique and Thottethodi, Near-optimal worst-case throughput routing for two-dimensional mesh
//! networks, ISCA 2005).
//!
//! Headers are those of [`super::grid_header`], and above them the draw: 0 for X first. Packets of
//! either order have a virtual channel of their own, so that neither waits for the other: each is
//! dimension order, which is free of deadlock. Behind the injection queue the virtual channel says the
//! order, and the draw is gone.

use super::dimension_order;
use super::grid_header::GridHeader;
use super::{
    Build, Built, ChannelOrder, Condition, Draw, Drawn, Header, HeaderUpdate, Hop, Injection,
    Input, Output, Relation, RelationKind, RouteDecision, RouteLogic, RoutingError,
    RoutingFunction, Rule, Select, Vc,
};
use crate::topology::grid::{Direction, Grid, MOST_ROUTED};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::sync::Arc;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "o1turn",
    routes: Structure::is_mesh,
    summary: "X first or Y first, drawn for each packet; a virtual channel for each order",
    source: "Seo and others, ISCA 2005",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let grid = Grid::of_topology(topology).expect("the relation is of grids");
    let (name, only, dimensions) = (KIND.name, 2, grid.sides().len());
    if dimensions != only {
        let (topology, instead) = (topology.name(), dimension_order::KIND.name);
        return Err(RoutingError::Dimensions { name, topology, only, dimensions, instead });
    }
    let headers = GridHeader::new(KIND.name, grid, MOST_ROUTED)?;
    let order = ChannelOrder::by_number(headers.grid().ports());
    let draw = headers.bits();
    let mut legend = headers.legend();
    legend.push(format!("At injection bit {draw} above them: 0 for X first, 1 for Y first."));
    let relation = Relation::new(KIND.name, order, legend, Arc::new(O1Turn { headers }));
    Ok(relation.with_vcs(2).with_draws(2).with_uniform_headers(true))
}

/// The relation on one mesh.
#[derive(Debug)]
struct O1Turn {
    headers: GridHeader,
}

/// The dimensions in the order of a draw, which is that of a virtual channel.
fn dimensions(order: u64) -> [usize; 2] {
    if order == 0 { [0, 1] } else { [1, 0] }
}

impl O1Turn {
    /// The header bit of the draw, at injection.
    fn draw_bit(&self) -> u32 {
        self.headers.bits()
    }

    /// The dimensions in which a packet of this order that came by this input may have to go on.
    fn left(order: u64, input: Input) -> impl Iterator<Item = usize> {
        let came = GridHeader::came(input).map(|came| came.dimension);
        dimensions(order).into_iter().skip_while(move |&d| came.is_some_and(|came| came != d))
    }

    /// The header bits of other dimensions that count behind a port.
    fn kept(&self, order: u64, port: Port) -> Header {
        let [first, then] = dimensions(order);
        match Direction::of(port).dimension == first {
            true => self.headers.far(then) | self.headers.down(then),
            false => 0,
        }
    }
}

impl RoutingFunction for O1Turn {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        self.headers.inject(source, destination) | u64::from(draw.0) << self.draw_bit()
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let order = if input.is_inject() { header >> self.draw_bit() } else { vc.0.into() };
        let onward =
            Self::left(order, input).find_map(|d| self.headers.onward(node, d, input, header));
        let Some(onward) = onward else {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        };
        let port = onward.port();
        let kept = self.kept(order, port) | self.headers.far(onward.dimension);
        let header = self.headers.after(port, header) & kept;
        Hop { output: Output::Network(port), vc: Vc(order as u8), header }
    }
    fn output_vc(&self, _node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        // Rules name it at injection, where the draw says it.
        if input.is_inject() || output.is_eject() { Vc(0) } else { vc }
    }
}

impl RouteLogic for O1Turn {
    fn header_bits(&self, input: Input) -> u32 {
        self.headers.bits() + u32::from(input.is_inject())
    }
    fn injection(&self, source: Terminal) -> Injection {
        let drawn = Some(Drawn::Field { low: self.draw_bit(), bits: 1 });
        Injection { drawn, ..self.headers.injection(source) }
    }
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select {
        let rules = |order: u64, drawn: Condition| {
            let directions = Self::left(order, input);
            let directions = directions.flat_map(move |d| self.headers.directions(node, d, input));
            directions.map(move |(to, when)| {
                let way =
                    RouteDecision { output: Output::Network(to.port()), vc: Some(Vc(order as u8)) };
                Rule { when: when.and_value(drawn.care, drawn.value), way }
            })
        };
        let rules = match input.is_inject() {
            true => {
                let draw = 1 << self.draw_bit();
                let of_draw = |order| Condition::value(draw, order << self.draw_bit());
                [0, 1].into_iter().flat_map(|order| rules(order, of_draw(order))).collect()
            }
            false => rules(vc.0.into(), Condition::value(0, 0)).collect(),
        };
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, to): (Port, Vc)) -> HeaderUpdate {
        self.headers.carry(output, self.kept(to.0.into(), output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{build, dimension_order};
    use crate::topology::Shape;
    use crate::topology::grid::MESH;

    fn mesh(shape: &str) -> Box<dyn Topology> {
        MESH.build(shape.parse::<Shape>().unwrap()).unwrap()
    }

    /// Routes that go X first are those of dimension order. Those that go Y first are those of
    /// dimension order in the mesh with its axes exchanged. Route logic and injector do what the
    /// definition says.
    #[test]
    fn either_order_is_dimension_order() {
        for (shape, turned) in [("2x2", "2x2"), ("4x4", "4x4"), ("3x5", "5x3"), ("8x2", "2x8")] {
            let (here, there) = (mesh(shape), mesh(turned));
            let relation = build(KIND.name, &*here).unwrap();
            let plain = build(dimension_order::KIND.name, &*here).unwrap();
            let other = build(dimension_order::KIND.name, &*there).unwrap();
            let width = Grid::of_topology(&*here).unwrap().sides()[0];
            let height = Grid::of_topology(&*here).unwrap().sides()[1];
            let turn = |t: u32| t % width * height + t / width;
            for (source, destination) in
                here.sources().flat_map(|s| here.sinks().map(move |d| (s, d)))
            {
                let injection = relation.injection(source);
                for draw in relation.draws() {
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                    let steps = route(&*here, &relation, source, destination, draw).unwrap();
                    let nodes: Vec<u32> = steps.iter().map(|step| step.node.0).collect();
                    let wanted: Vec<u32> = match draw.0 {
                        0 => route(&*here, &plain, source, destination, Draw::NONE)
                            .unwrap()
                            .iter()
                            .map(|step| step.node.0)
                            .collect(),
                        _ => {
                            let [from, to] = [source, destination].map(|t| Terminal(turn(t.0)));
                            let steps = route(&*there, &other, from, to, Draw::NONE).unwrap();
                            let back = |node: u32| node % height * width + node / height;
                            steps.iter().map(|step| back(step.node.0)).collect()
                        }
                    };
                    assert_eq!(nodes, wanted, "{shape} {source:?} {destination:?} {draw:?}");
                    for step in &steps {
                        let way = relation.select(step.node, step.input, step.vc).way(step.header);
                        assert_eq!(way.output, step.hop.output);
                        if let Output::Network(port) = step.hop.output {
                            assert_eq!((way.vc, step.hop.vc.0), (Some(step.hop.vc), draw.0 as u8));
                            let to = (port, step.hop.vc);
                            let carry = relation.carry(step.node, step.input, step.vc, to);
                            assert_eq!(carry.apply(step.header), step.hop.header);
                        }
                    }
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
    }
}
