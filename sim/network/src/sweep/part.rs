//! Parts of the packets at a point of a curve: what runs of several seeds say of each together.

use super::estimate::Estimate;
use super::point::{Latencies, RunLatency, latencies};
use super::request_reply::PartFigures;
use crate::statistics::Stability;
use schemars::JsonSchema;
use serde::Serialize;

/// A part of the packets over all runs of a point. Latencies are there where those of all packets are.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PartPoint {
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: Estimate,
    /// Cycles from a packet's release to its delivery.
    pub latency: Latencies,
}

impl PartPoint {
    /// That of the runs of all seeds, with the verdict of the point.
    pub(super) fn of(runs: &[&PartFigures], verdict: Option<Stability>) -> Self {
        let accepted =
            runs.iter().map(|run| (run.accepted_throughput, run.accepted_throughput_interval));
        let accepted = Estimate::of(&accepted.collect::<Vec<_>>());
        let found = runs.iter().filter_map(|run| Some((run.latency?, run.latency_interval)));
        Self {
            // As of all packets: where a run deadlocked it has none.
            accepted_throughput: match verdict {
                Some(_) => accepted,
                None => accepted.without_interval(),
            },
            latency: latencies(&found.collect::<Vec<RunLatency>>(), verdict),
        }
    }
}
