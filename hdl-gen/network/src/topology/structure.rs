//! Structure of a network: what a topology says that it is, so that relations and patterns ask for
//! that and not for a name.

use super::grid::Grid;
use super::hyperx::HyperX;
use super::multistage::Multistage;
use super::tree::Tree;
use super::words::Words;

/// Structure of a network.
#[derive(Clone, Debug)]
pub enum Structure {
    /// Nodes at the points of a grid: meshes, tori, rings.
    Grid(Grid),
    /// Nodes at the points of a grid whose rows are fully connected.
    HyperX(HyperX),
    /// Switches in levels, terminals at the lowest: trees, fat trees.
    Tree(Tree),
    /// Nodes that are words, channels that shift a letter in: de Bruijn and Kautz graphs.
    Words(Words),
    /// Stages of switches between sources and sinks: butterflies, Benes, Clos.
    Multistage(Multistage),
    /// Structure of another sort.
    Other,
}

impl Structure {
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
