//! Turnpike's simulators: the software reference router, and the generated RTL inside
//! rust-hdl.

pub mod dut;
pub mod eval;
pub mod testbench;
