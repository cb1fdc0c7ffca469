//! Parts of the packets at a point of a curve: what runs of several seeds say of each together.

use super::estimate::Estimate;
use super::point::{Latencies, latencies, throughput};
use crate::report::{Latency, PartReport};
use crate::statistics::{Interval, Stability};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures of a part of a run's packets: of its requests, of its replies, or of a class.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFigures {
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: f64,
    /// 95 % confidence interval of the accepted throughput.
    pub accepted_throughput_interval: Option<Interval>,
    /// Cycles from release to delivery.
    pub latency: Option<Latency>,
    /// The 95 % confidence interval of its mean.
    pub latency_interval: Option<Interval>,
}

impl From<&PartReport> for PartFigures {
    fn from(part: &PartReport) -> Self {
        Self {
            accepted_throughput: part.accepted_throughput,
            accepted_throughput_interval: part.accepted_throughput_interval,
            latency: part.latency,
            latency_interval: part.latency_interval,
        }
    }
}

/// A part of the packets over all runs of a point. Latencies are there where those of all packets are.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PartPoint {
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: Estimate,
    /// Cycles from a packet's release to its delivery.
    pub latency: Latencies,
}

impl PartPoint {
    /// Point of the runs of all seeds, with the verdict of the point.
    pub(super) fn of<'a>(
        runs: impl Iterator<Item = &'a PartFigures> + Clone,
        verdict: Option<Stability>,
    ) -> Self {
        let accepted =
            runs.clone().map(|run| (run.accepted_throughput, run.accepted_throughput_interval));
        Self {
            accepted_throughput: throughput(accepted, verdict),
            latency: latencies(runs.map(|run| (run.latency, run.latency_interval)), verdict),
        }
    }
}
