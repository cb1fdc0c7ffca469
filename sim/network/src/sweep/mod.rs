//! Curves over the offered load: what the runs of several seeds say together, and the load at which
//! a network saturates. Knows runs by their figures, and neither fabrics nor traffic.

pub mod bisection;
pub mod estimate;
pub mod placement;
pub mod point;

pub use bisection::{Bracket, bisect};
pub use estimate::Estimate;
pub use point::{Point, RunFigures};
