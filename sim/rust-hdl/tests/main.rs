//! Tests of `turnpike-sim-rust-hdl` through its public interface.

mod hosted;
mod leaf;
mod testbenches;
