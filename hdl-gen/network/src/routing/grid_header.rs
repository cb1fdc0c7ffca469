//! Headers on meshes and tori: for each dimension how far the packet still has to go, and in
//! which direction.
//!
//! Each hop takes one off a distance, so no switch knows where it stands, and those with the same
//! neighbours are one module. In a ring a packet goes the shorter way around. Where both are as short
//! ([`GridHeader::has_ties`]) it goes upward, or downward where that is asked for.
//!
//! Along a side of 2 every node has one neighbour, and so one direction to go: no bit says which.

use super::{
    Condition, DestinationEncoding, FieldTable, Header, HeaderUpdate, Injection, Input,
    RoutingError, low_bits,
};
use crate::topology::grid::{Direction, Grid};
use crate::topology::{Node, Port, Terminal, Topology};
use std::cmp::Ordering;
use turnpike_base::bits::{bits_for, in_words};

/// Names of the header's fields.
const FIELDS: [&str; 6] = ["x_way", "y_way", "z_way", "u_way", "v_way", "w_way"];
/// Most bits of the tables at the sources, where every source has its own.
pub(super) const MOST_TABLE_BITS: u64 = 1 << 26;

/// The field of one dimension in the header.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The lowest bit of the distance, and of the field.
    low: u32,
    /// Bits of the distance.
    bits: u32,
    /// Whether the bit above the distance says whether the packet goes down. Where the side is 2 the
    /// node says it.
    has_down: bool,
}

impl Field {
    /// Width of the field.
    fn width(self) -> u32 {
        self.bits + u32::from(self.has_down)
    }

    /// The bit above the field.
    fn end(self) -> u32 {
        self.low + self.width()
    }
}

/// The headers of one grid.
#[derive(Debug)]
pub struct GridHeader {
    grid: Grid,
    /// The fields, by dimension.
    fields: Vec<Field>,
    /// Whether packets go downward where both ways around a ring are as short.
    ties_down: bool,
}

impl GridHeader {
    /// The headers of a relation on a grid of at most `most_nodes` nodes.
    ///
    /// # Errors
    /// [`RoutingError`] for a grid of more.
    pub fn new(name: &'static str, grid: Grid, most_nodes: u32) -> Result<Self, RoutingError> {
        let nodes = grid.nodes();
        if nodes > most_nodes {
            return Err(RoutingError::Nodes { name, most: most_nodes, nodes });
        }
        Ok(Self::of(grid))
    }

    /// Header of a grid of any size, without tables.
    pub fn of(grid: Grid) -> Self {
        let mut low = 0;
        let mut fields = Vec::new();
        for (dimension, &side) in grid.sides().iter().enumerate() {
            let longest = if grid.wraps(dimension) { side / 2 } else { side - 1 };
            let field = Field { low, bits: bits_for(longest + 1), has_down: side > 2 };
            fields.push(field);
            low = field.end();
        }
        Self { grid, fields, ties_down: false }
    }

    /// Headers of packets that go downward around a ring where both ways are as short.
    #[must_use]
    pub fn with_ties_down(self) -> Self {
        Self { ties_down: true, ..self }
    }

    /// Whether there are rings with nodes opposite each other, to which both ways are as short.
    pub fn has_ties(&self) -> bool {
        let sides = self.grid.sides().iter().enumerate();
        sides.into_iter().any(|(dimension, side)| self.grid.wraps(dimension) && side % 2 == 0)
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.fields.len()
    }

    /// Width of the header.
    pub fn bits(&self) -> u32 {
        self.fields.last().map_or(0, |field| field.end())
    }

    /// Whether one injector serves all sources: where coordinates are bits of the address, and where a table at
    /// each source would take too many bits.
    fn by_offset(&self) -> bool {
        let rows = u64::from(self.grid.nodes()) << self.grid.address_bits();
        let is_large = rows * u64::from(self.bits()) > MOST_TABLE_BITS;
        is_large || self.grid.sides().iter().all(|side| side.is_power_of_two())
    }

    /// The way along a dimension to somewhere `offset` coordinates on: how far, and whether
    /// downward.
    fn way(&self, dimension: usize, offset: i64) -> (u64, bool) {
        let side = i64::from(self.grid.sides()[dimension]);
        if !self.grid.wraps(dimension) {
            return (offset.unsigned_abs(), offset < 0);
        }
        let up = offset.rem_euclid(side);
        match (2 * up).cmp(&side) {
            Ordering::Less => (up as u64, false),
            Ordering::Equal => (up as u64, self.ties_down),
            Ordering::Greater => ((side - up) as u64, true),
        }
    }

