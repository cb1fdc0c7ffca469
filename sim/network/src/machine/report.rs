//! The figures of the machine of steps: of a run, and over runs.

use super::routes::{Routes, Spans};
use super::shared::{Meetings, meetings};
use super::steps::Delivery;
use schemars::JsonSchema;
use serde::Serialize;

/// A part of a run, from a standstill: a phase before or after a barrier, or the whole.
pub struct PhaseRoutes {
    delivery: Delivery,
    meetings: Meetings,
    delays: Vec<u32>,
}

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunReport {
    /// Seed of all draws of the run.
    pub seed: u64,
    /// Number of packets.
    pub packets: usize,
    /// Steps until the last packet arrives.
    pub steps: u32,
    /// Steps until the last packet ends its first phase; `null` for relations without phases.
    pub first_phase_steps: Option<u32>,
    /// Steps from the end of the first phase to the last arrival; `null` without a barrier.
    pub second_phase_steps: Option<u32>,
    /// Most packets that waited for one channel at the beginning of a step, the one that then moves
    /// among them.
    pub longest_queue: u32,
    /// Most packets that cross one channel; with a barrier, in one phase.
    pub max_link_load: u32,
    /// Packets that cross a channel, the mean over all channels.
    pub mean_link_load: f64,
    /// Packets that cross a channel in the first phase alone, the mean over all channels: E[T(e)] of
    /// the lecture.
    pub first_phase_mean_link_load: Option<f64>,
    /// The largest delay of a packet: steps that it took, less the channels that it crossed. With a
    /// barrier, in one phase.
    pub max_delay: u32,
    /// Mean delay of a packet, with a barrier over both phases.
    pub mean_delay: f64,
    /// Most other packets whose routes share a channel with that of one packet: |S| of the lecture's theorem.
    /// With a barrier, in one phase.
    pub max_meeting: u32,
    /// Other packets whose routes share a channel with that of one packet, the mean over all packets,
    /// with a barrier over both phases.
    pub mean_meeting: f64,
    /// Routes on which delay and |S| were compared: one for each packet, with a barrier one for each
    /// packet and phase.
    pub routes: u64,
    /// Number of compared routes of which the theorem speaks: every other route that meets such a
    /// route does so in one run of channels.
    pub routes_in_one_run: u64,
    /// Number of routes of the theorem on which the delay is larger than |S|, against the theorem.
    pub violations: u64,
}

/// A figure over runs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Figure {
    /// Largest value over the runs.
    pub largest: u32,
    /// Mean value over the runs.
    pub mean: f64,
}

/// The lecture's bounds on a cube of n dimensions, and how often they were missed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PhaseBounds {
    /// Bound of the lecture on the steps of each phase: 4n.
    pub phase_steps: u32,
    /// Bound of the lecture on the steps of both phases: 8n.
    pub steps: u32,
    /// Share of the runs whose first phase takes more than 4n steps; `null` without phases.
    pub first_phase_over: Option<f64>,
    /// Share of the runs whose second phase does; `null` without a barrier.
    pub second_phase_over: Option<f64>,
    /// Share of the runs that take more than 8n steps.
    pub over: f64,
    /// Share that the lecture allows of each phase: 2^-1.5n.
    pub allowed: f64,
}

/// All runs.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MachineReport {
    /// Over all of them.
    pub summary: Summary,
    /// Run by run.
    pub runs: Vec<RunReport>,
}

