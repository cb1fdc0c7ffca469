//! Dimension order on meshes and tori: first all the way in X, then in Y, and so on (Dally and
//! Towles, Principles and Practices of Interconnection Networks, section 8.4.2).
//!
//! A header holds for each dimension how far the packet still has to go, and in which direction;
//! each hop takes one off. So no switch knows where it stands, and those with the same neighbours
//! are one module. In a torus a packet goes the shorter way around, upward where both are as
//! short; it moves to the second virtual channel of a dimension where it passes the link that
//! closes the ring (Dally and Seitz, Deadlock-free message routing in multiprocessor
//! interconnection networks, IEEE Trans. Computers C-36(5), 1987).

use super::{
    Build, Built, Carry, Condition, FieldTable, Header, Hop, Injection, Input, Output, Relation,
    RelationKind, RoutingError, Rule, Select, Vc, View, low_bits,
};
use crate::topology::grid::{Direction, Grid, MESH, RING, TORUS};
use crate::topology::{Node, Port, Terminal, Topology};
use turnpike_base::bits::bits_for;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "dimension-order",
    topologies: &[MESH.name, TORUS.name, RING.name],
    any: false,
    summary: "X first, then Y, and so on; the shorter way around a ring",
    source: "Dally and Towles, Principles and Practices of Interconnection Networks, section 8.4.2",
    build: Build::Fixed(build),
};

/// Names of the header's fields.
const FIELDS: [&str; 6] = ["x_way", "y_way", "z_way", "u_way", "v_way", "w_way"];
/// Most nodes: every pair's route is walked, as edges make nodes unlike.
const MOST_NODES: u32 = 4096;
/// Most bits of the tables at the sources, where every source has its own.
const MOST_TABLE_BITS: u64 = 1 << 26;

fn build(topology: &dyn Topology) -> Built {
    let grid = Grid::of_topology(topology).expect("the relation is of grids");
    Ok(Box::new(DimensionOrder::new(grid)?))
}

/// Dimension-order routing on one grid.
#[derive(Debug)]
struct DimensionOrder {
    grid: Grid,
    /// Per dimension, the lowest bit of its field, and the bits of its distance; the bit above
    /// them says whether the packet goes down.
    fields: Vec<(u32, u32)>,
}

impl DimensionOrder {
    fn new(grid: Grid) -> Result<Self, RoutingError> {
        if grid.nodes() > MOST_NODES {
            let (name, most, nodes) = (KIND.name, MOST_NODES, grid.nodes());
            return Err(RoutingError::Nodes { name, most, nodes });
        }
        let mut low = 0;
        let mut fields = Vec::new();
        for (dimension, &side) in grid.sides().iter().enumerate() {
            let longest = if grid.wraps(dimension) { side / 2 } else { side - 1 };
            let bits = bits_for(longest + 1);
            fields.push((low, bits));
            low += bits + 1;
        }
        let relation = Self { grid, fields };
        if !relation.by_offset() {
            let (nodes, rows) = (u64::from(grid.nodes()), 1u64 << grid.address_bits());
            let bits = nodes * rows * u64::from(low);
            if bits > MOST_TABLE_BITS {
                let (name, most) = (KIND.name.to_owned(), MOST_TABLE_BITS);
                return Err(RoutingError::Tables { name, bits, most });
            }
        }
        Ok(relation)
    }

    /// Whether coordinates are bits of the address, so that one injector serves all sources.
    fn by_offset(&self) -> bool {
        self.grid.sides().iter().all(|side| side.is_power_of_two())
    }

    /// The way along a dimension to somewhere `offset` coordinates on: how far, and whether
    /// downward.
    fn way(&self, dimension: usize, offset: i64) -> (u64, bool) {
        let side = i64::from(self.grid.sides()[dimension]);
        if !self.grid.wraps(dimension) {
            return (offset.unsigned_abs(), offset < 0);
        }
        let up = offset.rem_euclid(side);
        if 2 * up <= side { (up as u64, false) } else { ((side - up) as u64, true) }
    }

    /// The same as a field of the header.
    fn field(&self, dimension: usize, offset: i64) -> u64 {
        let ((distance, down), (_, bits)) = (self.way(dimension, offset), self.fields[dimension]);
        distance | u64::from(down) << bits
    }

    /// The dimension and direction of travel of a packet that came by this input, if any.
    fn came(input: Input) -> Option<Direction> {
        match input {
            Input::Inject(_) => None,
            Input::Network(port) => Some(Direction::of(port)),
        }
    }

    /// The header bits that count behind a port: the dimensions after it.
    fn after(&self, dimension: usize) -> Header {
        let later = &self.fields[dimension + 1..];
        later.iter().fold(0, |mask, &(low, bits)| mask | low_bits(bits + 1) << low)
    }
}

