//! The load of the channels of a network that is routed row by row.
//!
//! Pairs that use a channel of a row: the source may have any coordinates in earlier rows, the
//! destination any in later ones. How many channels a packet crossed before follows from how far its
//! source is from the channel's node in the earlier rows. So the pairs whose i-th channel it is are
//! the product of two distributions by number of channels, that of the earlier rows and that of the
//! channel in its own row. Nodes that are alike in both have the same load at every step.

use super::ByRows;
use super::row::RowAnalysis;
use crate::properties::{Balance, ChannelLoad, Load, StepLoad};
use std::collections::HashMap;
use turnpike_network::routing::rows::Rows;
use turnpike_network::topology::{Node, Port, Topology};

/// Channels of a row that carry the same at each step, and that many of the farthest pairs.
struct Alike<'a> {
    /// The first of them: a place, and a port.
    first: usize,
    loads: &'a [u64],
    farthest: &'a [u64],
}

/// Places of a row that are as far from as many others.
struct Place<'a> {
    first: usize,
    away: &'a [u64],
    /// Number of others that are as far away as any.
    farthest: u64,
}

/// Distribution of the earlier rows, for a node of them.
struct Before {
    node: u32,
    /// By channels crossed, how many sources.
    away: Vec<u64>,
    /// Number of sources that are as far as any, in each of these rows.
    farthest: u64,
    /// Distance of those sources, in channels.
    longest: usize,
}

/// The least or the most of one step. Of several channels, the first.
#[derive(Clone, Copy)]
struct Extreme {
    packets: u64,
    node: u32,
    port: u8,
}

/// All that is kept of one step.
struct StepExtremes {
    least: Extreme,
    most: Extreme,
    /// Packets on a channel without the farthest pairs, as long as all channels carry the same.
    rest: Option<u64>,
    rest_differs: bool,
}

/// The load of all pairs: of whole routes, and step by step.
pub(super) fn balance(rows: &ByRows, total_length: u64) -> Balance {
    let grid = rows.grid();
    let channels = grid.channels();
    let steps = rows.longest_route() as usize;
    let mut found: Vec<StepExtremes> = (0..steps).map(|_| StepExtremes::none()).collect();
    let start = Before { node: 0, away: vec![1], farthest: 1, longest: 0 };
    let kinds: Vec<_> = rows.all.iter().map(|row| (alike(row), places(row))).collect();
    go(rows, &kinds, 0, &start, &mut found);
    let longer = longer(rows, steps);
    let describe = |sum: u64, least: Extreme, most: Extreme| {
        let channel = |of: Extreme| ChannelLoad {
            from: grid.label(Node(of.node)),
            output: grid.port_name(Port(of.port)),
            packets: of.packets.into(),
        };
        let mean = sum as f64 / channels.max(1) as f64;
        Load {
            balanced: least.packets == most.packets,
            mean,
            most_by_mean: if sum == 0 { 1.0 } else { most.packets as f64 / mean },
            least: channel(least),
            most: channel(most),
        }
    };
    let per_step: Vec<StepLoad> = (1..)
        .zip(found.iter().zip(longer))
        .map(|(step, (of, sum))| StepLoad { step, load: describe(sum, of.least, of.most) })
        .collect();
    let (least, most) = whole(rows);
    let total = describe(total_length, least, most);
    Balance {
        holds: total.balanced,
        total,
        per_step_holds: per_step.iter().all(|step| step.load.balanced),
        per_step_holds_without_farthest: found.iter().all(|step| !step.rest_differs),
        per_step,
    }
}

/// The pairs that use a channel of a dimension, by those that use it in its row.
pub(super) fn free(rows: &ByRows, dimension: usize) -> u64 {
    u64::from(rows.grid().nodes()) / rows.all[dimension].side() as u64
}

/// The channels that carry least and most over whole routes.
fn whole(rows: &ByRows) -> (Extreme, Extreme) {
    let StepExtremes { mut least, mut most, .. } = StepExtremes::none();
    for (dimension, row) in rows.all.iter().enumerate() {
        for channel in (0..row.loads.len()).filter(|&channel| row.has_channel(channel)) {
            let packets = row.load(channel) * free(rows, dimension);
            let found = extreme(rows, dimension, 0, channel, packets);
            least.lower(found);
            most.raise(found);
        }
    }
    (least, most)
}

/// Number of pairs that are at least so many channels apart, from 1 on.
fn longer(rows: &ByRows, steps: usize) -> Vec<u64> {
    let apart = rows.all.iter().fold(vec![1], |apart, row| {
        let mut of_row = vec![0; row.longest as usize + 1];
        for away in &row.away {
            of_row.iter_mut().zip(away).for_each(|(sum, n)| *sum += n);
        }
        product(&apart, &of_row)
    });
    let mut longer = apart[1..=steps].to_vec();
    for step in (1..steps).rev() {
        longer[step - 1] += longer[step];
    }
    longer
}

fn alike(row: &RowAnalysis) -> Vec<Alike<'_>> {
    let mut known: HashMap<(&[u64], &[u64]), ()> = HashMap::new();
    let channels = (0..row.loads.len()).filter(|&channel| row.has_channel(channel));
    let of = channels.map(|first| Alike {
        first,
        loads: &row.loads[first],
        farthest: &row.farthest[first],
    });
    of.filter(|of| known.insert((of.loads, of.farthest), ()).is_none()).collect()
}

fn places(row: &RowAnalysis) -> Vec<Place<'_>> {
    let mut known: HashMap<&[u64], ()> = HashMap::new();
    let of = (0..row.side()).map(|first| Place {
        first,
        away: &row.away[first],
        farthest: row.at_the_far_end(first),
    });
    of.filter(|of| known.insert(of.away, ()).is_none()).collect()
}

