//! Turnpike's simulators: the software reference router, and the generated RTL inside
//! rust-hdl.

pub mod dut;
pub mod eval;
pub mod hash;
pub mod measure;
pub mod reference;
pub mod report;
mod samples;
pub mod statistics;
pub mod stimulus;
pub mod terminals;
pub mod testbench;
pub mod traffic;
pub mod verify;
pub mod verilated;
pub mod workload;
