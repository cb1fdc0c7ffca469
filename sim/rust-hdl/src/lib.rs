//! The testbenches of `turnpike-sim-bench` in rust-hdl's `Simulation`, where rust-hdl's scheduler
//! has the clock, its checks see every net, and its probes write the waveform. Only tests depend on
//! this crate: the program runs the same testbenches on the evaluator directly.
//!
//! Beside them stand the modules of fabrics, described once more in rust-hdl's own language and held
//! to the netlist's ([`leaf`]).

mod drivers;
mod file;
mod hosted;
pub mod leaf;
mod run;

pub use hosted::Hosted;
pub use run::{HostError, run, run_fabric};
