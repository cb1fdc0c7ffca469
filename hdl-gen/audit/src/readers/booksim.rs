//! BookSim's `anynet` with the routes that BookSim finds itself (`min_anynet`): from each router
//! Dijkstra's shortest ways by the latencies of channels; among equals the router with the least
//! number is taken first, and the first way to a router is kept.

use super::error::{Fault, File, ReadError};
use super::{Inputs, Reading};
use crate::model::Routed;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use turnpike_base::numbers::digits;
use turnpike_network::description::{Format, ReadOptions, read_with};

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let format = ReadOptions { format: Format::named("anynet"), ..ReadOptions::default() };
    // This finds what is wrong in the file.
    let network = read_with(inputs.network.name, inputs.network.bytes, format)?;
    let text =
        std::str::from_utf8(inputs.network.bytes).map_err(|_| Fault::Binary.of(File::Network))?;
    let description = network.description;
    let switches: FxHashMap<u64, usize> = description
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| Some((digits(crate::model::shown(node))?, at)))
        .collect();
    let mut routed = Routed::new(&description, 1)?;
    let channels: FxHashMap<(usize, usize), u32> = (0..)
        .zip(&description.channels)
        .map(|(at, channel)| ((channel.from.node, channel.to.node), at))
        .collect();
    // Switches stand in the order of the routers' numbers.
    let mut next: Vec<Vec<(usize, u64)>> = vec![Vec::new(); description.nodes.len()];
    for ((from, to), latency) in latencies(text) {
        if let (Some(&from), Some(&to)) = (switches.get(&from), switches.get(&to)) {
            next[from].push((to, latency));
        }
    }
    next.iter_mut().for_each(|next| next.sort_unstable());
    for from in 0..next.len() {
        let before = shortest(&next, from);
        // First hop on the way to each switch.
        let first = |mut to: usize| -> Option<usize> {
            while before[to]? != from {
                to = before[to]?;
            }
            Some(to)
        };
        for (at, terminal) in (0..).zip(&description.terminals) {
            if let Some(channel) =
                terminal.sink.and_then(first).and_then(|to| channels.get(&(from, to)))
            {
                routed.tables.set(from as u32, at, &[*channel]);
            }
        }
    }
    let remarks = Vec::new();
    Ok(Reading { description, routed, remarks, traffic: None })
}

/// By switch, the one before it on the way from `from`.
fn shortest(next: &[Vec<(usize, u64)>], from: usize) -> Vec<Option<usize>> {
    let mut distance = vec![u64::MAX; next.len()];
    let mut before = vec![None; next.len()];
    let mut done = vec![false; next.len()];
    distance[from] = 0;
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((length, at))) = open.pop() {
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        for &(to, latency) in &next[at] {
            let new = length + latency;
            if new < distance[to] {
                distance[to] = new;
                before[to] = Some(at);
                open.push(Reverse((new, to)));
            }
        }
    }
    before
}

/// Latencies between routers as BookSim reads them: a line says that of the channel from its router,
/// and the channel back has 1 unless a line says it.
fn latencies(text: &str) -> BTreeMap<(u64, u64), u64> {
    let mut all = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        let is_router = |word: Option<&str>| word.is_some_and(|w| w.eq_ignore_ascii_case("router"));
        let head = is_router(words.next());
        let Some(from) = words.next().and_then(digits::<u64>) else { continue };
        while let Some(word) = words.next() {
            let other = is_router(Some(word));
            let Some(to) = words.next().and_then(digits::<u64>) else { break };
            let latency = words.peek().copied().and_then(digits::<u64>);
            if latency.is_some() {
                words.next();
            }
            if head && other {
                all.insert((from, to), latency.unwrap_or(1));
                all.entry((to, from)).or_insert(1);
            }
        }
    }
    all
}
