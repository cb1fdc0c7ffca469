//! Tests of `turnpike-sim-bench` through its public interface.

mod adaptive;
mod common;
mod contract;
mod dut;
mod fabrics;
mod mutants;
mod parts;
mod selftest;
mod switches;
mod traffic;
