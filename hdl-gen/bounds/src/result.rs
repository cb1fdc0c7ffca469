//! The bounds of a fabric's flows.

use crate::compositional::Times;
use crate::flow_based::{by_bounds, by_meeting, charges, reach, together};
use crate::queue_network::{BoundsError, QueueNetwork};
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
    let mut steps = Steps::of(plan, &times, &compositional);
    let mut best = compositional.clone();
    let mut flow_based = vec![None; count];
    let mut better = |best: &mut Vec<Option<u64>>, claim: Claim| {
        let (flow, cycles) = (claim.flow, claim.cycles);
        flow_based[flow] = Some(cycles);
        if best[flow].is_none_or(|known| cycles < known) {
            best[flow] = Some(cycles);
            steps.claims.push(claim);
            return true;
        }
        false
    };
    for flow in 0..count {
        let charges = charges(&network, &together(&network, flow));
        if let Some(cycles) = by_meeting(&network, &charges) {
            better(&mut best, Claim::by_meeting(&network, flow, cycles, &charges));
        }
    }
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for flow in 0..count {
            let charges = charges(&network, &reach(&network, flow));
            if let Some(cycles) = by_bounds(&network, flow, &charges, &best)
                && best[flow].is_none_or(|known| cycles < known)
            {
                let claim = Claim::by_bounds(&network, flow, cycles, &charges, &best);
                changed |= better(&mut best, claim);
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
        for draw in plan.relation().draws() {
            let steps =
                route(plan.topology(), plan.relation(), flow.source, flow.destination, draw)?;
            least = least.min(u64::from(plan.route_latency(&steps)) + flow.packet - 1);
        }
        flows.push(FlowBound {
            source: label(flow.source),
            destination: label(flow.destination),
            packet_flits: flow.packet,
            bandwidth: flow.rate.flits_per_cycle(),
            burst_flits: flow.burst,
            least_cycles: least,
            bound_cycles: best[at],
            compositional_cycles: compositional[at],
            flow_based_cycles: flow_based[at],
            latency_cycles: flow.asked,
        });
    }
    Ok(Bounds { flows, steps })
}
