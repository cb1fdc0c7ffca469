//! What synthesis makes of the RTL, in the cells of iCE40: parts and switches are proven equal
//! to their RTL, and a whole fabric passes its own testbench at gate level.

mod equal;
mod testbench;

use turnpike_flow::target::Family;
use turnpike_hdl_gen::plan::{MuxStyle, Parameters, Pipeline, QueueStyle};

/// Yosys's models of ECP5's cells are not read by Icarus 11, nor do their flip-flops start as
/// the RTL's in a proof: so iCE40 alone.
const FAMILY: Family = Family::Ice40;

/// A switch as it is made without options, and one with every register and stage.
fn builds(depth: u32) -> [Parameters; 2] {
    let base = Parameters { width: 2, depth, ..Parameters::default() };
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    [base, Parameters { pipeline, queue, mux, ..base }]
}
