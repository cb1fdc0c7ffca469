//! Packets of flows that arrive later than their flow allows.

use super::{Crossing, Observer, Sample};
use crate::stimulus::StimulusPacket;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::flows::Flow;

/// Flow that says a latency, with what was measured of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LateFlow {
    /// Label of the source.
    pub source: String,
    /// Label of the destination.
    pub destination: String,
    /// Cycles within which each of its packets should arrive, from its release.
    pub latency_cycles: u32,
    /// Measured packets that arrived.
    pub packets: u64,
    /// Packets of those that took longer.
    pub late_packets: u64,
    /// Cycles that the slowest of them took.
    pub worst_cycles: u64,
}

/// Another observer, with a count of the packets that arrive late.
pub struct Deadlines<'a> {
    inner: &'a mut dyn Observer,
    /// By source and destination, flows that say a latency, with what was measured.
    flows: BTreeMap<(u32, u32), LateFlow>,
}

impl LateFlow {
    /// Whether packets of the flow arrived late.
    pub fn is_late(&self) -> bool {
        self.late_packets > 0
    }

    /// Adds what another run measured of the same flow.
    pub fn add(&mut self, run: &Self) {
        self.packets += run.packets;
        self.late_packets += run.late_packets;
        self.worst_cycles = self.worst_cycles.max(run.worst_cycles);
    }
}

impl<'a> Deadlines<'a> {
    /// `inner`, with no packets counted yet.
    pub fn new(plan: &FabricPlan, inner: &'a mut dyn Observer) -> Self {
        let topology = plan.topology();
        let flows = topology.live_flows().unwrap_or_default();
        let counted = |flow: &Flow| {
            let late = LateFlow {
                source: topology.terminal_label(flow.source),
                destination: topology.terminal_label(flow.destination),
                latency_cycles: flow.latency?,
                packets: 0,
                late_packets: 0,
                worst_cycles: 0,
            };
            Some(((flow.source.0, flow.destination.0), late))
        };
        Self { inner, flows: flows.iter().filter_map(counted).collect() }
    }

    /// Flows with late packets; `None` where no flow says a latency.
    pub fn late(self) -> Option<Vec<LateFlow>> {
        (!self.flows.is_empty())
            .then(|| self.flows.into_values().filter(LateFlow::is_late).collect())
    }

    /// All flows that say a latency, by source and destination.
    pub fn all(self) -> Vec<LateFlow> {
        self.flows.into_values().collect()
    }
}

impl Observer for Deadlines<'_> {
    fn counts_crossings(&self) -> bool {
        self.inner.counts_crossings()
    }

    fn records(&self) -> bool {
        self.inner.records()
    }

    fn takes_packets(&self) -> bool {
        !self.flows.is_empty() || self.inner.takes_packets()
    }

    fn packet(&mut self, sample: &Sample) {
        if let Some(flow) = self.flows.get_mut(&(sample.source, sample.destination)) {
            let cycles = sample.latency();
            flow.packets += 1;
            flow.late_packets += u64::from(cycles > flow.latency_cycles.into());
            flow.worst_cycles = flow.worst_cycles.max(cycles);
        }
        self.inner.packet(sample);
    }

    fn crossings(&mut self, cycles: u64, crossings: &[Crossing]) {
        self.inner.crossings(cycles, crossings);
    }

    fn sent(&mut self, packets: Vec<Vec<StimulusPacket>>) {
        self.inner.sent(packets);
    }
}
