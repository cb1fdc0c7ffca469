//! Example of a test in Python: packets of every pair of terminals, by cocotb and cocotbext-axi.

use crate::EmitError;
use crate::part::ModuleGroup;
use crate::terminals::TerminalMap;
use askama::Template;
use turnpike_netlist::{Module, RESET};

#[derive(Template)]
#[template(path = "cocotb.py.askama", escape = "none")]
struct TestFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    /// The port of the reset.
    reset: &'a str,
    active_high: bool,
    in_order: bool,
    failed: Vec<&'a str>,
    destinations: Option<&'a [(String, Vec<String>)]>,
}

/// Text of the test.
pub(crate) fn render(
    top: &Module,
    map: &TerminalMap,
    own: &ModuleGroup,
) -> Result<String, EmitError> {
    let name = &top.name;
    let about = [
        format!("Example of a test by cocotb and cocotbext-axi: `python3 {name}_cocotb.py icarus`, or"),
        "verilator; `make cocotb`. Packets from each terminal to each that it sends to, with pauses.".to_owned(),
    ];
    let (reset, _) = top.reset_port(RESET).expect("a switched fabric has a reset");
    let failed = map.terminals.iter().filter(|terminal| terminal.has_failed());
    let file = TestFile {
        heading: own.heading(&format!("{name}_cocotb"), &about),
        name,
        reset,
        active_high: reset == RESET,
        in_order: map.keeps_order,
        failed: failed.map(|terminal| terminal.name.as_str()).collect(),
        destinations: map.destinations.as_deref(),
    };
    Ok(file.render()?)
}
