//! Flits inside, beats at the terminals.

use super::layout::NONE;
use turnpike_network::routing::Header;
use turnpike_network::topology::Terminal;

/// A beat offered at a terminal's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beat {
    /// The packet's identity, chosen by the caller; comes out again in [`FlitRef`].
    pub packet: u32,
    /// `tdest`: sampled on a packet's first beat, ignored on the others.
    pub destination: Terminal,
    /// `tlast`.
    pub last: bool,
}

/// Flit at a terminal's output while `m_tvalid` is high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlitRef {
    /// The identity that its [`Beat`] had.
    pub packet: u32,
    /// Index of the flit in the packet, from 0, counted at the output.
    pub beat: u32,
    /// `tlast`.
    pub last: bool,
}

/// A flit that was taken at a terminal's output in this cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Terminal that took the flit.
    pub terminal: u32,
    /// Flit that was taken.
    pub flit: FlitRef,
}

/// A flit inside: two words, so that it is passed in registers, of which the first alone is kept
/// ([`super::queues`]) unless headers are wide.
///
/// Code that handles flits is compiled twice. Where headers are narrow, `WIDE` is false, and the
/// second word is of no account.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flit {
    /// The [`Low`] bits, and from [`PACKET`] on the packet.
    word: u64,
    /// The header, where headers are wide.
    wide: Header,
}

/// Low bits of a flit: the (output, VC) that it wants in bits 6:0, the low bits of its header in
/// 30:7, whether it is its packet's last in 31. Bits 30:0 are what the relation decides at a
/// switch.
type Low = u32;

/// Bits that name an (output, VC), all of them 1 for [`NONE`].
const WANTS_BITS: u32 = 7;
const WANTS: u64 = (1 << WANTS_BITS) - 1;
/// Bits of the longest narrow header.
pub(super) const NARROW: u32 = 24;
const DECISION: u64 = (1 << (WANTS_BITS + NARROW)) - 1;
const LAST: u32 = 31;
const PACKET: u32 = 32;

impl Flit {
    #[inline]
    pub fn new(packet: u32, last: bool, decision: Decision) -> Self {
        let word = u64::from(packet) << PACKET | u64::from(last) << LAST;
        Self { word: word | u64::from(decision.low), wide: decision.header }
    }

    /// Flit of the words that were kept.
    #[inline(always)]
    pub fn from_words(word: u64, wide: Header) -> Self {
        Self { word, wide }
    }

    /// Words of the flit that are kept; the second where headers are wide.
    #[inline(always)]
    pub fn words(self) -> (u64, Header) {
        (self.word, self.wide)
    }

    /// The flit at the next switch.
    #[inline]
    pub fn going(self, decision: Decision) -> Self {
        Self { wide: decision.header, ..self.going_by(decision.low) }
    }

    /// The flit with a narrow header at the next switch, by the [`Decision::low`] bits.
    #[inline(always)]
    pub fn going_by(self, low: Low) -> Self {
        Self { word: self.word & !DECISION | u64::from(low), wide: self.wide }
    }

    /// The header that it carries on from this switch: the relation is asked once, when the flit
    /// enters the queue.
    #[inline(always)]
    pub fn header<const WIDE: bool>(self) -> Header {
        if WIDE { self.wide } else { (self.word & DECISION) >> WANTS_BITS }
    }

    /// The flit with another header.
    #[inline]
    pub fn with_header(self, header: Header) -> Self {
        self.going(Decision::new(self.wants(), header))
    }

    /// The identity of its packet: that of its [`Beat`].
    #[inline]
    pub fn packet(self) -> u32 {
        (self.word >> PACKET) as u32
    }

    /// The (output, VC) of this switch that it wants: an index into `SwitchPlan::output_vcs`, or
    /// [`NONE`].
    #[inline]
    pub fn wants(self) -> u8 {
        match self.wanted() {
            NO_WANTS => NONE,
            wants => wants,
        }
    }

    /// (Output, VC) that the flit wants, of a flit that wants one.
    #[inline(always)]
    pub fn wanted(self) -> u8 {
        (self.word & WANTS) as u8
    }

    /// `tlast`.
    #[inline]
    pub fn last(self) -> bool {
        self.word >> LAST & 1 == 1
    }
}

/// Decision on a packet at a switch, as its flits take it over.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Decision {
    low: Low,
    header: Header,
}

impl Decision {
    /// Decision for this (output, VC), with this header from there on; where the packet has a
    /// choice ([`super::adaptive`]), for [`NONE`], with the header that it comes with.
    #[inline]
    pub fn new(wants: u8, header: Header) -> Self {
        let low = (u64::from(wants) & WANTS | header << WANTS_BITS & DECISION) as Low;
        Self { low, header }
    }

    /// All that a flit of a narrow header takes over. Never has its top bit set.
    #[inline]
    pub fn low(self) -> Low {
        self.low
    }

    /// The decision whose header is narrow, by its low bits.
    #[inline(always)]
    pub fn of_low(low: Low) -> Self {
        Self { low, header: Header::from(low) >> WANTS_BITS }
    }
}

/// [`NONE`], in the bits that there are.
const NO_WANTS: u8 = NONE & WANTS as u8;
