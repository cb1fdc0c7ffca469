//! The self-checking testbench of a slotted fabric.

use super::cycles::{NUMBER_BITS, source_bits};
use crate::EmitError;
use crate::recording::Recording;
use askama::Template;
use turnpike_fabric::plan::{Side, TerminalPort};
use turnpike_netlist::Design;
use turnpike_slotted::SlottedPlan;

/// Frames in which every slot is used.
const FRAMES: u32 = 3;

#[derive(Template)]
#[template(path = "slotted_tb.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    sources: u32,
    sinks: u32,
    address: u32,
    /// Bits of a word, but for the mark of its packet's end.
    bits: u32,
    /// Random words of 32 bits that make these.
    chunks: u32,
    slots: u32,
    slot_bits: u32,
    most_cycles: u32,
    words: u32,
    frames: u32,
    source_bits: u32,
    number_bits: u32,
    /// Addresses of the sources, in the order of their slices.
    addresses: Vec<u64>,
    /// Addresses of the sinks, in the order of their slices.
    sink_addresses: Vec<u64>,
    cycles: &'a Recording,
    connections: Vec<(String, String)>,
}

pub(super) fn render(
    plan: &SlottedPlan,
    design: &Design,
    cycles: &Recording,
    heading: Vec<String>,
) -> Result<String, EmitError> {
    let (over, top) = (plan.over(), design.top());
    let bits = over.flit_width() - 1;
    let reset = top.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let ports = plan.ports().list;
    let ports = ports.iter().map(|port| (port.name.clone(), wires(plan, port, bits)));
    let slot = (plan.slot_bits() > 0).then(|| ("slot".to_owned(), "slot".to_owned()));
    let clock = ("clk".to_owned(), "clk".to_owned());
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        sources: over.sources().len() as u32,
        sinks: over.sinks().len() as u32,
        address: plan.address_bits(),
        bits,
        chunks: bits.div_ceil(32),
        slots: plan.frame(),
        slot_bits: plan.slot_bits(),
        most_cycles: plan.flows().iter().map(|flow| flow.cycles).max().unwrap_or(0),
        words: plan.words(),
        frames: FRAMES,
        source_bits: source_bits(plan),
        number_bits: NUMBER_BITS,
        addresses: over.sources().iter().map(|&source| plan.address(source)).collect(),
        sink_addresses: over.sinks().iter().map(|&sink| plan.address(sink)).collect(),
        cycles,
        connections: [clock].into_iter().chain(reset).chain(ports).chain(slot).collect(),
    };
    Ok(file.render()?)
}

/// Wires that are connected to a port. The testbench has vectors of all sources, and of all sinks; the fields
/// of a word stand side by side in one of them.
fn wires(plan: &SlottedPlan, port: &TerminalPort, bits: u32) -> String {
    let over = plan.over();
    let side = if port.side == Side::Source { "s" } else { "m" };
    let slice = |at: u32, vector: &str, from: u32, width: u32| match width {
        1 => format!("{side}_{vector}[{from}]", from = at + from),
        _ => format!("{side}_{vector}[{from} +: {width}]", from = at + from),
    };
    let fields = over.flit_fields();
    let field = fields.iter().position(|f| f.name == port.signal.name && f.name != "last");
    let low = |field| fields[..field].iter().map(|f| f.width).sum::<u32>();
    let width = port.signal.width;
    let place = |terminal| over.slice(port.side, terminal).expect("it has the port");
    let parts = port.terminals.iter().rev().map(|&terminal| match field {
        Some(field) => slice(place(terminal) * bits, "word", low(field), width),
        None => slice(place(terminal) * width, port.signal.name, 0, width),
    });
    let parts: Vec<String> = parts.collect();
    let all = over.terminals_of(port.side).len() == parts.len();
    match field {
        None if all => format!("{side}_{}", port.signal.name),
        Some(_) if all && fields.len() == 2 => format!("{side}_word"),
        _ => match &parts[..] {
            [one] => one.clone(),
            _ => format!("{{\n      {}}}", parts.join(",\n      ")),
        },
    }
}
