//! Example of a test in Python: packets of every pair of terminals, by cocotb and cocotbext-axi.

use crate::EmitError;
use crate::part::ModuleGroup;
use crate::terminals::TerminalMap;
use askama::Template;
use turnpike_netlist::{CLOCK, Module, RESET};

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
    /// Clocks, each with its period in nanoseconds.
    clocks: Vec<(&'a str, usize)>,
    destinations: Option<&'a [(String, Vec<String>)]>,
    /// Byte addresses of the counters of terminals that send, whose words are flits.
    counters: Vec<(&'a str, u32)>,
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
    let reset = top.reset_name().expect("a switched fabric has a reset");
    // Periods that have little to do with each other, and with 10.
    let periods = [23, 7, 31, 13, 47, 6];
    let others = map.clocks.iter().map(String::as_str).zip(periods.into_iter().cycle());
    let failed = map.terminals.iter().filter(|terminal| terminal.has_failed());
    let counters = map.terminals.iter().filter(|terminal| terminal.width == map.width);
    let counters = counters
        .filter_map(|terminal| Some((terminal.name.as_str(), terminal.s_axis.as_ref()?.counters?)));
    let file = TestFile {
        heading: own.heading(&format!("{name}_cocotb"), &about),
        name,
        reset,
        active_high: reset == RESET,
        in_order: map.keeps_order,
        clocks: std::iter::once((CLOCK, 10)).chain(others).collect(),
        failed: failed.map(|terminal| terminal.name.as_str()).collect(),
        destinations: map.destinations.as_deref(),
        counters: counters.collect(),
    };
    Ok(file.render()?)
}
