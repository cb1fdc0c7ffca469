//! Report of a run, from its counts.

use super::kinds::find;
use super::report::{PipelineReport, WorkloadDescription, WorkloadOutcome, WorkloadReport};
use super::run::Run;
use super::{Pipelined, WorkloadError};
use crate::report::per;
use crate::statistics::Stability;
use crate::statistics::backlog::Span;
use turnpike_fabric::report::Configuration;

impl Run<'_> {
    pub fn report(&self, outcome: WorkloadOutcome) -> Result<WorkloadReport, WorkloadError> {
        let (plan, config) = (self.plan, self.config);
        let topology = plan.topology();
        let kind = find(&config.workload)?;
        let cycles = self.reference.cycle();
        let terminals = self.schedule.per_round();
        let queues = topology.all_nodes().map(|n| plan.switch_of(n).queues.len() as u64).sum();
        let acknowledge = config.acknowledge;
        let largest_to_acknowledge = self.terminals.largest_to_acknowledge as u64;
        Ok(WorkloadReport {
            schema_version: 2,
            configuration: Configuration::of(plan),
            senders: terminals,
            workload: WorkloadDescription {
                name: kind.name,
                law: kind.summary,
                interval: config.pipelined.map(|pipelined| pipelined.interval),
                rounds: config.rounds(),
                message_flits: config.message_flits,
                acknowledge,
                acknowledgement_room: config.room,
                seed: config.seed,
                self_addressed: config.self_addressed && kind.to_itself,
            },
            outcome,
            messages: self.schedule.messages().into(),
            delivered_messages: self.delivered_messages,
            acknowledged_messages: acknowledge.then_some(self.acknowledged_messages),
            cycles,
            delivery_cycles: self.last_delivery,
            acknowledgement_cycles: acknowledge.then_some(self.last_acknowledgement),
            latency: self.latency.report(),
            network_latency: self.network_latency.report(),
            round_time: self.round_time.report(),
            round_trip: self.round_trip.report(),
            throughput: per(
                self.delivered_messages,
                u64::from(terminals) * (self.last_delivery + 1),
            ),
            hops_per_flit: (self.delivered_flits > 0)
                .then(|| per(self.reference.flit_hops(), self.delivered_flits)),
            pipeline: match outcome {
                WorkloadOutcome::Delivered => config.pipelined.map(|p| self.pipeline(p)),
                WorkloadOutcome::Deadlocked => None,
            },
            queues,
            largest_queue_flits: self.reference.largest_queue(),
            mean_queue_flits: per(self.network_flits, cycles * queues),
            largest_source_backlog_messages: self.terminals.largest_backlog,
            mean_source_backlog_messages: per(self.backlog, cycles * u64::from(terminals)),
            largest_acknowledgement_queue: acknowledge.then_some(largest_to_acknowledge),
            most_unacknowledged: acknowledge.then_some(self.most_unacknowledged),
        })
    }

    fn pipeline(&self, Pipelined { interval, rounds }: Pipelined) -> PipelineReport {
        let second_half = u64::from(rounds - rounds / 2) * interval;
        PipelineReport {
            offered_throughput: 1.0 / interval as f64,
            sustained_throughput: per(
                self.sustained,
                u64::from(self.schedule.per_round()) * second_half,
            ),
            backlog_growth: self.growth(),
            keeps_up: self.keeps_up(interval),
        }
    }

    /// See [`PipelineReport::keeps_up`].
    fn keeps_up(&self, interval: u64) -> Option<bool> {
        let released = f64::from(self.schedule.per_round());
        let steady = &self.before[self.before.len() / 4..];
        let span = |two: &[u64]| {
            let (before, after) = (two[0] as f64, two[1] as f64);
            let cycles = interval as f64;
            let accepted = before + released - after;
            Span { cycles, backlog: before * cycles, offered: released, accepted }
        };
        let spans: Vec<Span> = steady.windows(2).map(span).collect();
        match Stability::of(&spans) {
            Stability::Steady => Some(true),
            Stability::Saturated => Some(false),
            Stability::Undecided => None,
        }
    }

    /// See [`PipelineReport::backlog_growth`].
    fn growth(&self) -> Option<f64> {
        let rounds = self.before.len();
        let quarter = rounds / 4;
        if quarter < 2 {
            return None;
        }
        let mean = |from: usize| per(self.before[from..][..quarter].iter().sum(), quarter as u64);
        let (early, late) = (quarter, rounds - quarter);
        let released = (late - early) as f64 * f64::from(self.schedule.per_round());
        Some(((mean(late) - mean(early)) / released).max(0.0))
    }
}
