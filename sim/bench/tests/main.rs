//! Tests of `turnpike-sim-bench` through its public interface.

mod adaptive;
mod addresses;
mod bounds;
mod busses;
mod circuits;
mod clocks;
mod common;
mod contract;
mod counters;
mod ends;
mod fabrics;
mod interfaces;
mod mutants;
mod parts;
mod rust_hdl;
mod selftest;
mod shapers;
mod slotted;
mod switches;
mod traffic;
