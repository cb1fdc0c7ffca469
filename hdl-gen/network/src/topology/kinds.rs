//! The list of topologies, and what an entry of it says.

use super::{
    Parameter, Size, Sizes, Structure, Topology, TopologyError, arc_cube, arc_cube_2, ccc,
    circulant, directed_cube, dragonfly, fly, grid, hypercube, hyperx, multistage, random_regular,
    slim_fly, star, tree, words,
};
use turnpike_base::nearest::Nearest;

/// One entry of the list of topologies.
pub struct TopologyKind {
    /// The name on the command line.
    pub name: &'static str,
    /// Other names that it goes by there.
    pub aliases: &'static [&'static str],
    /// One line on what it is.
    pub summary: &'static str,
    /// The sizes that it takes.
    pub sizes: Sizes,
    /// The relation that is used where none is named.
    pub default_routing: &'static str,
    /// Builds it, of a size that it takes.
    pub of_size: fn(Size) -> Result<Box<dyn Topology>, TopologyError>,
}

/// Most switches of a network with RTL, where its dimension does not say.
pub const MOST_SWITCHES: u32 = 1024;

impl TopologyKind {
    /// The topology of this size.
    ///
    /// # Errors
    /// [`TopologyError::Size`] for a size of another sort, and whatever is out of range.
    pub fn build(&self, size: impl Into<Size>) -> Result<Box<dyn Topology>, TopologyError> {
        let size = size.into();
        if !self.sizes.takes(size) {
            let (topology, takes, given) = (self.name, Box::new(self.sizes), Box::new(size));
            return Err(TopologyError::Size { topology, takes, given });
        }
        self.sizes.check(self.name, size)?;
        (self.of_size)(size)
    }

    /// Structure of the topology's networks: that of its least.
    ///
    /// # Panics
    /// Where the least size is none that it takes, which a test rules out.
    pub fn structure(&self) -> Structure {
        let least = self.sizes.small()[0];
        let network = self.build(least);
        network.unwrap_or_else(|error| panic!("{}: {error}", self.name)).structure()
    }

    /// The least and the largest dimension, of a topology that takes one alone.
    pub fn dimensions(&self) -> Option<(u32, u32)> {
        self.sizes.only_dim()
    }

    /// Checks a number of nodes, of a topology that takes one.
    ///
    /// # Errors
    /// [`TopologyError::Nodes`] outside its range.
    pub fn check_nodes(&self, nodes: u32) -> Result<(), TopologyError> {
        self.sizes.check(self.name, Size::of_nodes(nodes))
    }

    /// Checks a dimension, of a topology that takes one.
    ///
    /// # Errors
    /// [`TopologyError::Dimension`] outside [`TopologyKind::dimensions`].
    pub fn check(&self, dimension: u32) -> Result<(), TopologyError> {
        self.sizes.check(self.name, Size::of_dim(dimension))
    }
}

/// Every topology there is. A new one is one file and one line here.
pub const TOPOLOGIES: &[TopologyKind] = &[
    hypercube::KIND,
    directed_cube::KIND,
    ccc::CCC,
    ccc::DCCC,
    ccc::CLEVER_CCC,
    ccc::CLEVER_DCCC,
    ccc::PV_CCC,
    arc_cube::KIND,
    arc_cube_2::KIND,
    grid::MESH,
    grid::TORUS,
    grid::RING,
    hyperx::KIND,
    dragonfly::KIND,
    slim_fly::KIND,
    random_regular::KIND,
    circulant::DIRECTED_RING,
    circulant::FULL,
    star::KIND,
    tree::TREE,
    tree::FAT_TREE,
    words::DE_BRUIJN,
    words::KAUTZ,
    multistage::BUTTERFLY,
    fly::KIND,
    multistage::BENES,
    multistage::DOUBLE_BUTTERFLY,
    multistage::CLOS,
];

/// The parameters of all topologies, each once, in the order of the list.
pub fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&Parameter> = Vec::new();
    for parameter in TOPOLOGIES.iter().flat_map(|kind| kind.sizes.ranges()).map(|r| r.parameter) {
        if all.iter().all(|known| known.key != parameter.key) {
            all.push(parameter);
        }
    }
    all
}

/// The entry of that name or alias.
///
/// # Errors
/// [`TopologyError::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static TopologyKind, TopologyError> {
    let named = |kind: &&TopologyKind| kind.name == name || kind.aliases.contains(&name);
    TOPOLOGIES.iter().find(named).ok_or_else(|| {
        let names: Vec<_> = TOPOLOGIES
            .iter()
            .flat_map(|kind| std::iter::once(&kind.name).chain(kind.aliases))
            .copied()
            .collect();
        TopologyError::Unknown {
            name: name.to_owned(),
            nearest: Nearest::of(name, names.iter().copied()),
            known: names.join(", "),
        }
    })
}
