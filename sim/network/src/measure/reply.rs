//! Requests and their replies: where they can be, and how long both take.

use super::config::RunError;
use super::record::{Findings, Record};
use crate::report::Latency;
use crate::samples::Samples;
use crate::statistics::{Interval, Stability};
use crate::traffic::Ends;
use turnpike_network::topology::Topology;

/// By terminal, whether it can ask and answer: it sends packets and takes them.
///
/// # Errors
/// [`RunError::NobodyAnswers`] where none does.
pub(super) fn answering(topology: &dyn Topology) -> Result<Vec<bool>, RunError> {
    let Ends { terminals, sources, .. } = Ends::answering(topology);
    if sources.is_empty() {
        return Err(RunError::NobodyAnswers);
    }
    let mut answers = vec![false; terminals as usize];
    sources.into_iter().for_each(|terminal| answers[terminal as usize] = true);
    Ok(answers)
}

/// Whether a packet with this source and this sink is answered, by what [`answering`] says.
pub(super) fn is_answered(answers: &[bool], ends: [u32; 2]) -> bool {
    ends.iter().all(|&terminal| answers.get(terminal as usize).is_some_and(|&yes| yes))
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
