//! The least that a network for given flows takes, whatever its switches, channels and routes are.

use super::area::Counts;
use super::question::{Pair, Question};
use pathfinding::undirected::connected_components::components;
use std::collections::HashSet;

/// No network for these flows has less of any of these figures.
///
/// - All sources have a queue each.
/// - Call inputs of switches related where a packet goes from one by way of some output to the other. Each source begins
///   apart; those whose packets reach one sink are related in the end, and an output that k inputs feed relates k of
///   them: it leaves k − 1 groups less. So inputs exceed outputs by as many as there are sources beyond the
///   groups that flows make. An output is fed by no more inputs than its switch has.
/// - A switch has as many inputs as sources and channels end there. So s sources that flows relate take
///   (s − 1) / (ports − 1) switches, and one channel less than that, with a queue of their class. Where networks of
///   several groups are one, that takes no less. So it is with sinks; the same channels may do for both.
pub fn least(question: &Question) -> Counts {
    let groups = groups(question);
    let sources: u64 = groups.iter().map(|group| group[0]).sum();
    let excess = sources - groups.len() as u64;
    let ports = u64::from(question.ports());
    let multiplexers = excess.div_ceil(ports - 1);
    let channels = |ends: u64| (ends - 1).div_ceil(ports - 1).saturating_sub(1);
    let queues = (0..2).map(|end| groups.iter().map(|group| channels(group[end])).sum());
    Counts {
        sources,
        tables: 0,
        queues: queues.max().unwrap_or(0),
        inputs: excess + multiplexers,
        multiplexers,
    }
}

/// Sources and sinks of each group of streams that flows relate.
fn groups(question: &Question) -> Vec<[u64; 2]> {
    let streams = |pair: &Pair| {
        let (from, to) = (pair.from, pair.to);
        pair.classes.iter().map(move |&(class, _)| vec![(from, 0, class), (to, 1, class)]).collect()
    };
    // Streams by terminal, end and class.
    let related: Vec<Vec<(usize, usize, u8)>> =
        question.pairs().iter().flat_map(|pair| -> Vec<_> { streams(pair) }).collect();
    let ends = |group: &HashSet<(usize, usize, u8)>, end: usize| {
        group.iter().filter(|stream| stream.1 == end).count() as u64
    };
    components(&related).iter().map(|group| [0, 1].map(|end| ends(group, end))).collect()
}
