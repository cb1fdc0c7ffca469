//! What moves: flits inside, beats at the terminals.

use super::hops::Decision;
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

/// What stands at a terminal's output while `m_tvalid` is high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlitRef {
    /// The identity that its [`Beat`] had.
    pub packet: u32,
    /// Which flit of the packet, from 0, counted at the output.
    pub beat: u32,
    /// `tlast`.
    pub last: bool,
}

/// A flit that was taken at a terminal's output in this cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Where.
    pub terminal: u32,
    /// What.
    pub flit: FlitRef,
}

/// A flit inside: two words, so that it is passed in registers. How it is kept: [`super::rings`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Flit {
    /// Its packet in bits 31:0, what it wants in 38:32, whether it is its packet's last in 39.
    tag: u64,
    /// The header that it carries on from this switch: the relation is asked once, when the
    /// flit enters the queue.
    pub header: Header,
}

const WANTS: u32 = 32;
const WANTS_BITS: u64 = 0x7f;
const LAST: u32 = 39;
/// Bits of a tag.
pub(super) const TAG_BITS: u32 = 40;

impl Flit {
    #[inline]
    pub fn new(packet: u32, last: bool, decision: Decision) -> Self {
        let tag = u64::from(packet) | u64::from(last) << LAST;
        Self { tag, header: 0 }.going(decision)
    }

    #[inline]
    pub fn from_tag(tag: u64, header: Header) -> Self {
        Self { tag, header }
    }

    /// The same flit at the next switch.
    #[inline]
    pub fn going(self, Decision { wants, header }: Decision) -> Self {
        let tag = self.tag & !(WANTS_BITS << WANTS) | (u64::from(wants) & WANTS_BITS) << WANTS;
        Self { tag, header }
    }

    #[inline]
    pub fn tag(self) -> u64 {
        self.tag
    }

    /// The identity of its packet: that of its [`Beat`].
    #[inline]
    pub fn packet(self) -> u32 {
        self.tag as u32
    }

    /// The (output, VC) of this switch that it wants: an index into `SwitchPlan::output_vcs`, or
    /// [`NONE`].
    #[inline]
    pub fn wants(self) -> u8 {
        match (self.tag >> WANTS & WANTS_BITS) as u8 {
            NO_WANTS => NONE,
            wants => wants,
        }
    }

    /// `tlast`.
    #[inline]
    pub fn last(self) -> bool {
        self.tag >> LAST & 1 == 1
    }
}

/// [`NONE`], in the bits that there are.
const NO_WANTS: u8 = NONE & WANTS_BITS as u8;
