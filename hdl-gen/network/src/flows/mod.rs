//! Flows: which terminal sends to which, and how much. A network for flows has what these flows can
//! use, and nothing else ([`crate::topology::with_flows`]).

mod bucket;
pub mod classes;
mod error;
mod list;
mod read;
#[cfg(test)]
mod tests;

pub use bucket::{BucketError, TokenBucket};
pub use classes::{ClassEntry, MessageClass};
pub use error::{FlowError, FlowsError};
pub use list::{FlowEntry, FlowList, fits};
pub use read::{MOST_WORDS, fields_of, message};

use crate::topology::{Terminal, Topology};
use std::collections::BTreeMap;
use std::fmt;

/// Word for the ends of packets on a network, in the singular: `terminal`; with message classes `stream`, for
/// each terminal has several.
pub fn end_word(topology: &dyn Topology) -> &'static str {
    let has_classes = topology.flows().is_some_and(|flows| !flows.classes().is_empty());
    if has_classes { "stream" } else { "terminal" }
}

/// Longest packet of a flow, in flits.
pub const MOST_FLITS: u32 = 1 << 20;
/// Longest burst of a flow, in flits.
pub const MOST_BURST: u32 = 1 << 24;
/// Most flows of a network.
pub const MOST_FLOWS: usize = 1 << 22;

/// Flits per cycle, exact: a whole number of billionths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bandwidth(pub u64);

impl Bandwidth {
    /// One flit in each cycle: what a link carries.
    pub const WHOLE: Self = Self(1_000_000_000);

    /// Flits per cycle.
    pub fn flits_per_cycle(self) -> f64 {
        self.0 as f64 / Self::WHOLE.0 as f64
    }
}

/// Flits per cycle as a decimal number without trailing zeros, such as `0.25`.
impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / Self::WHOLE.0, self.0 % Self::WHOLE.0);
        match format!("{part:09}").trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            part => write!(f, "{whole}.{part}"),
        }
    }
}

/// A flow: packets that go from one terminal to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Terminal that sends.
    pub source: Terminal,
    /// Terminal that takes the packets.
    pub destination: Terminal,
    /// Flits that it sends per cycle; `None` where the file does not say.
    pub bandwidth: Option<Bandwidth>,
    /// Flits of each of its packets; `None` where the file does not say.
    pub packet_flits: Option<u32>,
    /// Flits that it may release at once, above what its bandwidth makes in time: the size of its token
    /// bucket. `None` where the file does not say: a packet.
    pub burst: Option<u32>,
    /// Cycles within which a packet should arrive; `None` where the file does not say.
    pub latency: Option<u32>,
    /// Words, 1 or more: where bandwidths are not said, a source sends in proportion to them.
    pub words: u32,
}

/// The flows of a network, one for each pair of terminals at most. Where there are message classes,
/// each terminal has a stream for each class, which counts as a terminal here
/// ([`crate::topology::classed`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flows {
    /// By ascending source, then destination.
    list: Vec<Flow>,
    /// Message classes; none where all messages are alike.
    classes: Vec<MessageClass>,
    /// Bits of an address, above which the number of a stream has that of its class.
    address_bits: u32,
    /// Whether each message class has a network of its own.
    are_separate: bool,
}

impl Flows {
    /// The flows, of which no two are of one pair.
    fn new(mut list: Vec<Flow>, classes: Vec<MessageClass>, address_bits: u32) -> Self {
        list.sort_by_key(|flow| (flow.source, flow.destination));
        Self { list, classes, address_bits, are_separate: false }
    }

    /// Whether each message class has a network of its own; else they share one.
    pub fn are_separate(&self) -> bool {
        self.are_separate
    }

    /// Message classes; none where all messages are alike.
    pub fn classes(&self) -> &[MessageClass] {
        &self.classes
    }

    /// Whether a message class comes after another.
    pub fn have_order(&self) -> bool {
        self.classes.iter().any(|class| !class.after.is_empty())
    }

    /// Whether message classes share links on which one goes before another.
    pub fn have_priorities(&self) -> bool {
        let differ = self.classes.windows(2).any(|pair| pair[0].priority != pair[1].priority);
        differ && !self.are_separate
    }

