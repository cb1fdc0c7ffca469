//! Moves of local search: another switch for an end of a terminal, and other ways for packets.

use super::layout::{Layout, Link, Switch, links};
use super::question::{Pair, Question};
use super::state::Change;
use pathfinding::directed::bfs::bfs;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Draws of moves.
pub(super) struct Moves<'a> {
    question: &'a Question,
    random: ChaCha8Rng,
    /// By terminal, the pairs that begin and end there.
    pairs: Vec<Vec<usize>>,
}

impl<'a> Moves<'a> {
    pub fn new(question: &'a Question, random: ChaCha8Rng) -> Self {
        let own = |terminal: usize| {
            let own = |(_, pair): &(usize, &Pair)| pair.from == terminal || pair.to == terminal;
            question.pairs().iter().enumerate().filter(own).map(|(at, _)| at).collect()
        };
        let pairs = (0..question.terminals()).map(own).collect();
        Self { question, random, pairs }
    }

    /// A number below this one.
    pub fn below(&mut self, most: usize) -> usize {
        (self.random.next_u64() % most.max(1) as u64) as usize
    }

    /// A number above 0 and below 1.
    pub fn chance(&mut self) -> f64 {
        (self.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
    }

    /// A move on this layout; `None` where the one that was drawn changes nothing.
    pub fn draw(&mut self, layout: &Layout) -> Option<Change> {
        let pair = self.below(layout.routes.len());
        let route = &layout.routes[pair];
        match self.below(10) {
            0..3 => {
                let terminal = self.below(layout.homes.len());
                let to = self.switch(layout);
                self.rehome(layout, &[(terminal, to)])
            }
            3 => {
                let [one, other] = [0; 2].map(|_| self.below(layout.homes.len()));
                let homes = [layout.homes[other][0], layout.homes[one][0]];
                (one != other)
                    .then(|| self.rehome(layout, &[(one, homes[0]), (other, homes[1])]))?
            }
            4..6 => {
                let at = self.below(route.len());
                let link = (route[at], *route.get(at + 1)?);
                let by = self.switch(layout);
                let alone = (self.below(2) == 0).then_some(pair);
                Some(rerouted(layout, alone, |own| by_way_of(own, link, by)))
            }
            6..8 => {
                let at = self.below(route.len());
                let [from, by, to] = *route.get(at..at + 3)? else { return None };
                let alone = (self.below(2) == 0).then_some(pair);
                Some(rerouted(layout, alone, |own| straight(own, [from, by, to])))
            }
            8 => {
                let at = self.below(route.len());
                let link = (route[at], *route.get(at + 1)?);
                let alone = (self.below(2) == 0).then_some(pair);
                Some(detoured(layout, alone, link))
            }
            _ => {
                let (into, gone) = (self.switch(layout), *route.first()?);
                (into != gone).then(|| merged(layout, gone, into))
            }
        }
    }

    /// A switch: one that packets pass, or now and then another one.
    fn switch(&mut self, layout: &Layout) -> Switch {
        // Beyond one for each end there is nothing to gain.
        let most = 2 * layout.homes.len();
        if self.below(8) == 0 {
            return self.below(most) as Switch;
        }
        let pair = self.below(layout.routes.len());
        let route = &layout.routes[pair];
        route[self.below(route.len())]
    }

    /// Other switches for these terminals: for both ends, or now and then for one.
    fn rehome(&mut self, layout: &Layout, moved: &[(usize, Switch)]) -> Option<Change> {
        let ends = match self.below(4) {
            0 if !self.question.is_together() => 0..1,
            1 if !self.question.is_together() => 1..2,
            _ => 0..2,
        };
        let mut homes = layout.homes.clone();
        let mut change = Change::default();
        for &(terminal, to) in moved {
            for end in ends.clone() {
                homes[terminal][end] = to;
                change.homes.push(((terminal, end), to));
            }
        }
        let keeps = self.below(2) == 0;
        let mut pairs: Vec<usize> =
            moved.iter().flat_map(|&(terminal, _)| self.pairs[terminal].clone()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        for at in pairs {
            let (pair, old) = (&self.question.pairs()[at], &layout.routes[at]);
            let (from, to) = (homes[pair.from][0], homes[pair.to][1]);
            if (from, to) == (old[0], old[old.len() - 1]) {
                continue;
            }
            // By way of the old switch, or past it.
            let inner = if keeps || old.len() < 3 { &old[..] } else { &old[1..old.len() - 1] };
            let inner = if old.len() < 3 && !keeps { &[][..] } else { inner };
            let all = [&[from][..], inner, &[to][..]].concat();
            change.routes.push((at, simple(&all)));
        }
        Some(change)
    }
}

/// A route without the circles in it.
fn simple(route: &[Switch]) -> Vec<Switch> {
    let mut own: Vec<Switch> = Vec::with_capacity(route.len());
    for &switch in route {
        match own.iter().position(|&other| other == switch) {
            Some(at) => own.truncate(at + 1),
            None => own.push(switch),
        }
    }
    own
}

/// Other routes, by `way`, for one pair or all of them.
fn rerouted(
    layout: &Layout,
    alone: Option<usize>,
    way: impl Fn(&[Switch]) -> Option<Vec<Switch>>,
) -> Change {
    let all = 0..layout.routes.len();
    let pairs = alone.map_or(all, |pair| pair..pair + 1);
    let routes = pairs.filter_map(|at| Some((at, simple(&way(&layout.routes[at])?))));
    Change { homes: Vec::new(), routes: routes.collect() }
}

/// The route with another switch between the ends of a channel.
fn by_way_of(route: &[Switch], link: Link, by: Switch) -> Option<Vec<Switch>> {
    let at = links(route).position(|own| own == link)?;
    Some([&route[..=at], &[by], &route[at + 1..]].concat())
}

/// The route from the first of three switches straight to the last.
fn straight(route: &[Switch], three: [Switch; 3]) -> Option<Vec<Switch>> {
    let at = route.windows(3).position(|own| own == three)?;
    Some([&route[..=at], &route[at + 2..]].concat())
}

/// Routes without a channel, by the fewest others that there are.
fn detoured(layout: &Layout, alone: Option<usize>, link: Link) -> Change {
    let all: Vec<Link> = layout.links().into_iter().filter(|own| *own != link).collect();
    let onward = |from: &Switch| {
        let from = *from;
        all.iter().filter(move |own| own.0 == from).map(|own| own.1).collect::<Vec<_>>()
    };
    let way = bfs(&link.0, onward, |at| *at == link.1);
    rerouted(layout, alone, |route| {
        let at = links(route).position(|own| own == link)?;
        let way = way.as_deref()?;
        Some([&route[..at], way, &route[at + 2..]].concat())
    })
}

/// All of one switch at another one.
fn merged(layout: &Layout, gone: Switch, into: Switch) -> Change {
    let mut homes = Vec::new();
    for (terminal, own) in layout.homes.iter().enumerate() {
        for end in (0..2).filter(|&end| own[end] == gone) {
            homes.push(((terminal, end), into));
        }
    }
    let other = |route: &[Switch]| {
        let moved = |&switch: &Switch| if switch == gone { into } else { switch };
        route.contains(&gone).then(|| route.iter().map(moved).collect())
    };
    Change { homes, ..rerouted(layout, None, other) }
}
