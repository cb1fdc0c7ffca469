//! Routing row by row on a grid: a relation on each row, one dimension after the other.
//!
//! The relation of a row is shown the row and nothing else: a packet's coordinate in it, how it came
//! along it, and the header's field of it. What a relation is not shown it cannot depend on. So in a
//! grid of any size, by construction, a route is a route of the first row, then one of the second, and
//! so on, each the same in all rows of its dimension. The routes of one row per dimension then tell
//! all of the network, though edges make its nodes unlike.

use super::{Draw, Header, Hop, Input, Output, Relation, RoutingFunction, Vc, low_bits};
use crate::topology::grid::{Direction, Grid};
use crate::topology::{Node, Port, Terminal};

/// The rows of a grid, by dimension, and what routes them.
#[derive(Debug)]
pub struct Rows {
    grid: Grid,
    rows: Vec<GridRow>,
}

/// The rows of one dimension.
#[derive(Debug)]
pub struct GridRow {
    /// One row, as a network of its own.
    pub topology: Grid,
    /// The relation on it.
    pub relation: Relation,
    /// The lowest bit of its field in the header.
    pub low: u32,
    /// Number of bits of the field.
    pub bits: u32,
}

impl Rows {
    /// The rows of a grid, each with the relation that `relation` makes of it. Their headers stand
    /// side by side in that of the grid, that of X lowest.
    pub fn new<E>(grid: Grid, relation: impl Fn(Grid) -> Result<Relation, E>) -> Result<Self, E> {
        let mut low = 0;
        let mut rows = Vec::new();
        for dimension in 0..grid.sides().len() {
            let topology = grid.row(dimension);
            let relation = relation(topology)?;
            let bits = relation.header_bits(Input::INJECT);
            rows.push(GridRow { topology, relation, low, bits });
            low += bits;
        }
        Ok(Self { grid, rows })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The rows, X first.
    pub fn rows(&self) -> &[GridRow] {
        &self.rows
    }

    /// A node's place in its row of this dimension.
    pub fn in_row(&self, node: Node, dimension: usize) -> Node {
        Node(self.grid.coordinate(node, dimension))
    }

    /// An input as it is seen in a row: that of another dimension as injection.
    pub fn input_in_row(input: Input, dimension: usize) -> Input {
        match input {
            Input::Network(port) if Direction::of(port).dimension == dimension => {
                Input::Network(Port(port.0 % 2))
            }
            _ => Input::INJECT,
        }
    }

    /// A port of a row as one of the grid.
    pub fn port(dimension: usize, in_row: Port) -> Port {
        Port(2 * dimension as u8 + in_row.0)
    }

    /// The dimensions in which a packet that came by this input may go on: its own and later ones.
    fn left(&self, input: Input) -> std::ops::Range<usize> {
        let first = match input {
            Input::Inject(_) => 0,
            Input::Network(port) => Direction::of(port).dimension,
        };
        first..self.rows.len()
    }
}

impl GridRow {
    /// The row's field of a header, as a header of the row.
    pub fn field(&self, header: Header) -> Header {
        header >> self.low & low_bits(self.bits)
    }

    /// The header bits of later rows.
    pub fn later(&self) -> Header {
        !low_bits(self.low + self.bits)
    }
}

impl RoutingFunction for Rows {
    fn inject(&self, source: Terminal, destination: Terminal, draw: Draw) -> Header {
        let field = |(dimension, row): (usize, &GridRow)| {
            let end = |terminal: Terminal| Terminal(self.in_row(Node(terminal.0), dimension).0);
            row.relation.inject(end(source), end(destination), draw) << row.low
        };
        self.rows.iter().enumerate().map(field).fold(0, |header, field| header | field)
    }
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop {
        for dimension in self.left(input) {
            let row = &self.rows[dimension];
            let came = Self::input_in_row(input, dimension);
            let vc = if came.is_inject() { Vc(0) } else { vc };
            let place = self.in_row(node, dimension);
            let hop = row.relation.hop(place, came, vc, row.field(header));
            // At the end of its way in this row it goes on in the next.
            let Output::Network(port) = hop.output else { continue };
            let output = Output::Network(Self::port(dimension, port));
            let header = hop.header << row.low | header & row.later();
            return Hop { output, vc: hop.vc, header };
        }
        Hop { output: Output::EJECT, vc: Vc(0), header: 0 }
    }
    fn output_vc(&self, node: Node, input: Input, vc: Vc, output: Output) -> Vc {
        let Output::Network(port) = output else { return Vc(0) };
        let dimension = Direction::of(port).dimension;
        let came = Self::input_in_row(input, dimension);
        let vc = if came.is_inject() { Vc(0) } else { vc };
        let (place, output) = (self.in_row(node, dimension), Output::Network(Port(port.0 % 2)));
        self.rows[dimension].relation.output_vc(place, came, vc, output)
    }
}
