//! Networks to be run alone: large ones are planned from the route logic of their switches, without a walk of
//! the routes.

use super::{Found, Network, NetworkError, check_vcs};
use crate::deadlock::{self, DeadlockVerdict};
use crate::symmetry::{ALL_SOURCES, Symmetry};
use crate::turns::Turns;
use crate::wanted::can_be_walked;
use std::sync::Arc;
use turnpike_network::routing::{Relation, drawn_routes};
use turnpike_network::topology::Topology;
use turnpike_network::topology::entering::Entering;

/// Routes that are walked at most, where the network is to be run alone: more take longer than a short
/// run.
const MOST_WALKED: u64 = 1 << 16;
/// Routes of a pair that a packet with a choice counts as.
const CHOICES: u64 = 1 << 3;

impl Network {
    /// Whether it is to be run, and not built: what it takes to run it is known, and nothing was checked. The
    /// turns may be more than routes take and have no witness, and no independent checker saw the numbers of
    /// the channels.
    pub fn is_unchecked(&self) -> bool {
        self.is_unchecked
    }

    /// The network to be run: with all that is known of one to be built where its routes are few, otherwise
    /// [unchecked](Network::is_unchecked). Its turns are then those that the route logic allows, where they
    /// leave no cycle; where they do the routes are walked, for they may leave none, or need a dateline.
    ///
    /// # Errors
    /// As [`Network::of`].
    pub(crate) fn to_run(
        topology: Box<dyn Topology>,
        relation: Relation,
        vcs: Option<u8>,
    ) -> Result<Self, NetworkError> {
        let is_plain = topology.flows().is_none()
            && relation.rows().is_none()
            // The logic knows nothing of a choice of terminals to go to first.
            && relation.intermediate().is_none();
        if !is_plain || routes(&*topology, &relation) <= MOST_WALKED {
            return Self::of(topology, relation, vcs);
        }
        check_vcs(&relation, vcs)?;
        let network = match by_logic(&*topology, &relation) {
            Some(found) => {
                let symmetry = Symmetry::none(&*topology);
                Self::found(Arc::from(topology), relation, symmetry, found)
            }
            None => {
                can_be_walked(relation.name(), &*topology)?;
                Self::analysed(topology, relation, vcs)?
            }
        };
        Self { is_unchecked: true, ..network }.within(vcs)
    }
}

/// Turns by route logic, and what is decided of them; `None` where it is no use, or they leave a cycle.
fn by_logic(topology: &dyn Topology, relation: &Relation) -> Option<Found> {
    // Of large networks whose nodes stand for others, routes that nothing is drawn for are walked in less time.
    let by_translation = !topology.generators().is_empty() && topology.nodes() > ALL_SOURCES;
    if by_translation && !relation.is_randomised() {
        return None;
    }
    let turns = Turns::of_logic(topology, relation)?;
    let (symmetry, entering) = (Symmetry::none(topology), Entering::of(topology));
    let numbered = |vc| relation.is_numbered(vc);
    let proof = deadlock::certify(topology, &entering, &turns, &symmetry, numbered)?;
    Some(Found { entering, turns, verdict: DeadlockVerdict::Free(proof) })
}

/// Routes of a network, as far as they are known without walking them.
fn routes(topology: &dyn Topology, relation: &Relation) -> u64 {
    let pairs = topology.sources().count() as u64 * topology.sinks().count() as u64;
    let drawn = match relation.is_randomised() && pairs <= MOST_WALKED {
        true => drawn_routes(topology, relation, false).0,
        false => pairs,
    };
    drawn * if relation.choices().is_some() { CHOICES } else { 1 }
}
