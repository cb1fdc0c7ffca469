//! Traffic: which packets are released where and when.
//!
//! Synthetic traffic is a [`pattern`] (who sends to whom) under a Bernoulli process, or one of bursts
//! (when);
//! [`trace`] reads both from a file. Who sends to whom may also be [`listed`].

pub mod bernoulli;
mod bursts;
pub mod classes;
pub mod ends;
mod flows;
mod held;
pub mod lengths;
pub mod listed;
pub mod pattern;
mod shares;
pub mod trace;

pub use bernoulli::{Bernoulli, TrafficConfig};
pub use classes::{Class, ClassDescription, Classes, ClassesError};
pub use ends::{Answer, ClassEnds, Ends};
pub use flows::FlowTraffic;
pub use lengths::{LengthShare, Lengths};
pub use listed::Listed;
pub use trace::Trace;
use turnpike_analysis::patterns::PatternError;
use turnpike_base::nearest::Nearest;
pub use turnpike_base::random;

/// A packet that its source may send from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Release {
    /// The node that sends it.
    pub source: u32,
    /// The node that it goes to.
    pub destination: u32,
    /// Length in flits, at least 1.
    pub flits: u32,
    /// Index of the class; 0 where there are none.
    pub class: u8,
}

/// A stream of packets.
pub trait Traffic {
    /// Number of nodes: every source and destination is below.
    fn nodes(&self) -> u32;
    /// Adds the packets that are released in `cycle` to `into`, by ascending source. Called
    /// once for each cycle, from 0 on.
    fn release(&mut self, cycle: u64, into: &mut Vec<Release>);
    /// Whether nothing is released in `cycle` or after it.
    fn is_exhausted(&self, cycle: u64) -> bool;
    /// The first cycle from now on in which a packet is released, where that is known (`u64::MAX`
    /// for never again): a run may jump to it while the network is empty.
    fn next_release(&self) -> Option<u64> {
        None
    }
    /// Draws nothing for a terminal from now on, or draws for it again. False where packets are released in
    /// given cycles: then nothing is changed.
    fn hold(&mut self, _terminal: u32, _is_held: bool) -> bool {
        false
    }
    /// The lengths that its packets are drawn with, ascending, where these are several.
    fn lengths(&self) -> &[LengthShare] {
        &[]
    }
    /// Classes of the traffic, where it has some.
    fn classes(&self) -> Vec<ClassDescription> {
        Vec::new()
    }
    /// Description of the traffic, for reports.
    fn description(&self) -> TrafficDescription;
}

/// Synthetic traffic from these sources to these sinks: that of the flows, where the network is for
/// flows; else of several classes where there are some.
///
/// # Errors
/// [`TrafficError`] names what is out of range, and the range.
pub fn synthetic(ends: Ends, config: &TrafficConfig) -> Result<Box<dyn Traffic>, TrafficError> {
    Ok(match (ends.flows.is_some(), config.classes.is_empty()) {
        (true, _) => Box::new(FlowTraffic::new(ends, config)?),
        (false, true) => Box::new(Bernoulli::new(ends, config)?),
        (false, false) => Box::new(Classes::new(&ends, config)?),
    })
}

/// Description of traffic in reports.
#[derive(Clone, PartialEq, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct TrafficDescription {
    /// The pattern's name, or `trace`; of several classes, that of those which name none, or `classes`.
    pub pattern: String,
    /// Offered load in flits per terminal and cycle, 0 to 1; of flows with bandwidths, the part of these
    /// that is offered. Absent for a trace.
    pub offered_load: Option<f64>,
    /// Flits per packet; absent where packets have several lengths, and for a trace.
    pub packet_flits: Option<u32>,
    /// Lengths of packets, each with the share of the packets that have it, such as `1:0.8,5:0.2`;
    /// absent where all have the same, and for a trace.
    pub packet_lengths: Option<String>,
    /// Mean length in cycles of the bursts of each source; absent where it sends at any time alike,
    /// and for a trace.
    pub burst_cycles: Option<f64>,
    /// The seed of every random draw; absent for a trace.
    pub seed: Option<u64>,
    /// Whether packets from a node to itself are sent; absent for a trace and for
    /// messages, which have what they have.
    pub self_addressed: Option<bool>,
}

/// Traffic that cannot be made.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum TrafficError {
    /// No pattern of this name.
    #[error("unknown traffic '{name}'{nearest} (there are: {known})")]
    Unknown {
        /// Name that was asked for.
        name: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// Traffic of another sort, on a network for flows.
    #[error("the traffic of a network for flows is that of its flows; leave {0} out")]
    Flows(&'static str),
    /// A load outside its range, or not a number.
    #[error("load {0} is out of range; use 0 to 1 flits per terminal and cycle")]
    Load(f64),
    /// Classes that cannot be.
    #[error(transparent)]
    Classes(#[from] ClassesError),
    /// A packet length outside its range.
    #[error("packet length {0} is out of range; use 1 to {most}", most = MOST_FLITS)]
    Flits(u32),
    /// A length of bursts outside its range.
    #[error("bursts of {0} cycles are out of range; use 1 to {most}", most = MOST_BURST)]
    Burst(f64),
    /// A pattern that the terminals do not have.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A pattern that pairs them, where they are not as many.
    #[error(
        "traffic '{pattern}' gives each source a sink of its own, and there are {sources} sources \
         and {sinks} sinks; use uniform, hotspot or all-pairs"
    )]
    Unpaired {
        pattern: &'static str,
        /// Terminals that send.
        sources: u32,
        /// Terminals that take packets.
        sinks: u32,
    },
    /// `hotspot` traffic without a node to favour.
    #[error("traffic 'hotspot' needs at least one node to favour")]
    NoHotspot,
    /// A hotspot that takes no packets.
    #[error("hotspot {terminal} takes no such packets; use a terminal of 0 to {last} that does")]
    Hotspot {
        /// The terminal asked for.
        terminal: u32,
        /// The last terminal there is.
        last: u32,
    },
    /// A share outside its range.
    #[error("hotspot share {0} is out of range; use 0 to 1")]
    Share(f64),
}

/// Most cycles of a phase of a run, and the last of a trace.
pub const MOST_CYCLES: u64 = 1_000_000_000;

/// Most cycles of a burst, in the mean.
pub const MOST_BURST: f64 = 1e6;

/// Most flits in a packet.
pub const MOST_FLITS: u32 = 1 << 20;
