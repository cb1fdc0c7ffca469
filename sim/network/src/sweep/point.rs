//! A point of a curve: the runs of all seeds at one load.

use super::estimate::Estimate;
use super::part::{PartFigures, PartPoint};
use super::request_reply::{RequestReplyFigures, RequestReplyPoint};
use crate::measure::LateFlow;
use crate::report::{Latency, Outcome, Report};
use crate::statistics::{Interval, Stability};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Figures of a run that a point is made of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFigures {
    /// End of the run.
    pub outcome: Outcome,
    /// Verdict of the run: [`Report::verdict`].
    pub verdict: Option<Stability>,
    /// Cycles before the measurement.
    pub warm_up_cycles: u64,
    /// Cycles of the measurement.
    pub measured_cycles: u64,
    /// Measured packets that were delivered.
    pub measured_packets: u64,
    /// Flits released per terminal and cycle.
    pub offered_throughput: f64,
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: f64,
    /// 95 % confidence interval of the accepted throughput.
    pub accepted_throughput_interval: Option<Interval>,
    /// Cycles from release to delivery.
    pub latency: Option<Latency>,
    /// The 95 % confidence interval of its mean.
    pub latency_interval: Option<Interval>,
    /// Cycles from injection to delivery.
    pub network_latency: Option<Latency>,
    /// The 95 % confidence interval of its mean.
    pub network_latency_interval: Option<Interval>,
    /// Requests and replies, where packets are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_reply: Option<RequestReplyFigures>,
    /// By class, where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<PartFigures>,
    /// Flows that say a latency, in one order for all runs of a network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deadlines: Vec<LateFlow>,
}

impl From<&Report> for RunFigures {
    fn from(report: &Report) -> Self {
        Self {
            outcome: report.outcome,
            verdict: report.verdict,
            warm_up_cycles: report.warm_up_cycles,
            measured_cycles: report.measured_cycles,
            measured_packets: report.measured_delivered_packets,
            offered_throughput: report.offered_throughput,
            accepted_throughput: report.accepted_throughput,
            accepted_throughput_interval: report.accepted_throughput_interval,
            latency: report.latency,
            latency_interval: report.latency_interval,
            network_latency: report.network_latency,
            network_latency_interval: report.network_latency_interval,
            request_reply: report.request_reply.as_ref().map(Into::into),
            classes: report.classes.iter().flatten().map(|class| (&class.figures).into()).collect(),
            deadlines: Vec::new(),
        }
    }
}

/// A latency over all runs of a point, in cycles. An interval of a percentile is that of the runs'
/// percentiles, so that one run has none.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct Latencies {
    /// The mean of the runs' means.
    pub mean: Estimate,
    /// The mean of the runs' medians.
    pub p50: Estimate,
    /// The mean of the runs' 95th percentiles.
    pub p95: Estimate,
    /// The mean of the runs' 99th percentiles.
    pub p99: Estimate,
}

/// Figures of all runs at one load.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Point {
    /// The verdict of more than half of the runs, where no run has the contrary one: *steady* or
    /// *saturated*; *undecided* otherwise. Absent where a run deadlocked.
    pub verdict: Option<Stability>,
    /// Runs, each with a seed of its own.
    pub runs: u32,
    /// Number of runs that are steady.
    pub steady_runs: u32,
    /// Number of runs that are saturated.
    pub saturated_runs: u32,
    /// Number of saturated runs that were stopped before their end.
    pub stopped_runs: u32,
    /// Number of runs that deadlocked.
    pub deadlocked_runs: u32,
    /// Cycles that were measured, of all runs.
    pub measured_cycles: u64,
    /// Cycles that the longest of the runs measured.
    pub run_cycles: u64,
    /// Measured packets that were delivered, of all runs.
    pub measured_packets: u64,
    /// Flits released per terminal and cycle: the mean of the runs.
    pub offered_throughput: f64,
    /// Flits delivered per terminal and cycle.
    pub accepted_throughput: Estimate,
    /// Cycles from a packet's release (time at the source counts) to its delivery. Absent where
    /// the verdict is *saturated*: it then grows with the length of the run. The intervals are absent
    /// where the verdict is not *steady*.
    pub latency: Latencies,
    /// Latency from the cycle in which a packet's first flit was accepted to that in which its last
    /// flit was delivered.
    pub network_latency: Latencies,
    /// Requests and replies, where packets are answered; absent otherwise.
    pub request_reply: Option<RequestReplyPoint>,
    /// The classes, in their order.
    #[serde(skip)]
    pub classes: Vec<PartPoint>,
    /// Measured packets of all runs that took longer than their flow allows; absent where no flow says a
    /// latency.
    pub late_packets: Option<u64>,
    /// Flows with such packets, over all runs; absent where no flow says a latency.
    pub late_flows: Option<Vec<LateFlow>>,
}

