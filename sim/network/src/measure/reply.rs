//! Requests and their replies: where they can be, and how long both take.

use super::config::RunError;
use super::record::{Findings, Record};
use crate::report::Latency;
use crate::samples::Samples;
use crate::statistics::{Interval, Stability};
use crate::traffic::{Answer, Ends};
use rustc_hash::{FxHashMap, FxHashSet};
use turnpike_network::flows::Flow;
use turnpike_network::topology::Topology;

/// Source and destination of a packet.
type PacketEnds = [u32; 2];

/// Packets that are answered, and the ends of their replies.
#[derive(Debug, Default)]
pub(super) enum Answers {
    /// No packet is.
    #[default]
    None,
    /// Packets between terminals that send and take: by terminal, whether it does both.
    Both(Vec<bool>),
    /// Packets of flows that have another back, of a message class after their own: by the ends of the
    /// request. And the terminals that send either.
    Classes(FxHashMap<PacketEnds, PacketEnds>, FxHashSet<u32>),
}

impl Answers {
    /// Answers of a network.
    ///
    /// # Errors
    /// [`RunError::NobodyAnswers`] or [`RunError::NoClassAnswers`] where there are none.
    pub fn of(topology: &dyn Topology) -> Result<Self, RunError> {
        if topology.flows().is_some() {
            let all = Answer::all(topology);
            let ends = |flow: &Flow| [flow.source.0, flow.destination.0];
            let sources = all.iter().flat_map(|one| [one.request.source.0, one.reply.source.0]);
            let sources = sources.collect();
            return match all.is_empty() {
                true => Err(RunError::NoClassAnswers),
                false => {
                    let pairs = all.iter().map(|one| (ends(&one.request), ends(&one.reply)));
                    Ok(Self::Classes(pairs.collect(), sources))
                }
            };
        }
        let Ends { terminals, sources, .. } = Ends::answering(topology);
        if sources.is_empty() {
            return Err(RunError::NobodyAnswers);
        }
        let mut answers = vec![false; terminals as usize];
        sources.into_iter().for_each(|terminal| answers[terminal as usize] = true);
        Ok(Self::Both(answers))
    }

    /// Ends of the reply to a packet; `None` where it has none.
    #[inline]
    pub fn to(&self, ends: PacketEnds) -> Option<PacketEnds> {
        match self {
            Self::None => None,
            Self::Both(answers) => {
                let both = |&end: &u32| answers.get(end as usize).is_some_and(|&yes| yes);
                let [source, destination] = ends;
                ends.iter().all(both).then_some([destination, source])
            }
            Self::Classes(replies, _) => replies.get(&ends).copied(),
        }
    }

    /// Whether a source is expected to send, where it can.
    pub fn asks(&self, source: usize) -> bool {
        match self {
            Self::None => true,
            Self::Both(answers) => answers.get(source).is_none_or(|&asks| asks),
            Self::Classes(_, sources) => sources.contains(&(source as u32)),
        }
    }

    /// By the terminal that sends replies, those at which their requests come, where they are others.
    pub fn askers(&self) -> FxHashMap<u32, Vec<u32>> {
        let mut askers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let Self::Classes(replies, _) = self else { return askers };
        for ([_, at], [from, _]) in replies {
            askers.entry(*from).or_default().push(*at);
        }
        for at in askers.values_mut() {
            at.sort_unstable();
            at.dedup();
        }
        askers
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
