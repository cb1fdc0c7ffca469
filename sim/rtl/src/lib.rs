//! The netlist, simulated: an evaluator, and the same inside rust-hdl.

pub mod dut;
pub mod eval;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