impl Point {
    /// Point of the runs of all seeds.
    pub fn of(runs: &[RunFigures]) -> Self {
        let count = |is: fn(&RunFigures) -> bool| runs.iter().filter(|run| is(run)).count() as u32;
        let (steady, saturated) = (
            count(|run| run.verdict == Some(Stability::Steady)),
            count(|run| run.verdict == Some(Stability::Saturated)),
        );
        let verdict = verdict(runs.len() as u32, steady, saturated, runs);
        let answered: Vec<_> = runs.iter().map(|run| run.request_reply.as_ref()).collect();
        let accepted =
            runs.iter().map(|run| (run.accepted_throughput, run.accepted_throughput_interval));
        let latency = runs.iter().map(|run| (run.latency, run.latency_interval));
        let network_latency =
            runs.iter().map(|run| (run.network_latency, run.network_latency_interval));
        let offered = runs.iter().map(|run| run.offered_throughput).sum::<f64>();
        let late = late_flows(runs);
        Self {
            verdict,
            runs: runs.len() as u32,
            steady_runs: steady,
            saturated_runs: saturated,
            stopped_runs: count(|run| run.outcome == Outcome::Saturated),
            deadlocked_runs: count(|run| run.outcome == Outcome::Deadlocked),
            measured_cycles: runs.iter().map(|run| run.measured_cycles).sum(),
            run_cycles: runs.iter().map(|run| run.measured_cycles).max().unwrap_or_default(),
            measured_packets: runs.iter().map(|run| run.measured_packets).sum(),
            offered_throughput: offered / runs.len().max(1) as f64,
            accepted_throughput: throughput(accepted, verdict),
            latency: latencies(latency, verdict),
            network_latency: latencies(network_latency, verdict),
            request_reply: RequestReplyPoint::of(&answered, verdict),
            classes: classes(runs, verdict),
            late_packets: late
                .as_ref()
                .map(|flows| flows.iter().map(|flow| flow.late_packets).sum()),
            late_flows: late,
        }
    }

    /// Whether the mean latency is known within such a share of it; `None` where there is none: where runs are
    /// saturated or deadlock, and where no packet is measured.
    pub fn is_within(&self, share: f64) -> Option<bool> {
        let Estimate { value, low, high } = self.latency.mean;
        let ends = low.zip(high).map(|(low, high)| Interval { low, high });
        Interval::knows(ends, share, value, self.verdict)
    }
}

fn verdict(count: u32, steady: u32, saturated: u32, runs: &[RunFigures]) -> Option<Stability> {
    // Packets that are not delivered are late ones: without them means are too low.
    let drained = runs.iter().all(|run| run.outcome == Outcome::Drained);
    if runs.iter().any(|run| run.outcome == Outcome::Deadlocked) {
        return None;
    }
    Some(match (2 * steady > count, 2 * saturated > count) {
        (true, _) if saturated == 0 && drained => Stability::Steady,
        (_, true) if steady == 0 => Stability::Saturated,
        _ => Stability::Undecided,
    })
}

/// Flows with late packets in some run; `None` where no flow says a latency.
fn late_flows(runs: &[RunFigures]) -> Option<Vec<LateFlow>> {
    let (first, others) = runs.split_first()?;
    let mut flows = first.deadlines.clone();
    for run in others {
        flows.iter_mut().zip(&run.deadlines).for_each(|(flow, more)| flow.add(more));
    }
    let has_some = !flows.is_empty();
    flows.retain(LateFlow::is_late);
    has_some.then_some(flows)
}

/// The classes of runs of the same traffic.
fn classes(runs: &[RunFigures], verdict: Option<Stability>) -> Vec<PartPoint> {
    let count = runs.iter().map(|run| run.classes.len()).min().unwrap_or(0);
    let class = |at: usize| PartPoint::of(runs.iter().map(move |run| &run.classes[at]), verdict);
    (0..count).map(class).collect()
}

/// The throughput of runs together, under the verdict of the point: without an interval where a run
/// deadlocked.
pub(super) fn throughput(
    found: impl Iterator<Item = Figure>,
    verdict: Option<Stability>,
) -> Estimate {
    let estimate = Estimate::of(&found.collect::<Vec<_>>());
    match verdict {
        Some(_) => estimate,
        None => estimate.without_interval(),
    }
}

