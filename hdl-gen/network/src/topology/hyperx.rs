//! HyperX networks, flattened butterflies: nodes at the points of a grid, with a channel each way
//! between any two nodes that differ in one coordinate (Ahn, Binkert, Davis, McLaren and Schreiber,
//! HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009; Kim, Dally
//! and Abts, Flattened butterfly, ISCA 2007).
//!
//! Nodes and labels are those of the mesh of the same shape. Port `x_plus<d>` leads to the node d
//! further in X, modulo the side, and packets that came by it came from d below. So all switches are
//! alike: adding a number to a coordinate of all nodes keeps every name.

use super::grid::{AXES, Grid, sizes_by_sides};
use super::positions::Position;
use super::{Node, Port, Size, Structure, Topology, TopologyError, TopologyKind};

/// Most nodes.
const MOST_NODES: u32 = 4096;
/// Most network ports of a switch: those of two sides of 64.
const MOST_PORTS: u32 = 126;

/// The entry in the list of topologies.
pub const KIND: TopologyKind = TopologyKind {
    name: "hyperx",
    aliases: &["flattened-butterfly"],
    summary: "grid of 1 to 6 dimensions whose rows are fully connected",
    sizes: sizes_by_sides(MOST_NODES, MOST_NODES),
    default_routing: "dimension-order",
    of_size: |size| Ok(Box::new(HyperX::of(size)?)),
};

/// A HyperX network.
#[derive(Debug, Clone, Copy)]
pub struct HyperX {
    /// The mesh with the same nodes.
    points: Grid,
}

impl HyperX {
    fn of(size: Size) -> Result<Self, TopologyError> {
        let points = Grid::of(KIND.name, size, false)?;
        let nodes = points.nodes();
        if nodes > MOST_NODES {
            let (nodes, low, high) = (nodes.into(), 2, MOST_NODES);
            return Err(TopologyError::Nodes { topology: KIND.name, nodes, low, high });
        }
        let ports: u32 = points.sides().iter().map(|side| side - 1).sum();
        match ports {
            0..=MOST_PORTS => Ok(Self { points }),
            _ => Err(TopologyError::Ports { topology: KIND.name, ports, most: MOST_PORTS }),
        }
    }

    /// The network that a topology is; `None` for another.
    pub fn of_topology(topology: &dyn Topology) -> Option<Self> {
        match topology.structure() {
            Structure::HyperX(found) => Some(found),
            _ => None,
        }
    }

    /// The sides, X first.
    pub fn sides(&self) -> &[u32] {
        self.points.sides()
    }

    /// A node's coordinate in a dimension.
    pub fn coordinate(&self, node: Node, dimension: usize) -> u32 {
        self.points.coordinate(node, dimension)
    }

    /// The port that leads `further` on in a dimension, 1 to its side less 1.
    pub fn port(&self, dimension: usize, further: u32) -> Port {
        let below: u32 = self.sides()[..dimension].iter().map(|side| side - 1).sum();
        Port((below + further - 1) as u8)
    }

    /// Dimension of a port, and how far on it leads there.
    pub fn of_port(&self, port: Port) -> (usize, u32) {
        let mut index = u32::from(port.0);
        for (dimension, side) in self.sides().iter().enumerate() {
            if index < side - 1 {
                return (dimension, index + 1);
            }
            index -= side - 1;
        }
        unreachable!("a switch of {self:?} has no port {}", port.0)
    }

    /// The node with each coordinate moved as `moved` says from its own, that of `by`, and its side.
    fn moved(&self, node: Node, by: Node, moved: impl Fn(u32, u32, u32) -> u32) -> Node {
        let [own, by] = [node, by].map(|node| self.points.coordinates(node));
        let sides = self.sides().iter();
        let coordinates: Vec<u32> =
            sides.zip(own.iter().zip(by)).map(|(&side, (&own, by))| moved(own, by, side)).collect();
        self.points.at(&coordinates)
    }
}

impl Topology for HyperX {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn size(&self) -> Size {
        self.points.size()
    }
    fn structure(&self) -> Structure {
        Structure::HyperX(*self)
    }
    fn nodes(&self) -> u32 {
        self.points.nodes()
    }
    fn address_bits(&self) -> u32 {
        self.points.address_bits()
    }
    fn label(&self, node: Node) -> String {
        self.points.label(node)
    }
    fn position(&self, node: Node) -> Option<Position> {
        self.points.position(node)
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        self.points.node(label)
    }
    fn ports(&self) -> u8 {
        self.sides().iter().map(|side| side - 1).sum::<u32>() as u8
    }
    fn port_name(&self, port: Port) -> String {
        let (dimension, further) = self.of_port(port);
        format!("{}_plus{further}", AXES[dimension])
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        if output.0 >= self.ports() {
            return None;
        }
        let (dimension, further) = self.of_port(output);
        let mut coordinates = self.points.coordinates(from);
        coordinates[dimension] = (coordinates[dimension] + further) % self.sides()[dimension];
        Some((self.points.at(&coordinates), output))
    }
    fn representative(&self, _node: Node) -> Node {
        Node(0)
    }
    fn translate(&self, node: Node, to: Node) -> Node {
        self.moved(node, to, |own, by, side| (own + by) % side)
    }
    fn translate_back(&self, node: Node, to: Node) -> Node {
        self.moved(node, to, |own, by, side| (own + side - by) % side)
    }
    fn generators(&self) -> Vec<Node> {
        let mut stride = 1;
        let step = |side: &u32| {
            let node = Node(stride);
            stride *= side;
            node
        };
        self.sides().iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Shape;
    use crate::topology::tests::keeps_the_contract;

    fn of(shape: &str) -> Result<HyperX, TopologyError> {
        HyperX::of(shape.parse::<Shape>().unwrap().into())
    }

    /// The distance is the number of coordinates in which nodes differ (Ahn and others, section 2).
    #[test]
    fn nodes_are_as_far_apart_as_they_differ() {
        for shape in ["2", "5", "3x2", "4x4", "2x3x4"] {
            let hyperx = of(shape).unwrap();
            keeps_the_contract(&hyperx);
            let degree: u32 = hyperx.sides().iter().map(|side| side - 1).sum();
            assert_eq!(hyperx.channels(), u64::from(hyperx.nodes() * degree), "{shape}");
            for from in hyperx.all_nodes() {
                for (to, distance) in hyperx.all_nodes().zip(hyperx.distances(from)) {
                    let differ = (0..hyperx.sides().len())
                        .filter(|&d| hyperx.coordinate(from, d) != hyperx.coordinate(to, d));
                    assert_eq!(distance as usize, differ.count(), "{shape}");
                }
            }
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let error = |shape| of(shape).unwrap_err().to_string();
        assert_eq!(error("65x64"), "hyperx: 4160 nodes are out of range; use 2 to 4096");
        assert_eq!(
            error("128"),
            "hyperx: a switch would have 127 ports; use smaller sides, for 126 at most"
        );
    }
}
