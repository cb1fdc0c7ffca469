//! Meshes, tori and rings: nodes at the points of a grid, with a channel each way between
//! neighbours in a dimension; in a torus and a ring the last is a neighbour of the first.
//!
//! A node's number counts X fastest. Its label is its coordinates, X first: `2_0`. Port
//! `x_plus` leads to the next X coordinate, and packets that came by it came in that direction.
//! Between two nodes of a side of 2 there is one link, in a torus as well.

use super::MOST_SIDES;
use super::parameter::{NODES, SIDES};
use super::positions::{self, Position};
use super::{
    Limit, Node, Port, Range, Shape, Size, Sizes, Structure, Topology, TopologyError, TopologyKind,
    labels,
};

/// Most nodes, for analysis.
const MOST_NODES: u32 = 1 << 20;
/// Fewest and most nodes of a ring: the most is that of a side.
const RING_NODES: (u32, u32) = (3, super::SIDES.1);
/// The names of the dimensions.
pub(crate) const AXES: [char; 6] = ['x', 'y', 'z', 'u', 'v', 'w'];

/// Most nodes of which the routes of every pair are walked, as edges make nodes unlike. Larger grids
/// are routed row by row ([`crate::routing::rows`]).
pub const MOST_ROUTED: u32 = 4096;

/// Sizes of meshes and tori.
const SHAPES: Sizes = sizes_by_sides(MOST_NODES, MOST_ROUTED);

/// The sizes by sides, with the most nodes for the figures of an analysis, and for all else: those
/// of [`Sizes::large`].
pub(super) const fn sizes_by_sides(nodes: u32, routed: u32) -> Sizes {
    Sizes::of([Range::whole(&SIDES, "4x4")], Limit::Routed { nodes, routed })
        .with_examples(&["2", "3", "2x3", "4x3", "2x3x2"], &["64x64", "16x16x16", "4x4x4x4x4x4"])
}

/// The entry of the mesh in the list of topologies.
pub const MESH: TopologyKind = TopologyKind {
    name: "mesh",
    aliases: &[],
    summary: "mesh of 1 to 6 dimensions: a channel each way between neighbours",
    sizes: SHAPES,
    default_routing: "dimension-order",
    of_size: |size| Ok(Box::new(Grid::of(MESH.name, size, false)?)),
};
/// The entry of the torus.
pub const TORUS: TopologyKind = TopologyKind {
    name: "torus",
    aliases: &["k-ary-n-cube"],
    summary: "mesh with links from the last node of a row to the first",
    sizes: SHAPES,
    default_routing: "dimension-order",
    of_size: |size| Ok(Box::new(Grid::of(TORUS.name, size, true)?)),
};
/// The entry of the ring.
pub const RING: TopologyKind = TopologyKind {
    name: "ring",
    aliases: &[],
    summary: "nodes in a circle, a channel each way between neighbours",
    sizes: Sizes::nodes(RING_NODES),
    default_routing: "dimension-order",
    of_size: |size| Ok(Box::new(Grid::of(RING.name, size, true)?)),
};

/// A mesh, a torus or a ring.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    name: &'static str,
    size: Size,
    shape: Shape,
    /// Differences of the numbers of neighbours, by dimension.
    strides: [u32; MOST_SIDES],
    wraps: bool,
}

/// A direction along a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction {
    /// The dimension, X being 0.
    pub dimension: usize,
    /// Whether coordinates descend along it.
    pub minus: bool,
}

impl Direction {
    /// The direction in which a port leads.
    pub fn of(port: Port) -> Self {
        Self { dimension: usize::from(port.0 / 2), minus: port.0 % 2 == 1 }
    }

    /// The port that leads there.
    pub fn port(self) -> Port {
        Port(2 * self.dimension as u8 + u8::from(self.minus))
    }
}

impl Grid {
    pub(super) fn of(name: &'static str, size: Size, wraps: bool) -> Result<Self, TopologyError> {
        let ring =
            || Shape::new(&[size.expect(&NODES)]).expect("a ring is as long as a side at most");
        let shape = size.shape().unwrap_or_else(ring);
        let nodes = shape.nodes();
        if nodes > u64::from(MOST_NODES) {
            return Err(TopologyError::Nodes { topology: name, nodes, low: 2, high: MOST_NODES });
        }
        let mut strides = [1; MOST_SIDES];
        for (dimension, side) in shape.sides().iter().enumerate().take(MOST_SIDES - 1) {
            strides[dimension + 1] = strides[dimension] * side;
        }
        Ok(Self { name, size, shape, strides, wraps })
    }