/// Figures over runs.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of runs.
    pub runs: usize,
    /// Steps until the last packet arrives.
    pub steps: Figure,
    /// Steps until the last packet ends its first phase; `null` for relations without phases.
    pub first_phase_steps: Option<Figure>,
    /// Steps from the end of the first phase to the last arrival; `null` without a barrier.
    pub second_phase_steps: Option<Figure>,
    /// Most packets that waited for one channel.
    pub longest_queue: Figure,
    /// Most packets that cross one channel; with a barrier, in one phase.
    pub max_link_load: Figure,
    /// Packets that cross a channel, the mean over all channels and runs.
    pub mean_link_load: f64,
    /// Packets that cross a channel in the first phase alone, the mean over all channels and runs;
    /// `null` for relations without phases.
    pub first_phase_mean_link_load: Option<f64>,
    /// The largest delay of a packet.
    pub max_delay: Figure,
    /// Most other packets whose routes share a channel with that of one packet.
    pub max_meeting: Figure,
    /// Routes of all runs on which delay and |S| were compared.
    pub routes: u64,
    /// Number of routes of which the theorem speaks, over all runs.
    pub routes_in_one_run: u64,
    /// Number of routes of the theorem on which the delay is larger than |S|, over all runs.
    pub violations: u64,
    /// The lecture's bounds; `null` but for hypercubes.
    pub bounds: Option<PhaseBounds>,
}

impl PhaseRoutes {
    /// The figures of a part of the routes.
    pub fn new(spans: Spans<'_>, links: usize, delivery: Delivery) -> Self {
        let delay = |(packet, &step): (usize, &u32)| step - spans.length(packet) as u32;
        let delays = delivery.arrivals.iter().enumerate().map(delay).collect();
        Self { meetings: meetings(spans, links), delays, delivery }
    }

    /// Routes that the theorem speaks of, and those that break it.
    fn checked(&self) -> (u64, u64) {
        let routes = self.delays.iter().zip(&self.meetings.others).zip(&self.meetings.in_one_run);
        routes.filter(|(_, in_one_run)| **in_one_run).fold((0, 0), |(all, wrong), (route, _)| {
            let (delay, others) = route;
            (all + 1, wrong + u64::from(delay > others))
        })
    }
}

/// The mean of whole numbers; 0 of none.
fn mean(values: impl Iterator<Item = u32>) -> f64 {
    let (sum, count) = values.fold((0u64, 0u64), |(s, n), value| (s + u64::from(value), n + 1));
    sum as f64 / count.max(1) as f64
}

impl RunReport {
    pub(super) fn new(
        seed: u64,
        routes: &Routes,
        parts: &[PhaseRoutes],
        has_phases: bool,
        channels: u64,
    ) -> Self {
        let most = |of: &dyn Fn(&PhaseRoutes) -> u32| parts.iter().map(of).max().unwrap_or(0);
        let steps = parts.iter().map(|part| part.delivery.steps).sum();
        let first = has_phases.then(|| parts[0].delivery.first_phase);
        let checked = parts.iter().map(PhaseRoutes::checked);
        let (routes_in_one_run, violations) =
            checked.fold((0, 0), |(all, wrong), (a, w)| (all + a, wrong + w));
        let delays = || parts.iter().flat_map(|part| part.delays.iter().copied());
        let others = || parts.iter().flat_map(|part| part.meetings.others.iter().copied());
        let load = |spans: Spans<'_>| spans.hops() as f64 / channels.max(1) as f64;
        Self {
            seed,
            packets: routes.whole().packets(),
            steps,
            first_phase_steps: first,
            second_phase_steps: match parts {
                [_, second] => Some(second.delivery.steps),
                _ => None,
            },
            longest_queue: most(&|part| part.delivery.longest_queue),
            max_link_load: most(&|part| part.meetings.max_link_load),
            mean_link_load: load(routes.whole()),
            first_phase_mean_link_load: has_phases.then(|| load(routes.first())),
            max_delay: delays().max().unwrap_or(0),
            mean_delay: mean(delays()),
            max_meeting: others().max().unwrap_or(0),
            mean_meeting: mean(others()),
            routes: parts.iter().map(|part| part.delays.len() as u64).sum(),
            routes_in_one_run,
            violations,
        }
    }
}

