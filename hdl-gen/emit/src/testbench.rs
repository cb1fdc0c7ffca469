//! The self-checking testbench of a fabric, in Verilog.

use super::EmitError;
use super::cycles::NUMBER_BITS;
use super::known::{Lone, Stream, Streams};
use super::recording::Recording;
use askama::Template;
use turnpike_fabric::plan::{FabricPlan, Side, TerminalPort};
use turnpike_netlist::Module;
use turnpike_network::topology::Terminal;

/// Random packets that each source sends after all pairs.
const BURSTS: u32 = 50;

/// Flits that each source sends, about, in packets of the longest kind and without pause at the
/// end, sinks always ready: what finds a deadlock that short packets slip through.
const FLOOD_FLITS: u32 = 1000;

/// A signal beside the data.
struct Sideband {
    name: &'static str,
    /// The testbench's registers of the sources.
    source: &'static str,
    /// The testbench's wires from the sinks.
    sink: &'static str,
    width: u32,
    salt: u32,
}

#[derive(Template)]
#[template(path = "testbench.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    /// Module under test.
    network: String,
    terminals: u32,
    /// A bit per address, the highest first: whether it is of a terminal that sends, and of one
    /// that takes packets; empty where all are.
    sends: String,
    takes: String,
    /// Lines of a number with a bit per pair of terminals, source times terminals plus destination its
    /// place: whether packets go from one to the other. None where they go wherever a terminal takes them.
    flows: Vec<String>,
    /// Number of terminals that send.
    senders: usize,
    /// The fabric's ports but for the clock, with what is connected to them.
    connections: Vec<(String, String)>,
    /// The terminals without a source, and those without a sink.
    no_sources: Vec<u32>,
    no_sinks: Vec<u32>,
    address: u32,
    /// Bits that tell the terminals apart: more than those of an address where there are classes.
    number: u32,
    width: u32,
    bursts: u32,
    flood: u32,
    head_bits: u32,
    head_beats: u32,
    head_room: u32,
    words: u32,
    longest: u32,
    lone: Lone,
    /// Cycles that a packet alone may lose on its way: one at each switch where queues are too short
    /// for the wait of its first flit. Its source may lose twice as many, for each of those queues
    /// also holds a flit less of it.
    slack: u32,
    /// Cycles that a beat of such a packet takes at most: two where it crosses a channel twice.
    pace: u32,
    streams: &'a [Stream],
    groups: u32,
    /// Packets of each stream, and the cycles that one may take.
    stream_packets: u32,
    oldest: u32,
    sideband: Vec<Sideband>,
    id: bool,
    /// Whether packets of one source to one destination arrive in order.
    in_order: bool,
    /// The cycles that are replayed, and bits that tell apart the beats of one source there.
    cycles: Option<&'a Recording>,
    number_bits: u32,
}

impl TestbenchFile<'_> {
    /// The function that gives the number of a terminal as bits.
    fn numbered(&self) -> &'static str {
        if self.number == self.address { "addressed" } else { "numbered" }
    }

    /// A mask as a number.
    fn mask(&self, bits: &str) -> String {
        match bits {
            "" => format!("{{{}{{1'b1}}}}", self.terminals),
            _ => format!("{}'b{bits}", self.terminals),
        }
    }

    /// The mask of the terminals that send.
    fn sends_name(&self) -> &'static str {
        if self.sends == self.takes { "LIVE" } else { "SENDS" }
    }

    /// The mask of the terminals that take packets.
    fn takes_name(&self) -> &'static str {
        if self.sends == self.takes { "LIVE" } else { "TAKES" }
    }

    fn slice(&self, vector: &str, width: &u32, address: &u32) -> String {
        slice(vector, *width, *address)
    }
}

/// Numbers of 64 bits that stand on a line.
const NUMBERS_ON_A_LINE: usize = 4;

/// Lines of a number of so many bits, the highest first.
fn bits(count: u32, is_set: impl Fn(u32) -> bool) -> Vec<String> {
    let number = |low: u32| {
        let width = (count - low).min(64);
        let value = (0..width).fold(0u64, |value, bit| value | u64::from(is_set(low + bit)) << bit);
        format!("{width}'h{value:0digits$x}", digits = width.div_ceil(4) as usize)
    };
    let numbers: Vec<String> = (0..count.div_ceil(64)).rev().map(|at| number(64 * at)).collect();
    let lines = numbers.chunks(NUMBERS_ON_A_LINE).map(|line| line.join(", "));
    lines.collect()
}

