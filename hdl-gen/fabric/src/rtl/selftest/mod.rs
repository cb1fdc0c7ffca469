//! A self-test: a top module that runs a fabric on a board alone, with a traffic generator and
//! a checker at every terminal, and says by LEDs how it went.
//!
//! - [`cast`]: who takes part, and how much there is of it;
//! - [`pattern`]: what packets hold;
//! - [`source`], [`sink`]: generator and checker of a terminal, with [`numbers`] per pair;
//! - [`control`]: conducts and judges; [`fault`]: what can be wrong;
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
pub mod top;

use cast::Cast;
use turnpike_netlist::{Expr, RtlError};

/// Bits of a terminal's number that are shown, the lowest.
const TERMINAL_BITS: u32 = 2;

/// Cycles from power-on within which a self-test has ended, whatever the fabric does. One that
/// passes takes 3,900 to 4,700 cycles (measured up to k = 5).
pub fn most_cycles(cast: &Cast) -> u32 {
    // The reset, the test, and registers on the way to `done`.
    32 + (1 << cast.limit_bits())
}

/// Why there is no self-test of a fabric.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SelftestError {
    /// Packets cannot say where they come from and go to.
    #[error(
        "--selftest: the first beat of a packet holds source, destination and a number, which \
         {name} has no room for at --width {width}; use --width {least} or more"
    )]
    Width {
        /// The fabric.
        name: String,
        /// Its `tdata`, in bits.
        width: u32,
        /// The least that would do.
        least: u32,
    },
    /// Packets that overtake each other.
    #[error(
        "--selftest: the checkers want packets in order, and with routing '{0}' they overtake each \
         other; leave --selftest out"
    )]
    Order(String),
    /// A netlist that does not hold together.
    #[error(transparent)]
    Rtl(#[from] RtlError),
}
