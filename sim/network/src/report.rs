//! Report of a measured run.

use crate::statistics::{Interval, Stability};
use crate::traffic::{ClassDescription, TrafficDescription};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use turnpike_fabric::report::Configuration;

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every measured packet was delivered.
    Drained,
    /// The drain reached its limit: what waits at the sources takes longer, or packets starve.
    NotDrained,
    /// Packets wait for each other in a cycle and never arrive. Others may still pass them.
    Deadlocked,
    /// More packets waited at the sources than the run may hold.
    PacketLimit,
    /// Stopped before its end, for the verdict is *saturated*: `sweep` asks for that.
    Saturated,
}

/// A count by another; 0 where there is none.
pub(crate) fn per(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

/// Latency of measured packets, in cycles. A percentile is the least latency that so many per
/// cent of the packets do not exceed: exact below 2,048 cycles, from there on up to 0.1 % too
/// high. Mean and maximum are exact.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Mean latency of the packets, in cycles.
    pub mean: f64,
    /// Median of the latency, in cycles.
    pub p50: u64,
    /// 95th percentile of the latency, in cycles.
    pub p95: u64,
    /// 99th percentile of the latency, in cycles.
    pub p99: u64,
    /// Greatest latency, in cycles.
    pub max: u64,
}

/// The report of a run. Counts are over the whole run, from reset, unless they say otherwise.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Version of these fields: 3.
    pub schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// The traffic, with its seed and whether self-addressed packets are sent.
    pub traffic: TrafficDescription,
    /// Outcome of the run: how it ended.
    pub outcome: Outcome,
    /// Whether the network is steady under this traffic, is saturated, or the run is too short
    /// to tell: docs/simulation.md says how it is decided. *Steady* only where `latency_interval` and
    /// `network_latency_interval` are known too, or no packet was measured. Absent for a trace,
    /// which is no lasting load, and where the run deadlocked.
    pub verdict: Option<Stability>,
    /// Cycles of measurement that would probably be enough for a verdict, by how strongly neighbouring
    /// batches of the run are correlated. Absent where there is a verdict.
    pub enough_cycles: Option<u64>,
    /// Share of the mean latency within which both ends of its interval were to be. Absent where that was not
    /// asked for.
    pub precision: Option<f64>,
    /// Whether the mean latency is known as precisely as was asked for. Absent where that was not asked for, and
    /// where there is no mean: in a run that is saturated, that deadlocked or that measured no packet.
    pub precise: Option<bool>,
    /// Cycles before the measurement.
    pub warm_up_cycles: u64,
    /// Whether MSER-5 found the end of the warm-up (`false`: not within the limit); absent
    /// where its length was given, or the run ended before its end.
    pub warm_up_found: Option<bool>,
    /// Cycles of the measurement; without a length, to the last delivery.
    pub measured_cycles: u64,
    /// Cycles from the end of the measurement to the last measured packet.
    pub drain_cycles: u64,
    /// Cycles without new packets but replies at the end of a run that did not drain, in which the network
    /// emptied or came to a stand; 0 otherwise.
    pub settle_cycles: u64,
    /// Number of cycles in all.
    pub cycles: u64,
    /// Packets that were released: by the traffic, and replies.
    pub released_packets: u64,
    /// Packets whose first flit was accepted.
    pub injected_packets: u64,
    /// Packets whose last flit was taken at the output.
    pub delivered_packets: u64,
    /// Flits that were released: by the traffic, and of replies.
    pub released_flits: u64,
    /// Flits that the network accepted from sources.
    pub injected_flits: u64,
    /// Flits that sinks took.
    pub delivered_flits: u64,
    /// Packets released during the measurement; replies count where their request was.
    pub measured_packets: u64,
    /// Number of measured packets that were delivered; the latencies are those of these packets.
    pub measured_delivered_packets: u64,
    /// Cycles from a packet's release (its generation: time at the source counts) to the
    /// cycle in which its last flit is taken at the output. Absent without packets.
    pub latency: Option<Latency>,
    /// 95 % confidence interval of the mean of `latency`; both ends absent where the verdict
    /// is not *steady*.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub latency_interval: Option<Interval>,
    /// Latency from the cycle in which a packet's first flit was accepted to that in which its last
    /// flit was delivered.
    pub network_latency: Option<Latency>,
    /// 95 % confidence interval of the mean of `network_latency`.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub network_latency_interval: Option<Interval>,
    /// The measured packets of each length, ascending, where the traffic draws them from several; absent
    /// otherwise.
    pub by_length: Option<Vec<LengthReport>>,
    /// Requests and replies, where packets are answered; absent otherwise.
    pub request_reply: Option<RequestReply>,
    /// The classes, where there are any, in their order: their requests, where packets are answered.
    pub classes: Option<Vec<ClassReport>>,
    /// Flits released per terminal and cycle, over the measurement; replies count.
    pub offered_throughput: f64,
    /// Flits taken at outputs per terminal and cycle, over the measurement.
    pub accepted_throughput: f64,
    /// 95 % confidence interval of `accepted_throughput`; both ends absent where the run is too
    /// short to tell, for a trace, and where the run deadlocked.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub accepted_throughput_interval: Option<Interval>,
    /// Jain's index over the flits that each source got delivered during the measurement: 1 where all
    /// got the same, 1/n where one of n got all. Traffic that releases little varies more from
    /// source to source than the network makes it. Absent where nothing was delivered.
    pub fairness: Option<f64>,
    /// Most flits that any queue has held at the end of a cycle.
    pub largest_queue_flits: u32,
    /// Most flits that have waited at one source.
    pub largest_source_backlog_flits: u64,
    /// Flits that wait at sources at the end: released, not accepted.
    pub source_backlog_flits: u64,
    /// Flits in the network at the end: accepted, not delivered.
    pub network_flits: u64,
    /// Channel crossings of flits.
    pub flit_hops: u64,
    /// Channel crossings per flit delivered, over the measurement.
    pub hops_per_flit: Option<f64>,
}

