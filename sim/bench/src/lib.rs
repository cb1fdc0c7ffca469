//! Testbenches: the RTL on the evaluator and under Verilator, held to the reference router.

pub mod testbench;
pub mod verify;
pub mod verilated;
