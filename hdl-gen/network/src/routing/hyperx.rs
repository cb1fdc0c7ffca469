//! Dimension order on HyperX networks: the coordinate in X is set right in one hop, then that in Y,
//! and so on (Ahn and others, HyperX, SC 2009, section 3, dimension-order routing).
//!
//! A header has for each dimension how far on the destination is, modulo the side: the number of the
//! port that leads there, and 0 where nothing is to do. Each hop takes its own dimension's field to 0,
//! so no switch knows where it stands and all of them are one module. Channels are taken in ascending
//! order of their dimensions, so one virtual channel is free of deadlock.

use super::dimension_order::KIND;
use super::grid_header::MOST_TABLE_BITS;
use super::{
    Built, ChannelOrder, DestinationEncoding, Draw, FieldTable, Header, HeaderUpdate, Hop,
    Injection, Input, Output, Relation, RouteLogic, RoutingFunction, Rule, Select, Vc, low_bits,
};
use crate::topology::hyperx::HyperX;
use crate::topology::{Node, Port, Terminal, Topology};
use std::sync::Arc;
use turnpike_base::bits::{bits_for, in_words};

/// Names of the header's fields.
const FIELDS: [&str; 6] = ["x_port", "y_port", "z_port", "u_port", "v_port", "w_port"];

/// The relation on a HyperX network.
///
/// # Errors
/// [`RoutingError`](super::RoutingError) never: every network of the kind has it.
pub fn build(network: HyperX) -> Built {
    let mut low = 0;
    let field = |&side: &u32| {
        let field = Field { low, bits: bits_for(side) };
        low += field.bits;
        field
    };
    let fields: Vec<Field> = network.sides().iter().map(field).collect();
    let relation = DimensionOrder { network, fields, bits: low };
    let order = ChannelOrder::by_number(network.ports());
    let legend = relation.legend();
    Ok(Relation::new(KIND.name, order, legend, Arc::new(relation)))
}

/// The field of one dimension in the header.
#[derive(Clone, Copy, Debug)]
struct Field {
    low: u32,
    bits: u32,
}

impl Field {
    fn mask(self) -> Header {
        low_bits(self.bits) << self.low
    }
}

/// Dimension order on one network.
#[derive(Debug)]
struct DimensionOrder {
    network: HyperX,
    /// The fields, by dimension.
    fields: Vec<Field>,
    /// Width of the header.
    bits: u32,
}

impl DimensionOrder {
    /// The dimensions in which a packet that came by this input may have to go on.
    fn left(&self, input: Input) -> std::ops::Range<usize> {
        let first = match input {
            Input::Inject(_) => 0,
            Input::Network(port) => self.network.of_port(port).0 + 1,
        };
        first..self.fields.len()
    }

    /// The header bits of the dimensions behind that of a port.
    fn later(&self, port: Port) -> Header {
        let later = self.network.of_port(port).0 + 1..self.fields.len();
        later.fold(0, |mask, dimension| mask | self.fields[dimension].mask())
    }

    /// Whether one injector serves all sources: where coordinates are bits of the address, and where a table at
    /// each source would take too many bits.
    fn is_by_offset(&self) -> bool {
        let rows = u64::from(self.network.nodes()) << self.network.address_bits();
        let is_large = rows * u64::from(self.bits) > MOST_TABLE_BITS;
        is_large || self.network.sides().iter().all(|side| side.is_power_of_two())
    }

    /// Distance in a dimension from a source's coordinate to that of an address, modulo the side.
    fn further(&self, dimension: usize, from: Node, to: Node) -> u64 {
        let side = self.network.sides()[dimension];
        let at = |node| self.network.coordinate(node, dimension);
        u64::from((at(to) + side - at(from)) % side)
    }

    /// Table of a source: by the destination's address.
    fn table(&self, dimension: usize, source: Terminal) -> FieldTable {
        let (name, bits) = (FIELDS[dimension], self.fields[dimension].bits);
        let nodes = self.network.nodes();
        let row = |address| match address < nodes {
            true => self.further(dimension, Node(source.0), Node(address)),
            false => 0,
        };
        let index_bits = self.network.address_bits();
        FieldTable { name, low: 0, index_bits, bits, rows: (0..1 << index_bits).map(row).collect() }
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = vec![
            "Header bits per port: for each dimension the number of the port that the packet takes"
                .to_owned(),
            "there, 0 for none.".to_owned(),
        ];
        for (name, field) in FIELDS.iter().zip(&self.fields) {
            let axis = name.split('_').next().unwrap_or_default().to_uppercase();
            legend.push(format!("{axis}: {}.", in_words(field.low + field.bits - 1, field.low)));
        }
        legend
    }
}

