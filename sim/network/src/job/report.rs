//! Report of a job's run.

use crate::report::Latency;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::report::Configuration;

/// End of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobOutcome {
    /// Every message was delivered.
    Delivered,
    /// Packets wait for each other in a cycle and never arrive.
    Deadlocked,
}

/// Times of a message, in cycles from the start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MessageTimes {
    /// Cycle of its release; `None` where what it waits for never arrived.
    pub released: Option<u64>,
    /// Cycle in which the network took its first flit.
    pub accepted: Option<u64>,
    /// Cycle in which its last flit was taken at its destination.
    pub delivered: Option<u64>,
}

/// The report of a job. Cycles count from the start of the job; counts are over the whole run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct JobReport {
    /// Version of these fields: 1.
    pub schema_version: u32,
    /// The fabric.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Name of the collective operation, or `file`.
    pub job: String,
    /// Outcome of the run: how it ended.
    pub outcome: JobOutcome,
    /// Number of messages.
    pub messages: u64,
    /// Number of messages that were delivered.
    pub delivered_messages: u64,
    /// Flits of all messages.
    pub flits: u64,
    /// Number of cycles to the last delivery, its own counted.
    pub cycles: u64,
    /// Number of cycles that no run of the job is below: the longest way from wait to wait with each message
    /// alone in the network, or what one terminal sends or takes in, a flit in a cycle, whichever is more.
    pub least_cycles: u64,
    /// Cycles from the release of a message (time at the source counts) to the cycle in which its last flit is
    /// taken at its destination. Absent where none was delivered.
    pub latency: Option<Latency>,
    /// Latency from the cycle in which a message's first flit was accepted to that in which its last flit was
    /// delivered.
    pub network_latency: Option<Latency>,
    /// Flits delivered per cycle and terminal that takes packets, to the last delivery.
    pub throughput: f64,
    /// Channel crossings per flit delivered.
    pub hops_per_flit: Option<f64>,
    /// Most flits that any queue has held.
    pub largest_queue_flits: u32,
}
