//! What synthesis makes of the RTL, in the cells of iCE40 and of ECP5: parts and switches are
//! proven equal to their RTL, a whole fabric passes its own testbench at gate level, and
//! neither lets a fault in a netlist pass.

mod equal;
mod faults;
mod testbench;

use turnpike_fabric::plan::{MuxStyle, Parameters, Pipeline, QueueStyle};

/// A switch as it is made without options, whose queues go into LUT-RAM on ECP5; one with a
/// registered grant, every register of a queue and every stage of a multiplexer; one with
/// registered outputs; and one whose packets ask ahead.
fn builds() -> [Parameters; 4] {
    let base = Parameters { width: 2, depth: 4, ..Parameters::default() };
    let (queue, mux) = (QueueStyle::Registers, MuxStyle::Lut4);
    [
        base,
        Parameters { pipeline: Pipeline::Grant, queue, mux, ..base },
        Parameters { pipeline: Pipeline::Output, ..base },
        Parameters { pipeline: Pipeline::GrantAhead, ..base },
    ]
}
