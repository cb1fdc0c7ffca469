//! Requests and replies at a point of a curve.

use super::estimate::Estimate;
use super::point::{Latencies, RunLatency, latencies};
use crate::report::{Latency, PartReport, RequestReply};
use crate::statistics::{Interval, Stability};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is kept of a run's requests, or of its replies.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFigures {
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: f64,
    /// Its 95 % confidence interval.
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

/// What is kept of a run whose packets are answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestReplyFigures {
    /// The requests.
    pub requests: PartFigures,
    /// The replies.
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
    /// That of the runs of all seeds, with the verdict of the point; `None` where packets are not answered.
    pub(super) fn of(
        runs: &[Option<&RequestReplyFigures>],
        verdict: Option<Stability>,
    ) -> Option<Self> {
        let runs: Vec<&RequestReplyFigures> = runs.iter().copied().collect::<Option<_>>()?;
        let throughput = |part: fn(&RequestReplyFigures) -> &PartFigures| {
            let of = |run: &&RequestReplyFigures| {
                let part = part(run);
                (part.accepted_throughput, part.accepted_throughput_interval)
            };
            let estimate = Estimate::of(&runs.iter().map(of).collect::<Vec<_>>());
            // As of all packets: a run that deadlocked has none.
            if verdict.is_some() { estimate } else { estimate.without_interval() }
        };
        let latency = |of: fn(&RequestReplyFigures) -> (Option<Latency>, Option<Interval>)| {
            let found = runs.iter().filter_map(|run| {
                let (latency, interval) = of(run);
                Some((latency?, interval))
            });
            latencies(&found.collect::<Vec<RunLatency>>(), verdict)
        };
        Some(Self {
            request_throughput: throughput(|run| &run.requests),
            reply_throughput: throughput(|run| &run.replies),
            requests: latency(|run| (run.requests.latency, run.requests.latency_interval)),
            replies: latency(|run| (run.replies.latency, run.replies.latency_interval)),
            round_trip: latency(|run| (run.round_trip, run.round_trip_interval)),
        })
    }
}
