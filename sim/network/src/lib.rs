//! Networks, simulated: the software reference router, traffic, workloads, and what is measured.

pub mod bus;
pub mod circuit;
pub mod job;
pub mod machine;
pub mod measure;
pub mod reference;
pub mod report;
mod samples;
pub mod slotted;
pub mod statistics;
pub mod stimulus;
pub mod sweep;
pub mod terminals;
pub mod traffic;
pub mod workload;
