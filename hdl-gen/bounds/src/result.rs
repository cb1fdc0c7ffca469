//! The bounds of a fabric's flows.

use crate::compositional::Times;
use crate::flow_based::{by_chains, may_be_bounded, together};
use crate::queue_network::{BoundsError, LinkSharing, QueueNetwork};
use crate::steps::{Claim, Steps};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::routing::walk::route;

/// Rounds in which bounds of some flows lower those of others.
const MOST_ROUNDS: usize = 8;
/// Most pairs of a flow and a hop of a route, which each round looks at.
pub const MOST_WORK: u64 = 1 << 27;

/// Bound of a flow.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FlowBound {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// Flits of each packet.
    pub packet_flits: u64,
    /// Flits per cycle of its token bucket.
    pub bandwidth: f64,
    /// Flits of the burst of its token bucket.
    pub burst_flits: u64,
    /// Cycles of a packet that meets no other, from its release to its last flit at the sink.
    pub least_cycles: u64,
    /// Cycles that no packet takes more than, from its release to its last flit at the sink; absent where
    /// none was found.
    pub bound_cycles: Option<u64>,
    /// Bound by the compositional method; absent where the source may release more than the network is
    /// sure to take.
    pub compositional_cycles: Option<u64>,
    /// Bound by the flow-based method; absent where the flows that can meet have too much to do.
    pub flow_based_cycles: Option<u64>,
    /// Cycles within which each packet should arrive; absent where nothing is asked.
    pub latency_cycles: Option<u32>,
}

impl FlowBound {
    /// Whether each packet is in time; `None` where nothing is asked, or there is no bound.
    pub fn is_in_time(&self) -> Option<bool> {
        Some(self.bound_cycles? <= u64::from(self.latency_cycles?))
    }

    /// Whether each packet is known to be as fast as it should be.
    pub fn is_kept(&self) -> bool {
        self.latency_cycles.is_none() || self.is_in_time() == Some(true)
    }
}

/// Bounds of the flows of a fabric, with the steps that give them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Bounds {
    /// The flows, by ascending source and destination.
    pub flows: Vec<FlowBound>,
    /// The steps that give the bounds.
    pub steps: Steps,
}

/// Bounds of the flows of a fabric.
///
/// # Errors
/// [`BoundsError`]: a fabric of which there are no bounds.
pub fn bounds(plan: &FabricPlan) -> Result<Bounds, BoundsError> {
    let network = QueueNetwork::new(plan)?;
    let count = network.flows.len();
    if count as u64 * network.hops.len() as u64 > MOST_WORK {
        return Err(BoundsError::Size);
    }
    let times = Times::new(&network).ok_or(BoundsError::Deadlock)?;
    let compositional = times.bounds();
    let mut steps = Steps::of(plan, &times);
    let mut best = compositional.clone();
    let mut flow_based = vec![None; count];
    let ways = [LinkSharing::Turns, LinkSharing::Flits];
    let hopeful: Vec<(usize, LinkSharing)> = (0..count)
        .flat_map(|flow| ways.map(|sharing| (flow, sharing)))
        .filter(|&(flow, sharing)| may_be_bounded(&network, flow, sharing))
        .collect();
    for round in 0..MOST_ROUNDS {
        let mut changed = false;
        for &(flow, sharing) in &hopeful {
            for since_idle in sets(&network, (flow, sharing), &best, round) {
                let counted = (&*since_idle, sharing);
                let found = by_chains(&network, flow, counted, &best);
                let Some((cycles, charges)) = found else { continue };
                if flow_based[flow].is_some_and(|known| known <= cycles) {
                    continue;
                }
                flow_based[flow] = Some(cycles);
                let claim = Claim::new(&network, (flow, cycles), counted, &charges, &best);
                steps.claims.push(claim);
                if best[flow].is_none_or(|known| cycles < known) {
                    best[flow] = Some(cycles);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let label = |terminal| plan.topology().terminal_label(terminal);
    let mut flows = Vec::with_capacity(count);
    for (at, flow) in network.flows.iter().enumerate() {
        let mut least = u64::MAX;
        for (draw, _) in plan.relation().unlike_draws(flow.source, flow.destination) {
            let steps =
                route(plan.topology(), plan.relation(), flow.source, flow.destination, draw)?;
            least = least.min(u64::from(plan.route_latency(&steps)) + flow.packet() - 1);
        }
        flows.push(FlowBound {
            source: label(flow.source),
            destination: label(flow.destination),
            packet_flits: flow.packet(),
            bandwidth: flow.bucket.rate.flits_per_cycle(),
            burst_flits: flow.bucket.burst.into(),
            least_cycles: least,
            bound_cycles: best[at],
            compositional_cycles: compositional[at],
            flow_based_cycles: flow_based[at],
            latency_cycles: flow.asked,
        });
    }
    Ok(Bounds { flows, steps })
}

/// Flows whose packets are counted from when none of theirs was under way, in the ways that are tried: at
/// first all that can meet; while a flow has no bound, those without one; and none.
fn sets(
    network: &QueueNetwork,
    (flow, sharing): (usize, LinkSharing),
    bounds: &[Option<u64>],
    round: usize,
) -> Vec<Vec<usize>> {
    let all = (round == 0).then(|| together(network, flow, sharing, |_| false));
    let is_unbounded = bounds[flow].is_none();
    let is_known = |other: usize| bounds[other].is_some();
    let unbounded = is_unbounded.then(|| together(network, flow, sharing, is_known));
    let unbounded = unbounded.filter(|unbounded| all.as_ref() != Some(unbounded));
    all.into_iter().chain(unbounded).chain([Vec::new()]).collect()
}
