//! The builders of the parts, of switches, and of whole fabrics.

pub mod arbiter;
pub mod clocks;
pub mod counters;
pub mod draw;
pub mod ends;
pub mod equivalence;
pub mod fabric;
pub mod fifo;
pub mod flattened;
pub mod injector;
pub mod interface;
pub mod link;
pub mod mux;
mod registers;
pub mod selftest;
mod side_by_side;
pub mod store;
pub mod switch;
mod terminal_ports;
#[cfg(test)]
mod tests;
