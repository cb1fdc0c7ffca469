//! Errors of widths, clocks and addresses that were asked for.

use super::counters::MOST_WATCHDOG;
use super::interface::{MOST_BETWEEN, MOST_TERMINAL_CLOCKS};
use super::{MOST_ROOM, MOST_SHAPED, MOST_SHAPED_FLOWS};
use std::fmt;
use turnpike_base::nearest::Nearest;
use turnpike_network::description::MOST_ADDRESS;
use turnpike_network::flows::BucketError;

/// Kind of what is said of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Bits of its words.
    Width,
    /// Clock of its ports.
    Clock,
    /// Address at its ports.
    Address,
}

impl Wish {
    /// Name of the option, and words for one and for several.
    fn names(self) -> [&'static str; 3] {
        match self {
            Self::Width => ["terminal_width", "a width", "widths"],
            Self::Clock => ["terminal_clock", "a clock", "clocks"],
            Self::Address => ["terminal_address", "an address", "addresses"],
        }
    }
}

/// Several: `widths`.
impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names()[2])
    }
}

/// Reason that terminals cannot have what was asked for them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InterfaceError {
    /// A name or pattern of no terminal.
    #[error("{} is for '{name}', and no terminal is called so{nearest}", what.names()[1])]
    Terminal {
        /// Name or pattern that was given.
        name: String,
        /// Wish that was said of it.
        what: Wish,
        /// Known name that may have been meant.
        nearest: Nearest,
    },
    /// A width outside its range.
    #[error("terminal {terminal}: width {bits} is out of range; use 1 to 1024")]
    Range {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
    },
    /// Two widths, clocks or addresses for one terminal.
    #[error("terminal {terminal} has two {what}, {first} and {second}; leave one out")]
    Twice {
        /// Name of the terminal.
        terminal: String,
        /// Wish that was said of it.
        what: Wish,
        /// Value that was given first.
        first: String,
        /// Value that was given after it.
        second: String,
    },
    /// Shared ports, whose slices are all of one width and of one clock.
    #[error(
        "terminals share the ports of the top module, so all have the {what} of the network; give each \
         ports of its own (ports named)"
    )]
    Shared {
        /// Wish that was said of some.
        what: Wish,
    },
    /// Addresses that a file of the network gives, at shared ports.
    #[error(
        "the file of the network gives terminals addresses, which they cannot have at ports that they \
         share; give each ports of its own (ports named)"
    )]
    SharedAddresses,
    /// Counters at shared ports.
    #[error("counters are at ports that each terminal has of its own (ports named)")]
    SharedCounters,
    /// Shapers at shared ports.
    #[error("shapers are at ports that each terminal has of its own (ports named)")]
    SharedShapers,
    /// Shapers of a network from all to all.
    #[error(
        "shapers hold flows to their token buckets, and this network is from all to all; say who sends to \
         whom, and how much"
    )]
    ShaperFlows,
    /// Shapers of more flows than there may be.
    #[error(
        "shapers have a token bucket for each flow, up to {MOST_SHAPED_FLOWS}, and there are {flows} flows; use \
         fewer"
    )]
    ShaperCount {
        /// Number of flows.
        flows: usize,
    },
    /// Shapers of flows that do not say how much they send.
    #[error(
        "shapers need to know how much each flow sends; give the one from {from} to {to} a bandwidth"
    )]
    ShaperBandwidth {
        /// Terminal that sends.
        from: String,
        /// Terminal that takes the packets.
        to: String,
    },
    /// Shapers of a flow whose burst holds no packet.
    #[error("the flow from {from} to {to} has {error}")]
    ShaperBurst {
        /// Terminal that sends.
        from: String,
        /// Terminal that takes the packets.
        to: String,
        /// Burst and packets.
        error: BucketError,
    },
    /// Shapers of packets that are too long to be held.
    #[error(
        "the flow from {from} to {to} has packets of {packet} flits, and a shaper holds whole packets of up to \
         {MOST_SHAPED}; send shorter ones"
    )]
    ShaperPacket {
        /// Terminal that sends.
        from: String,
        /// Terminal that takes the packets.
        to: String,
        /// Flits of a packet.
        packet: u32,
    },
    /// Shapers of a flow whose packets its terminal's words cannot make.
    #[error(
        "the flow from {from} to {to} has packets of {packet} flits, and each word of {from} makes {flits}: none is \
         so long; use a packet of whole words, or `keep`"
    )]
    ShaperWords {
        /// Terminal that sends.
        from: String,
        /// Terminal that takes the packets.
        to: String,
        /// Flits of a packet.
        packet: u32,
        /// Flits of a word.
        flits: u32,
    },
    /// Shapers with more room than there may be.
    #[error("shapers with room for {room} flits are out of range; use 0 to {MOST_ROOM}")]
    ShaperRoom {
        /// Flits that were asked for.
        room: u32,
    },
    /// Shapers of memory-mapped ends, whose packets have no one length.
    #[error(
        "shapers are of streams, and the packets of memory-mapped ends have no one length; leave shapers or \
         ends out"
    )]
    ShaperEnds,
    /// A watchdog that waits for longer than is counted.
    #[error("a watchdog of {cycles} cycles is out of range; use 0 to {MOST_WATCHDOG}")]
    Watchdog {
        /// Cycles that were asked for.
        cycles: u32,
    },
    /// A clock that is called as another port is, or has its reset called so.
    #[error("clock '{clock}': the top module has another port called '{port}'; use another name")]
    Port {
        /// Name of the clock.
        clock: String,
        /// Name of the port: the clock, or its reset.
        port: String,
    },
    /// Two clocks whose names differ in case alone, which VHDL does not tell apart.
    #[error("clocks '{first}' and '{second}' differ in case alone; use one name")]
    Case {
        /// Name of one.
        first: String,
        /// Name of the other.
        second: String,
    },
    /// More clocks than there may be.
    #[error("{count} clocks beside that of the network, and {MOST_TERMINAL_CLOCKS} are the most")]
    Clocks {
        /// Number of clocks.
        count: usize,
    },
    /// Stages of synchronisers outside their range.
    #[error("{stages} stages of a synchroniser are out of range; use 2 to 4")]
    Stages {
        /// Number that was given.
        stages: u32,
    },
    /// A reorder buffer on a network whose packets may overtake one another.
    #[error(
        "terminal {terminal} has a reorder buffer; packets may overtake one another under '{relation}', so one transaction \
         of an ID is in flight at a time: leave reorder out, or use a relation with one route from each terminal to each"
    )]
    EndsOrder {
        /// Name of the terminal.
        terminal: String,
        /// Name of the relation.
        relation: String,
    },
    /// A memory-mapped end at a switch that failed.
    #[error(
        "terminal {terminal} is at a switch that failed, and transactions with it would not be answered; leave it out \
         of the ends"
    )]
    EndsFailed {
        /// Name of the terminal.
        terminal: String,
    },
    /// Memory-mapped ends beside what streams alone have.
    #[error(
        "terminals with memory-mapped ends have no {what} of their streams to choose; leave them out"
    )]
    EndsBeside {
        /// Wish that was said beside.
        what: Wish,
    },
    /// A width of no whole bytes, beside `tkeep`.
    #[error("terminal {terminal}: tkeep needs whole bytes; use a multiple of 8, not {bits}")]
    Keep {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
    },
    /// An address outside its range.
    #[error("terminal {terminal}: address {address} is out of range; use 0 to {MOST_ADDRESS}")]
    AddressRange {
        /// Name of the terminal.
        terminal: String,
        /// Address that was given.
        address: u32,
    },
    /// Two terminals with one address.
    #[error(
        "address {address} is that of {first} and of {second}; say another for one of them (a terminal for \
         which none is said has that of the network)"
    )]
    AddressTaken {
        /// Address of both.
        address: u32,
        /// Name of one.
        first: String,
        /// Name of the other.
        second: String,
    },
    /// Widths of which none divides the other, without `tkeep`.
    #[error(
        "terminal {terminal}: of {bits} and {width}, the width of the network, neither divides the \
         other; use one that does, or whole bytes with tkeep, which says which are data (keep)"
    )]
    Ratio {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
        /// Width of the network.
        width: u32,
    },
    /// Widths that have no common multiple of moderate size.
    #[error(
        "terminal {terminal}: words of {between} bits would stand between its {bits} and the {width} \
         of the network, and {MOST_BETWEEN} are the most; use a width that shares more with {width}"
    )]
    Between {
        /// Name of the terminal.
        terminal: String,
        /// Width that was given.
        bits: u32,
        /// Width of the network.
        width: u32,
        /// The least common multiple of both.
        between: u32,
    },
}

