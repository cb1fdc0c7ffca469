//! A relation under change: its next hops, and what a change of one of them does to loads and
//! crossbars.

use super::options::Options;
use crate::counting::uses;
use crate::question::{Balanced, Question};
use std::collections::BTreeMap;

/// Cost of a packet's turn beyond a bound on crosspoints, beside the squares of loads beyond
/// theirs.
const TURN_COST: i64 = 10;
/// Cost of a turn where bounds on turns are kept: more than the loads of any relation cost.
const KEPT_TURN_COST: i64 = 1 << 40;

/// A relation under change.
pub struct State {
    k: usize,
    /// By node and destination, the dimension to cross.
    next: Vec<u8>,
    /// By node and destination, how many sources have a route that comes by, the node itself
    /// among them.
    sources: Vec<u32>,
    /// By node and dimension, the routes over a channel.
    loads: Vec<i64>,
    /// By node and dimensions of input and output, for how many destinations packets turn so.
    turns: Vec<u32>,
    /// Cost of a turn beyond a bound.
    turn_cost: i64,
    /// Cost of the turns of each switch, and of all.
    turn_costs: Vec<i64>,
    all_turns_cost: i64,
    bounds: Bounds,
    cost: i64,
    /// The channels whose loads are beyond their bounds, and where each stands there.
    uneven: Vec<usize>,
    place: Vec<Option<usize>>,
    /// Kept between moves: changes of loads, of turns, and counts in order.
    routes_moved: Vec<(usize, i64)>,
    turns_moved: Vec<(usize, bool)>,
    turn_costs_moved: Vec<(usize, i64)>,
    sorted: Vec<u32>,
}

/// Bounds that are asked for.
struct Bounds {
    /// The least and the most routes over a channel.
    load: (i64, i64),
    crosspoints: Option<u32>,
    fan_out: Option<u32>,
    fan_in: Option<u32>,
}

impl Bounds {
    fn new(question: &Question) -> Self {
        let most = question.load.map_or(i64::MAX, i64::from);
        let mut load = (0, most);
        if question.balanced == Some(Balanced::Total)
            && let Some((totals, channels)) = uses(question)
        {
            let (routes, channels) = (totals.iter().sum::<u64>() as i64, channels as i64);
            // As much above the mean as below.
            let apart = i64::from(question.imbalance);
            let least = (2 * routes - apart * channels + channels).div_euclid(2 * channels).max(0);
            let least = least.min((most - apart).max(0));
            load = (least, most.min(least + apart));
        }
        let Question { crosspoints, fan_out, fan_in, .. } = *question;
        Self { load, crosspoints, fan_out, fan_in }
    }

    /// Cost of a load.
    fn of_load(&self, load: i64) -> i64 {
        let beyond = (self.load.0 - load).max(load - self.load.1).max(0);
        beyond * beyond
    }

    fn on_turns(&self) -> bool {
        self.crosspoints.is_some() || self.fan_out.is_some() || self.fan_in.is_some()
    }
}

impl State {
    /// State of any relation of these options.
    pub fn new(question: &Question, options: &Options) -> Self {
        let k = question.dimension as usize;
        let nodes = 1 << k;
        let mut state = Self {
            k,
            next: vec![0; nodes * nodes],
            sources: vec![0; nodes * nodes],
            loads: vec![0; nodes * k],
            turns: vec![0; nodes * k * k],
            turn_cost: TURN_COST,
            turn_costs: vec![0; nodes],
            all_turns_cost: 0,
            bounds: Bounds::new(question),
            cost: 0,
            uneven: Vec::new(),
            place: vec![None; nodes * k],
            routes_moved: Vec::new(),
            turns_moved: Vec::new(),
            turn_costs_moved: Vec::new(),
            sorted: Vec::new(),
        };
        for (at, to) in options.pairs() {
            let pair = state.pair(at as usize, to as usize);
            state.next[pair] = options.of(at, to).trailing_zeros() as u8;
        }
        for (from, to) in options.pairs() {
            let (mut at, to) = (from as usize, to as usize);
            let mut before = None;
            while at != to {
                let pair = state.pair(at, to);
                let p = usize::from(state.next[pair]);
                state.sources[pair] += 1;
                state.loads[at * k + p] += 1;
                // A turn counts once for each destination: at the second hop.
                if let Some((input, true)) = before {
                    let turn = state.turn(at, input, p);
                    state.turns[turn] += 1;
                }
                before = Some((p, before.is_none()));
                at ^= 1 << p;
            }
        }
        state.count_costs();
        state
    }

    /// Holds the relation against another question's bounds from now on. Where it keeps those on turns,
    /// no move breaks them.
    pub fn ask(&mut self, question: &Question) {
        self.bounds = Bounds::new(question);
        self.turn_cost = KEPT_TURN_COST;
        self.count_costs();
    }

