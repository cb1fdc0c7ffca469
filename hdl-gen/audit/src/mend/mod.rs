//! Least mending of a network that can deadlock: as few table entries moved, or as few virtual
//! channels added, as there are.

pub mod layers;
pub mod moves;
mod solver;

use crate::model::Routed;
use crate::traffic::Traffic;
use crate::verdict::{Rule, Switching, Verdict, verdict};

/// Conflicts of the solver at most.
const MOST_CONFLICTS: u64 = 200_000;

/// Whether all routes of a network ascend in an order of its channels.
fn ascends(routed: &Routed, traffic: &Traffic) -> bool {
    let found = verdict(routed, traffic, Switching::Wormhole);
    matches!(found, Ok(Verdict::Free(proof)) if proof.rule == Rule::All)
}
