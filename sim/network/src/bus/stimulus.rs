//! Stimulus of a bus fabric in tests: words and back-pressure at random.

use super::{Offer, Word};
use crate::traffic::random::Random;
use std::collections::HashSet;
use turnpike_bus::{BusFlows, BusPlan, Grid, Layout};

/// Traffic of [`PHASE`] cycles. Shares are in percent.
#[derive(Clone, Copy)]
struct Phase {
    /// Cycles in which a source begins to offer a word.
    offers: u32,
    /// Cycles in which a sink takes one.
    takes: u32,
    /// Words for one and the same node.
    same: u32,
    /// Sources of which one sends.
    of_sources: u32,
    /// Cycles until that node is another.
    chosen: u64,
}

const fn phase(offers: u32, takes: u32, same: u32) -> Phase {
    Phase { offers, takes, same, of_sources: 1, chosen: PHASE }
}

/// Phases, in turn. In the last senders collide over and over, so that each draws often.
const PHASES: [Phase; 6] = [
    phase(100, 100, 0),
    phase(30, 100, 10),
    phase(100, 10, 30),
    phase(60, 60, 60),
    phase(5, 100, 100),
    phase(100, 100, 100),
];
/// Each second time around the phase in place of each of them where words pass several senders: the words of
/// few sources come through to the next senders, which a sink that seldom takes one refuses over and over.
const BEYOND: Phase = Phase { of_sources: 16, chosen: PHASE / 2, ..phase(100, 20, 100) };
/// Cycles of a phase.
const PHASE: u64 = 64;
/// Share of words that are refused, in percent, where there are such: to addresses without a node, or without
/// a flow.
const UNKNOWN: u32 = 8;

/// Inputs of a fabric, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Stimulus {
    grid: Grid,
    /// Whether words pass several senders.
    is_leveled: bool,
    flows: Option<BusFlows>,
    random: Random,
    clock: u64,
    number: u64,
    /// By source, what it offers.
    pub offers: Vec<Option<Offer>>,
    /// Addresses of the offers.
    pub addresses: Vec<u64>,
    /// By sink, whether it takes a word.
    pub takes: Vec<bool>,
}

impl Stimulus {
    /// The inputs that follow from a seed; those of the first cycle come by [`Stimulus::step`].
    pub fn new(plan: &BusPlan, seed: u64) -> Self {
        let nodes = plan.terminals() as usize;
        Self {
            grid: plan.grid.clone(),
            is_leveled: matches!(plan.layout, Layout::Leveled(_)),
            flows: plan.flows().cloned(),
            random: Random::new(seed),
            clock: 0,
            number: 0,
            offers: vec![None; nodes],
            addresses: vec![0; nodes],
            takes: vec![false; nodes],
        }
    }

    /// Goes on to the inputs of the next cycle. What is offered stays until it is taken.
    pub fn step(&mut self) {
        let nodes = self.grid.nodes();
        let (number, count) = ((self.clock / PHASE) as usize, PHASES.len());
        let phase = match self.is_leveled && number / count % 2 == 1 {
            true => BEYOND,
            false => PHASES[number % count],
        };
        let Phase { offers, takes, same, .. } = phase;
        let chosen = (self.clock / phase.chosen * 7) as u32 % nodes;
        let of_sources = phase.of_sources.min(nodes);
        self.clock += 1;
        for node in 0..nodes as usize {
            self.takes[node] = self.random.below(100) < takes;
            let sends = (node + number / count).is_multiple_of(of_sources as usize);
            if !sends || self.offers[node].is_some() || self.random.below(100) >= offers {
                continue;
            }
            let own = self.flows.as_ref().map(|flows| flows.of_source(node as u32));
            if own.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let partial = own.is_some() || !self.grid.fills_addresses();
            if partial && self.random.below(100) < UNKNOWN {
                self.addresses[node] = self.unknown_address(own.as_deref());
                self.offers[node] = Some(Offer::Unknown);
                continue;
            }
            let is_chosen = self.random.below(100) < same;
            let destination = match own {
                None if is_chosen => chosen,
                None => self.random.below(nodes),
                Some(own) if is_chosen => own[0],
                Some(own) => own[self.random.below(own.len() as u32) as usize],
            };
            self.number += 1;
            self.addresses[node] = self.grid.address(destination);
            let word = Word { source: node as u32, destination, number: self.number };
            self.offers[node] = Some(Offer::Word(word));
        }
    }

    /// An address that a source may not send to: without a node, or of none of `own`.
    fn unknown_address(&mut self, own: Option<&[u32]>) -> u64 {
        let grid = &self.grid;
        let known: HashSet<u64> = match own {
            None => (0..grid.nodes()).map(|node| grid.address(node)).collect(),
            Some(own) => own.iter().map(|&node| grid.address(node)).collect(),
        };
        loop {
            let address = u64::from(self.random.below(1 << grid.address_bits()));
            if !known.contains(&address) {
                return address;
            }
        }
    }

    /// Takes the offers of the sources that are ready.
    pub fn take(&mut self, ready: impl Fn(u32) -> bool) {
        let offers = (0..).zip(&mut self.offers);
        offers.filter(|(source, _)| ready(*source)).for_each(|(_, offer)| *offer = None);
    }
}
