//! rust-hdl testbenches, generic over what they drive.
//!
//! A [`Bench`] says what the inputs are in each cycle and holds the outputs against its model;
//! [`run()`] runs it in rust-hdl's `Simulation`. One testbench thread drives all the ports and
//! the clock: a thread per port is too slow.

pub mod arbiter;
pub mod fabric;
pub mod fifo;
pub mod random_netlist;
pub mod switch;
pub mod switch_model;
pub mod terminals;

mod failure;
mod run;
mod waveform;

pub use failure::Failure;
pub use run::{Bench, Clocked, Flow, RunError, Simulated, run, simulate};
