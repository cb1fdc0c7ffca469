//! Common ground of the whole-program tests: the open tools, really run.
//!
//! Each tool is a type that can only be had through [`require`], so no test can
//! call a tool that is not there, and none can skip one in silence:
//!
//! ```no_run
//! use turnpike_tests::{require, sources::Sources, verilator::Verilator};
//!
//! let Some(verilator) = require::<Verilator>() else { return };
//! let sources = Sources::from_list("verilog-out/cube4", "cube4").unwrap();
//! verilator.lint(&sources).assert_clean();
//! ```
//!
//! A run gives a [`report::Report`]; what counts as a finding is decided beside
//! the tool that is run, and is always "any warning at all".

pub mod abc;
pub mod any_kind;
pub mod browser;
pub mod fabric;
pub mod floogen;
pub mod graphs;
pub mod hostile_names;
pub mod icarus;
pub mod ipxact;
pub mod lint;
pub mod lockstep;
pub mod mkdocs;
pub mod mutate;
pub mod process;
pub mod python;
pub mod random_network;
pub mod report;
pub mod slang;
pub mod slurm;
pub mod sources;
pub mod systemrdl;
pub mod tools;
pub mod verilator;
pub mod yosys;

pub use tools::{Tool, require};
