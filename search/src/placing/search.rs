//! The search for the least cost: branch and bound, from the best placement that local search finds.

use super::bound::{Bound, Bounds, Partial};
use super::near::nearer;
use super::question::Question;
use super::symmetry::representatives;
use crate::gap::gap;
use crate::solver::Limits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Partial placements that branch and bound looks at before local search has its turn again, in the first
/// round.
const TURN: u64 = 20_000;
/// Factor by which the turns of both grow from round to round.
const MORE: u64 = 4;
/// Partial placements that wait, at most; what has no room is gone through at once.
const MOST_WAITING: usize = 1 << 18;
/// Placements after which progress is shown.
const SHOWN: u64 = 1024;

/// A placement, and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Place of each terminal.
    pub places: Vec<usize>,
    /// The cost ([`Question::cost`]).
    pub cost: u64,
    /// No placement costs less than this.
    pub bound: u64,
    /// Partial placements that branch and bound looked at.
    pub looked_at: u64,
}

impl Placement {
    /// Whether the cost is known to be the least.
    pub fn is_least(&self) -> bool {
        self.cost == self.bound
    }

    /// Difference of cost and bound, in parts of the bound; `None` where that is 0 and the cost is not.
    pub fn gap(&self) -> Option<f64> {
        gap(self.cost, self.bound)
    }
}

/// Outcome of a search for places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A placement.
    Found(Placement),
    /// No placement keeps all flows within the channels that they may take; so many partial ones
    /// were looked at.
    None {
        /// Partial placements that branch and bound looked at.
        looked_at: u64,
    },
    /// Whether there is any is not known within the limits.
    Unknown,
}

/// Partial placement that waits.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The least bound goes first; of those with the same, the one with the most terminals placed.
    key: Reverse<(i64, usize)>,
    placed: Partial,
}

/// Searches for the placement of least cost. It begins with `known` where there is one. Calls `each` with the
/// least cost so far, and the bound.
pub fn place(
    question: &Question,
    known: Option<&[usize]>,
    limits: &Limits,
    each: impl FnMut(Option<u64>, u64),
) -> Outcome {
    let bounds = Bounds::new(question);
    let nothing = vec![None; question.terminals()];
    let Bound { least, places } = bounds.of(&nothing);
    // Local search begins where every terminal is at a place of its own where it may be.
    let known = known.filter(|known| question.cost(known).is_some());
    let best = known.map_or(places, <[usize]>::to_vec);
    let cost = question.in_units(&best);
    let first = Waiting { key: Reverse((least, nothing.len())), placed: nothing };
    let waiting = BinaryHeap::from([first]);
    let mut branching =
        Branching { question, bounds, best, cost, waiting, looked_at: 0, limits, each };
    let mut round = 0;
    let bound = loop {
        let more = MORE.saturating_pow(round);
        let seed = limits.seed.wrapping_add(u64::from(round) << 32);
        let own = Limits { seed, ..limits.clone() };
        branching.improve(nearer(question, branching.best.clone(), more, &own));
        if let Some(bound) = branching.run(TURN.saturating_mul(more)) {
            break bound;
        }
        round += 1;
    };
    let Branching { best, cost, looked_at, .. } = branching;
    if cost < question.forbidden() {
        let (cost, bound) = (question.of_units(cost), question.of_units(bound.min(cost)));
        return Outcome::Found(Placement { places: best, cost, bound, looked_at });
    }
    if bound >= question.forbidden() { Outcome::None { looked_at } } else { Outcome::Unknown }
}

struct Branching<'a, E> {
    question: &'a Question,
    bounds: Bounds<'a>,
    best: Vec<usize>,
    /// Cost of the best.
    cost: i64,
    waiting: BinaryHeap<Waiting>,
    looked_at: u64,
    limits: &'a Limits,
    each: E,
}

impl<E: FnMut(Option<u64>, u64)> Branching<'_, E> {
    /// Takes a placement where it is better than the best.
    fn improve(&mut self, places: Vec<usize>) {
        let cost = self.question.in_units(&places);
        if cost < self.cost {
            (self.best, self.cost) = (places, cost);
        }
    }

    /// Goes on until there is nothing better, or the limits are reached: no placement costs less than
    /// what it returns. `None` where it has looked at `most` partial placements before.
    fn run(&mut self, most: u64) -> Option<i64> {
        let until = self.looked_at.saturating_add(most);
        while self.looked_at < until {
            let Some(next) = self.waiting.pop() else { return Some(self.cost) };
            let Reverse((bound, _)) = next.key;
            // All others wait with bounds that are no less.
            if bound >= self.cost.min(self.question.forbidden()) {
                return Some(bound.min(self.cost));
            }
            if self.waiting.len() >= MOST_WAITING {
                if !self.dive(next) {
                    return Some(bound);
                }
                continue;
            }
            match self.children(&next.placed) {
                Some(children) => self.waiting.extend(children),
                None => return Some(bound),
            }
        }
        None
    }

    /// Goes through all that begins like this, deepest first; whether it came to the end.
    fn dive(&mut self, first: Waiting) -> bool {
        let mut stack = vec![first];
        while let Some(next) = stack.pop() {
            let Reverse((bound, _)) = next.key;
            if bound >= self.cost {
                continue;
            }
            let Some(mut children) = self.children(&next.placed) else { return false };
            children.sort_unstable();
            stack.extend(children);
        }
        true
    }

    /// Partial placements with one terminal more that may become better than the best; `None` where the
    /// limits are reached before all are known.
    fn children(&mut self, placed: &Partial) -> Option<Vec<Waiting>> {
        let mut children = Vec::new();
        let Some(terminal) = self.next(placed) else { return Some(children) };
        for place in representatives(self.question, placed, terminal) {
            if self.limits.are_reached() {
                return None;
            }
            let mut placed = placed.clone();
            placed[terminal] = Some(place);
            let Bound { least, places } = self.bounds.of(&placed);
            self.looked_at += 1;
            self.improve(places);
            if least < self.cost.min(self.question.forbidden()) {
                let left = placed.iter().filter(|place| place.is_none()).count();
                children.push(Waiting { key: Reverse((least, left)), placed });
            }
        }
        if self.looked_at % SHOWN < children.len() as u64 {
            let least = children.iter().map(|child| child.key.0.0).min().unwrap_or(self.cost);
            let found =
                (self.cost < self.question.forbidden()).then(|| self.question.of_units(self.cost));
            (self.each)(found, self.question.of_units(least));
        }
        Some(children)
    }

    /// The terminal that is placed next: one with the fewest places, then one that shares most with those
    /// that are placed, then one with the most of all.
    fn next(&self, placed: &Partial) -> Option<usize> {
        let question = self.question;
        let left = (0..placed.len()).filter(|&terminal| placed[terminal].is_none());
        left.max_by_key(|&terminal| {
            let own = question.of_terminal(terminal);
            let (mut shared, mut all) = (0, 0);
            for flow in own {
                let other = if flow.from == terminal { flow.to } else { flow.from };
                all += flow.weight;
                shared += if placed[other].is_some() { flow.weight } else { 0 };
            }
            let is_fixed = question.choices(terminal) == 1;
            (is_fixed, shared, all, Reverse(terminal))
        })
    }
}
