//! A fabric: the plan, which everything downstream reads, and the builders that make a netlist
//! of it.

#![warn(missing_docs)]

pub mod board;
pub mod matrix;
pub mod plan;
pub mod report;
pub mod rtl;
pub mod testing;
