//! Requests and their replies: where they can be, and how long both take.

use super::config::RunError;
use super::record::{Findings, Record};
use crate::report::Latency;
use crate::samples::Samples;
use crate::statistics::{Interval, Stability};
use turnpike_network::topology::Topology;

/// Whether every terminal that sends takes packets, and the other way round.
///
/// # Errors
/// [`RunError::OneSided`] names one that does not.
pub(super) fn are_possible(topology: &dyn Topology) -> Result<(), RunError> {
    let silent = topology.sinks().find(|&terminal| topology.source(terminal).is_none());
    let deaf = || topology.sources().find(|&terminal| topology.sink(terminal).is_none());
    match silent.or_else(deaf) {
        Some(terminal) => Err(RunError::OneSided(topology.terminal_label(terminal))),
        None => Ok(()),
    }
}

/// Cycles from the release of a measured request to the delivery of its reply.
#[derive(Debug)]
pub(super) struct RoundTrips {
    cycles: Samples,
    record: Record,
}

impl Default for RoundTrips {
    fn default() -> Self {
        Self { cycles: Samples::new(), record: Record::default() }
    }
}

impl RoundTrips {
    /// The measurement begins in this cycle.
    pub fn start(&mut self, cycle: u64) {
        self.record = Record::from(cycle);
    }

    /// A reply was delivered whose request was released in `begun`.
    pub fn reply(&mut self, begun: u64, cycle: u64) {
        self.cycles.record(cycle - begun);
        self.record.packet(begun, cycle - begun, 0);
    }

    /// All of them, and the interval of their mean where the run is steady.
    pub fn report(&self, findings: &Findings) -> (Option<Latency>, Option<Interval>) {
        let steady = findings.verdict == Some(Stability::Steady);
        let interval = self.record.intervals(1).latency.filter(|_| steady);
        (self.cycles.report(), interval)
    }
}