/// The latencies of runs together, each with the interval of its mean, under the verdict of the point.
pub(super) fn latencies(
    found: impl Iterator<Item = (Option<Latency>, Option<Interval>)>,
    verdict: Option<Stability>,
) -> Latencies {
    if !matches!(verdict, Some(Stability::Steady | Stability::Undecided)) {
        return Latencies::default();
    }
    let found: Vec<_> =
        found.filter_map(|(latency, interval)| Some((latency?, interval))).collect();
    let of = |figure: fn(&(Latency, Option<Interval>)) -> Figure| {
        let estimate = Estimate::of(&found.iter().map(figure).collect::<Vec<_>>());
        match verdict {
            Some(Stability::Steady) => estimate,
            _ => estimate.without_interval(),
        }
    };
    Latencies {
        mean: of(|(latency, interval)| (latency.mean, *interval)),
        p50: of(|(latency, _)| (latency.p50 as f64, None)),
        p95: of(|(latency, _)| (latency.p95 as f64, None)),
        p99: of(|(latency, _)| (latency.p99 as f64, None)),
    }
}

/// A figure of a run, with its interval where it has one.
pub(super) type Figure = (f64, Option<Interval>);

#[cfg(test)]
mod tests {
    use super::*;

    fn run(outcome: Outcome, verdict: Option<Stability>, mean: f64) -> RunFigures {
        let latency = Latency { mean, p50: 4, p95: 8, p99: 9, max: 20 };
        RunFigures {
            outcome,
            verdict,
            warm_up_cycles: 500,
            measured_cycles: 1000,
            measured_packets: 600,
            offered_throughput: 0.3,
            accepted_throughput: 0.29,
            accepted_throughput_interval: None,
            latency: Some(latency),
            latency_interval: None,
            network_latency: Some(latency),
            network_latency_interval: None,
            request_reply: None,
            classes: Vec::new(),
            deadlines: Vec::new(),
        }
    }

    #[test]
    fn the_majority_decides_where_nobody_is_against_it() {
        use Outcome::{Deadlocked, Drained, NotDrained, Saturated as Stopped};
        use Stability::{Saturated, Steady, Undecided};
        let steady = run(Drained, Some(Steady), 5.0);
        let slow = run(NotDrained, Some(Undecided), 5.0);
        let open = run(Drained, Some(Undecided), 5.0);
        let full = run(Stopped, Some(Saturated), 50.0);
        let stuck = run(Deadlocked, None, 5.0);
        for (runs, wanted) in [
            (vec![&steady], Some(Steady)),
            (vec![&steady, &steady, &open], Some(Steady)),
            (vec![&steady, &open], Some(Undecided)),
            (vec![&steady, &steady, &slow], Some(Undecided)),
            (vec![&steady, &steady, &full], Some(Undecided)),
            (vec![&full, &full, &open], Some(Saturated)),
            (vec![&full, &full, &steady], Some(Undecided)),
            (vec![&full, &open], Some(Undecided)),
            (vec![&full, &full, &stuck], None),
        ] {
            let runs: Vec<RunFigures> = runs.into_iter().cloned().collect();
            let point = Point::of(&runs);
            assert_eq!(point.verdict, wanted, "{runs:?}");
            assert_eq!(
                point.latency.mean.value.is_some(),
                point.verdict.is_some_and(|v| v != Saturated)
            );
            assert_eq!(point.latency.mean.low.is_some(), wanted == Some(Steady) && runs.len() > 1);
        }
    }

    #[test]
    fn figures_are_means_over_the_runs() {
        let steady = |mean| run(Outcome::Drained, Some(Stability::Steady), mean);
        let point = Point::of(&[steady(5.0), steady(6.0), steady(7.0)]);
        assert_eq!((point.runs, point.steady_runs, point.stopped_runs), (3, 3, 0));
        assert_eq!((point.measured_cycles, point.measured_packets), (3000, 1800));
        let Latencies { mean, p50, p99, .. } = point.latency;
        assert_eq!((mean.value, p50.value, p99.value), (Some(6.0), Some(4.0), Some(9.0)));
        // All alike: as sure as a percentile of whole cycles can be.
        assert_eq!((p50.low, p50.high), (Some(4.0), Some(4.0)));
        assert!(mean.low < Some(6.0) && mean.high > Some(6.0));
    }
}
