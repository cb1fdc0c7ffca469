//! gem5 Garnet's links with their weights, in CSV: columns `link`, `from`, `to` and `weight`. A line
//! `int,r0,r1,1` is a link from a router to another, `ext,n0,r0,1` one between a node and its router,
//! both ways.
//!
//! Garnet finds its tables itself: a link leads to all nodes that it is on a way of least weight to, and
//! of these links a packet takes one of least weight of its own.

use super::error::{Fault, File, ReadError};
use super::{Inputs, Reading};
use crate::model::Routed;
use ::csv::StringRecord;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use turnpike_base::numbers::digits;
use turnpike_network::description::{Builder, LooseEnd};
use turnpike_network::records::{ColumnError, Records};

/// Columns of the file.
const COLUMNS: &str = "link,from,to,weight";
/// Greatest weight.
const MOST_WEIGHT: u64 = 1 << 32;

/// A link from a router to another.
struct Link {
    from: usize,
    to: usize,
    weight: u64,
    /// Output port that it leaves by.
    port: String,
}

fn at(line: usize, what: String) -> ReadError {
    ReadError { file: File::Network, line: Some(line), fault: Box::new(Fault::Syntax(what)) }
}

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let text =
        std::str::from_utf8(inputs.network.bytes).map_err(|_| Fault::Binary.of(File::Network))?;
    let mut records = Records::of(text);
    let mut rows: Vec<(usize, StringRecord)> = Vec::new();
    while let Some((line, record)) =
        records.read().map_err(|fault| ReadError::no_csv(File::Network, fault))?
    {
        rows.push((line, record.clone()));
    }
    let Some((first, rows)) = rows.split_first() else {
        return Err(Fault::Empty(COLUMNS).of(File::Network));
    };
    if first.1.iter().collect::<Vec<_>>().join(",") != COLUMNS {
        return Err(at(first.0, format!("begin with a line '{COLUMNS}'")));
    }
    let mut builder = Builder::default();
    let mut links: Vec<Link> = Vec::new();
    let mut ports: FxHashMap<(usize, bool), u32> = FxHashMap::default();
    for (line, row) in rows {
        let fault = |fault: turnpike_network::description::Fault| at(*line, fault.to_string());
        let &[link, from, to, weight] = &row.iter().collect::<Vec<_>>()[..] else {
            let (fields, columns) = (row.len(), 4);
            let fault = Box::new(ColumnError::Fields { fields, columns }.into());
            return Err(ReadError { file: File::Network, line: Some(*line), fault });
        };
        let weight = digits(weight).filter(|weight| (1..=MOST_WEIGHT).contains(weight));
        let weight: u64 = weight.ok_or_else(|| {
            at(*line, format!("a weight is a whole number from 1 to {MOST_WEIGHT}"))
        })?;
        match link {
            "int" => {
                let from = builder.node_or_new(from).map_err(fault)?;
                let to = builder.node_or_new(to).map_err(fault)?;
                // Ports are numbered at each router: those that leave, and those that arrive.
                let mut end = |node: usize, leaves: bool| {
                    let count = ports.entry((node, leaves)).or_insert(0);
                    *count += 1;
                    LooseEnd { node, port: Some(format!("p{}", *count - 1)) }
                };
                let (from_end, to_end) = (end(from, true), end(to, false));
                let port = from_end.port.clone().unwrap_or_default();
                builder.link(from_end, to_end, false, [0; 2], Some(*line)).map_err(fault)?;
                links.push(Link { from, to, weight, port });
            }
            "ext" => {
                let router = Some(builder.node_or_new(to).map_err(fault)?);
                builder.terminal(from, router, router).map_err(fault)?;
            }
            other => return Err(at(*line, format!("'{other}' is no link: use int or ext"))),
        }
    }
    let description = builder.finish("garnet")?;
    let mut routed = Routed::new(&description, 1)?;
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); description.nodes.len()];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); description.nodes.len()];
    for (number, link) in links.iter().enumerate() {
        into[link.to].push(number);
        out[link.from].push(number);
    }
    let channels: FxHashMap<(usize, &str), u32> = (0..)
        .zip(&description.channels)
        .map(|(at, channel)| ((channel.from.node, &*channel.from.port), at))
        .collect();
    let mut done: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
    for (terminal, place) in (0..).zip(&description.terminals) {
        let Some(sink) = place.sink else { continue };
        let distance = done.entry(sink).or_insert_with(|| weights(&links, &into, sink));
        for (switch, out) in out.iter().enumerate().filter(|(switch, _)| *switch != sink) {
            let on_a_way = |&&link: &&usize| {
                let Link { to, weight, .. } = links[link];
                distance[to].checked_add(weight) == Some(distance[switch])
            };
            let least = out.iter().filter(on_a_way).map(|&link| links[link].weight).min();
            let mut next: Vec<u32> = out
                .iter()
                .filter(on_a_way)
                .filter(|&&link| Some(links[link].weight) == least)
                .map(|&link| channels[&(switch, &*links[link].port)])
                .collect();
            next.sort_unstable();
            routed.tables.set(switch as u32, terminal, &next);
        }
    }
    Ok(Reading { description, routed, remarks: Vec::new(), traffic: None })
}

/// Least weights of the ways from each router to one.
fn weights(links: &[Link], into: &[Vec<usize>], sink: usize) -> Vec<u64> {
    let mut least = vec![u64::MAX; into.len()];
    least[sink] = 0;
    let mut open = BinaryHeap::from([Reverse((0, sink))]);
    while let Some(Reverse((length, at))) = open.pop() {
        if length > least[at] {
            continue;
        }
        for &link in &into[at] {
            let Link { from, weight, .. } = links[link];
            if length + weight < least[from] {
                least[from] = length + weight;
                open.push(Reverse((length + weight, from)));
            }
        }
    }
    least
}
