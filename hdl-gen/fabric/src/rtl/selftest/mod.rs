//! A self-test: a top module that runs a fabric on a board alone, with a traffic generator and
//! a checker at every terminal, and says by LEDs how it went.
//!
//! - [`cast`]: who takes part, and how much there is of it;
//! - [`pattern`]: what packets hold;
//! - [`source`], [`sink`]: generator and checker of a terminal, with [`numbers`] per pair, and a
//!   [`tally`] where packets overtake each other;
//! - [`control`]: conducts and judges; [`fault`]: what can be wrong;
//! - [`subject`]: what is known of the fabric;
//! - [`core`]: all that around the fabric; [`reset`] and [`top`]: the board's side.

pub mod cast;
pub mod control;
pub mod core;
pub mod fault;
pub mod numbers;
pub mod pattern;
pub mod reset;
pub mod sink;
pub mod source;
pub mod subject;
pub mod tally;
pub mod top;

use cast::Cast;
use turnpike_netlist::{Expr, RtlError};

/// Bits of a terminal's number that are shown, the lowest.
const TERMINAL_BITS: u32 = 2;

/// A self-test ends within 2^this cycles at most: a minute and a half at 12 MHz.
pub const MOST_LIMIT_BITS: u32 = 30;

/// Cycles from power-on within which a self-test has ended, whatever the fabric does: fewer than
/// 2^31. What one takes that passes is in docs/selftest.md.
pub fn most_cycles(cast: &Cast) -> u32 {
    // The reset, the test, and registers on the way to `done`.
    32 + (1 << cast.limit_bits().min(MOST_LIMIT_BITS))
}

/// Reason that a fabric cannot have a self-test.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SelftestError {
    /// Packets cannot say where they come from and go to.
    #[error(
        "self-test: the first beat of a packet holds source, destination and a number, which \
         {name} has no room for at width {width}; use {least} or more"
    )]
    Width {
        /// The fabric.
        name: String,
        /// Width of the fabric's `tdata`, in bits.
        width: u32,
        /// The least that would do.
        least: u32,
    },
    /// A channel or a sink that all would have to wait for.
    #[error(
        "self-test: the packets of all {senders} terminals that send crowd a channel or a sink of \
         {name} so much that the test could last 2^{bits} cycles, more than 2^{most}; use a smaller \
         network"
    )]
    Crowded {
        /// The fabric.
        name: String,
        /// Number of terminals that send.
        senders: usize,
        /// The test could last 2^this cycles.
        bits: u32,
        /// The most there may be.
        most: u32,
    },
    /// A network whose terminals do not send to all.
    #[error(
        "self-test: its packets go from all terminals to all, and {0} is for flows; leave one out"
    )]
    Flows(String),
    /// Senders of busses that hardly ever get through.
    #[error(
        "self-test: a word of {name} gets through so rarely where many meet that the test could last \
         2^{bits} cycles, more than 2^{most}; use a protocol of other numbers, or fewer nodes on a bus"
    )]
    Slow {
        /// The fabric.
        name: String,
        /// The test could last 2^this cycles.
        bits: u32,
        /// The most there may be.
        most: u32,
    },
    /// A netlist that does not hold together.
    #[error(transparent)]
    Rtl(#[from] RtlError),
}
