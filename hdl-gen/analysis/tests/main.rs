//! Tests of `turnpike-analysis` through its public interface.

mod cuts;
mod lectures;
mod rows;
mod sizes;
mod tables;
