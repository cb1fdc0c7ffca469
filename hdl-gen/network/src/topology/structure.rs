//! Structure of a network: what a topology says that it is, so that relations and patterns ask for
//! that and not for a name.

use super::ccc::Ccc;
use super::directed_cube::DirectedCube;
use super::dragonfly::Dragonfly;
use super::grid::Grid;
use super::hyperx::HyperX;
use super::multistage::Multistage;
use super::star::Star;
use super::tree::Tree;
use super::words::Words;

/// Structure of a network.
#[derive(Clone, Debug)]
pub enum Structure {
    /// Nodes that are binary words, a channel each way between those that differ in one bit.
    Cube,
    /// Nodes that are binary words, of which each has channels across half of its bits.
    DirectedCube(DirectedCube),
    /// Cubes with a ring in place of each node.
    Cycles(Ccc),
    /// Nodes at the points of a grid: meshes, tori, rings.
    Grid(Grid),
    /// Nodes at the points of a grid whose rows are fully connected.
    HyperX(HyperX),
    /// Fully connected groups of nodes, fully connected among themselves.
    Dragonfly(Dragonfly),
    /// Nodes in a circle, a channel from each to the next alone.
    DirectedRing,
    /// A channel from each node to each other.
    Full,
    /// A switch without a terminal amid nodes, a channel each way between it and each of them.
    Star(Star),
    /// Switches in levels, terminals at the lowest: trees, fat trees.
    Tree(Tree),
    /// Nodes that are words, channels that shift a letter in: de Bruijn and Kautz graphs.
    Words(Words),
    /// Stages of switches between sources and sinks: butterflies, Benes, Clos.
    Multistage(Multistage),
    /// Network of a user's own, of which nothing is known but its channels.
    Given,
    /// Structure of another sort, routed by the relations of any network that has no better.
    Other,
}

impl Structure {
    /// Whether this is a mesh.
    pub fn is_mesh(&self) -> bool {
        matches!(self, Self::Grid(grid) if grid.is_mesh())
    }

    /// The sides of the grid at whose points the nodes stand, X first and fastest in their numbers;
    /// `None` where they stand on none.
    pub fn sides(&self) -> Option<&[u32]> {
        match self {
            Self::Grid(grid) => Some(grid.sides()),
            Self::HyperX(network) => Some(network.sides()),
            _ => None,
        }
    }
}
