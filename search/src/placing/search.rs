//! The search for the least cost: branch and bound, from the best placement that local search finds.

pub use super::bound::Partial;
use super::bound::{Bound, Bounds};
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
const MOST_WAITING: usize = 1 << 17;
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

/// Searches for the placement of least cost. It begins with the terminals where `known` has them, if each can have
/// a place then. Calls `each` with the least cost so far, and the number of partial placements that were looked at.
pub fn place(
    question: &Question,
    known: &Partial,
    limits: &Limits,
    each: impl FnMut(Option<u64>, u64),
) -> Outcome {
    let bounds = Bounds::new(question);
    let nothing = vec![None; question.terminals()];
    let Bound { least, places } = bounds.of(&nothing);
    let start = bounds.of(known).places;
    let best = if question.cost(&start).is_some() { start } else { places };
    let mut branching = Branching {
        cost: question.in_units(&best),
        question,
        bounds,
        best,
        waiting: BinaryHeap::from([Waiting {
            key: Reverse((least, nothing.len())),
            placed: nothing,
        }]),
        most_waiting: MOST_WAITING,
        looked_at: 0,
        limits,
        each,
    };
    for round in 0.. {
        let more = MORE.saturating_pow(round);
        let seed = limits.seed.wrapping_add(u64::from(round) << 32);
        let own = Limits { seed, ..limits.clone() };
        branching.improve(nearer(question, branching.best.clone(), (least, more), &own));
        if let Some(bound) = branching.run(TURN.saturating_mul(more)) {
            return branching.outcome(bound);
        }
    }
    Outcome::Unknown
}

struct Branching<'a, E> {
    question: &'a Question,
    bounds: Bounds<'a>,
    best: Vec<usize>,
    /// Cost of the best.
    cost: i64,
    waiting: BinaryHeap<Waiting>,
    /// Partial placements that wait, at most.
    most_waiting: usize,
    looked_at: u64,
    limits: &'a Limits,
    each: E,
}

