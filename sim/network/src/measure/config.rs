//! Configuration of a run, its progress, and the reasons that it cannot begin.

use crate::reference::{Allocator, ReferenceError};
use crate::traffic::MOST_FLITS;
use serde::{Deserialize, Serialize};

/// Time for which the network runs before it is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarmUp {
    /// A number of cycles.
    Cycles(u64),
    /// Until MSER-5, on the flits in the network and at the sources in each cycle, finds the end
    /// of the warm-up in the first half of the cycles so far; at most 20 windows. It is tried
    /// after each window, of 2^19 / nodes cycles, at least 100 and at most 500.
    Detect,
}

/// Replies to packets: the packets that the traffic releases are requests then, and the terminal
/// that takes one in sends a packet back to its source. A packet whose source takes none, or whose
/// sink sends none, goes one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Replies {
    /// Flits of a reply, 1 to [`MOST_FLITS`].
    pub flits: u32,
    /// Replies that a terminal holds, from 1: while it has as many it takes nothing in, and the fabric can
    /// deadlock. `None` for no limit.
    pub room: Option<u32>,
    /// Requests of a terminal that may be under way, from 1: from the release of one to the delivery of its
    /// reply. A terminal with as many releases nothing until a reply has come. `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<u32>,
}

impl Replies {
    /// Replies of so many flits, with no limit of anything.
    pub fn of(flits: u32) -> Self {
        Self { flits, room: None, outstanding: None }
    }

    /// Whether its numbers are in their range.
    ///
    /// # Errors
    /// [`RunError`] names what is not.
    pub fn check(&self) -> Result<(), RunError> {
        if !(1..=MOST_FLITS).contains(&self.flits) {
            return Err(RunError::ReplyFlits(self.flits));
        }
        match (self.room, self.outstanding) {
            (Some(0), _) => Err(RunError::Room),
            (_, Some(0)) => Err(RunError::Outstanding),
            _ => Ok(()),
        }
    }
}

/// Continuation of a run that is found saturated. What is found may be wrong for a while, as in bursts; and
/// a deadlock may come late, where there can be one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WhenSaturated {
    /// A drain as after any other measurement.
    #[default]
    Drains,
    /// An end after the measurement, for what was measured is late for good. For networks in which nothing
    /// deadlocks.
    Ends,
    /// A stop in the measurement ([`super::early`]), without a look at whether what is left deadlocks.
    /// Where the measurement has no length, as `Drains`.
    Stops,
}

/// Length of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunConfig {
    pub warm_up: WarmUp,
    /// Cycles that are measured; `None`: until all that the traffic releases is delivered.
    pub measure: Option<u64>,
    /// Whether the measurement goes on where it cannot tell the verdict yet: twice as long and again, up to
    /// this many cycles. Nothing where it has no length.
    pub until_told: Option<u64>,
    /// Share of the mean latency within which both ends of its interval are to be: a measurement that may go on
    /// (`until_told`) does so until they are, too.
    pub precision: Option<f64>,
    /// The replies, where there are any.
    pub replies: Option<Replies>,
    /// Most cycles that the drain may take.
    pub drain: u64,
    /// Most packets between release and delivery (36 bytes each, 48 where they are answered); at the limit the
    /// run ends.
    pub most_packets: u32,
    /// Allocator of channels to packets, where the relation is adaptive.
    pub allocator: Allocator,
    /// Continuation of the run where it is found saturated.
    pub when_saturated: WhenSaturated,
    /// Whether all cores clock the network, where it is large ([`Reference::use_all_cores`]). The report is the same.
    pub all_cores: bool,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            warm_up: WarmUp::Detect,
            measure: Some(10_000),
            until_told: None,
            precision: None,
            replies: None,
            drain: 50_000,
            most_packets: 1 << 25,
            allocator: Allocator::default(),
            when_saturated: WhenSaturated::default(),
            all_cores: false,
        }
    }
}

impl RunConfig {
    /// A trace from its first cycle to its last delivery.
    pub fn whole_trace() -> Self {
        Self { warm_up: WarmUp::Cycles(0), measure: None, ..Self::default() }
    }
}

/// A run that cannot begin.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RunError {
    /// The reference router cannot take the plan.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// A reply length outside its range.
    #[error("replies of {0} flits are out of range; use 1 to {most}", most = MOST_FLITS)]
    ReplyFlits(u32),
    /// Terminals that could never take a request in.
    #[error("room for 0 replies takes no request in; use a whole number from 1")]
    Room,
    /// Terminals that could never ask.
    #[error("0 requests under way lets no terminal ask; use a whole number from 1")]
    Outstanding,
    /// Packets that are released in given cycles, where terminals are to hold back.
    #[error(
        "a trace says in which cycle each packet is released, and a limit of requests under way holds \
         packets back; use one of both"
    )]
    Fixed,
    /// Terminals none of which can be answered.
    #[error(
        "replies go from the terminal that takes a packet in to the one that sent it, and no terminal \
         does both"
    )]
    NobodyAnswers,
    /// Flows none of which can be answered.
    #[error(
        "no packet is answered: a reply goes back on a message class that comes after that of its \
         request, and there is no such flow; give classes, such as 'class reply after request', and flows \
         of both"
    )]
    NoClassAnswers,
    /// Traffic made for another network.
    #[error("the traffic is for {traffic} nodes, the fabric has {fabric}")]
    Nodes {
        /// Nodes of the traffic.
        traffic: u32,
        /// Nodes of the fabric.
        fabric: u32,
    },
}

/// Phase of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before the measurement.
    WarmUp,
    /// Releases are measured.
    Measure,
    /// Waiting for measured packets.
    Drain,
    /// No new packets: whether the network empties.
    Settle,
}

/// Progress of a run, for progress bars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Phase of the run.
    pub phase: Phase,
    /// Cycles since the phase began.
    pub cycles: u64,
    /// The phase's length or limit in cycles, where it has one.
    pub of: Option<u64>,
}
