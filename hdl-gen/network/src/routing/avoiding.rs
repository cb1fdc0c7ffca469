//! Routes around failed nodes: a pair keeps its route where no failed node is on it, and takes
//! a shortest path of what is left otherwise. No formula knows which: routes are looked up at
//! the source ([`super::source`]).

use super::balanced::Routes;
use super::source::source_layered;
use super::walk::walk;
use super::{Built, Draw, Output, Relation, RoutingError};
use crate::topology::failed::Failed;
use crate::topology::paths::Paths;
use crate::topology::{Port, Topology};

/// `relation`, which routes the intact network and draws nothing, on what is left of it.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`source_layered`].
pub fn avoiding(left: &Failed, relation: &Relation) -> Built {
    let intact = left.intact().expect("a network with failed nodes was intact before");
    // The route of the intact network, where nothing on it failed.
    let kept = |source, destination| {
        let mut kept: Vec<Port> = Vec::new();
        let mut alive = true;
        let walked = walk(intact, relation, source, destination, Draw::NONE, |step| {
            if let Output::Network(port) = step.hop.output {
                alive &= left.channel(step.node, port).is_some();
                kept.push(port);
            }
        });
        (walked.is_ok() && alive).then_some(kept)
    };
    let (mut paths, mut routes) = (Paths::new(left), None);
    let found = source_layered(left, relation.name(), |source, destination| {
        let path = match left.canonical() {
            Some(order) => {
                let new = || Routes::new(left, order, kept);
                let routes: &Routes = routes.get_or_insert_with(new);
                routes.between(source, destination).cloned()
            }
            None => {
                let path = kept(source, destination).or_else(|| {
                    paths.between(source, destination).and_then(|(from, to)| from.first(to))
                });
                path.map(|path| (path, None))
            }
        };
        path.ok_or_else(|| RoutingError::disconnected(left, source, destination))
    })?;
    Ok(found.with_route_seed(relation.route_seed()))
}