impl RoutingFunction for DimensionOrder {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        let fields = self.fields.iter().enumerate();
        let field = |(dimension, field): (usize, &Field)| {
            self.further(dimension, Node(source.0), Node(destination.0)) << field.low
        };
        fields.map(field).sum()
    }
    fn hop(&self, _node: Node, input: Input, _vc: Vc, header: Header) -> Hop {
        let taken = self.left(input).find_map(|dimension| {
            let field = self.fields[dimension];
            let further = (header & field.mask()) >> field.low;
            let side = u64::from(self.network.sides()[dimension]);
            (1..side).contains(&further).then(|| self.network.port(dimension, further as u32))
        });
        match taken {
            Some(port) => {
                let header = header & self.later(port);
                Hop { output: Output::Network(port), vc: Vc(0), header }
            }
            None => Hop { output: Output::EJECT, vc: Vc(0), header: 0 },
        }
    }
}

impl RouteLogic for DimensionOrder {
    fn header_bits(&self, _input: Input) -> u32 {
        self.bits
    }
    fn injection(&self, source: Terminal) -> Injection {
        if self.is_by_offset() {
            let sides = self.network.sides();
            return Injection::by_offsets(sides, |dimension, offset| {
                let further = offset.rem_euclid(sides[dimension].into()) as u64;
                (FIELDS[dimension], self.fields[dimension].bits, further)
            });
        }
        let fields = (0..self.fields.len()).map(|dimension| self.table(dimension, source));
        let fields = fields.collect();
        let view = DestinationEncoding::plain(self.network.address_bits());
        Injection { keeps_view: false, fields, registered: true, ..Injection::plain(view) }
    }
    fn select(&self, _node: Node, input: Input, _vc: Vc) -> Select {
        let rules = self.left(input).flat_map(|dimension| {
            let field = self.fields[dimension];
            (1..self.network.sides()[dimension]).map(move |further| {
                let value = u64::from(further) << field.low;
                Rule::value(field.mask(), value, self.network.port(dimension, further))
            })
        });
        Select::FirstRule { rules: rules.collect(), one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, (output, _): (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::keeping(self.later(output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::topology::{Shape, hyperx};

    /// Every route is a shortest path, its dimensions in order, and the injector of its source makes
    /// its header.
    #[test]
    fn routes_are_shortest_and_in_order() {
        for shape in ["2", "3", "5x2", "4x4", "2x8", "2x3x4"] {
            let network = hyperx::KIND.build(shape.parse::<Shape>().unwrap()).unwrap();
            let relation = build(HyperX::of_topology(&*network).unwrap()).unwrap();
            for source in network.sources() {
                let injection = relation.injection(source);
                let distances = network.distances(Node(source.0));
                for destination in network.sinks() {
                    let header = relation.inject(source, destination, Draw::NONE);
                    assert_eq!(injection.header(source, destination, Draw::NONE), header);
                    let steps =
                        route(&*network, &relation, source, destination, Draw::NONE).unwrap();
                    assert_eq!(steps.last().unwrap().node.0, destination.0);
                    assert_eq!(steps.len() as u32 - 1, distances[destination.0 as usize]);
                    let ports = steps.iter().filter_map(|step| match step.hop.output {
                        Output::Network(port) => Some(port),
                        Output::Eject(_) => None,
                    });
                    assert!(ports.is_sorted(), "{shape}");
                    for step in &steps {
                        let logic = relation.select(step.node, step.input, step.vc);
                        assert_eq!(logic.output(step.header), step.hop.output, "{shape}");
                    }
                }
            }
        }
    }

    /// Networks whose tables at the sources would be too large have one injector for all.
    #[test]
    fn large_networks_have_one_injector() {
        let network = hyperx::KIND.build("63x63".parse::<Shape>().unwrap()).unwrap();
        let relation = build(HyperX::of_topology(&*network).unwrap()).unwrap();
        let injection = relation.injection(Terminal(0));
        assert_eq!(injection, relation.injection(Terminal(3968)));
        for (source, destination) in [(0, 3968), (3968, 0), (62, 63), (100, 100), (2000, 1937)] {
            let [source, destination] = [source, destination].map(Terminal);
            let header = relation.inject(source, destination, Draw::NONE);
            assert_eq!(injection.header(source, destination, Draw::NONE), header);
        }
    }
}
