//! Tests of `turnpike-analysis` through its public interface.

mod cuts;
mod flows;
mod lectures;
mod rows;
mod sizes;
mod tables;
