//! Networks that are routed row by row.

use super::{Network, NetworkError};
use crate::deadlock::DeadlockVerdict;
use crate::rows::{ByRows, MOST_CLASSES};
use crate::symmetry::Symmetry;
use std::sync::{Arc, OnceLock};
use turnpike_network::routing::Relation;
use turnpike_network::routing::rows::Rows;
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Node, Topology};

impl Network {
    /// The network of a relation that goes row by row, from its rows.
    pub(super) fn row_by_row(
        topology: Box<dyn Topology>,
        relation: Relation,
        rows: &Arc<Rows>,
        vcs: Option<u8>,
    ) -> Result<Self, NetworkError> {
        let topology: Arc<dyn Topology> = Arc::from(topology);
        let (nodes, terminals) = (topology.nodes(), topology.terminals());
        let by_rows = ByRows::of(rows)?.ok_or(NetworkError::Large { nodes, terminals })?;
        let (classes, most) = (by_rows.classes(), MOST_CLASSES);
        if classes > most {
            return Err(NetworkError::Classes { classes, most });
        }
        let turns = by_rows.turns();
        let mut sites: Vec<Node> = turns.classes.iter().map(|class| class.site).collect();
        sites.sort_unstable();
        let network = Self {
            symmetry: Symmetry::none(&*topology),
            entering: Entering::at(&*topology, &sites),
            all_entering: OnceLock::new(),
            verdict: DeadlockVerdict::Free(by_rows.certificate()),
            single_vc_cycle: None,
            routes_checked: 0,
            steps: OnceLock::new(),
            longest_route: OnceLock::from(by_rows.longest_route()),
            given: None,
            description: None,
            by_rows: Some(by_rows),
            topology,
            relation,
            turns,
        };
        network.checked(vcs)
    }
}