/// Looks at the channels of a dimension behind nodes of the earlier ones, and goes on to the later.
fn go(
    rows: &ByRows,
    kinds: &[(Vec<Alike>, Vec<Place>)],
    dimension: usize,
    before: &Before,
    found: &mut [StepExtremes],
) {
    let Some((channels, places)) = kinds.get(dimension) else { return };
    let later: u64 = rows.all[dimension + 1..].iter().map(|row| row.side() as u64).product();
    let behind = farthest_behind(kinds, dimension);
    let mut loads = vec![0; found.len()];
    for channel in channels {
        loads.fill(0);
        add_product(&before.away, channel.loads, &mut loads);
        let first = extreme(rows, dimension, before.node, channel.first, 0);
        for (load, step) in loads.iter_mut().zip(found.iter_mut()) {
            *load *= later;
            let found = Extreme { packets: *load, ..first };
            step.least.lower(found);
            step.most.raise(found);
        }
        if found.iter().all(|step| step.rest_differs) {
            continue;
        }
        for &behind in &behind {
            for (at, (&load, step)) in loads.iter().zip(found.iter_mut()).enumerate() {
                let own = at.checked_sub(before.longest).and_then(|at| channel.farthest.get(at));
                step.leave(load - before.farthest * own.copied().unwrap_or(0) * behind);
            }
        }
    }
    if dimension + 1 == kinds.len() {
        return;
    }
    for place in places {
        let next = Before {
            node: before.node + place.first as u32 * rows.strides[dimension],
            away: product(&before.away, place.away),
            farthest: before.farthest * place.farthest,
            longest: before.longest + rows.all[dimension].longest as usize,
        };
        go(rows, kinds, dimension + 1, &next, found);
    }
}

/// Numbers of destinations that are as far as any in the rows behind a dimension: every number that
/// there is at some node.
fn farthest_behind(kinds: &[(Vec<Alike>, Vec<Place>)], dimension: usize) -> Vec<u64> {
    kinds[dimension + 1..].iter().fold(vec![1], |all, (_, places)| {
        let of = |n: &u64| places.iter().map(move |place| n * place.farthest).collect::<Vec<_>>();
        let mut all: Vec<u64> = all.iter().flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    })
}

fn extreme(rows: &ByRows, dimension: usize, before: u32, channel: usize, packets: u64) -> Extreme {
    let node = before + (channel / 2) as u32 * rows.strides[dimension];
    let port = Rows::port(dimension, Port((channel % 2) as u8)).0;
    Extreme { packets, node, port }
}

/// The distribution of the sum of two.
fn product(these: &[u64], those: &[u64]) -> Vec<u64> {
    let mut sum = vec![0; these.len() + those.len() - 1];
    add_product(these, those, &mut sum);
    sum
}

/// Adds it to a list that is 0 behind. Goes by the places where one of them changes, as most do but
/// seldom: each makes all that follows more or less by as much.
fn add_product(these: &[u64], those: &[u64], sum: &mut [u64]) {
    let (few, many) = match changes(these).count() <= changes(those).count() {
        true => (these, those),
        false => (those, these),
    };
    let mut up_to = Vec::with_capacity(many.len());
    let mut total = 0u64;
    for n in many {
        total += n;
        up_to.push(total);
    }
    for (at, change) in changes(few) {
        // Modulo 2^64: what is too much here is taken away further on.
        let mut left = sum.iter_mut().skip(at);
        for (so_far, sum) in up_to.iter().zip(left.by_ref()) {
            *sum = sum.wrapping_add(so_far.wrapping_mul(change));
        }
        left.for_each(|sum| *sum = sum.wrapping_add(total.wrapping_mul(change)));
    }
}

/// Positions at which a list changes, its end among them, and the change at each (modulo 2^64).
fn changes(list: &[u64]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let before = std::iter::once(0).chain(list.iter().copied());
    let after = list.iter().copied().chain([0]);
    let change = before.zip(after).map(|(before, after)| after.wrapping_sub(before));
    change.enumerate().filter(|&(_, change)| change != 0)
}

impl Extreme {
    fn is_before(&self, other: &Self) -> bool {
        (self.node, self.port) < (other.node, other.port)
    }

    fn lower(&mut self, found: Self) {
        if found.packets < self.packets || found.packets == self.packets && found.is_before(self) {
            *self = found;
        }
    }

    fn raise(&mut self, found: Self) {
        if found.packets > self.packets || found.packets == self.packets && found.is_before(self) {
            *self = found;
        }
    }
}

impl StepExtremes {
    fn none() -> Self {
        let of = |packets| Extreme { packets, node: u32::MAX, port: u8::MAX };
        Self { least: of(u64::MAX), most: of(0), rest: None, rest_differs: false }
    }

    /// Records the packets of a channel without the farthest pairs.
    fn leave(&mut self, packets: u64) {
        self.rest_differs |= *self.rest.get_or_insert(packets) != packets;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distribution of a sum, by its definition.
    #[test]
    fn products_are_those_of_every_pair() {
        let lists: [&[u64]; 6] =
            [&[1], &[3, 3, 3], &[1, 2, 2, 1], &[0, 5, 0, 1], &[7, 0], &[2, 9, 4]];
        for these in lists {
            for those in lists {
                let mut wanted = vec![0; these.len() + those.len() - 1];
                for (i, this) in these.iter().enumerate() {
                    for (j, that) in those.iter().enumerate() {
                        wanted[i + j] += this * that;
                    }
                }
                assert_eq!(product(these, those), wanted, "{these:?} {those:?}");
            }
        }
    }
}
