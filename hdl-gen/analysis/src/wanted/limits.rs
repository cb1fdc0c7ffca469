//! Sizes up to which networks are looked at whole.

use super::Wanted;
use turnpike_network::routing::{self, RoutingError};
use turnpike_network::topology::grid::MOST_ROUTED;
use turnpike_network::topology::{Structure, Topology};

impl Wanted<'_> {
    /// Whether the network is run alone as a large one may be: with no relation from a file, nor failed nodes.
    pub(crate) fn is_run_alone(&self) -> bool {
        self.to_run && self.given.is_none() && self.failed.is_empty()
    }

    /// Refuses grids of more nodes than routes are walked of, unless the network is to be run alone.
    pub(super) fn can_be_walked(
        &self,
        routing: &str,
        intact: &dyn Topology,
    ) -> Result<(), RoutingError> {
        let (nodes, most) = (intact.nodes(), MOST_ROUTED);
        let is_grid = matches!(intact.structure(), Structure::Grid(_));
        match is_grid && nodes > most && !self.is_run_alone() {
            true => {
                Err(RoutingError::Nodes { name: routing::kind(routing, intact)?.name, most, nodes })
            }
            false => Ok(()),
        }
    }
}