    /// The flows of one class, between terminals and not their streams, and without a class.
    pub fn of_class(&self, class: usize) -> Self {
        let own = self.list.iter().filter(|flow| self.class_of(flow.source) == class);
        let plain = |flow: &Flow| Flow {
            source: self.address(flow.source),
            destination: self.address(flow.destination),
            ..*flow
        };
        Self::new(own.map(plain).collect(), Vec::new(), self.address_bits)
    }

    /// The flows, which have no classes, between the places of terminals, where each place has so many:
    /// a power of two ([`crate::topology::concentrated`]).
    pub fn between_places(&self, concentration: u32) -> Self {
        let bits = concentration.ilog2();
        let place = |terminal: Terminal| Terminal(terminal.0 >> bits);
        let mut flows: BTreeMap<(Terminal, Terminal), Flow> = BTreeMap::new();
        for flow in &self.list {
            let ends = (place(flow.source), place(flow.destination));
            let plain = Flow { source: ends.0, destination: ends.1, ..*flow };
            flows.entry(ends).or_insert(plain);
        }
        Self::new(flows.into_values().collect(), Vec::new(), self.address_bits - bits)
    }

    /// Number of the class of a stream; 0 where there are no classes.
    pub fn class_of(&self, terminal: Terminal) -> usize {
        if self.classes.is_empty() { 0 } else { (terminal.0 >> self.address_bits) as usize }
    }

    /// Stream of a class at the terminal of an address.
    pub fn stream(&self, class: usize, address: Terminal) -> Terminal {
        Terminal((class as u32) << self.address_bits | address.0)
    }

    /// Flow that carries the reply to a packet of another: back to its source, on the first message class
    /// that comes after its own and has such a flow. `None` where there is none.
    pub fn reply_to(&self, request: &Flow) -> Option<&Flow> {
        let own = self.class_of(request.source);
        let ends = [request.destination, request.source].map(|end| self.address(end));
        let after =
            (0..self.classes.len()).filter(|&class| self.classes[class].after.contains(&own));
        let on = |class| {
            let [source, destination] = ends.map(|end| self.stream(class, end));
            self.between(source, destination)
        };
        after.filter_map(on).next()
    }

    /// Address of a stream, as `tdest` has it: the number of its terminal.
    pub fn address(&self, terminal: Terminal) -> Terminal {
        match self.classes.is_empty() {
            true => terminal,
            false => Terminal(terminal.0 & ((1 << self.address_bits) - 1)),
        }
    }

    /// The flows, by ascending source, then destination.
    pub fn list(&self) -> &[Flow] {
        &self.list
    }

    /// The flows of a source, by ascending destination.
    pub fn of_source(&self, source: Terminal) -> &[Flow] {
        let from = self.list.partition_point(|flow| flow.source < source);
        let own = self.list[from..].partition_point(|flow| flow.source == source);
        &self.list[from..from + own]
    }

    /// Flits per cycle of each flow at a load of 1: its bandwidth, or its share of one flit per cycle of
    /// its source, in proportion to words and to the nearest billionth.
    pub fn shares(&self) -> Vec<Bandwidth> {
        let of_source = self.list.chunk_by(|one, other| one.source == other.source);
        let share = |own: &[Flow]| -> Vec<Bandwidth> {
            let all: u64 = own.iter().map(|flow| u64::from(flow.words)).sum();
            let by_words = |words: u32| {
                let billionths = u128::from(Bandwidth::WHOLE.0) * u128::from(words);
                Bandwidth(((billionths + u128::from(all / 2)) / u128::from(all)) as u64)
            };
            own.iter().map(|flow| flow.bandwidth.unwrap_or_else(|| by_words(flow.words))).collect()
        };
        of_source.flat_map(share).collect()
    }

    /// Whether the flows say how much they send.
    pub fn have_bandwidths(&self) -> bool {
        self.list.iter().all(|flow| flow.bandwidth.is_some())
    }

    /// The flow from one terminal to another; `None` where there is none.
    pub fn between(&self, source: Terminal, destination: Terminal) -> Option<&Flow> {
        let key = |flow: &Flow| (flow.source, flow.destination);
        let at = self.list.binary_search_by_key(&(source, destination), key).ok()?;
        Some(&self.list[at])
    }
}
