//! Tests of `turnpike-sim-network` through its public interface.

mod bounds;
mod by_logic;
mod classes;
mod common;
mod cpu_system;
mod crossings;
mod job;
mod links;
mod machine;
mod measure;
mod outstanding;
mod parts;
mod priorities;
mod reference;
mod replies;
mod statistics;
mod stimulus;
mod time_table;
mod workload;
