//! Sizes up to which networks are looked at whole.

use super::Wanted;
use turnpike_network::routing::{self, RoutingError};
use turnpike_network::topology::grid::MOST_ROUTED;
use turnpike_network::topology::{Structure, Topology};

/// Refuses grids of more nodes than the routes of all pairs are walked of.
///
/// # Errors
/// [`RoutingError::Nodes`] for such a grid; an unknown relation.
pub(crate) fn can_be_walked(routing: &str, topology: &dyn Topology) -> Result<(), RoutingError> {
    let (nodes, most) = (topology.nodes(), MOST_ROUTED);
    match topology.structure() {
        Structure::Grid(_) if nodes > most => {
            let name = routing::kind(routing, topology)?.name;
            Err(RoutingError::Nodes { name, most, nodes })
        }
        _ => Ok(()),
    }
}

impl Wanted<'_> {
    /// Whether the network is run alone as a large one may be: with no relation from a file, nor failed nodes.
    pub(crate) fn is_run_alone(&self) -> bool {
        self.to_run && self.given.is_none() && self.failed.is_empty()
    }

    /// Refuses a network whose routes cannot all be walked, unless it may be run without: for all pairs.
    pub(super) fn may_be_large(
        &self,
        routing: &str,
        topology: &dyn Topology,
    ) -> Result<(), RoutingError> {
        let is_for_all = self.flows.is_none() && self.places.is_none();
        match self.is_run_alone() && is_for_all {
            true => Ok(()),
            false => can_be_walked(routing, topology),
        }
    }
}
