//! The heaviest set of pairs in which no source and no sink is twice: an assignment, exactly.

use pathfinding::matrix::Matrix;
use pathfinding::prelude::kuhn_munkres;
use petgraph::algo::maximum_flow::dinics;
use petgraph::graph::{DiGraph, NodeIndex};

/// Most sources or sinks of pairs of unlike weights: the time grows with the third power.
pub(super) const MOST_WEIGHTED: usize = 1 << 11;

/// A source, a sink, and the weight of the two, 1 or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub source: u32,
    pub sink: u32,
    pub weight: u32,
}

/// The pairs of an assignment, and the sum of their weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    pub weight: u64,
    pub pairs: Vec<(u32, u32)>,
}

/// More sources or sinks than [`MOST_WEIGHTED`].
#[derive(Debug)]
pub(super) struct TooMany(pub usize);

/// The heaviest assignment among these pairs, each given once, where it weighs more than `beat`. `None`
/// where none does.
pub(super) fn heaviest(pairs: &[Pair], beat: u64) -> Result<Option<Assignment>, TooMany> {
    let sources = distinct(pairs.iter().map(|pair| pair.source));
    let sinks = distinct(pairs.iter().map(|pair| pair.sink));
    let Some(first) = pairs.first() else { return Ok(None) };
    let most = sources.len().min(sinks.len()) as u64;
    let found = if pairs.iter().all(|pair| pair.weight == first.weight) {
        let weight = u64::from(first.weight);
        if most * weight <= beat {
            return Ok(None);
        }
        let pairs = largest(pairs, &sources, &sinks);
        Some(Assignment { weight: weight * pairs.len() as u64, pairs })
    } else {
        let side = sources.len().max(sinks.len());
        if side > MOST_WEIGHTED {
            return Err(TooMany(side));
        }
        weighted(pairs, &sources, &sinks, beat)
    };
    Ok(found.filter(|found| found.weight > beat))
}

