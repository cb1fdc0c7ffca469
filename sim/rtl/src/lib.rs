//! The netlist, simulated: an evaluator, and the same inside rust-hdl.

pub mod dut;
pub mod eval;
