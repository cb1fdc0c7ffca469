//! Words that make room: one that finds no slot takes that where it is least in the way, and the words that
//! it meets there look for others. A word weighs more each time it has to go, so that the same few do not
//! chase each other for ever (weights as in Morris, *The Breakout Method for Escaping from Local Minima*,
//! AAAI 1993).

use super::{Flow, Flows, TimeTable};
use std::collections::VecDeque;

/// Most looks at a channel in a slot: about a second.
const MOST_LOOKS: u64 = 1 << 28;
/// Most looks for each channel of each word's route in each slot: where so few are not enough, more have
/// seldom helped.
const ROUNDS: u64 = 1 << 9;
/// Most channels times slots, for the word that is in each.
const MOST_PLACES: u64 = 1 << 25;
/// No word.
const FREE: u32 = u32::MAX;

/// A table of this frame; `None` where none was found within the bounds. No flow [meets
/// itself](Flows::meets_itself) in the frame, and it has at least [`Flows::bound`] slots.
pub(super) fn by_eviction(flows: &Flows, frame: u32) -> Option<TimeTable> {
    if u64::from(flows.channels()) * u64::from(frame) > MOST_PLACES {
        return None;
    }
    let mut seats = Seats::new(flows, frame);
    let uses: u64 = flows.loads().iter().map(|&load| u64::from(load)).sum();
    let most = MOST_LOOKS.min(ROUNDS * uses * u64::from(frame));
    let mut looks = 0;
    while let Some(word) = seats.waiting.pop_front() {
        if looks > most {
            return None;
        }
        let start = seats.best(word, &mut looks);
        seats.evict(word, start);
        seats.sit(word, start);
    }
    Some(seats.table())
}

/// Slots of the words.
struct Seats<'a> {
    flows: &'a Flows,
    frame: u32,
    /// By word, its flow.
    flow: Vec<u32>,
    /// By word, its start, where it has one.
    start: Vec<u32>,
    /// By word, how often it had to go, and 1.
    weight: Vec<u32>,
    /// By channel and slot, the word in it.
    taken: Vec<u32>,
    /// Words without a slot.
    waiting: VecDeque<u32>,
    /// Slot at which the next search begins, so that equal slots are taken in turn.
    begin: u32,
}

impl<'a> Seats<'a> {
    fn new(flows: &'a Flows, frame: u32) -> Self {
        let of = |(flow, f): (u32, &Flow)| std::iter::repeat_n(flow, f.words as usize);
        let flow: Vec<u32> = (0..).zip(flows.list()).flat_map(of).collect();
        let words = flow.len();
        Self {
            flows,
            frame,
            start: vec![FREE; words],
            weight: vec![1; words],
            taken: vec![FREE; flows.channels() as usize * frame as usize],
            waiting: (0..words as u32).collect(),
            flow,
            begin: 0,
        }
    }

    fn route(&self, word: u32) -> &'a [u32] {
        &self.flows.list()[self.flow[word as usize] as usize].route
    }

    /// The places of a word that starts in this slot.
    fn places(&self, word: u32, start: u32) -> impl Iterator<Item = usize> + use<'a> {
        let frame = self.frame;
        let mut slot = start;
        self.route(word).iter().map(move |&channel| {
            let place = channel as usize * frame as usize + slot as usize;
            slot = if slot + 1 == frame { 0 } else { slot + 1 };
            place
        })
    }

    /// The slot in which a word would drive out the least weight.
    fn best(&mut self, word: u32, looks: &mut u64) -> u32 {
        // Any step that is prime to most frames spreads the beginnings.
        self.begin = (self.begin + 7) % self.frame;
        let mut best = (u64::MAX, 0);
        for start in (self.begin..self.frame).chain(0..self.begin) {
            let mut cost = 0;
            for place in self.places(word, start) {
                *looks += 1;
                let other = self.taken[place];
                if other != FREE {
                    cost += u64::from(self.weight[other as usize]);
                    if cost >= best.0 {
                        break;
                    }
                }
            }
            if cost < best.0 {
                best = (cost, start);
                if cost == 0 {
                    break;
                }
            }
        }
        best.1
    }

    /// The words that are in the way go.
    fn evict(&mut self, word: u32, start: u32) {
        for place in self.places(word, start) {
            let other = self.taken[place];
            if other == FREE {
                continue;
            }
            let from = std::mem::replace(&mut self.start[other as usize], FREE);
            self.places(other, from).for_each(|place| self.taken[place] = FREE);
            self.weight[other as usize] += 1;
            self.waiting.push_back(other);
        }
    }

    fn sit(&mut self, word: u32, start: u32) {
        self.places(word, start).for_each(|place| self.taken[place] = word);
        self.start[word as usize] = start;
    }

    fn table(self) -> TimeTable {
        let mut starts = vec![Vec::new(); self.flows.list().len()];
        for (&flow, &start) in self.flow.iter().zip(&self.start) {
            starts[flow as usize].push(start);
        }
        starts.iter_mut().for_each(|starts| starts.sort_unstable());
        TimeTable { frame: self.frame, starts }
    }
}
