//! True shortest paths, one per pair, looked up at the source. Of several, the one that comes
//! to each node by the first port, looked at from its end; on a network from a file, whose ports have
//! no order of their own, one such that the most loaded channel has little to carry ([`super::balanced`]).

use super::balanced::Routes;
use super::source::source_layered;
use super::{Build, Built, RelationKind, RoutingError};
use crate::topology::paths::Paths;
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "shortest",
    routes: |network| {
        matches!(
            network,
            Structure::Grid(_)
                | Structure::HyperX(_)
                | Structure::Dragonfly(_)
                | Structure::Cycles(_)
                | Structure::DirectedRing
                | Structure::Words(_)
                | Structure::Given
                | Structure::Other
        )
    },
    summary: "a shortest path per pair, by table at the source",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 2: complete path generation",
    build: Build::Fixed(shortest),
};

/// The relation on any topology.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`source_layered`].
pub fn shortest(topology: &dyn Topology) -> Built {
    let (mut paths, mut routes) = (Paths::new(topology), None);
    source_layered(topology, KIND.name, |source, destination| {
        let path = match topology.canonical() {
            Some(order) => {
                let new = || Routes::new(topology, order, |_, _| None);
                let routes: &Routes = routes.get_or_insert_with(new);
                routes.between(source, destination).cloned()
            }
            None => {
                let path = paths.between(source, destination).and_then(|(from, to)| from.first(to));
                path.map(|path| (path, None))
            }
        };
        path.ok_or_else(|| RoutingError::disconnected(topology, source, destination))
    })
}

#[cfg(test)]
mod tests;