/// The bits of an address in a vector of `width` bits for each.
fn slice(vector: &str, width: u32, address: u32) -> String {
    match width {
        1 => format!("{vector}[{address}]"),
        _ => format!("{vector}[{address}*{width} +: {width}]"),
    }
}

/// Wires that are connected to a port: a vector of the testbench with bits for every address,
/// `s_data` or `m_valid`, or those of the port's terminals.
fn wires(port: &TerminalPort, terminals: u32) -> String {
    let side = match port.side {
        Side::Source => "s",
        Side::Sink => "m",
    };
    let vector = format!("{side}_{}", port.signal.name);
    let of = |terminal: &Terminal| slice(&vector, port.signal.width, terminal.0);
    match &port.terminals[..] {
        all if all.len() as u32 == terminals => vector,
        [one] => of(one),
        some => {
            // The highest first, as bits are written.
            let slices: Vec<String> = some.iter().rev().map(of).collect();
            format!("{{\n      {}}}", slices.join(",\n      "))
        }
    }
}

/// Renders it. `heading` opens the file.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(
    plan: &FabricPlan,
    fabric: &Module,
    cycles: Option<&Recording>,
    heading: Vec<String>,
) -> Result<String, EmitError> {
    let p = &plan.parameters;
    let topology = plan.topology();
    let (address, terminals) = (topology.address_bits(), topology.terminals());
    let addresses = || (0..terminals).map(Terminal);
    let without = |is: &dyn Fn(Terminal) -> bool| {
        addresses().filter(|&terminal| is(terminal)).map(|terminal| terminal.0).collect()
    };
    let number = plan.number_bits();
    let head_bits = 2 * number + 18;
    let twice = plan.crosses_itself()?;
    let head_beats = head_bits.div_ceil(p.width);
    let longest = 4 * p.depth;
    let Streams { all, oldest, packets } = Streams::of(plan, head_beats + longest)?;
    let keep = ("keep", "s_keep", "m_keep", p.keep_width(), 7919);
    let user = ("user", "s_user", "m_user", p.user_width, 104_729);
    let sideband = [keep, user].into_iter().filter(|&(.., width, _)| width > 0);
    let sideband = sideband
        .map(|(name, source, sink, width, salt)| Sideband { name, source, sink, width, salt })
        .collect();
    let reset = fabric.reset_port("rst").map(|(port, wire)| (port.to_owned(), wire));
    let ports = plan.terminal_ports();
    let streams = ports.iter().map(|port| (port.name.clone(), wires(port, terminals)));
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        network: plan.network_name(),
        terminals,
        senders: topology.sources().count(),
        sends: super::mask(addresses().map(|t| topology.source(t).is_some())),
        takes: super::mask(addresses().map(|t| topology.sink(t).is_some())),
        flows: topology.flows().map_or(Vec::new(), |_| {
            bits(terminals * terminals, |pair| {
                let ends = [pair / terminals, pair % terminals].map(Terminal);
                topology.sends_to(ends[0], ends[1])
            })
        }),
        connections: reset.into_iter().chain(streams).collect(),
        no_sources: without(&|t| !plan.sources().contains(&t)),
        no_sinks: without(&|t| !plan.sinks().contains(&t)),
        address,
        number,
        width: p.width,
        bursts: BURSTS,
        flood: (FLOOD_FLITS / (4 * p.depth)).max(8),
        head_bits,
        head_beats,
        head_room: head_beats * p.width,
        words: p.width.div_ceil(32),
        longest,
        slack: if plan.runs_at_full_rate() && !twice { 0 } else { plan.longest_route() + 1 },
        pace: 1 + u32::from(twice),
        lone: Lone::of(plan)?,
        groups: all.last().map_or(0, |stream| stream.group + 1),
        streams: &all,
        stream_packets: packets,
        oldest,
        sideband,
        id: p.source_id,
        in_order: plan.keeps_order(),
        cycles,
        number_bits: NUMBER_BITS,
    };
    Ok(file.render()?)
}
