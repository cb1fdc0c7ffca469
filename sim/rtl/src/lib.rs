//! The netlist, simulated: its evaluator, the device under test of a testbench, and waveforms.

pub mod dut;
pub mod eval;
pub mod testing;
pub mod waveform;
