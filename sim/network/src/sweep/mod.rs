//! Curves over the offered load: what the runs of several seeds say together, and the load at which
//! a network saturates. Knows runs by their figures, and neither fabrics nor traffic.

pub mod bisection;
pub mod estimate;
pub mod part;
pub mod placement;
pub mod point;
pub mod request_reply;

pub use bisection::{Bracket, bisect};
pub use estimate::Estimate;
pub use part::PartPoint;
pub use point::{Point, RunFigures};
pub use request_reply::RequestReplyPoint;
