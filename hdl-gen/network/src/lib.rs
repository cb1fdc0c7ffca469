//! Topologies and routing relations: the networks that Turnpike has, and the routes of packets in
//! them. `turnpike-analysis` derives everything else from these.

#![warn(missing_docs)]

pub mod description;
pub mod flows;
pub mod places;
pub mod records;
pub mod routing;
pub mod topology;