fn distinct(all: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Position in a sorted list.
fn place(of: u32, among: &[u32]) -> usize {
    among.binary_search(&of).expect("the list is of all")
}

/// Largest set of these pairs, each given once, of which no two share a source or a sink.
pub fn disjoint(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let pair = |&(source, sink): &(u32, u32)| Pair { source, sink, weight: 1 };
    let pairs: Vec<Pair> = pairs.iter().map(pair).collect();
    let sources = distinct(pairs.iter().map(|pair| pair.source));
    let sinks = distinct(pairs.iter().map(|pair| pair.sink));
    largest(&pairs, &sources, &sinks)
}

/// Largest set of disjoint pairs: a largest flow through channels of capacity 1.
fn largest(pairs: &[Pair], sources: &[u32], sinks: &[u32]) -> Vec<(u32, u32)> {
    let mut graph: DiGraph<(), u32> = DiGraph::new();
    let mut node = || graph.add_node(());
    let (start, end) = (node(), node());
    let left: Vec<NodeIndex> = sources.iter().map(|_| node()).collect();
    let right: Vec<NodeIndex> = sinks.iter().map(|_| node()).collect();
    for pair in pairs {
        let (from, to) = (place(pair.source, sources), place(pair.sink, sinks));
        graph.add_edge(left[from], right[to], 1);
    }
    for &from in &left {
        graph.add_edge(start, from, 1);
    }
    for &to in &right {
        graph.add_edge(to, end, 1);
    }
    // Edges are numbered as they were added.
    let (_, flows) = dinics(&graph, start, end);
    let taken = pairs.iter().zip(flows).filter(|(_, flow)| *flow > 0);
    taken.map(|(pair, _)| (pair.source, pair.sink)).collect()
}

/// The heaviest of unlike weights, by Kuhn and Munkres; `None` where a bound says that it does not
/// weigh more than `beat`.
fn weighted(pairs: &[Pair], sources: &[u32], sinks: &[u32], beat: u64) -> Option<Assignment> {
    // Every row gets a column.
    let across = sources.len() <= sinks.len();
    let (rows, columns) = if across { (sources, sinks) } else { (sinks, sources) };
    let mut weights = Matrix::new(rows.len(), columns.len(), 0i64);
    for pair in pairs {
        let (row, column) =
            if across { (pair.source, pair.sink) } else { (pair.sink, pair.source) };
        weights[(place(row, rows), place(column, columns))] = pair.weight.into();
    }
    let original = weights.clone();
    // What is taken off a whole row, or off a whole column where each gets a row, changes no choice. It
    // leaves nothing to do where a weight is a sum of one of the source and one of the sink.
    let mut taken = 0;
    for row in 0..rows.len() {
        let most = (0..columns.len()).map(|column| weights[(row, column)]).max().unwrap_or(0);
        (0..columns.len()).for_each(|column| weights[(row, column)] -= most);
        taken += most;
    }
    if rows.len() == columns.len() {
        for column in 0..columns.len() {
            let most = (0..rows.len()).map(|row| weights[(row, column)]).max().unwrap_or(0);
            (0..rows.len()).for_each(|row| weights[(row, column)] -= most);
            taken += most;
        }
    }
    // No weight that is left is above 0.
    if taken <= i64::try_from(beat).unwrap_or(i64::MAX) {
        return None;
    }
    let (left, column_of) = kuhn_munkres(&weights);
    let chosen = column_of.iter().enumerate().filter(|&(row, &column)| original[(row, column)] > 0);
    let pair = |(row, &column): (usize, &usize)| match across {
        true => (rows[row], columns[column]),
        false => (columns[column], rows[row]),
    };
    let weight = u64::try_from(taken + left).expect("weights are 0 or more");
    Some(Assignment { weight, pairs: chosen.map(pair).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The most by trying all.
    fn by_trial(weights: &BTreeMap<(u32, u32), u32>, source: u32, taken: u32, count: u32) -> u64 {
        if source == count {
            return 0;
        }
        let without = by_trial(weights, source + 1, taken, count);
        let free = (0..count).filter(|sink| taken >> sink & 1 == 0);
        let with = free.filter_map(|sink| {
            let weight = *weights.get(&(source, sink))?;
            Some(u64::from(weight) + by_trial(weights, source + 1, taken | 1 << sink, count))
        });
        with.max().unwrap_or(0).max(without)
    }

    fn check(weights: &BTreeMap<(u32, u32), u32>) {
        let pairs: Vec<Pair> = weights
            .iter()
            .map(|(&(source, sink), &weight)| Pair { source, sink, weight })
            .collect();
        let most = by_trial(weights, 0, 0, 6);
        let Some(found) = heaviest(&pairs, 0).unwrap() else {
            assert_eq!(most, 0);
            return;
        };
        assert_eq!(found.weight, most, "{weights:?}");
        assert_eq!(found.pairs.iter().map(|pair| u64::from(weights[pair])).sum::<u64>(), most);
        let sources: BTreeSet<u32> = found.pairs.iter().map(|pair| pair.0).collect();
        let sinks: BTreeSet<u32> = found.pairs.iter().map(|pair| pair.1).collect();
        assert_eq!((sources.len(), sinks.len()), (found.pairs.len(), found.pairs.len()));
        assert_eq!(heaviest(&pairs, most).unwrap(), None);
        assert_eq!(heaviest(&pairs, most - 1).unwrap(), Some(found));
    }

    proptest! {
        /// Few pairs and many, of like weights and of unlike ones.
        #[test]
        fn no_other_assignment_weighs_more(
            pairs in prop::collection::btree_map((0u32..6, 0u32..6), 1u32..9, 0..36),
            one in 1u32..5,
        ) {
            check(&pairs);
            check(&pairs.keys().map(|&pair| (pair, one)).collect());
        }
    }

    /// Sums of one number of the source and one of the sink: every assignment of all weighs the same.
    #[test]
    fn sums_are_solved_as_they_stand() {
        let number = |at: u32| at * at % 7 + 1;
        let all = (0..6).flat_map(|s| (0..6).map(move |t| (s, t)));
        check(&all.map(|(s, t)| ((s, t), number(s) + number(t + 3))).collect());
    }

    #[test]
    fn more_than_go_are_refused() {
        let weight = |at: u32| 1 + at % 2;
        let pair = |at: u32| Pair { source: at, sink: at, weight: weight(at) };
        let pairs: Vec<Pair> = (0..=MOST_WEIGHTED as u32).map(pair).collect();
        assert_eq!(heaviest(&pairs, 0).unwrap_err().0, MOST_WEIGHTED + 1);
        let alike: Vec<Pair> = pairs.iter().map(|&pair| Pair { weight: 3, ..pair }).collect();
        let found = heaviest(&alike, 0).unwrap().unwrap();
        assert_eq!(found.weight, 3 * (MOST_WEIGHTED as u64 + 1));
    }
}
