//! Summary of a run at its end.

use super::Run;
use super::parts::Whole;
use super::record::Findings;
use crate::report::{Outcome, Report, RequestReply};
use crate::statistics::fairness::jain;
use crate::statistics::{Interval, Stability};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;

impl Run<'_> {
    /// The report of a run that has ended so.
    pub(super) fn report(&self, plan: &FabricPlan, outcome: Outcome) -> Report {
        let topology = plan.topology();
        let [warm_up_cycles, measured_cycles, drain_cycles, settle_cycles] = self.lengths;
        let terminals = topology.sources().count();
        let node_cycles = measured_cycles as f64 * terminals as f64;
        let per_node_cycle = |flits: u64| match measured_cycles {
            0 => 0.0,
            _ => flits as f64 / node_cycles,
        };
        // Where packets are answered, terminals that nobody answers may be silent.
        let asks = |source: usize| self.delivered_from[source] > 0 || self.answers.asks(source);
        let window = &self.window;
        let traffic = self.traffic.description();
        // A trace is no lasting load.
        let lasting = traffic.offered_load.is_some() && outcome != Outcome::Deadlocked;
        let findings = match lasting {
            true => self.record.findings(outcome, measured_cycles > 0, terminals as u32),
            false => Findings::default(),
        };
        let Findings { verdict, intervals } = findings;
        let latency = self.latency.report();
        let whole =
            Whole { findings: &findings, terminals: terminals as u32, cycles: measured_cycles };
        Report {
            schema_version: 3,
            configuration: Configuration::of(plan),
            traffic,
            outcome,
            verdict,
            enough_cycles: (verdict == Some(Stability::Undecided) && measured_cycles > 0)
                .then(|| self.record.enough(measured_cycles)),
            precision: self.config.precision,
            precise: self.config.precision.and_then(|share| {
                Interval::knows(intervals.latency, share, latency.map(|all| all.mean), verdict)
            }),
            warm_up_cycles,
            warm_up_found: self.warm_up_found,
            measured_cycles,
            drain_cycles,
            settle_cycles,
            cycles: self.reference.cycle(),
            released_packets: self.released_packets,
            injected_packets: self.sources.injected_packets,
            delivered_packets: self.delivered_packets,
            released_flits: self.released_flits,
            injected_flits: self.sources.injected_flits,
            delivered_flits: self.delivered_flits,
            measured_packets: self.measured_released,
            measured_delivered_packets: self.measured_delivered,
            latency,
            latency_interval: intervals.latency,
            network_latency: self.network_latency.report(),
            network_latency_interval: intervals.network_latency,
            by_length: self.parts.by_length(whole),
            request_reply: self.request_reply(whole),
            classes: self.parts.by_class(whole),
            offered_throughput: per_node_cycle(window.released_flits),
            accepted_throughput: per_node_cycle(window.delivered_flits),
            accepted_throughput_interval: intervals.throughput,
            fairness: jain(
                topology
                    .sources()
                    .map(|source| source.0 as usize)
                    .filter(|&source| asks(source))
                    .map(|source| self.delivered_from[source] as f64),
            ),
            largest_queue_flits: self.reference.largest_queue(),
            largest_source_backlog_flits: self.sources.largest_backlog,
            source_backlog_flits: self.sources.backlog,
            network_flits: self.reference.flits(),
            flit_hops: self.reference.flit_hops(),
            hops_per_flit: (window.delivered_flits > 0)
                .then(|| window.flit_hops as f64 / window.delivered_flits as f64),
        }
    }

    fn request_reply(&self, whole: Whole<'_>) -> Option<RequestReply> {
        let (replies, trips) = (self.config.replies?, self.round_trips.as_ref()?);
        let (round_trip, round_trip_interval) = trips.report(whole.findings);
        let [requests, answers] = self.parts.requests_and_replies(whole)?;
        Some(RequestReply {
            reply_flits: replies.flits,
            room: replies.room,
            outstanding: replies.outstanding,
            largest_reply_queue: self.sources.most_replies,
            requests,
            replies: answers,
            round_trip,
            round_trip_interval,
        })
    }
}
