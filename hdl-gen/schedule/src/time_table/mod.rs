//! Time tables of networks with fixed routes: which word starts when, so that none ever waits.
//!
//! Time is a frame of slots that repeats. A word that starts in slot s takes the i-th channel of its
//! route in slot s + i, counted around the frame, and no channel carries two words in one slot. This is
//! contention-free routing (Goossens, Dielissen and Radulescu, *Æthereal Network on Chip*, IEEE Design &
//! Test of Computers 22(5), 2005).
//!
//! [`flows`] says what is to be sent, and bounds the frame from below. [`quick`] makes a table where
//! that is easy; that there is none is for an exact search to say, which is not here. [`check`] trusts
//! neither. More slots are not always easier: words that share channels at unlike distances may fit
//! into a frame and not into one that is longer by one.

pub mod check;
mod evict;
pub mod flows;
mod occupancy;
mod orders;
pub mod quick;
mod saturation;

pub use flows::{Flow, Flows, FlowsError, FrameError};

/// Time table: the slots in which each flow's words start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeTable {
    /// Slots of the frame, at least 1.
    pub frame: u32,
    /// By flow, the slots in which its words start, ascending, each below `frame`.
    pub starts: Vec<Vec<u32>>,
}

#[cfg(test)]
mod tests;