impl InterfaceError {
    /// Name of the option that cannot be.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Terminal { what, .. } | Self::Twice { what, .. } | Self::Shared { what } => {
                what.names()[0]
            }
            Self::Port { .. } | Self::Case { .. } | Self::Clocks { .. } => Wish::Clock.names()[0],
            Self::Range { .. } | Self::Keep { .. } | Self::Ratio { .. } | Self::Between { .. } => {
                Wish::Width.names()[0]
            }
            Self::AddressRange { .. } | Self::AddressTaken { .. } => Wish::Address.names()[0],
            Self::EndsOrder { .. } => "routing",
            Self::EndsFailed { .. } => "failed",
            Self::EndsBeside { what } => what.names()[0],
            Self::Stages { .. } => "sync_stages",
            Self::SharedAddresses => "ports",
            Self::SharedCounters => "counters",
            Self::SharedShapers
            | Self::ShaperFlows
            | Self::ShaperCount { .. }
            | Self::ShaperBandwidth { .. }
            | Self::ShaperBurst { .. }
            | Self::ShaperPacket { .. }
            | Self::ShaperWords { .. }
            | Self::ShaperEnds => "shaper",
            Self::ShaperRoom { .. } => "shaper_room",
            Self::Watchdog { .. } => "watchdog",
        }
    }
}
