//! Signals of AXI4 (IHI 0022, issue H, chapter A2), as data.
//!
//! Not among them: `AxLOCK`, for subordinates are told of no exclusive access, and so answer `OKAY` as
//! those do that have none (A7.2.5); and `USER` signals.

use super::{BusDefinition, Facts, Signal, Widths};

pub(super) const FACTS: Facts = Facts {
    name: "axi4",
    title: "AXI4",
    port: "axi",
    data_widths: &[8, 16, 32, 64, 128, 256, 512],
    most_address: 64,
    has_ids: true,
    has_bursts: true,
    is_serial: false,
    selects_reads: false,
    bus: Some(BusDefinition::axi("AXI4", "r0p0_0")),
    signals,
};

/// Longest burst, in beats (A3.4.1).
pub const MOST_BEATS: u32 = 256;

/// Kind of burst, as `AxBURST` gives it: every transfer at one address (A3.4.1).
pub const FIXED: u64 = 0;
/// Kind of burst whose addresses go up.
pub const INCR: u64 = 1;
/// Kind of burst whose addresses go up and begin again at a boundary.
pub const WRAP: u64 = 2;

/// Answer of a subordinate that has an error (A3.4.4).
pub const SLVERR: u64 = 2;
/// Answer of a subordinate that has no such register or memory (A3.4.4).
pub const DECERR: u64 = 3;

/// A channel: what is handed over in one handshake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// Addresses of writes.
    Aw,
    /// Data of writes.
    W,
    /// Answers to writes.
    B,
    /// Addresses of reads.
    Ar,
    /// Data and answers of reads.
    R,
}

impl Channel {
    /// Every channel, in the order of the port list.
    pub const ALL: [Self; 5] = [Self::Aw, Self::W, Self::B, Self::Ar, Self::R];

    /// Beginning of the names of its signals.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Aw => "aw",
            Self::W => "w",
            Self::B => "b",
            Self::Ar => "ar",
            Self::R => "r",
        }
    }

    /// Whether the manager sends what is handed over.
    pub fn is_from_manager(self) -> bool {
        matches!(self, Self::Aw | Self::W | Self::Ar)
    }

    /// Payload: signals beside `valid` and `ready`, without the prefix, and their bits.
    pub fn payload(self, widths: Widths) -> Vec<(&'static str, u32)> {
        let Widths { address, data, id } = widths;
        match self {
            Self::Aw | Self::Ar => {
                let attributes = ATTRIBUTES.into_iter();
                [("id", id), ("addr", address)].into_iter().chain(attributes).collect()
            }
            Self::W => vec![("data", data), ("strb", data / 8), ("last", 1)],
            Self::B => vec![("id", id), ("resp", 2)],
            Self::R => vec![("id", id), ("data", data), ("resp", 2), ("last", 1)],
        }
    }
}

/// Signals of a request beside its ID and address, and their bits.
pub const ATTRIBUTES: [(&str, u32); 7] =
    [("len", 8), ("size", 3), ("burst", 2), ("cache", 4), ("prot", 3), ("qos", 4), ("region", 4)];

fn signals(widths: Widths) -> Vec<Signal> {
    of_channels(|channel| channel.payload(widths))
}

/// Signals of all channels, with these payloads.
pub(super) fn of_channels(payload: impl Fn(Channel) -> Vec<(&'static str, u32)>) -> Vec<Signal> {
    let of = |channel: Channel| {
        let handshake = [("valid", 1, true), ("ready", 1, false)];
        let payload = payload(channel).into_iter().map(|(name, bits)| (name, bits, true));
        handshake.into_iter().chain(payload).map(move |(name, bits, is_sent)| Signal {
            name: format!("{}{name}", channel.prefix()),
            bits,
            from_manager: is_sent == channel.is_from_manager(),
        })
    };
    Channel::ALL.into_iter().flat_map(of).collect()
}
