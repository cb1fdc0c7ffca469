//! Grid of busses, which says which nodes share one: a mesh of optical busses, or one bus of all
//! nodes.
//!
//! Nodes stand at the points of a grid, and each line of each dimension is a bus (Goldberg, Jerrum,
//! Leighton and Rao, Doubly logarithmic communication algorithms for the completely connected
//! optical communication parallel computer, 1993). A grid of one dimension is the completely
//! connected optical communication parallel computer (OCPC).

use turnpike_base::bits::bits_for;
use turnpike_base::numbers::sides_in_words;

/// Name of the topology of one bus.
pub const OCPC: &str = "ocpc";
/// Name of the topology of a bus for each line.
pub const MOB: &str = "mob";
pub const MOST_NODES: u32 = 1 << 20;
pub const MOST_DIMENSIONS: usize = 6;
/// Names of the dimensions.
const AXES: [&str; MOST_DIMENSIONS] = ["x", "y", "z", "u", "v", "w"];

/// A grid of nodes whose lines are busses. A node's number counts X fastest; its address has its
/// coordinates side by side, X in the lowest bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    sides: Vec<u32>,
}

/// Reason that a grid cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    /// A bus of too few nodes, or of too many.
    #[error("a bus has 2 to {MOST_NODES} nodes, not {0}")]
    Side(u32),
    #[error("a mesh of busses has 1 to {MOST_DIMENSIONS} dimensions, not {0}")]
    Dimensions(usize),
    #[error("{0} nodes are more than {MOST_NODES}")]
    Nodes(u64),
}

impl Grid {
    /// The grid of these sides, X first.
    ///
    /// # Errors
    /// Sides below 2, too many dimensions, too many nodes.
    pub fn new(sides: &[u32]) -> Result<Self, GridError> {
        if !(1..=MOST_DIMENSIONS).contains(&sides.len()) {
            return Err(GridError::Dimensions(sides.len()));
        }
        if let Some(&side) = sides.iter().find(|side| !(2..=MOST_NODES).contains(side)) {
            return Err(GridError::Side(side));
        }
        let product = |all: u64, side: &u32| all.saturating_mul(u64::from(*side));
        let nodes = sides.iter().fold(1u64, product);
        if nodes > u64::from(MOST_NODES) {
            return Err(GridError::Nodes(nodes));
        }
        Ok(Self { sides: sides.to_vec() })
    }

    /// Sides of the grid, X first: the nodes of a bus.
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }

    /// The nodes of its longest bus.
    pub fn longest_bus(&self) -> u32 {
        self.sides.iter().max().copied().unwrap_or(0)
    }

    /// Number of dimensions: the busses at a node.
    pub fn dimensions(&self) -> usize {
        self.sides.len()
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.sides.iter().product()
    }

    /// Number of busses along a dimension.
    pub fn lines(&self, dimension: usize) -> u32 {
        self.nodes() / self.sides[dimension]
    }

    /// The name of its topology.
    pub fn topology(&self) -> &'static str {
        if self.dimensions() == 1 { OCPC } else { MOB }
    }

    /// Sides in words: `8x8`.
    pub fn shape(&self) -> String {
        sides_in_words(&self.sides)
    }

    /// The name of a dimension: its axis, or `bus` where there is one.
    pub fn name(&self, dimension: usize) -> &'static str {
        if self.dimensions() == 1 { "bus" } else { AXES[dimension] }
    }

    /// Difference of the numbers of neighbours along a dimension.
    fn stride(&self, dimension: usize) -> u32 {
        self.sides[..dimension].iter().product()
    }

    pub fn coordinate(&self, node: u32, dimension: usize) -> u32 {
        node / self.stride(dimension) % self.sides[dimension]
    }

    /// The node on the same bus along a dimension, at this coordinate.
    pub fn along(&self, node: u32, dimension: usize, coordinate: u32) -> u32 {
        let stride = self.stride(dimension);
        node - self.coordinate(node, dimension) * stride + coordinate * stride
    }

    /// The nodes of a bus along a dimension, in order of their coordinates.
    pub fn line(&self, dimension: usize, line: u32) -> impl Iterator<Item = u32> + '_ {
        let stride = self.stride(dimension);
        let side = self.sides[dimension];
        let first = line / stride * stride * side + line % stride;
        (0..side).map(move |at| first + at * stride)
    }

    /// The first dimension from `from` on in which two nodes differ: the bus that a packet takes
    /// next. `None`: they are one node, as far as these dimensions go.
    pub fn next_dimension(&self, at: u32, destination: u32, from: usize) -> Option<usize> {
        let differs = |&d: &usize| self.coordinate(at, d) != self.coordinate(destination, d);
        (from..self.dimensions()).find(differs)
    }

    pub fn coordinate_bits(&self, dimension: usize) -> u32 {
        bits_for(self.sides[dimension])
    }

    pub fn address_bits(&self) -> u32 {
        (0..self.dimensions()).map(|d| self.coordinate_bits(d)).sum()
    }

    pub fn address(&self, node: u32) -> u64 {
        let mut low = 0;
        (0..self.dimensions()).fold(0, |address, dimension| {
            let field = u64::from(self.coordinate(node, dimension)) << low;
            low += self.coordinate_bits(dimension);
            address | field
        })
    }

    /// Whether every address is that of a node.
    pub fn fills_addresses(&self) -> bool {
        self.sides.iter().all(|side| side.is_power_of_two())
    }

    /// Crosspoints of all busses: pairs of a sender and a receiver on one bus. None leads from a
    /// node to itself.
    pub fn crosspoints(&self) -> u64 {
        self.sides.iter().map(|&side| u64::from(self.nodes()) * u64::from(side - 1)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_coordinates() {
        let grid = Grid::new(&[3, 4, 2]).unwrap();
        assert_eq!((grid.nodes(), grid.dimensions(), grid.address_bits()), (24, 3, 5));
        for dimension in 0..3 {
            let mut seen = vec![0; 24];
            for line in 0..grid.lines(dimension) {
                for (at, node) in (0..).zip(grid.line(dimension, line)) {
                    seen[node as usize] += 1;
                    assert_eq!(grid.coordinate(node, dimension), at);
                    for other in 0..grid.sides()[dimension] {
                        let to = grid.along(node, dimension, other);
                        assert!(grid.line(dimension, line).any(|n| n == to));
                        let differs =
                            (0..3).filter(|&d| grid.coordinate(node, d) != grid.coordinate(to, d));
                        assert!(differs.eq((other != at).then_some(dimension)));
                    }
                }
            }
            assert_eq!(seen, vec![1; 24]);
        }
        assert_eq!(grid.next_dimension(0, 1 + 3 * 2, 0), Some(0));
        assert_eq!(grid.next_dimension(0, 1 + 3 * 2, 1), Some(1));
        assert_eq!(grid.next_dimension(5, 5, 0), None);
        assert_eq!(grid.address(23), 0b11110);
        assert_eq!(grid.to_string(), "mob --shape 3x4x2");
        assert_eq!(grid.crosspoints(), 24 * (2 + 3 + 1));
    }

    #[test]
    fn grids_out_of_range_are_refused() {
        for (sides, text) in [
            (&[1][..], "2 to 1048576 nodes, not 1"),
            (&[], "1 to 6 dimensions, not 0"),
            (&[1 << 20, 2], "2097152 nodes are more"),
            (&[2; 7], "not 7"),
        ] {
            let error = Grid::new(sides).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