    /// Field of the header for an offset in a dimension.
    fn field(&self, dimension: usize, offset: i64) -> u64 {
        let ((distance, down), field) = (self.way(dimension, offset), self.fields[dimension]);
        distance | u64::from(down && field.has_down) << field.bits
    }

    /// The header of a new packet.
    pub fn inject(&self, source: Terminal, destination: Terminal) -> Header {
        let field = |(dimension, &Field { low, .. }): (usize, &Field)| {
            let at = |terminal: Terminal| self.grid.coordinate(Node(terminal.0), dimension);
            self.field(dimension, i64::from(at(destination)) - i64::from(at(source))) << low
        };
        self.fields.iter().enumerate().map(field).sum()
    }

    /// Injection of a source, as hardware.
    pub fn injection(&self, source: Terminal) -> Injection {
        if self.by_offset() {
            return self.common_injection();
        }
        let (index_bits, nodes) = (self.grid.address_bits(), self.grid.nodes());
        let field = |(dimension, own): (usize, &Field)| {
            let at = |address| i64::from(self.grid.coordinate(Node(address), dimension));
            let way = |address| self.field(dimension, at(address) - at(source.0));
            let row = |address| if address < nodes { way(address) } else { 0 };
            let rows = (0..1 << index_bits).map(row).collect();
            FieldTable { name: FIELDS[dimension], low: 0, index_bits, bits: own.width(), rows }
        };
        let fields = self.fields.iter().enumerate().map(field).collect();
        let view = DestinationEncoding::plain(index_bits);
        Injection { keeps_view: false, fields, registered: true, ..Injection::plain(view) }
    }

    /// Injection that serves every source: tables go by offsets in the coordinates, which are looked up where
    /// they are no bits of the address.
    pub fn common_injection(&self) -> Injection {
        Injection::by_offsets(self.grid.sides(), |dimension, offset| {
            (FIELDS[dimension], self.fields[dimension].width(), self.field(dimension, offset))
        })
    }

    /// The direction of travel of a packet that came by this input, if any.
    pub fn came(input: Input) -> Option<Direction> {
        match input {
            Input::Inject(_) => None,
            Input::Network(port) => Some(Direction::of(port)),
        }
    }

    /// The bits of the distance in a dimension.
    pub fn far(&self, dimension: usize) -> Header {
        let Field { low, bits, .. } = self.fields[dimension];
        low_bits(bits) << low
    }

    /// The bit that says that the packet goes down in a dimension; 0 where the node says it.
    pub fn down(&self, dimension: usize) -> Header {
        let Field { low, bits, has_down } = self.fields[dimension];
        u64::from(has_down) << (low + bits)
    }

    /// Whether the one way along a side of 2 leads down from a node; `None` for a longer side.
    fn only_way(&self, node: Node, dimension: usize) -> Option<bool> {
        let alone = !self.fields[dimension].has_down;
        alone.then(|| self.grid.coordinate(node, dimension) > 0)
    }

    /// Whether the way of a new packet in a dimension leads down from a node, where it goes on in it.
    pub fn goes_down(&self, node: Node, dimension: usize, header: Header) -> bool {
        self.only_way(node, dimension).unwrap_or(header & self.down(dimension) != 0)
    }

    /// The channels still to go in a dimension.
    pub fn distance(&self, dimension: usize, header: Header) -> u64 {
        (header & self.far(dimension)) >> self.fields[dimension].low
    }

    /// The dimensions upward and around from behind the one that a packet came by: packets that
    /// could go anywhere go on evenly.
    pub fn order(&self, input: Input) -> impl Iterator<Item = usize> + use<> {
        let n = self.dimensions();
        let first = Self::came(input).map_or(0, |came| came.dimension + 1);
        (0..n).map(move |step| (first + step) % n)
    }

