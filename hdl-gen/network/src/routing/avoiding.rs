//! Routes around failed nodes: a pair keeps its route where no failed node is on it, and takes
//! a shortest path of what is left otherwise. No formula knows which: routes are looked up at
//! the source ([`super::source`]).

use super::source::source_routed;
use super::walk::walk;
use super::{Built, Draw, Output, Relation, RoutingError};
use crate::topology::failed::Failed;
use crate::topology::paths::Paths;
use crate::topology::{Port, Topology};

/// `relation`, which routes the intact network and draws nothing, on what is left of it.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`source_routed`].
pub fn avoiding(left: &Failed, relation: &Relation) -> Built {
    let intact = left.intact().expect("a network with failed nodes was intact before");
    let mut paths = Paths::new(left);
    let found = source_routed(left, relation.name(), |source, destination| {
        let mut kept: Vec<Port> = Vec::new();
        let mut alive = true;
        let walked = walk(intact, relation, source, destination, Draw::NONE, |step| {
            if let Output::Network(port) = step.hop.output {
                alive &= left.channel(step.node, port).is_some();
                kept.push(port);
            }
        });
        if walked.is_ok() && alive {
            return Ok(kept);
        }
        let path = paths.between(source, destination).and_then(|(from, to)| from.first(to));
        path.ok_or_else(|| RoutingError::disconnected(left, source, destination))
    })?;
    Ok(found.with_route_seed(relation.route_seed()))
}
