//! Tests of `turnpike-fabric` through its public interface.

mod draws;
mod few_flows;
mod relations;
mod report;
