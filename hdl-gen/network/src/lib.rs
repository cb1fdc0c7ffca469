//! Topologies and routing relations: which networks there are, and where packets go in them.
//! What follows from that is `turnpike-analysis`.

pub mod description;
pub mod routing;
pub mod topology;
