//! The open tools, driven: found, asked for their version, run with a time limit, several at
//! once, and ended with the program on Ctrl-C. And what they say of a design: its cells, its
//! clock.
#![warn(clippy::print_stderr, reason = "it panics where nobody reads any more")]

pub mod cache;
pub mod cells;
pub mod design;
pub mod find;
pub mod harness;
pub mod interrupt;
pub mod jobs;
pub mod liberty;
pub mod measure;
pub mod parts;
pub mod placement;
pub mod process;
pub mod sby;
pub mod session;
pub mod target;
pub mod tool;
