//! The steps that give the bounds: times of queues, and the packets that are in the way of each flow.

use crate::compositional::{TOO_LONG, Times};
use crate::flow_based::{Charge, window};
use crate::queue_network::{LinkSharing, QueueNetwork};
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;

/// The steps, in an order in which each follows from those before it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Steps {
    /// Queues, from the sinks back to the sources.
    pub queues: Vec<QueueStep>,
    /// Bounds by the flow-based method, each less than that of its flow before it.
    pub claims: Vec<Claim>,
}

/// Most cycles that any packet is at the head of a queue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct QueueStep {
    /// Label of the switch.
    pub switch: String,
    /// Input port of the queue.
    pub input: String,
    /// Virtual channel of the queue.
    pub vc: u8,
    /// Cycles from its first flit being at the head of the queue until its last one has left, at most;
    /// absent where that is too long to count.
    pub cycles: Option<u64>,
}

/// Bound of a flow that follows from the packets that can be in its way.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Claim {
    /// Flow of the bound: its place in the list of flows.
    pub flow: usize,
    /// The bound, in cycles.
    pub cycles: u64,
    /// Flows, by their places in the list, whose packets count from when none of theirs was under way; of
    /// the others those that may still be under way by the bounds that were known before.
    pub since_idle: Vec<usize>,
    /// Way in which the other virtual channels of links are counted.
    pub link_sharing: LinkSharing,
    /// The packets that can be in the way, its own among them.
    pub packets: Vec<Packets>,
}

/// Packets of one flow that can be in the way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Packets {
    /// Flow of the packets: its place in the list of flows.
    pub flow: usize,
    /// Cycles in which they were released.
    pub within_cycles: u64,
    /// Number of packets that its token bucket lets through in these.
    pub count: u64,
    /// Cycles that each of them takes.
    pub cycles_each: u64,
}

impl Steps {
    pub(crate) fn of(plan: &FabricPlan, times: &Times<'_>) -> Self {
        let network = times.network();
        let queue = |&at: &usize| {
            let queue = &network.queues[at];
            QueueStep {
                switch: plan.topology().label(queue.node),
                input: queue.input.name(plan.topology(), queue.node),
                vc: queue.vc.0,
                cycles: Some(times.at_head[at]).filter(|&cycles| cycles < TOO_LONG),
            }
        };
        Self { queues: times.order().iter().map(queue).collect(), claims: Vec::new() }
    }
}

impl Claim {
    pub(crate) fn new(
        network: &QueueNetwork,
        (own, cycles): (usize, u64),
        (since_idle, link_sharing): (&[usize], LinkSharing),
        charges: &[Charge],
        bounds: &[Option<u64>],
    ) -> Self {
        let packets = charges.iter().map(|charge| {
            let Charge { flow, cycles: cycles_each } = *charge;
            let within_cycles = window(network, own, since_idle, flow, bounds, cycles + 1);
            let count = network.flows[flow].bucket.packets(within_cycles);
            Packets { flow, within_cycles, count, cycles_each }
        });
        let packets = packets.collect();
        let since_idle = since_idle.to_vec();
        Self { flow: own, cycles, since_idle, link_sharing, packets }
    }
}