impl Relation for DimensionOrder {
    fn name(&self) -> &str {
        KIND.name
    }
    fn vcs(&self) -> u8 {
        let rings = (0..self.grid.sides().len()).any(|dimension| self.grid.wraps(dimension));
        if rings { 2 } else { 1 }
    }
    fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        let field = |(dimension, &(low, _)): (usize, &(u32, u32))| {
            let at = |terminal: Terminal| self.grid.coordinate(Node(terminal.0), dimension);
            self.field(dimension, i64::from(at(destination)) - i64::from(at(source))) << low
        };
        self.fields.iter().enumerate().map(field).sum()
    }
    fn header_bits(&self, _input: Input) -> u32 {
        self.fields.last().map_or(0, |&(low, bits)| low + bits + 1)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        let came = Self::came(input);
        let first = came.map_or(0, |came| came.dimension);
        let left = |&dimension: &usize| {
            let (low, bits) = self.fields[dimension];
            header >> low & low_bits(bits) != 0
        };
        let Some(dimension) = (first..self.fields.len()).find(left) else {
            return Hop { output: Output::EJECT, vc: Vc(0), header: 0 };
        };
        let (low, bits) = self.fields[dimension];
        let minus = match came {
            Some(came) if came.dimension == dimension => came.minus,
            _ => header >> (low + bits) & 1 == 1,
        };
        let distance = (header >> low & low_bits(bits)) - 1;
        let output = Output::Network(Direction { dimension, minus }.port());
        let header = header & self.after(dimension) | distance << low;
        Hop { output, vc: self.output_vc(node, input, vc, output), header }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let Output::Network(port) = output else { return Vc(0) };
        if self.grid.closes_ring(node, port) {
            return Vc(1);
        }
        match Self::came(input) {
            Some(came) if came.dimension == Direction::of(port).dimension => vc,
            _ => Vc(0),
        }
    }
    fn injection(&self, source: Terminal) -> Injection {
        let here = self.grid.coordinates(Node(source.0));
        let mut low = 0;
        let field = |(dimension, &(_, bits)): (usize, &(u32, u32))| {
            let name = FIELDS[dimension];
            let side = self.grid.sides()[dimension];
            let field = |offset| self.field(dimension, offset);
            if !self.by_offset() {
                let rows = (0..1 << self.grid.address_bits()).map(|address| {
                    let to = self.grid.coordinates(Node(address))[dimension];
                    match address < self.grid.nodes() {
                        true => field(i64::from(to) - i64::from(here[dimension])),
                        false => 0,
                    }
                });
                let index_bits = self.grid.address_bits();
                let rows = rows.collect();
                return FieldTable { name, low: 0, index_bits, bits: bits + 1, rows };
            }
            let index_bits = side.ilog2() + 1;
            let rows = (0..2 * i64::from(side)).map(|row| {
                // Two's complement. No coordinate is a whole side below another.
                let offset = if row < side.into() { row } else { row - 2 * i64::from(side) };
                if offset == -i64::from(side) { 0 } else { field(offset) }
            });
            let (rows, from) = (rows.collect(), low);
            low += index_bits;
            FieldTable { name, low: from, index_bits, bits: bits + 1, rows }
        };
        let fields = self.fields.iter().enumerate().map(field).collect();
        let view = match self.by_offset() {
            true => {
                let sides = self.grid.sides().iter();
                View::offsets(&sides.map(|side| side.ilog2()).collect::<Vec<_>>())
            }
            false => View::plain(self.grid.address_bits()),
        };
        Injection { view, keeps_view: false, fields, registered: true }
    }
    fn select(&self, _node: Node, input: Input, _vc: Vc) -> Select {
        let came = Self::came(input);
        let first = came.map_or(0, |came| came.dimension);
        let mut rules = Vec::new();
        for (dimension, &(low, bits)) in self.fields.iter().enumerate().skip(first) {
            let (far, down) = (low_bits(bits) << low, 1 << (low + bits));
            let rule = |care, value, minus| {
                let port = Direction { dimension, minus }.port();
                Rule::on(Condition::value(care, value).and_any(far), port)
            };
            match came.filter(|came| came.dimension == dimension) {
                // It goes on as it came.
                Some(came) => rules.push(rule(0, 0, came.minus)),
                None => rules.extend([rule(down, 0, false), rule(down, down, true)]),
            }
        }
        Select::FirstRule { rules, one_hot: false }
    }
    fn carry(&self, _node: Node, _input: Input, output: Port) -> Carry {
        let dimension = Direction::of(output).dimension;
        let (low, bits) = self.fields[dimension];
        Carry::keeping(self.after(dimension)).counting_down(low, bits)
    }
    fn header_legend(&self) -> Vec<String> {
        let mut legend = vec![
            "Header bits per port: for each dimension the channels still to go, and above them"
                .to_owned(),
            "a bit that says whether they lead down.".to_owned(),
        ];
        for (dimension, &(low, bits)) in self.fields.iter().enumerate() {
            let axis = FIELDS[dimension].split('_').next().unwrap_or_default().to_uppercase();
            let top = low + bits;
            legend.push(format!("{axis}: bits {} to {low}, down: bit {top}.", top - 1));
        }
        legend
    }
    fn oblivious_select(&self, _node: Node) -> Option<Select> {
        None
    }
    fn dateline_order(&self) -> Vec<Port> {
        (0..self.grid.ports()).map(Port).collect()
    }
    fn has_uniform_headers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;

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
                    let header = relation.inject(source, destination);
                    assert_eq!(injection.header(source, destination), header);
                    let steps = route(&*grid, &*relation, source, destination).unwrap();
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
}
