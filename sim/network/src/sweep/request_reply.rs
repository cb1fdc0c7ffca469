//! Requests and replies at a point of a curve.

use super::estimate::Estimate;
use super::part::{PartFigures, PartPoint};
use super::point::{Latencies, latencies};
use crate::report::{Latency, RequestReply};
use crate::statistics::{Interval, Stability};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures of a run whose packets are answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestReplyFigures {
    pub requests: PartFigures,
    pub replies: PartFigures,
    /// Cycles from the release of a request to the delivery of its reply.
    pub round_trip: Option<Latency>,
    /// The 95 % confidence interval of its mean.
    pub round_trip_interval: Option<Interval>,
}

impl From<&RequestReply> for RequestReplyFigures {
    fn from(report: &RequestReply) -> Self {
        Self {
            requests: (&report.requests).into(),
            replies: (&report.replies).into(),
            round_trip: report.round_trip,
            round_trip_interval: report.round_trip_interval,
        }
    }
}

/// Requests and replies over all runs of a point. Latencies are there where those of all packets are.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RequestReplyPoint {
    /// Flits of requests delivered per terminal and cycle.
    pub request_throughput: Estimate,
    /// Flits of replies delivered per terminal and cycle.
    pub reply_throughput: Estimate,
    /// Cycles from the release of a request to its delivery.
    pub requests: Latencies,
    /// Cycles from the release of a reply to its delivery.
    pub replies: Latencies,
    /// Cycles from the release of a request to the delivery of its reply.
    pub round_trip: Latencies,
}

impl RequestReplyPoint {
    /// Point of the runs of all seeds, with the verdict of the point; `None` where packets are not
    /// answered.
    pub(super) fn of(
        runs: &[Option<&RequestReplyFigures>],
        verdict: Option<Stability>,
    ) -> Option<Self> {
        let runs: Vec<&RequestReplyFigures> = runs.iter().copied().collect::<Option<_>>()?;
        let requests = PartPoint::of(runs.iter().map(|run| &run.requests), verdict);
        let replies = PartPoint::of(runs.iter().map(|run| &run.replies), verdict);
        let round_trip = runs.iter().map(|run| (run.round_trip, run.round_trip_interval));
        Some(Self {
            request_throughput: requests.accepted_throughput,
            reply_throughput: replies.accepted_throughput,
            requests: requests.latency,
            replies: replies.latency,
            round_trip: latencies(round_trip, verdict),
        })
    }
}
