//! Bound on the cost of placements of which a part is fixed (Gilmore 1962, Lawler 1963).
//!
//! Each terminal that is left goes to a place that is left. At that place its flows to placed terminals
//! cost what they cost; those to others cost at least as if its heaviest went to the nearest free place, and so
//! on. Half of the latter counts for either end of a flow. The cheapest assignment of terminals to places by these
//! costs is the bound.

use super::question::{Flow, Question};
use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

/// A placement of some terminals: the place of each, or `None`.
pub type Partial = Vec<Option<u16>>;

/// Places and flows in the order in which bounds take them.
pub(super) struct Bounds<'a> {
    question: &'a Question,
    /// By place, the others by ascending number of channels to them, and from them.
    near: [Vec<Vec<usize>>; 2],
    /// By terminal, its flows to others by descending weight, and those from others.
    heavy: [Vec<Vec<Flow>>; 2],
}

/// Bound of a partial placement.
pub(super) struct Bound {
    /// No placement that begins like this costs less.
    pub(super) least: i64,
    /// A placement that begins like this: perhaps a good one.
    pub(super) places: Vec<usize>,
}

impl<'a> Bounds<'a> {
    pub(super) fn new(question: &'a Question) -> Self {
        let all = 0..question.places();
        let sorted = |channels: &dyn Fn(usize) -> u32| {
            let mut others: Vec<usize> = all.clone().collect();
            others.sort_by_key(|&other| channels(other));
            others
        };
        let near = [
            all.clone().map(|at| sorted(&|to| question.channels(at, to))).collect(),
            all.clone().map(|at| sorted(&|from| question.channels(from, at))).collect(),
        ];
        let flows = |end: fn(&Flow) -> usize| {
            let own = |terminal: usize| {
                let flows = question.of_terminal(terminal);
                let flows = flows.filter(|flow| end(flow) == terminal && flow.from != flow.to);
                let mut flows: Vec<Flow> = flows.copied().collect();
                flows.sort_by_key(|flow| std::cmp::Reverse(flow.weight));
                flows
            };
            (0..question.terminals()).map(own).collect()
        };
        Self { question, near, heavy: [flows(|flow| flow.from), flows(|flow| flow.to)] }
    }

    /// Bound of a partial placement.
    pub(super) fn of(&self, placed: &Partial) -> Bound {
        let question = self.question;
        let mut is_free = vec![true; question.places()];
        placed.iter().flatten().for_each(|&place| is_free[usize::from(place)] = false);
        let left: Vec<usize> = (0..placed.len()).filter(|&at| placed[at].is_none()).collect();
        let free: Vec<usize> = (0..is_free.len()).filter(|&place| is_free[place]).collect();
        let fixed: i64 = question
            .flows()
            .iter()
            .filter_map(|flow| {
                let [from, to] = [placed[flow.from]?, placed[flow.to]?].map(usize::from);
                Some(question.flow_cost(flow, from, to))
            })
            .sum();
        let mut places: Vec<usize> = placed.iter().map(|place| place.unwrap_or(0).into()).collect();
        if left.is_empty() {
            return Bound { least: fixed, places };
        }
        let mut costs = Matrix::new(left.len(), free.len(), 0);
        for (column, &place) in free.iter().enumerate() {
            let channels = self.nearest(place, &is_free, left.len() - 1);
            for (row, &terminal) in left.iter().enumerate() {
                costs[(row, column)] = self.twice(terminal, place, placed, &channels);
            }
        }
        let (twice, columns) = kuhn_munkres_min(&costs);
        for (&terminal, column) in left.iter().zip(columns) {
            places[terminal] = free[column];
        }
        // Half a unit is none less.
        Bound { least: fixed + (twice + 1).div_euclid(2), places }
    }

    /// Numbers of channels to the nearest free places from this one, and from them.
    fn nearest(&self, place: usize, is_free: &[bool], most: usize) -> [Vec<u32>; 2] {
        let others = |near: &[usize]| {
            let free = near.iter().copied().filter(|&other| other != place && is_free[other]);
            free.take(most).collect::<Vec<usize>>()
        };
        [
            others(&self.near[0][place])
                .iter()
                .map(|&to| self.question.channels(place, to))
                .collect(),
            others(&self.near[1][place])
                .iter()
                .map(|&from| self.question.channels(from, place))
                .collect(),
        ]
    }

    /// Twice the cost of a terminal at a place, half of what its flows to terminals cost that are not placed.
    fn twice(
        &self,
        terminal: usize,
        place: usize,
        placed: &Partial,
        channels: &[Vec<u32>; 2],
    ) -> i64 {
        let question = self.question;
        if !question.is_allowed(terminal, place) {
            return question.forbidden();
        }
        let own = question.of_terminal(terminal).filter(|flow| flow.from == flow.to);
        let mut cost = own.map(|flow| 2 * question.flow_cost(flow, place, place)).sum();
        for (heavy, channels) in self.heavy.iter().zip(channels) {
            let mut nearest = channels.iter();
            for flow in &heavy[terminal] {
                let other = if flow.from == terminal { flow.to } else { flow.from };
                cost += match placed[other].map(usize::from) {
                    Some(there) if flow.from == terminal => {
                        2 * question.flow_cost(flow, place, there)
                    }
                    Some(there) => 2 * question.flow_cost(flow, there, place),
                    None => match nearest.next() {
                        Some(&channels) if channels != u32::MAX => {
                            flow.weight as i64 * i64::from(channels)
                        }
                        _ => question.forbidden(),
                    },
                };
            }
        }
        cost
    }
}
