//! What moves: flits inside, beats at the terminals.

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

/// A flit in a queue: 16 bytes, so that a queue of depth 4 is one cache line.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Flit {
    /// The header that it carries on from this switch: the relation is asked once, when the
    /// flit enters the queue.
    pub header: u64,
    pub packet: u32,
    /// The (output, VC) of this switch that it wants: an index into `SwitchPlan::output_vcs`.
    pub wants: u8,
    pub last: bool,
}
