//! The self-checking testbench of a circuit fabric.

use super::Vectors;
use crate::EmitError;
use crate::recording::Recording;
use askama::Template;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::registers::{Address, ID, PREFIX};
use turnpike_netlist::Design;

/// Times that each slot is gone through, at least.
const ROUNDS: u32 = 6;

/// The AXI4-Lite port.
struct Bus {
    address: u32,
    slots: u32,
    words: u32,
    first: String,
    step: u32,
    id: String,
    status: String,
    swap: String,
    count: String,
}

#[derive(Template)]
#[template(path = "circuit_tb.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    slots: u32,
    /// Whether there is anything that the clock moves.
    clocked: bool,
    rounds: u32,
    terminals: u32,
    width: u32,
    /// Random words of 32 bits that make the data of all terminals.
    chunks: u32,
    address: u32,
    latency: u32,
    /// Bits of the ports of the slot; 0 where there are none.
    slot_bits: u32,
    by_header: bool,
    /// The row of the files that words go by that enter now, and those that come now.
    slot_now: String,
    slot_then: String,
    bus: Option<Bus>,
    /// The cycles that are replayed.
    cycles: &'a Recording,
    connections: Vec<(String, String)>,
}

pub(super) fn render(
    plan: &CircuitPlan,
    design: &Design,
    vectors: &Vectors,
    cycles: &Recording,
    heading: Vec<String>,
) -> Result<String, EmitError> {
    let top = design.top();
    let map = plan.map();
    let slot_bits = top.port("s_slot").map_or(0, |net| net.width);
    let bus = matches!(plan.control, Control::Memory(_)).then(|| Bus {
        address: map.address_bits(),
        slots: map.slots,
        words: map.words,
        first: format!("{:x}", map.address(0, 0)),
        step: 4 << map.word_bits,
        id: format!("{ID:08x}"),
        status: format!("{:x}", Address::Status.bytes()),
        swap: format!("{:x}", Address::Swap.bytes()),
        count: format!("{:x}", Address::Count.bytes()),
    });
    let by_header = matches!(plan.control, Control::SelfRouting);
    let widened = |net: &str| match slot_bits {
        0 => "32'd0".to_owned(),
        32.. => net.to_owned(),
        bits => format!("{{{}'d0, {net}}}", 32 - bits),
    };
    let row = |bank: &str, slot: &str| match &bus {
        Some(_) => format!("bank_first[{bank}] + {}", widened(slot)),
        None if by_header => "set".to_owned(),
        None => widened(slot),
    };
    let wire = |port: &str| match port {
        "enable" => port.to_owned(),
        _ if port.starts_with(PREFIX) => match &port[PREFIX.len()..] {
            "awprot" | "arprot" => "3'd0".to_owned(),
            signal => signal.to_owned(),
        },
        _ => port.replace("_axis_t", "_"),
    };
    let clock = top.clocked.then(|| ("clk".to_owned(), "clk".to_owned()));
    let reset = top.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let ports = top.ports().map(|(_, info)| (info.name.clone(), wire(&info.name)));
    let slots = vectors.slots;
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        slots,
        clocked: top.clocked,
        rounds: ROUNDS,
        terminals: plan.terminals(),
        width: plan.parameters.width,
        chunks: (plan.terminals() * plan.parameters.width).div_ceil(32),
        address: plan.address_bits(),
        latency: plan.latency(),
        slot_bits,
        by_header,
        slot_now: row("s_bank", "s_slot"),
        slot_then: row("m_bank", "m_slot"),
        bus,
        cycles,
        connections: clock.into_iter().chain(reset).chain(ports).collect(),
    };
    Ok(file.render()?)
}