    /// Counts what the relation costs.
    fn count_costs(&mut self) {
        let mut of_loads = 0;
        for channel in 0..self.loads.len() {
            // A channel between two nodes that are alive is the only way from the one to the other.
            if self.loads[channel] > 0 {
                of_loads += self.bounds.of_load(self.loads[channel]);
                self.note(channel);
            }
        }
        self.turn_costs = (0..1 << self.k).map(|node| self.cost_of_turns(node)).collect();
        self.all_turns_cost = self.turn_costs.iter().sum();
        self.cost = of_loads + self.all_turns_cost;
    }

    /// Cost of the relation: 0 where all bounds hold.
    pub fn cost(&self) -> i64 {
        self.cost
    }

    /// Whether all bounds hold.
    pub fn is_answer(&self) -> bool {
        self.cost == 0
    }

    /// The dimension that packets at `at` for `to` cross.
    pub fn next(&self, at: u32, to: u32) -> u32 {
        self.next[self.pair(at as usize, to as usize)].into()
    }

    /// The next hops: by node and destination.
    pub fn hops(&self, options: &Options) -> BTreeMap<(u32, u32), u32> {
        options.pairs().map(|(at, to)| ((at, to), self.next(at, to))).collect()
    }

    /// Packets at `at` for `to` cross `port` from now on, if that costs at most `most` more.
    /// Takes time as the square of the dimension.
    pub fn attempt(&mut self, at: u32, to: u32, port: u32, most: f64) {
        let more = self.try_move(at, to, port, most);
        if more as f64 > most {
            self.take_back();
            return;
        }
        let (at, to, port) = (at as usize, to as usize, port as usize);
        let old = usize::from(self.next[self.pair(at, to)]);
        let routes = self.sources[self.pair(at, to)];
        self.cost += more;
        self.all_turns_cost += self.turn_costs_moved.iter().map(|(_, more)| more).sum::<i64>();
        for at in 0..self.routes_moved.len() {
            self.note(self.routes_moved[at].0);
        }
        self.each_pair_behind(at, to, old, |sources| *sources -= routes);
        let pair = self.pair(at, to);
        self.next[pair] = port as u8;
        self.each_pair_behind(at, to, port, |sources| *sources += routes);
    }

    /// Cost of [`State::attempt`]; where that is more than `most`, something above it.
    pub fn cost_of(&mut self, at: u32, to: u32, port: u32, most: f64) -> i64 {
        let more = self.try_move(at, to, port, most);
        self.take_back();
        more
    }

    /// Moves loads and turns, and says what that costs: where it is more than `most`, perhaps of
    /// loads alone, and then not less than `most` either.
    fn try_move(&mut self, at: u32, to: u32, port: u32, most: f64) -> i64 {
        let (at, to, port) = (at as usize, to as usize, port as usize);
        let old = usize::from(self.next[self.pair(at, to)]);
        self.turns_moved.clear();
        self.turn_costs_moved.clear();
        let more = self.move_routes(at, to, old, port);
        // At most one turn goes at each input, and one behind; each may count for three bounds.
        let gain = (3 * self.turn_cost * self.k as i64).min(self.all_turns_cost);
        if (more - gain) as f64 <= most {
            return more + self.move_turns(at, to, old, port);
        }
        more
    }

    /// The channels whose loads are beyond their bounds.
    pub fn all_uneven(&self) -> &[usize] {
        &self.uneven
    }