    /// The grid that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::Grid(found) => Some(found),
            _ => None,
        }
    }

    /// Whether no row closes to a ring, whatever its length.
    pub fn is_mesh(&self) -> bool {
        !self.wraps
    }

    /// Whether the grid is a ring by its topology, and not as a torus of one dimension.
    pub fn is_ring(&self) -> bool {
        self.name == RING.name
    }

    /// The rows of a dimension: grids of that dimension alone.
    pub fn row(&self, dimension: usize) -> Self {
        let kind = if self.wraps { TORUS.name } else { MESH.name };
        let shape = Shape::new(&[self.sides()[dimension]]).expect("a side of a shape is one");
        Self::of(kind, shape.into(), self.wraps).expect("a row is smaller than its grid")
    }

    /// The sides, X first.
    pub fn sides(&self) -> &[u32] {
        self.shape.sides()
    }

    /// Whether rows of a dimension close to rings. Those of two nodes do not.
    pub fn wraps(&self, dimension: usize) -> bool {
        self.wraps && self.sides()[dimension] > 2
    }

    /// A node's coordinates, X first.
    pub fn coordinates(&self, node: Node) -> Vec<u32> {
        let mut rest = node.0;
        let coordinate = |&side: &u32| {
            let coordinate = rest % side;
            rest /= side;
            coordinate
        };
        self.sides().iter().map(coordinate).collect()
    }

    /// A node's coordinate in a dimension.
    pub fn coordinate(&self, node: Node, dimension: usize) -> u32 {
        self.place(node, dimension).1
    }

    /// The node at the same coordinate in a dimension, and at 0 in all others.
    pub fn on_axis(&self, node: Node, dimension: usize) -> Node {
        let (stride, at) = self.place(node, dimension);
        Node(at * stride)
    }

    /// Difference of the numbers of neighbours in a dimension, and a node's coordinate in it.
    fn place(&self, node: Node, dimension: usize) -> (u32, u32) {
        let stride = self.strides[dimension];
        (stride, node.0 / stride % self.sides()[dimension])
    }

    /// The node at these coordinates.
    pub(super) fn at(&self, coordinates: &[u32]) -> Node {
        let places = self.sides().iter().zip(coordinates).rev();
        Node(places.fold(0, |node, (side, coordinate)| node * side + coordinate))
    }

    /// Whether the channel of a port at this node is the link that closes a ring.
    pub fn closes_ring(&self, node: Node, port: Port) -> bool {
        let Direction { dimension, minus } = Direction::of(port);
        let last = if minus { 0 } else { self.sides()[dimension] - 1 };
        // Divides only where it has to: analysis asks this of each step.
        self.wraps(dimension) && self.coordinate(node, dimension) == last
    }
}

impl Topology for Grid {
    fn name(&self) -> &'static str {
        self.name
    }
    fn size(&self) -> Size {
        self.size
    }
    fn structure(&self) -> Structure {
        Structure::Grid(*self)
    }
    fn nodes(&self) -> u32 {
        self.shape.nodes() as u32
    }
    fn label(&self, node: Node) -> String {
        let coordinates = self.coordinates(node);
        coordinates.iter().map(u32::to_string).collect::<Vec<_>>().join("_")
    }
    fn position(&self, node: Node) -> Option<Position> {
        if self.name == RING.name {
            return Some(positions::on_circle(node.0, self.nodes()));
        }
        let places = self.coordinates(node).into_iter().zip(self.sides().iter().copied());
        Some(positions::in_grid(places))
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        let wrong = || TopologyError::Label {
            topology: self.name,
            label: label.to_owned(),
            expected: format!(
                "{} coordinate(s) below {}, X first, such as {}",
                self.sides().len(),
                self.shape,
                self.label(Node(self.nodes() - 1))
            ),
        };
        let words: Vec<&str> = label.split('_').collect();
        if words.len() != self.sides().len() {
            return Err(wrong());
        }
        let coordinate = |(word, &side): (&&str, &u32)| {
            labels::parse_number(word).filter(|&coordinate| coordinate < side)
        };
        let coordinates: Option<Vec<u32>> =
            words.iter().zip(self.sides()).map(coordinate).collect();
        Ok(self.at(&coordinates.ok_or_else(wrong)?))
    }
    fn ports(&self) -> u8 {
        2 * self.sides().len() as u8
    }
    fn port_name(&self, port: Port) -> String {
        let Direction { dimension, minus } = Direction::of(port);
        format!("{}_{}", AXES[dimension], if minus { "minus" } else { "plus" })
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        if output.0 >= self.ports() {
            return None;
        }
        let Direction { dimension, minus } = Direction::of(output);
        let ((stride, at), side) = (self.place(from, dimension), self.sides()[dimension]);
        let last = if minus { at == 0 } else { at + 1 == side };
        if last && !self.wraps(dimension) {
            return None;
        }
        let to = match (last, minus) {
            (true, true) => side - 1,
            (true, false) => 0,
            (false, true) => at - 1,
            (false, false) => at + 1,
        };
        Some((Node(from.0 - at * stride + to * stride), output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::tests::keeps_the_contract;

    #[test]
    fn grids_keep_the_contract() {
        for kind in [MESH, TORUS] {
            for size in kind.sizes.small() {
                keeps_the_contract(&*kind.build(size).unwrap());
            }
            keeps_the_contract(&*kind.build("4x4".parse::<Shape>().unwrap()).unwrap());
        }
        (3..8).for_each(|n| keeps_the_contract(&*RING.build(Size::of_nodes(n)).unwrap()));
    }

    #[test]
    fn channels_and_diameters_are_those_of_the_formulas() {
        for (kind, shape, channels, diameter) in [
            (MESH, "4x4", 48, 6),
            (TORUS, "4x4", 64, 4),
            (TORUS, "5x3", 60, 3),
            (TORUS, "2x2", 8, 2),
            (MESH, "2x3x4", 92, 6),
        ] {
            let grid = kind.build(shape.parse::<Shape>().unwrap()).unwrap();
            assert_eq!(grid.channels(), channels, "{} {shape}", kind.name);
            let most = grid.all_nodes().map(|n| *grid.distances(n).iter().max().unwrap()).max();
            assert_eq!(most, Some(diameter), "{} {shape}", kind.name);
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let error = RING.build(Size::of_nodes(2)).unwrap_err().to_string();
        assert_eq!(error, "ring: 2 nodes are out of range; use 3 to 1024");
        let error = MESH.build("1024x1024x2".parse::<Shape>().unwrap());
        assert!(error.unwrap_err().to_string().contains("2097152 nodes are out of range"));
        let error = MESH.build(4).unwrap_err().to_string();
        assert_eq!(error, "mesh takes shape, not dimension 4");
    }
}
