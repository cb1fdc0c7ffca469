//! Testbenches, generic over what they drive.
//!
//! A [`Bench`] says what the inputs are in each cycle and holds the outputs against its model;
//! [`run()`] runs it on the evaluator. Tests run the same benches in rust-hdl's `Simulation`
//! (`sim/rust-hdl/`), where one testbench thread drives all the ports and the clock: a thread per
//! port is too slow.

pub mod arbiter;
pub mod bus;
pub mod circuit;
pub mod counters;
pub mod ends;
pub mod fabric;
pub mod fifo;
pub mod interfaces;
pub mod late;
pub mod slotted;
pub mod switch;
pub mod switch_model;
pub mod terminals;
pub mod ticks;

mod failure;
mod ready_before;
mod run;

pub use failure::Failure;
/// Cycles between two resets of a bench, and more where its queues are deep. A prime, so that
/// they meet the phases of the traffic everywhere.
const RESET_EVERY: u64 = 331;

/// Whether a bench holds its circuit under reset: in the first cycle, and for one cycle or three
/// in the middle of traffic, every `every` cycles. `clock` counts cycles from 0.
fn is_reset(clock: u64, every: u64) -> bool {
    let since = clock % every;
    clock == 0 || clock >= every && since < [1, 3][(clock / every % 2) as usize]
}

pub use run::{Bench, Circuit, Flow, RunError, run};
