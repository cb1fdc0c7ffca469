//! The checker of bounds: it follows the steps one by one, and takes nothing from the code that found them.
//! Routes are walked anew, who meets whom is found anew, and each number is held against what the steps
//! before it say.

mod chains;
mod queues;
mod ways;

use crate::result::Bounds;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::walk::RouteError;
use ways::Checker;

/// A step that does not follow.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Wrong {
    /// Steps that do not fit the fabric.
    #[error("the steps are not of this fabric: {0}")]
    Other(&'static str),
    /// A queue that comes before one that its packets go on to.
    #[error("queue {queue}: its packets go on to a queue that no step before it is of")]
    Order {
        /// Place of the queue among the steps.
        queue: usize,
    },
    /// Less time than a packet may take.
    #[error("{what}: {claimed} cycles are claimed, and {found} follow from the steps before")]
    Less { what: String, claimed: u64, found: u64 },
    /// A packet that may be in the way, and is not counted.
    #[error(
        "flow {flow}: packets of flow {other} may be in the way, and are not counted, or for too few cycles"
    )]
    Missing {
        /// Flow of the claim.
        flow: usize,
        /// Flow of the packets.
        other: usize,
    },
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
}

/// Whether each step follows from those before it, and the bounds from the steps.
///
/// # Errors
/// [`Wrong`] names the first step that does not.
pub fn check(plan: &FabricPlan, bounds: &Bounds) -> Result<(), Wrong> {
    let checker = Checker::new(plan, &bounds.steps.queues)?;
    checker.queues()?;
    if bounds.flows.len() != checker.flows.len() {
        return Err(Wrong::Other("it has another number of flows"));
    }
    let mut known: Vec<Option<u64>> =
        bounds.flows.iter().map(|flow| flow.compositional_cycles).collect();
    let mut by_chains = vec![None; known.len()];
    for (flow, claimed) in known.iter().enumerate() {
        if let Some(claimed) = *claimed {
            let found = checker.through_queues(flow)?;
            at_least(|| format!("flow {flow}, by queues"), claimed, found)?;
        }
    }
    for claim in &bounds.steps.claims {
        let flows = claim.packets.iter().map(|packets| packets.flow);
        if !flows.chain([claim.flow]).all(|flow| flow < known.len()) {
            return Err(Wrong::Other("it has another number of flows"));
        }
        checker.claim(claim, &known)?;
        for bounds in [&mut known, &mut by_chains] {
            let least = bounds[claim.flow].map_or(claim.cycles, |known| claim.cycles.min(known));
            bounds[claim.flow] = Some(least);
        }
    }
    for (at, flow) in bounds.flows.iter().enumerate() {
        has_steps(at, flow.bound_cycles, known[at])?;
        has_steps(at, flow.flow_based_cycles, by_chains[at])?;
    }
    Ok(())
}

fn has_steps(flow: usize, claimed: Option<u64>, found: Option<u64>) -> Result<(), Wrong> {
    match (claimed, found) {
        (Some(claimed), Some(found)) => at_least(|| format!("flow {flow}"), claimed, found),
        (Some(_), None) => Err(Wrong::Other("a bound has no step")),
        (None, _) => Ok(()),
    }
}

fn at_least(what: impl Fn() -> String, claimed: u64, found: u64) -> Result<(), Wrong> {
    match claimed >= found {
        true => Ok(()),
        false => Err(Wrong::Less { what: what(), claimed, found }),
    }
}
