//! Networks that are routed row by row.

use super::{Found, Network, NetworkError};
use crate::deadlock::{self, DeadlockVerdict};
use crate::rows::{ByRows, MOST_CLASSES};
use crate::symmetry::Symmetry;
use std::sync::{Arc, OnceLock};
use turnpike_network::routing::Relation;
use turnpike_network::routing::rows::Rows;
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Node, Topology};

/// Most nodes whose channels are numbered one by one, and whose routes the checker walks pair by pair. Beyond
/// there is no RTL.
const MOST_NUMBERED: u32 = 1 << 10;

impl Network {
    /// Analysis of the rows, where routes go row by row by construction.
    pub fn by_rows(&self) -> Option<&ByRows> {
        self.by_rows.as_ref()
    }

    /// Whether the routes of the rows alone were walked, and not those of every pair.
    pub fn is_by_row(&self) -> bool {
        self.certificate().is_some_and(|certificate| certificate.by_row)
    }

    /// The network of a relation that goes row by row, from its rows. Up to [`MOST_NUMBERED`] nodes its channels
    /// are numbered one by one, and the checker walks the routes of every pair.
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
        let (turns, symmetry) = (by_rows.turns(), Symmetry::none(&*topology));
        let (entering, verdict) = match nodes <= MOST_NUMBERED {
            true => {
                let all = Entering::of(&*topology);
                let verdict = deadlock::decide(&*topology, &all, &turns, &symmetry, |_| true);
                (all, verdict)
            }
            false => {
                let mut sites: Vec<Node> = turns.classes.iter().map(|class| class.site).collect();
                sites.sort_unstable();
                let verdict = DeadlockVerdict::Free(by_rows.certificate());
                (Entering::at(&*topology, &sites), verdict)
            }
        };
        let longest_route = OnceLock::from(by_rows.longest_route());
        let network = Self {
            longest_route,
            by_rows: Some(by_rows),
            ..Self::found(topology, relation, symmetry, Found { entering, turns, verdict })
        };
        network.checked(vcs)
    }
}
