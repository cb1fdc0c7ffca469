//! Workloads: a fixed number of messages, from the first release to the last delivery, with
//! times and queue sizes. (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 5.2.)
//!
//! In a *round* every terminal sends one message. [`kinds`] says to whom; a workload is one
//! round, or, pipelined, a round every so many cycles whether or not the ones before have
//! arrived. Each is with or without an *acknowledgement*: for each message, its destination
//! sends one flit back.
//!
//! A terminal has two endless queues: messages in the order of their rounds, and the messages
//! that it has to acknowledge. It sends an acknowledgement, where it has one, before the next
//! message; what it has once offered it finishes first, as AXI4-Stream has it.
//!
//! # Acknowledgements do not deadlock with messages
//! The fabric promises delivery as long as sinks drain. A terminal takes every flit in the
//! cycle in which it arrives: to take a message in, it needs a place in the queue of messages
//! to acknowledge, never one in the network. So no channel waits for a terminal, whatever the
//! terminal waits for, and acknowledgements add packets to the network but no dependency
//! between channels: the certificate of the network without them is theirs too. The queue
//! needs no more places than there are messages to this terminal that are released and not
//! yet acknowledged, of which a run says the most at any time.
//!
//! Where that queue has a limit, and the terminal takes nothing in while it is full, messages
//! wait for acknowledgements that wait behind messages: [`WorkloadConfig::room`] shows it.

pub mod kinds;
mod local;
mod report;
mod run;
mod schedule;
mod summary;
mod terminal;

pub use report::{PipelineReport, WorkloadDescription, WorkloadOutcome, WorkloadReport};
pub use run::{Progress, WorkloadRun, run};
pub use schedule::Schedule;

use crate::reference::ReferenceError;
use crate::traffic::{MOST_CYCLES, MOST_FLITS};
use turnpike_analysis::patterns::PatternError;
use turnpike_base::nearest::Nearest;

/// Rounds that follow one another without waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pipelined {
    /// Cycles from the release of a round to that of the next, 1 to [`MOST_CYCLES`].
    pub interval: u64,
    /// Number of rounds, from 1; at most [`MOST_MESSAGES`] messages in all.
    pub rounds: u32,
}

/// Configuration of a workload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkloadConfig {
    /// A name of [`kinds::WORKLOADS`].
    pub workload: String,
    /// The rounds; `None` for one alone.
    pub pipelined: Option<Pipelined>,
    /// Flits per message, 1 to [`MOST_FLITS`].
    pub message_flits: u32,
    /// Whether each message is acknowledged.
    pub acknowledge: bool,
    /// Messages that a terminal holds to acknowledge, from 1: while it has as many it takes
    /// nothing in, and the fabric can deadlock. `None` for no limit.
    pub room: Option<u32>,
    /// Seed of every draw.
    pub seed: u64,
    /// Whether a terminal may send to itself. (`local` never does.)
    pub self_addressed: bool,
}

impl Default for WorkloadConfig {
    fn default() -> Self {
        Self {
            workload: "permutation".to_owned(),
            pipelined: None,
            message_flits: 1,
            acknowledge: false,
            room: None,
            seed: 1,
            self_addressed: true,
        }
    }
}

impl WorkloadConfig {
    /// Number of rounds.
    pub fn rounds(&self) -> u32 {
        self.pipelined.map_or(1, |pipelined| pipelined.rounds)
    }

    /// Cycles between two rounds; 0 where there is one alone.
    pub fn interval(&self) -> u64 {
        self.pipelined.map_or(0, |pipelined| pipelined.interval)
    }

    /// Whether every number is in its range, for so many terminals.
    ///
    /// # Errors
    /// [`WorkloadError`] names what is out of range, and the range.
    pub fn check(&self, terminals: u32) -> Result<(), WorkloadError> {
        if !(1..=MOST_FLITS).contains(&self.message_flits) {
            return Err(WorkloadError::Flits(self.message_flits));
        }
        if self.room == Some(0) {
            return Err(WorkloadError::Room);
        }
        let Some(Pipelined { interval, rounds }) = self.pipelined else { return Ok(()) };
        if !(1..=MOST_CYCLES).contains(&interval) {
            return Err(WorkloadError::Interval(interval));
        }
        let most = MOST_MESSAGES / terminals.max(1);
        if !(1..=most).contains(&rounds) {
            return Err(WorkloadError::Rounds { rounds, terminals, most });
        }
        let most = MOST_CYCLES / interval + 1;
        if u64::from(rounds) > most {
            return Err(WorkloadError::Cycles { rounds, interval, most });
        }
        Ok(())
    }
}

/// A workload that cannot be made or run.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum WorkloadError {
    /// No workload of this name.
    #[error("unknown workload '{name}'{nearest} (there are: {known})")]
    Unknown {
        /// Name that was asked for.
        name: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// A message length outside its range.
    #[error("packet length {0} is out of range; use 1 to {most}", most = MOST_FLITS)]
    Flits(u32),
    /// An interval outside its range.
    #[error("interval {0} is out of range; use 1 to {most} cycles", most = MOST_CYCLES)]
    Interval(u64),
    /// No round, or more messages than a run holds.
    #[error(
        "rounds {rounds} is out of range: each is a message from each of {terminals} \
         terminals; use 1 to {most}"
    )]
    Rounds {
        /// The rounds asked for.
        rounds: u32,
        terminals: u32,
        /// Most rounds for as many.
        most: u32,
    },
    /// Rounds that go on for longer than a run.
    #[error(
        "{rounds} rounds every {interval} cycles take longer than {longest} cycles; use 1 to \
         {most}, or a shorter interval", longest = MOST_CYCLES
    )]
    Cycles {
        /// The rounds asked for.
        rounds: u32,
        /// Cycles between two.
        interval: u64,
        /// Most rounds with this interval.
        most: u64,
    },
    /// Terminals that could never take a message in.
    #[error("room for 0 messages takes none in; use a whole number from 1")]
    Room,
    /// A terminal that has nobody to send to.
    #[error("workload '{workload}': {label} reaches no other terminal to send to")]
    Alone {
        /// Name of the workload.
        workload: &'static str,
        /// The label of the terminal's node.
        label: String,
    },
    /// A network without terminals.
    #[error("no terminal is left to send")]
    NoTerminal,
    /// `local` where distances take too long.
    #[error(
        "workload 'local' searches this network from {sites} nodes that differ; it does so for \
         up to {most}: use a smaller network"
    )]
    Searches {
        /// The nodes.
        sites: usize,
        /// Most nodes that it searches from.
        most: usize,
    },
    /// A schedule drawn for another network or for other rounds.
    #[error("the schedule has {schedule} messages, which are not those of this workload")]
    Schedule {
        /// Messages of the schedule.
        schedule: u32,
    },
    /// A fixed permutation that keeps a terminal in place, where none may send to itself.
    #[error("workload '{workload}' has {label} send to itself, which is ruled out here")]
    InPlace {
        /// Name of the workload.
        workload: &'static str,
        /// The label of the terminal's node.
        label: String,
    },
    /// A fixed permutation that this network does not have.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The reference router cannot take the plan.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// The network delivered a packet a second time, or where it does not belong.
    #[error("terminal {terminal} took {packet} in, which {wrong}: the fabric does not hold")]
    Misdelivered {
        /// Terminal of the delivery.
        terminal: u32,
        /// Packet that was delivered.
        packet: String,
        /// Fault of the delivery.
        wrong: &'static str,
    },
}

/// Most messages of a run, acknowledgements not counted.
pub const MOST_MESSAGES: u32 = 1 << 24;
