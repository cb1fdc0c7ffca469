//! Example of a test in Python of memory-mapped ends: writes and reads of all managers, by cocotb and
//! cocotbext-axi.

use crate::EmitError;
use crate::part::ModuleGroup;
use askama::Template;
use turnpike_ends::{Ends, Protocol};
use turnpike_fabric::plan::FabricPlan;
use turnpike_netlist::{Module, RESET};

#[derive(Template)]
#[template(path = "cocotb_ends.py.askama", escape = "none")]
struct TestFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    /// The port of the reset.
    reset: &'a str,
    active_high: bool,
    managers: Vec<Manager<'a>>,
    subordinates: Vec<Subordinate<'a>>,
    has_wishbone: bool,
    nobody: String,
}

struct Manager<'a> {
    name: &'a str,
    protocol: &'static str,
    port: String,
    /// Bits of its addresses.
    address: u32,
    burst: u32,
    reach: Vec<&'a str>,
}

struct Subordinate<'a> {
    name: &'a str,
    protocol: &'static str,
    port: String,
    ranges: Vec<(String, String)>,
}

/// Text of the test of a plan with ends, whose top module is `top`.
pub(crate) fn render(
    top: &Module,
    plan: &FabricPlan,
    ends: &Ends,
    own: &ModuleGroup,
) -> Result<String, EmitError> {
    let name = &top.name;
    let about = [
        format!(
            "Example of a test by cocotb and cocotbext-axi: `python3 {name}_cocotb.py icarus`, or"
        ),
        "verilator; `make cocotb`. Each manager writes memories and reads them back, with pauses."
            .to_owned(),
    ];
    let reset = top.reset_name().expect("ends have a reset");
    let managers = ends.managers.iter().map(|end| Manager {
        name: &end.name,
        protocol: end.protocol.facts().name,
        port: plan.end_port(&ends.manager_port(end)),
        address: ends.manager_port(end).widths.address,
        burst: end.burst,
        reach: ends.reached(end).collect(),
    });
    let subordinates = ends.subordinates.iter().map(|end| Subordinate {
        name: &end.name,
        protocol: end.protocol.facts().name,
        port: plan.end_port(&ends.subordinate_port(end)),
        ranges: end
            .ranges
            .iter()
            .map(|range| (format!("{:#x}", range.first), format!("{:#x}", range.last)))
            .collect(),
    });
    let is_wishbone =
        |protocol| matches!(protocol, Protocol::Wishbone | Protocol::WishbonePipelined);
    let file = TestFile {
        heading: own.heading(&format!("{name}_cocotb"), &about),
        name,
        reset,
        active_high: reset == RESET,
        managers: managers.collect(),
        subordinates: subordinates.collect(),
        has_wishbone: ends.ports().any(|end| is_wishbone(end.protocol)),
        nobody: ends.nobody().map_or("None".to_owned(), |address| format!("{address:#x}")),
    };
    Ok(file.render()?)
}