/// Packets that are answered, and the answers. The report's other figures are of both.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RequestReply {
    /// Flits of a reply.
    pub reply_flits: u32,
    /// Replies that a terminal holds to send: with as many it takes nothing in. Absent where there is no limit.
    pub room: Option<u32>,
    /// Requests of a terminal that may be under way: with as many it releases none. Absent where there is no
    /// limit.
    pub outstanding: Option<u32>,
    /// Most replies that a terminal has held.
    pub largest_reply_queue: u32,
    /// The packets that the traffic releases.
    pub requests: PartReport,
    /// Figures of the replies, which are released in the cycle after the one in which the request
    /// was delivered. A reply is measured where its request is.
    pub replies: PartReport,
    /// Cycles from the release of a measured request to the delivery of its reply. Absent without any.
    pub round_trip: Option<Latency>,
    /// 95 % confidence interval of the mean of `round_trip`.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub round_trip_interval: Option<Interval>,
}

/// The packets of one class.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ClassReport {
    /// Description of the class.
    #[serde(flatten)]
    pub class: ClassDescription,
    /// Figures of the packets of the class.
    #[serde(flatten)]
    pub figures: PartReport,
}

/// The packets of one length.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LengthReport {
    /// The length in flits.
    pub flits: u32,
    /// The share of the packets that the traffic draws with it.
    pub share: f64,
    /// Figures of the packets of this length.
    #[serde(flatten)]
    pub figures: PartReport,
}

/// The figures of a part of the packets. Each is what the report says of all of them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PartReport {
    /// Packets released during the measurement.
    pub measured_packets: u64,
    /// Number of measured packets of the part that were delivered; the latencies are those of these
    /// packets.
    pub measured_delivered_packets: u64,
    /// Flits released per terminal and cycle, over the measurement.
    pub offered_throughput: f64,
    /// Flits taken at outputs per terminal and cycle, over the measurement.
    pub accepted_throughput: f64,
    /// 95 % confidence interval of `accepted_throughput`.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub accepted_throughput_interval: Option<Interval>,
    /// Cycles from a packet's release to its delivery. Absent without packets.
    pub latency: Option<Latency>,
    /// 95 % confidence interval of the mean of `latency`; both ends absent where the verdict is not
    /// *steady*, and where the run is too short to tell of these packets.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub latency_interval: Option<Interval>,
    /// Latency from the cycle in which a packet's first flit was accepted to that in which its last
    /// flit was delivered.
    pub network_latency: Option<Latency>,
    /// 95 % confidence interval of the mean of `network_latency`.
    #[serde(serialize_with = "both_ends")]
    #[schemars(with = "Ends")]
    pub network_latency_interval: Option<Interval>,
}

/// An interval, or the same names without it.
#[derive(Serialize, JsonSchema)]
pub struct Ends {
    /// Lower end of the interval.
    low: Option<f64>,
    /// Upper end of the interval.
    high: Option<f64>,
}

/// Writes an interval with both names, whether there is one or not: as [`Ends`].
///
/// # Errors
/// Errors of the serializer.
pub fn both_ends<S: Serializer>(
    interval: &Option<Interval>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let ends = Ends { low: interval.map(|i| i.low), high: interval.map(|i| i.high) };
    ends.serialize(serializer)
}
