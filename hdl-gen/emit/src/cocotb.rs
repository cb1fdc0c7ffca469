//! Example of a test in Python: packets of every pair of terminals, by cocotb and cocotbext-axi.

use crate::EmitError;
use crate::part::ModuleGroup;
use crate::terminals::{ShapedEntry, TerminalEntry, TerminalMap};
use askama::Template;
use turnpike_netlist::{CLOCK, Module, RESET};

/// Packets to a terminal: its label, units of each, and their number.
type ShapedPackets<'a> = (&'a str, u32, u32);

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
    /// Terminals with a shaper, each with the packets that it takes.
    shaped: Vec<(&'a str, Vec<ShapedPackets<'a>>)>,
    /// Cycles in which all packets have to arrive.
    cycles: u64,
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
    let shaped: Vec<_> =
        map.terminals.iter().filter_map(|terminal| shaped(map, terminal)).collect();
    let units = |(_, flows): &(&str, Vec<ShapedPackets<'_>>)| -> u64 {
        flows.iter().map(|&(_, units, packets)| u64::from(units) * u64::from(packets)).sum()
    };
    let cycles = CYCLES + CYCLES_A_UNIT * shaped.iter().map(units).sum::<u64>();
    let file = TestFile {
        heading: own.heading(&format!("{name}_cocotb"), &about),
        name,
        reset,
        active_high: reset == RESET,
        in_order: map.keeps_order,
        clocks: std::iter::once((CLOCK, 10)).chain(others).collect(),
        failed: failed.map(|terminal| terminal.name.as_str()).collect(),
        destinations: map.destinations.as_deref(),
        shaped,
        cycles,
        counters: counters.collect(),
    };
    Ok(file.render()?)
}

/// Cycles in which packets of every pair arrive, and those that a unit of a long one takes at most.
const CYCLES: u64 = 200_000;
const CYCLES_A_UNIT: u64 = 8;
/// Packets of each pair, at most.
const PACKETS: u32 = 2;
/// Cycles for which a shaper may hold the last packet of a flow.
const HELD_CYCLES: f64 = 20_000.0;

/// Packets that the shaper of a terminal takes, in bytes where there is a `tkeep`, else in words.
fn shaped<'a>(
    map: &TerminalMap,
    terminal: &'a TerminalEntry,
) -> Option<(&'a str, Vec<ShapedPackets<'a>>)> {
    let stream = terminal.s_axis.as_ref().filter(|stream| !stream.shaped.is_empty())?;
    let has_keep = stream.signals.iter().any(|(signal, _)| *signal == "keep");
    let unit = if has_keep { 8 } else { terminal.width };
    let of = |flow: &'a ShapedEntry| {
        let units = (flow.packet_flits * map.width).div_ceil(unit);
        let in_time = f64::from(flow.burst_flits) + HELD_CYCLES * flow.bandwidth;
        let packets = (in_time / f64::from(flow.packet_flits)) as u32;
        (flow.destination.as_str(), units, packets.min(PACKETS))
    };
    Some((&terminal.name, stream.shaped.iter().map(of).collect()))
}
