//! Register-transfer level: a small typed netlist.
//!
//! The netlist is the one description of the hardware: `turnpike-emit` prints it as Verilog and
//! the simulator evaluates it. Every module has one clock and a synchronous, active-high reset,
//! which are implicit here and become the ports `clk` and `rst`; a top module may have `aresetn`,
//! active low, in place of `rst`. A module that places others in clocks of their own has none
//! itself: there clocks and resets are nets ([`Domain`]). It knows nothing of networks.

#![warn(missing_docs)]

mod builder;
pub mod check;
mod choose;
pub mod clocks;
pub mod design;
pub mod expr;
pub mod module;
pub mod stream;
mod width;

pub use builder::ModuleBuilder;
pub use design::Design;
pub use expr::{Expr, MemoryId, Net};
pub use module::{
    Crossing, Domain, Instance, Item, Kind, Memory, Module, NetInfo, NetKind, Register,
};
pub use stream::{Handshake, Stream, StreamPort, StreamType};

/// The clock of a module.
pub const CLOCK: &str = "clk";
/// The reset of a module, active high.
pub const RESET: &str = "rst";
/// The port in place of it, active low, of a module that has [`ModuleBuilder::reset_low`].
pub const RESET_LOW: &str = "aresetn";

/// A netlist that does not hold together: a bug in a builder, found on construction.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RtlError {
    /// A fault in one module.
    #[error("internal error: module {module}: {net}: {problem}")]
    Net {
        /// Name of the module.
        module: String,
        /// The net, memory or instance at fault.
        net: String,
        /// The fault, in words.
        problem: String,
    },
    /// Two unequal modules of one name: the Verilog could hold but one of them.
    #[error("internal error: two modules that differ are called {module}: {difference}")]
    Clash {
        /// Name of both modules.
        module: String,
        /// The difference between them, in words.
        difference: String,
    },
}
