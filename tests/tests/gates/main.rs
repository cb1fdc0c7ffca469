//! What synthesis makes of the RTL, in the cells of iCE40 and ECP5: parts and switches are
//! proven equal to their RTL, and a whole fabric passes its own testbench at gate level.

mod equal;
mod testbench;

use turnpike_flow::target::Family;
use turnpike_hdl_gen::plan::{MuxStyle, Parameters, Pipeline, QueueStyle};

/// The families whose cells Yosys has models of that Icarus reads.
const FAMILIES: [Family; 2] = [Family::Ice40, Family::Ecp5];

/// A switch as it is made without options, and one with every register and stage.
fn builds(depth: u32) -> [Parameters; 2] {
    let base = Parameters { width: 2, depth, ..Parameters::default() };
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    [base, Parameters { pipeline, queue, mux, ..base }]
}
