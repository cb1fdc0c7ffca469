//! Statistics of simulation output: where a warm-up ends, how sure a mean is, and whether a
//! queue is steady. They know nothing of networks; the tests feed them queues whose answers are
//! known (`sim/network/tests/statistics.rs`).
//!
//! The members of such a series are correlated with those before them, and the more so the
//! higher the load. Formulas for independent samples give intervals that are far too narrow.
//! So each method here works on batches of time, and says nothing where they are too few.

pub mod backlog;
pub mod batches;
pub mod correlation;
pub mod fairness;
pub mod interval;
pub mod line;
pub mod mser;
pub mod quantile;
pub mod trend;
pub mod windows;

pub use backlog::Stability;
pub use interval::Interval;
pub use mser::Mser5;
pub use windows::Windows;
