//! Stimulus of a slotted fabric in tests: words at random, in their slots and out of them.

use super::{Model, Offer, Word};
use std::collections::BTreeMap;
use turnpike_base::random::Random;
use turnpike_network::topology::Terminal;
use turnpike_slotted::SlottedPlan;

/// Traffic of [`PHASE`] cycles.
#[derive(Clone, Copy)]
struct Phase {
    /// Share of cycles, in percent, in which a source without an offer begins one.
    offers: u32,
    /// Whether the word is of the flow that has the slot, where one has: every slot is then used.
    in_slot: bool,
}

const PHASES: [Phase; 4] = [
    Phase { offers: 100, in_slot: true },
    Phase { offers: 100, in_slot: false },
    Phase { offers: 10, in_slot: false },
    Phase { offers: 50, in_slot: true },
];
/// Cycles of a phase.
const PHASE: u64 = 61;
/// Share of words to addresses without a flow, in percent, where there are such.
const UNKNOWN: u32 = 8;
/// Share of words that are the last of their packets, in percent.
const LAST: u32 = 40;

/// Inputs of a fabric, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// By source with flows: their destinations, and the addresses without one.
    sources: BTreeMap<Terminal, (Vec<Terminal>, Vec<u64>)>,
    random: Random,
    clock: u64,
    number: u64,
    /// By source with flows, what it offers.
    pub offers: BTreeMap<Terminal, Option<Offer>>,
}

impl Stimulus {
    /// The inputs that follow from a seed; those of the first cycle come by [`Stimulus::step`].
    pub fn new(plan: &SlottedPlan, seed: u64) -> Self {
        let topology = plan.over().topology();
        let mut sources: BTreeMap<Terminal, (Vec<Terminal>, Vec<u64>)> = BTreeMap::new();
        for flow in plan.flows() {
            sources.entry(flow.source).or_default().0.push(flow.destination);
        }
        for (destinations, unknown) in sources.values_mut() {
            let known: Vec<u64> =
                destinations.iter().map(|&to| topology.address(to).0.into()).collect();
            let all = 0..1u64 << topology.address_bits();
            *unknown = all.filter(|address| !known.contains(address)).collect();
        }
        let offers = sources.keys().map(|&source| (source, None)).collect();
        Self { sources, random: Random::new(seed), clock: 0, number: 0, offers }
    }

    /// Goes on to the inputs of the next cycle. What is offered stays until it is taken.
    pub fn step(&mut self, model: &Model) {
        let phase = PHASES[(self.clock / PHASE) as usize % PHASES.len()];
        self.clock += 1;
        let random = &mut self.random;
        for (&source, offer) in &mut self.offers {
            if offer.is_some() || random.below(100) >= phase.offers {
                continue;
            }
            let (destinations, unknown) = &self.sources[&source];
            let open = model.open(source).filter(|_| phase.in_slot);
            if phase.in_slot && open.is_none() {
                continue;
            }
            if !unknown.is_empty() && random.below(100) < UNKNOWN {
                *offer = Some(Offer::Unknown(unknown[random.below(unknown.len() as u32) as usize]));
                continue;
            }
            let drawn = random.below(destinations.len() as u32) as usize;
            let destination = open.unwrap_or(destinations[drawn]);
            self.number += 1;
            let is_last = random.below(100) < LAST;
            *offer = Some(Offer::Word(Word { source, destination, number: self.number, is_last }));
        }
    }

    /// The offers that there are.
    pub fn offered(&self) -> impl Iterator<Item = &Offer> {
        self.offers.values().flatten()
    }

    /// Takes the offers that the fabric takes in this cycle away.
    pub fn take(&mut self, model: &Model) {
        self.offers.values_mut().for_each(|offer| {
            offer.take_if(|offer| model.takes(offer));
        });
    }
}