impl MachineReport {
    /// The figures of these runs, one or more, on a cube of `dimension` dimensions where it is one.
    pub fn of(runs: Vec<RunReport>, dimension: Option<u32>) -> Self {
        let figure = |of: &dyn Fn(&RunReport) -> u32| Figure {
            largest: runs.iter().map(of).max().unwrap_or(0),
            mean: mean(runs.iter().map(of)),
        };
        let where_said = |of: &dyn Fn(&RunReport) -> Option<u32>| {
            let said = runs.iter().all(|run| of(run).is_some());
            said.then(|| figure(&|run| of(run).unwrap_or(0)))
        };
        let count = runs.len().max(1) as f64;
        let sum = |of: &dyn Fn(&RunReport) -> u64| runs.iter().map(of).sum();
        let first = |run: &RunReport| run.first_phase_mean_link_load;
        let over = |most: u32, of: &dyn Fn(&RunReport) -> u32| {
            runs.iter().filter(|run| of(run) > most).count() as f64 / count
        };
        let bounds = |n: u32| PhaseBounds {
            phase_steps: 4 * n,
            steps: 8 * n,
            first_phase_over: where_said(&|run| run.first_phase_steps)
                .map(|_| over(4 * n, &|run| run.first_phase_steps.unwrap_or(0))),
            second_phase_over: where_said(&|run| run.second_phase_steps)
                .map(|_| over(4 * n, &|run| run.second_phase_steps.unwrap_or(0))),
            over: over(8 * n, &|run| run.steps),
            allowed: (-1.5 * f64::from(n)).exp2(),
        };
        let summary = Summary {
            runs: runs.len(),
            steps: figure(&|run| run.steps),
            first_phase_steps: where_said(&|run| run.first_phase_steps),
            second_phase_steps: where_said(&|run| run.second_phase_steps),
            longest_queue: figure(&|run| run.longest_queue),
            max_link_load: figure(&|run| run.max_link_load),
            mean_link_load: runs.iter().map(|run| run.mean_link_load).sum::<f64>() / count,
            first_phase_mean_link_load: runs
                .iter()
                .map(first)
                .sum::<Option<f64>>()
                .map(|sum| sum / count),
            max_delay: figure(&|run| run.max_delay),
            max_meeting: figure(&|run| run.max_meeting),
            routes: sum(&|run| run.routes),
            routes_in_one_run: sum(&|run| run.routes_in_one_run),
            violations: sum(&|run| run.violations),
            bounds: dimension.map(bounds),
        };
        Self { summary, runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(delays: &[u32], others: &[u32], in_one_run: &[bool]) -> PhaseRoutes {
        let arrivals = delays.to_vec();
        let delivery = Delivery { arrivals, steps: 9, first_phase: 4, longest_queue: 3 };
        let (others, in_one_run) = (others.to_vec(), in_one_run.to_vec());
        let meetings = Meetings { others, in_one_run, max_link_load: 2 };
        PhaseRoutes { delivery, meetings, delays: delays.to_vec() }
    }

    /// A delay beyond |S| is found, and only where the theorem is of the route.
    #[test]
    fn violations_are_counted() {
        assert_eq!(part(&[1, 2, 3], &[1, 1, 2], &[true; 3]).checked(), (3, 2));
        assert_eq!(part(&[1, 2, 3], &[1, 1, 2], &[true, false, true]).checked(), (2, 1));
    }

    /// Beyond a bound is more than it, and the mean is of all runs.
    #[test]
    fn shares_are_of_the_runs() {
        let routes = Routes::none();
        let run = |steps: u32, first: u32| {
            let run = RunReport::new(1, &routes, &[part(&[], &[], &[])], true, 1);
            let (second_phase_steps, first_phase_steps) = (Some(steps - first), Some(first));
            RunReport { steps, first_phase_steps, second_phase_steps, ..run }
        };
        let runs = vec![run(16, 8), run(17, 9), run(20, 9), run(10, 8)];
        let report = MachineReport::of(runs, Some(2));
        let bounds = report.summary.bounds.unwrap();
        assert_eq!((bounds.phase_steps, bounds.steps, bounds.allowed), (8, 16, 0.125));
        assert_eq!((bounds.first_phase_over, bounds.second_phase_over), (Some(0.5), Some(0.25)));
        assert_eq!(bounds.over, 0.5);
        assert_eq!(report.summary.steps, Figure { largest: 20, mean: 15.75 });
    }
}