impl<E: FnMut(Option<u64>, u64)> Branching<'_, E> {
    /// Outcome where no placement costs less than this.
    fn outcome(self, bound: i64) -> Outcome {
        let Self { question, best, cost, looked_at, .. } = self;
        if cost < question.forbidden() {
            let (cost, bound) = (question.of_units(cost), question.of_units(bound.min(cost)));
            return Outcome::Found(Placement { places: best, cost, bound, looked_at });
        }
        match bound >= question.forbidden() {
            true => Outcome::None { looked_at },
            false => Outcome::Unknown,
        }
    }

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
            if self.waiting.len() >= self.most_waiting {
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
            placed[terminal] = Some(place as u16);
            let Bound { least, places } = self.bounds.of(&placed);
            self.looked_at += 1;
            self.improve(places);
            if least < self.cost.min(self.question.forbidden()) {
                let left = placed.iter().filter(|place| place.is_none()).count();
                children.push(Waiting { key: Reverse((least, left)), placed });
            }
        }
        if self.looked_at % SHOWN < children.len() as u64 {
            let found =
                (self.cost < self.question.forbidden()).then(|| self.question.of_units(self.cost));
            (self.each)(found, self.looked_at);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placing::question::Flow;
    use proptest::prelude::*;

    /// Channels between places: shortest paths over links that are drawn, some one way, with twins: places at one switch.
    fn channels(places: usize, links: &[(usize, usize)], twins: &[usize]) -> Vec<Vec<u32>> {
        let switch = |place: usize| if twins.contains(&place) { place / 2 * 2 } else { place };
        let far = |from, to| if from == to { 0 } else { u32::MAX };
        let mut all: Vec<Vec<u32>> =
            (0..places).map(|from| (0..places).map(|to| far(from, to)).collect()).collect();
        for &(from, to) in links.iter().filter(|(from, to)| from.max(to) < &places && from != to) {
            all[switch(from)][switch(to)] = u32::from(switch(from) != switch(to));
        }
        for by in 0..places {
            for from in 0..places {
                for to in 0..places {
                    let over = all[from][by].saturating_add(all[by][to]);
                    all[from][to] = all[from][to].min(over);
                }
            }
        }
        let at = |from: usize, to: usize| all[switch(from)][switch(to)];
        (0..places).map(|from| (0..places).map(|to| at(from, to)).collect()).collect()
    }

    /// Least cost over all placements that begin like this; `None` where none will do.
    fn by_trial(question: &Question, placed: &Partial) -> Option<u64> {
        let Some(terminal) = placed.iter().position(Option::is_none) else {
            let places: Vec<usize> = placed.iter().flatten().map(|&place| place.into()).collect();
            return question.cost(&places);
        };
        let free = (0..question.places() as u16).filter(|place| !placed.contains(&Some(*place)));
        let with = |place| {
            let mut placed = placed.clone();
            placed[terminal] = Some(place);
            by_trial(question, &placed)
        };
        free.filter_map(with).min()
    }

    fn question() -> impl Strategy<Value = Question> {
        let most = prop_oneof![3 => Just(u32::MAX), 1 => 0..3u32];
        let flow = (0..4usize, 0..4usize, 0..9u64, most);
        let links = prop::collection::vec((0..6usize, 0..6usize), 4..20);
        let twins = prop::collection::vec(0..6usize, 0..4);
        let refused = prop::collection::vec((0..4usize, 0..6usize), 0..4);
        let flows = prop::collection::vec(flow, 1..7);
        (1..5usize, 4..7usize, links, twins, flows, refused).prop_map(
            |(terminals, places, links, twins, flows, refused)| {
                let flows: Vec<Flow> = flows
                    .into_iter()
                    .map(|(from, to, weight, most_channels)| Flow {
                        from,
                        to,
                        weight,
                        most_channels,
                    })
                    .filter(|flow| flow.from.max(flow.to) < terminals)
                    .collect();
                let may = |at, place| !refused.contains(&(at, place));
                let allowed = (0..terminals)
                    .map(|at| (0..places).map(|place| may(at, place)).collect())
                    .collect();
                Question::new(channels(places, &links, &twins), &flows, allowed).unwrap()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        /// Branch and bound finds the least by itself, from the worst start, in turns of any length and with room
        /// for any number of partial placements.
        #[test]
        fn branch_and_bound_alone_finds_the_least(
            question in question(),
            turn in 1..9u64,
            most_waiting in 0..4usize,
        ) {
            let nothing: Partial = vec![None; question.terminals()];
            let limits = Limits::default();
            let mut branching = Branching {
                question: &question,
                bounds: Bounds::new(&question),
                best: vec![0; question.terminals()],
                cost: i64::MAX,
                waiting: BinaryHeap::from([Waiting { key: Reverse((0, 0)), placed: nothing.clone() }]),
                most_waiting,
                looked_at: 0,
                limits: &limits,
                each: |_, _| {},
            };
            let bound = loop {
                if let Some(bound) = branching.run(turn) {
                    break bound;
                }
            };
            match (branching.outcome(bound), by_trial(&question, &nothing)) {
                (Outcome::Found(found), Some(least)) => {
                    prop_assert_eq!((found.cost, found.bound), (least, least));
                }
                (Outcome::None { .. }, None) => {}
                (found, least) => prop_assert!(false, "{found:?}, {least:?}"),
            }
        }

        /// No placement that begins like a partial one costs less than its bound.
        #[test]
        fn bounds_are_bounds(question in question(), drawn in prop::collection::vec(0..12u16, 4)) {
            let mut placed: Partial = vec![None; question.terminals()];
            for (at, &place) in drawn.iter().enumerate().take(placed.len()) {
                if usize::from(place) < question.places() && !placed.contains(&Some(place)) {
                    placed[at] = Some(place);
                }
            }
            let bound = Bounds::new(&question).of(&placed).least;
            if let Some(least) = by_trial(&question, &placed) {
                prop_assert!(question.of_units(bound) <= least, "{bound} {least}");
            }
        }
    }
}