    /// Channels with loads beyond their bounds that the last move changed.
    pub fn uneven_by_last(&self) -> impl Iterator<Item = usize> + '_ {
        let moved = self.routes_moved.iter().map(|(channel, _)| *channel);
        moved.filter(|&channel| self.place[channel].is_some())
    }

    /// Number of routes over a channel.
    #[cfg(test)]
    pub fn load(&self, channel: usize) -> i64 {
        self.loads[channel]
    }

    /// Whether a channel has more routes than it may have.
    pub fn has_too_many(&self, channel: usize) -> bool {
        self.loads[channel] > self.bounds.load.1
    }

    /// A channel whose load is beyond its bounds, by a number that is drawn: node, dimension, and
    /// whether it has too many routes.
    pub fn uneven(&self, drawn: u32) -> Option<(u32, u32, bool)> {
        let most = self.uneven.len();
        let channel = *self.uneven.get((drawn as usize).checked_rem(most)?)?;
        let (node, p) = (channel / self.k, channel % self.k);
        Some((node as u32, p as u32, self.has_too_many(channel)))
    }

    /// Keeps [`State::uneven`] as the load of a channel says.
    fn note(&mut self, channel: usize) {
        match (self.bounds.of_load(self.loads[channel]) > 0, self.place[channel]) {
            (true, None) => {
                self.place[channel] = Some(self.uneven.len());
                self.uneven.push(channel);
            }
            (false, Some(place)) => {
                self.uneven.swap_remove(place);
                self.place[channel] = None;
                if let Some(&moved) = self.uneven.get(place) {
                    self.place[moved] = Some(place);
                }
            }
            _ => {}
        }
    }

    /// Undoes what was moved last.
    fn take_back(&mut self) {
        self.routes_moved.drain(..).for_each(|(channel, by)| self.loads[channel] -= by);
        self.turns_moved.drain(..).for_each(|(turn, comes)| {
            count(&mut self.turns[turn], !comes);
        });
        self.turn_costs_moved.drain(..).for_each(|(node, more)| self.turn_costs[node] -= more);
    }

    /// Moves the routes of a pair, and says what that costs.
    fn move_routes(&mut self, at: usize, to: usize, old: usize, new: usize) -> i64 {
        let routes = i64::from(self.sources[self.pair(at, to)]);
        let mut more = 0;
        self.routes_moved.clear();
        for (first, by) in [(old, -routes), (new, routes)] {
            let (mut at, mut p) = (at, first);
            loop {
                let channel = at * self.k + p;
                let load = self.loads[channel];
                more += self.bounds.of_load(load + by) - self.bounds.of_load(load);
                self.loads[channel] = load + by;
                self.routes_moved.push((channel, by));
                at ^= 1 << p;
                if at == to {
                    break;
                }
                p = usize::from(self.next[self.pair(at, to)]);
            }
        }
        more
    }

    /// Moves the turns of a pair, and says what that costs.
    fn move_turns(&mut self, at: usize, to: usize, old: usize, new: usize) -> i64 {
        if !self.bounds.on_turns() {
            return 0;
        }
        for input in (0..self.k).filter(|input| (at ^ to) >> input & 1 == 0) {
            let before = self.pair(at ^ 1 << input, to);
            // A node that failed has no sources.
            if self.sources[before] > 0 && usize::from(self.next[before]) == input {
                self.turns_moved.push((self.turn(at, input, old), false));
                self.turns_moved.push((self.turn(at, input, new), true));
            }
        }
        let mut nodes = [at, at, at];
        for (touched, (port, comes)) in nodes[1..].iter_mut().zip([(old, false), (new, true)]) {
            *touched = at ^ 1 << port;
            if *touched != to {
                let output = usize::from(self.next[self.pair(*touched, to)]);
                self.turns_moved.push((self.turn(*touched, port, output), comes));
            }
        }
        // Crosspoints come and go with the first and the last destination of a turn.
        let switch = self.k * self.k;
        let mut changed = nodes.map(|node| self.turn_costs[node] > 0);
        for &(turn, comes) in &self.turns_moved {
            count(&mut self.turns[turn], comes);
            if self.turns[turn] == u32::from(comes) {
                let of = |&(_, node): &(usize, &usize)| *node == turn / switch;
                nodes.iter().enumerate().filter(of).for_each(|(at, _)| changed[at] = true);
            }
        }
        let mut more = 0;
        for (node, _) in nodes.into_iter().zip(changed).filter(|(_, changed)| *changed) {
            let by = self.cost_of_turns(node) - self.turn_costs[node];
            self.turn_costs[node] += by;
            self.turn_costs_moved.push((node, by));
            more += by;
        }
        more
    }

    /// Cost of the turns of a switch: those of destinations beyond as many crosspoints as there may
    /// be, the most used ones kept.
    fn cost_of_turns(&mut self, node: usize) -> i64 {
        let Self { k, turns, sorted, bounds, turn_cost, .. } = self;
        let (k, turn_cost) = (*k, *turn_cost);
        let switch = &turns[node * k * k..(node + 1) * k * k];
        let mut beyond = |counts: &mut dyn Iterator<Item = u32>, most: u32| -> i64 {
            sorted.clear();
            sorted.extend(counts.filter(|&count| count > 0));
            if sorted.len() <= most as usize {
                return 0;
            }
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            sorted[most as usize..].iter().map(|&count| i64::from(count)).sum()
        };
        let mut cost = 0;
        if let Some(most) = bounds.fan_out {
            cost += switch.chunks(k).map(|row| beyond(&mut row.iter().copied(), most)).sum::<i64>();
        }
        if let Some(most) = bounds.fan_in {
            let column = |output: usize| switch.iter().copied().skip(output).step_by(k);
            cost += (0..k).map(|output| beyond(&mut column(output), most)).sum::<i64>();
        }
        if let Some(most) = bounds.crosspoints {
            cost += beyond(&mut switch.iter().copied(), most);
        }
        cost * turn_cost
    }

    /// The pairs of a route to `to` behind the hop over `first` from `at`.
    fn each_pair_behind(
        &mut self,
        at: usize,
        to: usize,
        first: usize,
        mut change: impl FnMut(&mut u32),
    ) {
        let mut at = at ^ 1 << first;
        while at != to {
            let pair = self.pair(at, to);
            change(&mut self.sources[pair]);
            at ^= 1 << self.next[pair];
        }
    }

    fn pair(&self, at: usize, to: usize) -> usize {
        at << self.k | to
    }

    fn turn(&self, node: usize, input: usize, output: usize) -> usize {
        (node * self.k + input) * self.k + output
    }
}

fn count(of: &mut u32, comes: bool) {
    *of = if comes { *of + 1 } else { *of - 1 };
}
