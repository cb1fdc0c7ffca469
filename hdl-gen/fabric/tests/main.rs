//! Tests of `turnpike-fabric` through its public interface.

mod draws;
mod relations;
mod report;
