//! The least that a network for given flows takes, whatever its switches, channels and routes are.

use super::area::Counts;
use super::question::{Pair, Question};
use pathfinding::undirected::connected_components::components;
use std::collections::{BTreeSet, HashSet};

/// No network for these flows has less of any of these figures.
///
/// - All sources have a queue each, and tables where one switch has no room for all.
/// - Call queues related where a packet goes from one to another. Each source begins apart; those whose packets reach one
///   sink are related in the end, and an output with k inputs relates k of them: it leaves k − 1 groups less. So
///   inputs exceed outputs by as many as there are sources beyond the groups that flows make. An output has at most as
///   many inputs as its switch has queues.
/// - A switch has as many inputs as sources and channels end there. So s sources that flows relate take
///   (s − 1) / (ports − 1) switches, and one channel less than that; so do sinks.
pub fn least(question: &Question) -> Counts {
    let groups = groups(question);
    let sources: u64 = groups.iter().map(|group| group[0]).sum();
    let excess = sources - groups.len() as u64;
    // An input of a switch has a queue for each class.
    let classes: BTreeSet<u8> =
        question.pairs().iter().flat_map(|pair| pair.classes.iter().copied()).collect();
    let ports = u64::from(question.ports());
    let multiplexers = excess.div_ceil(ports * classes.len().max(1) as u64 - 1);
    let switches = |ends: u64| (ends - 1).div_ceil(ports - 1).max(1);
    let channels = |group: &[u64; 2]| switches(group[0]).max(switches(group[1])) - 1;
    // One switch takes no tables.
    let is_at_one = (0..2).all(|end| groups.iter().map(|group| group[end]).sum::<u64>() <= ports);
    Counts {
        sources,
        tables: if is_at_one { 0 } else { sources },
        queues: groups.iter().map(channels).sum(),
        inputs: excess + multiplexers,
        multiplexers,
    }
}

/// Sources and sinks of each group of streams that flows relate.
fn groups(question: &Question) -> Vec<[u64; 2]> {
    let streams = |pair: &Pair| {
        let (from, to) = (pair.from, pair.to);
        pair.classes.iter().map(move |&class| vec![(from, 0, class), (to, 1, class)]).collect()
    };
    // Streams by terminal, end and class.
    let related: Vec<Vec<(usize, usize, u8)>> =
        question.pairs().iter().flat_map(|pair| -> Vec<_> { streams(pair) }).collect();
    let ends = |group: &HashSet<(usize, usize, u8)>, end: usize| {
        group.iter().filter(|stream| stream.1 == end).count() as u64
    };
    components(&related).iter().map(|group| [0, 1].map(|end| ends(group, end))).collect()
}
