//! The self-checking testbench of a fabric, in Verilog.

use super::EmitError;
use super::known::{Lone, Stream, Streams};
use askama::Template;
use turnpike_fabric::plan::FabricPlan;

/// Random packets that each source sends after all pairs.
const BURSTS: u32 = 50;

/// Flits that each source sends, about, in packets of the longest kind and without pause at the
/// end, sinks always ready: what finds a deadlock that short packets slip through.
const FLOOD_FLITS: u32 = 1000;

/// A signal beside the data.
struct Sideband {
    name: &'static str,
    width: u32,
    salt: u32,
}

#[derive(Template)]
#[template(path = "testbench.v.askama", escape = "none")]
struct TestbenchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    terminals: u32,
    /// A bit per terminal, the highest first, and how many are 1; empty where none failed.
    live: String,
    live_count: usize,
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

/// Renders it. `heading` opens the file.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &FabricPlan, heading: Vec<String>) -> Result<String, EmitError> {
    let p = &plan.parameters;
    let address = plan.topology().address_bits();
    let terminals = plan.topology().terminals();
    let head_bits = 2 * address + 18;
    let head_beats = head_bits.div_ceil(p.width);
    let longest = 4 * p.depth;
    let Streams { all, oldest, packets } = Streams::of(plan, head_beats + longest)?;
    let sideband = [("keep", p.keep_width(), 7919), ("user", p.user_width, 104_729)]
        .into_iter()
        .filter(|&(_, width, _)| width > 0)
        .map(|(name, width, salt)| Sideband { name, width, salt })
        .collect();
    let file = TestbenchFile {
        heading,
        name: &plan.name,
        terminals,
        live_count: plan.topology().all_terminals().count(),
        live: super::live_terminals(plan),
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
