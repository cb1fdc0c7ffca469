//! Kinds of fabric, and lists of those that have something in common.

use anyhow::bail;
use std::fmt;
use std::str::FromStr;
use turnpike_bus::grid::{MOB, OCPC};
use turnpike_bus::split_hash::SPLIT_HASH;

/// Kind of a fabric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Packets, in queues.
    Switched,
    /// Circuits: settings that are known beforehand, no queues.
    Circuit,
    /// Words that go by a time table, no queues.
    Slotted,
    /// One bus of all nodes.
    Ocpc,
    /// Mesh of busses.
    Mob,
    /// Leveled network of busses.
    SplitHash,
}

/// Kinds of networks of channels: what a user may ask for on one of them.
pub const CHANNELS: &[Kind] = &[Kind::Switched, Kind::Circuit, Kind::Slotted];
/// Kinds of them without queues.
pub const QUEUELESS: &[Kind] = &[Kind::Circuit, Kind::Slotted];
/// Every kind of busses.
pub const BUSSES: &[Kind] = &[Kind::Ocpc, Kind::Mob, Kind::SplitHash];
/// Every kind but that of networks with funnels.
pub const NO_FUNNELS: &[Kind] =
    &[Kind::Switched, Kind::Circuit, Kind::Slotted, Kind::Ocpc, Kind::Mob];
/// Kinds of busses on a grid.
pub const GRIDS: &[Kind] = &[Kind::Ocpc, Kind::Mob];

impl Kind {
    /// Word of the kind on the command line; of busses the name of the network.
    pub fn word(self) -> &'static str {
        match self {
            Self::Switched => "switched",
            Self::Circuit => "circuit",
            Self::Slotted => "slotted",
            Self::Ocpc => OCPC,
            Self::Mob => MOB,
            Self::SplitHash => SPLIT_HASH,
        }
    }

    /// Whether a command makes fabrics of the kind: the time table of a slotted one is that of a switched network.
    pub fn is_in(self, command: &str) -> bool {
        self != Self::Slotted || command != "schedule"
    }

    /// Kind of the busses of this name; `None` for other networks.
    pub fn of_busses(topology: &str) -> Option<Self> {
        BUSSES.iter().copied().find(|kind| kind.word() == topology)
    }
}

/// Words of the kinds of networks of channels, with commas.
pub fn words_of_channels() -> String {
    let words: Vec<&str> = CHANNELS.iter().map(|kind| kind.word()).collect();
    words.join(", ")
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Kind of a network of channels: that of busses follows from the network.
impl FromStr for Kind {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match CHANNELS.iter().find(|kind| kind.word() == text) {
            Some(kind) => Ok(*kind),
            None => bail!("there is no kind of fabric '{text}'; use {}", words_of_channels()),
        }
    }
}
