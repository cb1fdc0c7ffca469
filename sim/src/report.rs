//! What a measured run found.

use crate::traffic::TrafficDescription;
use serde::Serialize;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every measured packet was delivered.
    Drained,
    /// The drain reached its limit: the network is saturated, or packets starve.
    NotDrained,
    /// Packets wait for each other in a cycle and never arrive. Others may still pass them.
    Deadlocked,
    /// More packets waited at the sources than the run may hold: the network is saturated.
    PacketLimit,
}

/// Latency of measured packets, in cycles. Percentiles are exact below 2,048 cycles and within
/// 0.1 % above; mean and maximum are exact.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Latency {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: u64,
    /// 95th percentile.
    pub p95: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Maximum.
    pub max: u64,
}

/// The report of a run. Counts are over the whole run, from reset, unless they say otherwise.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Version of these fields: 1.
    pub schema_version: u32,
    /// The fabric's name.
    pub fabric: String,
    /// The topology.
    pub topology: String,
    /// The routing relation.
    pub routing: String,
    /// The seed that its routes were drawn from; left out where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route_seed: Option<u64>,
    /// The topology's dimension.
    pub dimension: u32,
    /// Nodes, a terminal each.
    pub nodes: u32,
    /// Virtual channels.
    pub virtual_channels: u8,
    /// Flits that a queue holds.
    pub depth: u32,
    /// The traffic, with its seed and whether self-addressed packets are sent.
    pub traffic: TrafficDescription,
    /// How the run ended.
    pub outcome: Outcome,
    /// Whether the network takes less than is offered: the run did not drain, or the sources'
    /// backlog grew by more than 5 % of what was released during the measurement.
    pub saturated: bool,
    /// Cycles before the measurement.
    pub warm_up_cycles: u64,
    /// Whether a warm-up that was to be detected ended in a steady state (`false`: it reached
    /// its limit); absent where its length was given.
    pub warm_up_steady: Option<bool>,
    /// Cycles of the measurement.
    pub measured_cycles: u64,
    /// Cycles from the end of the measurement to the last measured packet.
    pub drain_cycles: u64,
    /// Cycles without new packets at the end of a run that did not drain, in which the network
    /// emptied or came to a stand; 0 otherwise.
    pub settle_cycles: u64,
    /// Cycles in all.
    pub cycles: u64,
    /// Packets that the traffic released.
    pub released_packets: u64,
    /// Packets whose first flit was accepted.
    pub injected_packets: u64,
    /// Packets whose last flit was taken at the output.
    pub delivered_packets: u64,
    /// Flits that the traffic released.
    pub released_flits: u64,
    /// Flits accepted.
    pub injected_flits: u64,
    /// Flits taken at outputs.
    pub delivered_flits: u64,
    /// Packets released during the measurement.
    pub measured_packets: u64,
    /// Those of them that were delivered; the latencies are theirs.
    pub measured_delivered_packets: u64,
    /// Cycles from a packet's release (its generation: time at the source counts) to the
    /// cycle in which its last flit is taken at the output. Absent without packets.
    pub latency: Option<Latency>,
    /// The same from the cycle in which its first flit was accepted.
    pub network_latency: Option<Latency>,
    /// Flits released per node and cycle, over the measurement.
    pub offered_throughput: f64,
    /// Flits taken at outputs per node and cycle, over the measurement.
    pub accepted_throughput: f64,
    /// Most flits that any queue has held.
    pub largest_queue_flits: u32,
    /// Most flits that have waited at one source.
    pub largest_source_backlog_flits: u64,
    /// Flits that wait at sources at the end: released, not accepted.
    pub source_backlog_flits: u64,
    /// Flits in the network at the end: accepted, not delivered.
    pub network_flits: u64,
    /// Channel crossings.
    pub flit_hops: u64,
    /// Channel crossings per flit delivered, over the measurement.
    pub hops_per_flit: Option<f64>,
}
