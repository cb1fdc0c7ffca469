//! True shortest paths, one per pair, looked up at the source. Of several, the one that comes
//! to each node by the first port, looked at from its end.

use super::source::source_routed;
use super::{Build, Built, RelationKind, RoutingError};
use crate::topology::paths::Paths;
use crate::topology::{Topology, arc_cube, arc_cube_2, ccc, directed_ring, grid, words};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "shortest",
    topologies: &[
        ccc::CCC.name,
        ccc::DCCC.name,
        ccc::CLEVER_CCC.name,
        ccc::CLEVER_DCCC.name,
        ccc::PV_CCC.name,
        arc_cube::KIND.name,
        arc_cube_2::KIND.name,
        grid::MESH.name,
        grid::TORUS.name,
        grid::RING.name,
        directed_ring::KIND.name,
        words::DE_BRUIJN.name,
        words::KAUTZ.name,
    ],
    any: true,
    summary: "a shortest path per pair, by table at the source",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 2: complete path generation",
    build: Build::Fixed(shortest),
};

/// The relation on any topology.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`source_routed`].
pub fn shortest(topology: &dyn Topology) -> Built {
    let mut paths = Paths::new(topology);
    source_routed(topology, KIND.name, |source, destination| {
        let path = paths.between(source, destination).and_then(|(from, to)| from.first(to));
        path.ok_or_else(|| RoutingError::disconnected(topology, source, destination))
    })
}
