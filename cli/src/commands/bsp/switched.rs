//! Supersteps on the reference router of a switched fabric.

use super::{BspReport, Supersteps};
use crate::kinds::Reported;
use crate::tabular::ReportKind;
use anyhow::bail;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;
use turnpike_sim_network::workload::{self, Pipelined, Schedule, WorkloadConfig, WorkloadOutcome};

/// No closed forms: g and L of a network with queues are measured.
#[derive(Serialize, JsonSchema)]
pub struct NoClosedForms {}

/// Entry in the list of reports.
pub const REPORT: ReportKind = ReportKind::of::<BspReport<Configuration, NoClosedForms>>(
    "bsp",
    "g and L of a network (`bsp`)",
);

impl Supersteps for FabricPlan {
    type Head = Configuration;
    type ClosedForms = NoClosedForms;

    fn fields(&self) -> (Configuration, NoClosedForms) {
        (self.head(), NoClosedForms {})
    }
    fn check_size(&self, _most: u32) -> anyhow::Result<()> {
        self.check_memory()
    }
    /// Cycles of one superstep. A source sends a word in a cycle at most, so that it makes no
    /// difference whether its words are there at once or cycle by cycle.
    fn superstep(&self, h: u32, seed: u64) -> anyhow::Result<u64> {
        let pipelined = (h > 1).then_some(Pipelined { interval: 1, rounds: h });
        let config = WorkloadConfig { pipelined, seed, ..WorkloadConfig::default() };
        let schedule = Schedule::draw(self.network(), &config)?;
        let report = workload::run(self, &config, &schedule, false, &mut |_| {})?.report;
        if report.outcome == WorkloadOutcome::Deadlocked {
            bail!("{} deadlocks at h = {h}, seed {seed}; it has no g and L", self.name);
        }
        Ok(report.delivery_cycles + 1)
    }
}
