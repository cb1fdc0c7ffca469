//! Report of a workload's run.

use crate::report::Latency;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::report::Configuration;

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadOutcome {
    /// Every message was delivered, and every acknowledgement where there are any.
    Delivered,
    /// Packets wait for each other in a cycle and never arrive.
    Deadlocked,
}

/// Description of a workload that ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct WorkloadDescription {
    /// Name of the workload.
    pub name: &'static str,
    /// Rule by which destinations are chosen.
    pub law: &'static str,
    /// Cycles between rounds; absent for one round alone.
    pub interval: Option<u64>,
    /// Rounds of a message per terminal.
    pub rounds: u32,
    /// Flits per message. An acknowledgement has one.
    pub message_flits: u32,
    /// Whether each message is acknowledged.
    pub acknowledge: bool,
    /// Messages to acknowledge that a terminal holds; absent where there is no limit.
    pub acknowledgement_room: Option<u32>,
    /// The seed of every draw.
    pub seed: u64,
    /// Whether a terminal may send to itself.
    pub self_addressed: bool,
}

/// Figures of the rounds of a pipelined workload.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PipelineReport {
    /// Messages released per cycle and terminal: 1 / interval.
    pub offered_throughput: f64,
    /// Messages delivered per cycle and terminal, from the release of the round in the middle
    /// to an interval after that of the last.
    pub sustained_throughput: f64,
    /// The growth of the messages that are under way or wait when a round is released, from
    /// the second quarter of the rounds to the last, as a share of what is released in
    /// between: 0 where it does not grow. Absent for fewer than 8 rounds.
    pub backlog_growth: Option<f64>,
    /// Whether these messages are steady from the second quarter of the rounds on (`true`), or
    /// grow as they do where the network is saturated (`false`), by the same test as the
    /// `verdict` of a run. Absent where the rounds are too few to tell.
    pub keeps_up: Option<bool>,
}

/// The report of a workload. Cycles count from the first release; counts are over the whole
/// run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct WorkloadReport {
    /// Version of these fields: 2.
    pub schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Terminals that send and take packets: each sends a message in each round.
    pub senders: u32,
    /// Name of the workload.
    pub workload: WorkloadDescription,
    /// Outcome of the run: how it ended.
    pub outcome: WorkloadOutcome,
    /// Messages, acknowledgements not counted.
    pub messages: u64,
    /// Number of messages that were delivered.
    pub delivered_messages: u64,
    /// Messages whose acknowledgement was delivered; absent without acknowledgements.
    pub acknowledged_messages: Option<u64>,
    /// Number of cycles in all.
    pub cycles: u64,
    /// The cycle of the last delivery of a message: with one round, the time that it takes to
    /// deliver everything.
    pub delivery_cycles: u64,
    /// The cycle of the last delivery of an acknowledgement.
    pub acknowledgement_cycles: Option<u64>,
    /// Cycles from the release of a message (time at the source counts) to the cycle in which
    /// its last flit is taken at the output. Absent where none was delivered.
    pub latency: Option<Latency>,
    /// Latency from the cycle in which a message's first flit was accepted to that in which its
    /// last flit was delivered.
    pub network_latency: Option<Latency>,
    /// Cycles from the release of a round to the delivery of its last message, over the rounds
    /// that were delivered whole.
    pub round_time: Option<Latency>,
    /// Cycles from the release of a message to the delivery of its acknowledgement.
    pub round_trip: Option<Latency>,
    /// Messages delivered per cycle and terminal, to the last delivery of a message.
    pub throughput: f64,
    /// Channel crossings per flit delivered, acknowledgements counted.
    pub hops_per_flit: Option<f64>,
    /// The rounds; absent for one alone, and where they deadlocked.
    #[serde(rename = "pipelined")]
    pub pipeline: Option<PipelineReport>,
    /// Number of queues in the switches.
    pub queues: u64,
    /// Most flits that any queue has held.
    pub largest_queue_flits: u32,
    /// Flits in the network (those in registers counted) per queue, mean over all cycles.
    pub mean_queue_flits: f64,
    /// Most messages that have waited at one terminal: released, not accepted whole.
    pub largest_source_backlog_messages: u32,
    /// Messages that wait at a terminal, mean over all terminals and cycles.
    pub mean_source_backlog_messages: f64,
    /// Most messages that a terminal has held to acknowledge.
    pub largest_acknowledgement_queue: Option<u64>,
    /// Most messages to one terminal at a time that were released and not yet acknowledged: no
    /// acknowledgement queue needs more places.
    pub most_unacknowledged: Option<u32>,
}
