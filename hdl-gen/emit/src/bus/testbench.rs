//! The self-checking testbench of a bus fabric.

use super::cycles::NUMBER_BITS;
use crate::EmitError;
use crate::recording::Recording;
use askama::Template;
use turnpike_base::bits::bits_for;
use turnpike_bus::BusPlan;
use turnpike_netlist::Design;

/// Random words of each source after all pairs.
const BURSTS: u32 = 50;
/// Words of each source to one sink at the end.
const MEETING: u32 = 4;
/// Words of one source that may be on the way: the testbench remembers so many.
const MOST_ON_WAY: u32 = 64;

#[derive(Template)]
#[template(path = "bus_tb.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    terminals: u32,
    width: u32,
    /// Random words of 32 bits that make the data of a word.
    chunks: u32,
    address: u32,
    /// The addresses, where they are not the terminals' numbers.
    addresses: Vec<u64>,
    id: bool,
    /// Whether there are addresses without a node.
    refuses: bool,
    /// Whether a word says where it comes from: by its source's address beside it, or in its data.
    told: bool,
    /// Bits of a source's number.
    source_bits: u32,
    /// Values of the low bits of the data, of words that do not.
    values: u32,
    /// Whether words of one source to one destination arrive in order.
    in_order: bool,
    bursts: u32,
    meeting: u32,
    on_way: u32,
    stuck: u32,
    /// Bits that tell apart the words of one source in the cycles that are replayed.
    number_bits: u32,
    /// The cycles that are replayed.
    cycles: &'a Recording,
    connections: Vec<(String, String)>,
    /// By terminal, the terminals that it sends to, where the fabric is for flows.
    flows: Vec<Vec<u32>>,
    /// Number of terminals that send.
    sources: usize,
    /// Wires of ports that fewer terminals have: name, width, and the wire of all terminals with its bits.
    given: Vec<(String, usize, String, String)>,
}

impl TestbenchFile<'_> {
    /// The low bits of a word that a function gives, as a number.
    fn value(&self, word: &str) -> String {
        match self.width {
            ..=8 => format!("{{{}'d0, {word}}}", 32 - self.width),
            // A function's value has no slices. It has fewer than 32 bits where it says no source.
            width => format!("({{{}'d0, {word}}} & 32'd255)", 32 - width),
        }
    }

    /// Low bits of the word at sink t, as a number.
    fn here(&self) -> String {
        let bits = self.width.min(8);
        format!("{{{}'d0, m_data[t*W +: {bits}]}}", 32 - bits)
    }
}

pub(super) fn render(
    plan: &BusPlan,
    design: &Design,
    cycles: &Recording,
    heading: Vec<String>,
) -> Result<String, EmitError> {
    let top = design.top();
    let wire = |port: &str| port.replace("_axis_t", "_").replace("_axis_", "_");
    let reset = top.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let ports = top.ports().map(|(_, info)| (info.name.clone(), wire(&info.name)));
    let connected = |wire: String| match plan.flows() {
        None => wire,
        Some(_) => connected(plan, &wire),
    };
    let ports = ports.map(|(port, wire)| (port, connected(wire)));
    let clock = ("clk".to_owned(), "clk".to_owned());
    let (grid, width, id) = (&plan.grid, plan.parameters.width, plan.parameters.source_id);
    let source_bits = bits_for(grid.nodes());
    let addresses = (0..grid.nodes()).map(|node| grid.address(node));
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        terminals: plan.terminals(),
        width,
        chunks: width.div_ceil(32),
        address: grid.address_bits(),
        addresses: match addresses.clone().eq(0..u64::from(grid.nodes())) {
            true => Vec::new(),
            false => addresses.collect(),
        },
        id,
        refuses: plan.refuses(),
        told: id || width >= source_bits + 8,
        source_bits,
        values: 1 << width.min(8),
        in_order: plan.keeps_order(),
        bursts: BURSTS,
        meeting: MEETING,
        on_way: MOST_ON_WAY,
        stuck: stuck(plan),
        number_bits: NUMBER_BITS,
        cycles,
        connections: [clock].into_iter().chain(reset).chain(ports).collect(),
        flows: plan.flows().map_or(Vec::new(), |flows| {
            (0..plan.terminals()).map(|node| flows.of_source(node)).collect()
        }),
        sources: plan.sources().len(),
        given: plan.flows().map_or(Vec::new(), |_| {
            let outputs = ["s_ready", "s_error", "m_valid", "m_data", "m_id"].into_iter();
            let outputs = outputs.filter(|wire| *wire != "m_id" || id);
            outputs.map(|wire| given(plan, wire)).collect()
        }),
    };
    Ok(file.render()?)
}

/// Bits of a terminal in a wire of the testbench, and the terminals whose ports have it.
fn of_wire(plan: &BusPlan, wire: &str) -> Option<(u32, Vec<u32>)> {
    let bits = match wire {
        "s_valid" | "s_ready" | "s_error" | "m_valid" | "m_ready" => 1,
        "s_data" | "m_data" => plan.parameters.width,
        "s_dest" | "m_id" => plan.grid.address_bits(),
        _ => return None,
    };
    let ends = if wire.starts_with("s_") { plan.sources() } else { plan.sinks() };
    Some((bits, ends))
}

/// Connection of a port that fewer terminals have: slices of the wire of all, or a wire of its own.
fn connected(plan: &BusPlan, wire: &str) -> String {
    let Some((bits, ends)) = of_wire(plan, wire) else { return wire.to_owned() };
    if !matches!(wire, "s_valid" | "s_data" | "s_dest" | "m_ready") {
        return format!("dut_{wire}");
    }
    let slice = |&node: &u32| format!("{wire}[{} +: {bits}]", node * bits);
    format!("{{{}}}", ends.iter().rev().map(slice).collect::<Vec<_>>().join(", "))
}

/// The wire of a port that the fabric drives, its width, the wire of all terminals, and the bits of that:
/// 0 for terminals without such a port.
fn given(plan: &BusPlan, wire: &str) -> (String, usize, String, String) {
    let (bits, ends) = of_wire(plan, wire).unwrap_or_default();
    let own = format!("dut_{wire}");
    let slice = |node: u32| match ends.binary_search(&node) {
        Ok(at) => format!("{own}[{} +: {bits}]", at as u32 * bits),
        Err(_) => format!("{bits}'d0"),
    };
    let all: Vec<String> = (0..plan.terminals()).rev().map(slice).collect();
    (own, ends.len() * bits as usize, wire.to_owned(), format!("{{{}}}", all.join(", ")))
}

/// Cycles without a transfer that are taken for a fault: where all words of a bus are for one
/// receiver, or one is left, a slot in which none gets through is less likely than e^-30 so often in a
/// row. A few times as many, for windows that are halved do not count.
fn stuck(plan: &BusPlan) -> u32 {
    const MOST: f64 = 1e8;
    // Words that take turns do not meet.
    let Some(least) = plan.least_odds() else { return 2000 + 8 * plan.extent.most_meeting };
    (2000.0 + 8.0 * 30.0 / least).min(MOST) as u32
}
