//! Tests of `turnpike-sim-rtl` through its public interface.

mod evaluator;
mod pairs;
