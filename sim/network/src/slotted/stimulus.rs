//! Stimulus of a slotted fabric in tests: words at random, in their slots and out of them.

use super::{Model, Offer, Word};
use std::collections::BTreeMap;
use std::iter;
use turnpike_base::bits::low_bits;
use turnpike_base::random::Random;
use turnpike_network::topology::Terminal;
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// Traffic of a number of cycles.
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
/// Cycles of a phase at least, and those beyond a frame: in a phase of words in their slots each slot of each flow
/// comes by.
const PHASE: u64 = 61;
const BEYOND_FRAME: u64 = 20;
/// Share of words to addresses without a flow, in percent, where there are such.
const UNKNOWN: u32 = 8;
/// Share of words that are the last of their packets, in percent.
const LAST: u32 = 40;

/// Inputs of a fabric, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// By source with flows: their destinations, and whether there are addresses without one.
    sources: BTreeMap<Terminal, (Vec<Terminal>, bool)>,
    /// By destination, its address; and the bits of one.
    addresses: BTreeMap<Terminal, u64>,
    address_bits: u32,
    /// Cycles of a phase.
    phase: u64,
    random: Random,
    clock: u64,
    number: u64,
    /// By source with flows, what it offers.
    pub offers: BTreeMap<Terminal, Option<Offer>>,
}

impl Stimulus {
    /// The inputs that follow from a seed; those of the first cycle come by [`Stimulus::step`].
    pub fn new(plan: &SlottedPlan, seed: u64) -> Self {
        let mut sources: BTreeMap<Terminal, (Vec<Terminal>, bool)> = BTreeMap::new();
        for flow in plan.flows() {
            let refuses = || (Vec::new(), plan.refuses(flow.source));
            sources.entry(flow.source).or_insert_with(refuses).0.push(flow.destination);
        }
        let address = |flow: &SlottedFlow| (flow.destination, plan.address(flow.destination));
        let addresses = plan.flows().iter().map(address).collect();
        let address_bits = plan.address_bits();
        let phase = PHASE.max(u64::from(plan.frame()) + BEYOND_FRAME);
        let offers = sources.keys().map(|&source| (source, None)).collect();
        Self {
            sources,
            addresses,
            address_bits,
            phase,
            random: Random::new(seed),
            clock: 0,
            number: 0,
            offers,
        }
    }

    /// Goes on to the inputs of the next cycle. What is offered stays until it is taken.
    pub fn step(&mut self, model: &Model) {
        let phase = PHASES[(self.clock / self.phase) as usize % PHASES.len()];
        self.clock += 1;
        let random = &mut self.random;
        for (&source, offer) in &mut self.offers {
            if offer.is_some() || random.below(100) >= phase.offers {
                continue;
            }
            let (destinations, refuses) = &self.sources[&source];
            let open = model.open(source).filter(|_| phase.in_slot);
            if phase.in_slot && open.is_none() {
                continue;
            }
            if *refuses && random.below(100) < UNKNOWN {
                let known =
                    |address: u64| destinations.iter().any(|to| self.addresses[to] == address);
                let drawn =
                    iter::repeat_with(|| u64::from(random.word()) & low_bits(self.address_bits));
                let address = { drawn }.find(|&address| !known(address));
                *offer = address.map(Offer::Unknown);
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
