//! The self-checking testbench of a fabric, in Verilog.

use super::EmitError;
use super::known::{Lone, Stream, Streams};
use askama::Template;
use std::borrow::Borrow;
use turnpike_fabric::plan::FabricPlan;
use turnpike_network::topology::Terminal;

/// Random packets that each source sends after all pairs.
const BURSTS: u32 = 50;

/// Flits that each source sends, about, in packets of the longest kind and without pause at the
/// end, sinks always ready: what finds a deadlock that short packets slip through.
const FLOOD_FLITS: u32 = 1000;

/// A signal beside the data.
struct Sideband {
    name: &'static str,
    /// The testbench's wires to the sources, and from the sinks.
    source: &'static str,
    sink: &'static str,
    width: u32,
    salt: u32,
}

#[derive(Template)]
#[template(path = "testbench.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    terminals: u32,
    /// A bit per address, the highest first: whether it is of a terminal that sends, and of one
    /// that takes packets; empty where all are.
    sends: String,
    takes: String,
    /// How many send.
    senders: usize,
    /// The addresses of the slices of the `s_axis` and `m_axis` ports, the highest first; empty
    /// where every address has a slice.
    sources: Vec<u32>,
    sinks: Vec<u32>,
    /// Those that have none.
    no_sources: Vec<u32>,
    no_sinks: Vec<u32>,
    address: u32,
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
    streams: &'a [Stream],
    groups: u32,
    /// Packets of each stream, and the cycles that one may take.
    stream_packets: u32,
    oldest: u32,
    sideband: Vec<Sideband>,
    id: bool,
    /// Whether packets of one source to one destination arrive in order.
    in_order: bool,
}

impl TestbenchFile<'_> {
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

    /// The bits of an address in a vector of `width` bits for each.
    fn slice(&self, vector: &str, width: &u32, address: &u32) -> String {
        match width {
            1 => format!("{vector}[{address}]"),
            _ => format!("{vector}[{address}*{width} +: {width}]"),
        }
    }

    fn slices(&self, vector: &str, width: u32, of: &[u32]) -> String {
        if of.is_empty() {
            return vector.to_owned();
        }
        let slices = of.iter().map(|address| self.slice(vector, &width, address));
        let slices: Vec<String> = slices.collect();
        format!("{{\n      {}}}", slices.join(",\n      "))
    }

    /// Of a vector of all addresses, what the `s_axis` ports have slices of.
    fn sources_of(&self, vector: &str, width: impl Borrow<u32>) -> String {
        self.slices(vector, *width.borrow(), &self.sources)
    }

    /// Of a vector of all addresses, what the `m_axis` ports have slices of.
    fn sinks_of(&self, vector: &str, width: impl Borrow<u32>) -> String {
        self.slices(vector, *width.borrow(), &self.sinks)
    }
}

/// Renders it. `heading` opens the file.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &FabricPlan, heading: Vec<String>) -> Result<String, EmitError> {
    let p = &plan.parameters;
    let topology = plan.topology();
    let (address, terminals) = (topology.address_bits(), topology.terminals());
    let addresses = || (0..terminals).map(Terminal);
    let slices = |slices: &[Terminal]| match slices.len() as u32 == terminals {
        true => Vec::new(),
        false => slices.iter().rev().map(|terminal| terminal.0).collect(),
    };
    let without = |is: &dyn Fn(Terminal) -> bool| {
        addresses().filter(|&terminal| is(terminal)).map(|terminal| terminal.0).collect()
    };
    let head_bits = 2 * address + 18;
    let head_beats = head_bits.div_ceil(p.width);
    let longest = 4 * p.depth;
    let Streams { all, oldest, packets } = Streams::of(plan, head_beats + longest)?;
    let keep = ("keep", "s_keep", "m_keep", p.keep_width(), 7919);
    let user = ("user", "s_user", "m_user", p.user_width, 104_729);
    let sideband = [keep, user].into_iter().filter(|&(.., width, _)| width > 0);
    let sideband = sideband
        .map(|(name, source, sink, width, salt)| Sideband { name, source, sink, width, salt })
        .collect();
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        terminals,
        senders: topology.sources().count(),
        sends: super::mask(addresses().map(|t| topology.source(t).is_some())),
        takes: super::mask(addresses().map(|t| topology.sink(t).is_some())),
        sources: slices(plan.sources()),
        sinks: slices(plan.sinks()),
        no_sources: without(&|t| plan.source_slice(t).is_none()),
        no_sinks: without(&|t| plan.sink_slice(t).is_none()),
        address,
        width: p.width,
        bursts: BURSTS,
        flood: (FLOOD_FLITS / (4 * p.depth)).max(8),
        head_bits,
        head_beats,
        head_room: head_beats * p.width,
        words: p.width.div_ceil(32),
        longest,
        slack: if plan.runs_at_full_rate() { 0 } else { plan.network.longest_route() + 1 },
        lone: Lone::of(plan)?,
        groups: all.last().map_or(0, |stream| stream.group + 1),
        streams: &all,
        stream_packets: packets,
        oldest,
        sideband,
        id: p.source_id,
        in_order: plan.network.relation().adaptive().is_none(),
    };
    Ok(file.render()?)
}
