//! The open tools, driven: found, asked for their version, run with a time limit, several at
//! once, and ended with the program on Ctrl-C.

pub mod find;
pub mod interrupt;
pub mod jobs;
pub mod process;
pub mod sby;
pub mod tool;
