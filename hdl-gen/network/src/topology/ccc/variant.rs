//! Variants of cube-connected cycles, by the links that they have.

use super::Ccc;
use crate::topology::{Size, Sizes, Topology, TopologyError, TopologyKind};

/// Up to n = 16 all variants stay within 2^20 nodes; from n = 9 on they have 4,096 nodes or
/// more, which is too many for RTL.
const fn kind(
    name: &'static str,
    summary: &'static str,
    of_size: fn(Size) -> Result<Box<dyn Topology>, TopologyError>,
) -> TopologyKind {
    TopologyKind {
        name,
        aliases: &[],
        summary,
        sizes: Sizes::dim(3, 16, 8),
        default_routing: "two-stage",
        of_size,
    }
}

/// The entry of [`Variant::Undirected`] in the list of topologies.
pub const CCC: TopologyKind =
    kind("ccc", "cube-connected cycles: n*2^n nodes, rings both ways, lateral links", |size| {
        Ok(Box::new(Ccc::new(Variant::Undirected, size.dim())?))
    });
/// The entry of [`Variant::Directed`].
pub const DCCC: TopologyKind =
    kind("dccc", "directed cube-connected cycles: rings one way, lateral links", |size| {
        Ok(Box::new(Ccc::new(Variant::Directed, size.dim())?))
    });
/// The entry of [`Variant::Clever`].
pub const CLEVER_CCC: TopologyKind =
    kind("clever-ccc", "cube-connected cycles whose links across go one position on", |size| {
        Ok(Box::new(Ccc::new(Variant::Clever, size.dim())?))
    });
/// The entry of [`Variant::CleverDirected`].
pub const CLEVER_DCCC: TopologyKind = kind("clever-dccc", "the same with rings one way", |size| {
    Ok(Box::new(Ccc::new(Variant::CleverDirected, size.dim())?))
});
/// The entry of [`Variant::PowerOfTwo`].
pub const PV_CCC: TopologyKind =
    kind("pv-ccc", "cube-connected cycles with rings of a power of two", |size| {
        Ok(Box::new(Ccc::new(Variant::PowerOfTwo, size.dim())?))
    });

/// Set of links of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// CCC: rings both ways, lateral links both ways.
    Undirected,
    /// DCCC: rings one way, lateral links both ways.
    Directed,
    /// Clever CCC: rings both ways; a link across ends one position on.
    Clever,
    /// Clever DCCC: rings one way; a link across ends one position on.
    CleverDirected,
    /// Links of [`Variant::Undirected`], with rings of the least power of two that is at least n.
    /// The nodes at positions n and up have no lateral link.
    PowerOfTwo,
}

/// A kind of link; the table above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// One position on.
    Forward,
    /// One position back.
    Backward,
    /// Across the position's bit.
    Lateral,
    /// Across the position's bit and one position on.
    Across,
}

impl Link {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Lateral => "lateral",
            Self::Across => "across",
        }
    }
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Undirected, Self::Directed, Self::Clever, Self::CleverDirected, Self::PowerOfTwo];

    /// The entry in the list of topologies.
    pub fn kind(self) -> &'static TopologyKind {
        match self {
            Self::Undirected => &CCC,
            Self::Directed => &DCCC,
            Self::Clever => &CLEVER_CCC,
            Self::CleverDirected => &CLEVER_DCCC,
            Self::PowerOfTwo => &PV_CCC,
        }
    }

    /// The links of a node, by port number.
    pub fn links(self) -> &'static [Link] {
        match self {
            Self::Undirected | Self::PowerOfTwo => &[Link::Forward, Link::Backward, Link::Lateral],
            Self::Directed => &[Link::Forward, Link::Lateral],
            Self::Clever => &[Link::Forward, Link::Backward, Link::Across],
            Self::CleverDirected => &[Link::Forward, Link::Across],
        }
    }
}