    /// The direction in which a packet that came to a node by `input` goes on in a dimension, if it has
    /// to: as it came, or as the node or the header says.
    pub fn onward(
        &self,
        node: Node,
        dimension: usize,
        input: Input,
        header: Header,
    ) -> Option<Direction> {
        let minus = match Self::came(input) {
            Some(came) if came.dimension == dimension => came.minus,
            _ => self.goes_down(node, dimension, header),
        };
        (self.distance(dimension, header) > 0).then_some(Direction { dimension, minus })
    }

    /// Directions that a packet may take in a dimension, as hardware: each with its condition.
    pub fn directions(
        &self,
        node: Node,
        dimension: usize,
        input: Input,
    ) -> Vec<(Direction, Condition)> {
        let (far, down) = (self.far(dimension), self.down(dimension));
        let direction = |care, value, minus| {
            (Direction { dimension, minus }, Condition::value(care, value).and_any(far))
        };
        // It goes on as it came, or the one way that there is.
        let came = Self::came(input).filter(|came| came.dimension == dimension);
        match came.map(|came| came.minus).or_else(|| self.only_way(node, dimension)) {
            Some(minus) => vec![direction(0, 0, minus)],
            None => vec![direction(down, 0, false), direction(down, down, true)],
        }
    }

    /// The header after a hop by a port: one channel less to go.
    pub fn after(&self, port: Port, header: Header) -> Header {
        header - (1 << self.fields[Direction::of(port).dimension].low)
    }

    /// Header update of a hop to `port`, as hardware; of the bits of other dimensions only `kept`
    /// stay.
    pub fn carry(&self, port: Port, kept: Header) -> HeaderUpdate {
        let Field { low, bits, .. } = self.fields[Direction::of(port).dimension];
        HeaderUpdate::keeping(kept).counting_down(low, bits)
    }

    /// The header bits of the dimensions after this one.
    pub fn later(&self, dimension: usize) -> Header {
        let later = dimension + 1..self.dimensions();
        later.fold(0, |mask, dimension| mask | self.far(dimension) | self.down(dimension))
    }

    /// Meaning of the header bits, for readers of the Verilog.
    pub fn legend(&self) -> Vec<String> {
        let mut legend = vec![
            "Header bits per port: for each dimension the channels still to go, and above them"
                .to_owned(),
            "a bit that says whether they lead down.".to_owned(),
        ];
        for (dimension, &Field { low, bits, has_down }) in self.fields.iter().enumerate() {
            let axis = FIELDS[dimension].split('_').next().unwrap_or_default().to_uppercase();
            let top = low + bits;
            let down = match has_down {
                true => format!("down: bit {top}"),
                false => "one way from each switch".to_owned(),
            };
            legend.push(format!("{axis}: {}, {down}.", in_words(top - 1, low)));
        }
        legend
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Shape;
    use crate::topology::grid::{MESH, TORUS};

    /// A side of 2 takes one bit of the header: whether the packet has to cross it. Route logic goes by
    /// that bit alone, and the one way that it names is there.
    #[test]
    fn a_side_of_two_takes_one_bit() {
        for (shape, bits) in [("2", 1), ("2x2", 2), ("2x2x2", 3), ("8x2", 5), ("2x3", 4)] {
            for kind in [MESH, TORUS] {
                let built = kind.build(shape.parse::<Shape>().unwrap()).unwrap();
                let headers = GridHeader::of(Grid::of_topology(&*built).unwrap());
                // Around a ring of 3 no packet goes further than 1, around one of 8 than 4.
                let shorter = u32::from(kind.name == TORUS.name && shape.contains('3'));
                assert_eq!(headers.bits(), bits - shorter, "{} {shape}", kind.name);
                let twos = (0..headers.dimensions()).filter(|&d| headers.grid.sides()[d] == 2);
                for (dimension, node) in
                    twos.flat_map(|d| built.all_nodes().map(move |node| (d, node)))
                {
                    assert_eq!(
                        (headers.down(dimension), headers.far(dimension).count_ones()),
                        (0, 1)
                    );
                    let directions = headers.directions(node, dimension, Input::INJECT);
                    let [(direction, when)] = directions.as_slice() else {
                        panic!("{directions:?} of {shape}");
                    };
                    assert_eq!(when.looks_at(), headers.far(dimension));
                    assert!(built.channel(node, direction.port()).is_some());
                    let header = headers.far(dimension);
                    let onward = headers.onward(node, dimension, Input::INJECT, header);
                    assert_eq!(onward, Some(*direction));
                }
            }
        }
    }
}
