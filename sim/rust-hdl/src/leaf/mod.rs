//! Modules that fabrics are made of, and a 2-cube of them, described once more in rust-hdl's own language and held to the
//! netlist's, port for port and cycle for cycle, in one `Simulation`.
//!
//! The modules are written from the contract (`docs/hardware.md`), for grants without a register, so that a slip of
//! the netlist's builders is not repeated here. Each has faults that a test puts in, to see that the comparison finds them.

pub mod arbiter;
pub mod cube;
pub mod fifo;
pub mod injector;
pub mod mux;
pub mod netlist_cube;
pub mod side_by_side;
pub mod switch;
pub mod terminals;

use rust_hdl::core::prelude::*;

/// A bit for the fault that is put in.
fn fault<const N: usize>(number: Option<usize>) -> Constant<Bits<N>> {
    Constant::new(number.map_or(0, |number| 1 << number).into())
}
