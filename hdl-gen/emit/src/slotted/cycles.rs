//! Cycles of a slotted fabric that its testbench replays: when the reference model takes words, and when and
//! where they come.

use crate::recording::{Recording, resets};
use std::collections::HashMap;
use turnpike_base::bits::{bits_for, low_bits};
use turnpike_base::hash::hash;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::slotted::{Model, Offer, Stimulus};
use turnpike_slotted::SlottedPlan;

/// Seed of the stimulus.
const SEED: u64 = 1;
/// Cycles between two resets at most, beside those of two frames.
const LONGEST_GAP: u32 = 50;
/// Bits that tell apart the words of one source.
pub(super) const NUMBER_BITS: u32 = 8;

/// Bits of the place of a source among those that have ports.
pub(super) fn source_bits(plan: &SlottedPlan) -> u32 {
    bits_for(plan.over().sources().len() as u32)
}

/// Records the cycles of a fabric.
pub(super) fn record(plan: &SlottedPlan) -> Recording {
    let mut model = Model::new(plan);
    let mut stimulus = Stimulus::new(plan, SEED);
    let (sources, sinks) = (plan.over().sources(), plan.over().sinks());
    let address = plan.address_bits();
    let address_of = |terminal| plan.address(terminal);
    // By source, the words that were taken; and the number of each among those of its source.
    let mut taken: HashMap<Terminal, u32> = HashMap::new();
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let resets = resets(LONGEST_GAP + 2 * plan.frame());
    Recording::new(|rows, cycle| {
        let reset = resets.contains(&cycle);
        if reset {
            model.reset();
        }
        stimulus.step(&model);
        let offers: Vec<Option<Offer>> =
            sources.iter().map(|source| stimulus.offers.get(source).copied().flatten()).collect();
        let takes = |offer: &Option<Offer>| !reset && offer.is_some_and(|o| model.takes(&o));
        let unknown = |offer: &Option<Offer>| !reset && matches!(offer, Some(Offer::Unknown(_)));
        let last = |offer: &Option<Offer>| matches!(offer, Some(Offer::Word(w)) if w.is_last);
        let dest = |(source, offer): (u64, &Option<Offer>)| match offer {
            Some(Offer::Word(word)) => address_of(word.destination),
            Some(Offer::Unknown(address)) => *address,
            // What is not offered is noise.
            None => hash(SEED, &[0, cycle.into(), source]) & low_bits(address),
        };
        let open = |source: &Terminal| model.open(*source).filter(|_| !reset);
        let shown: Vec<_> = sinks.iter().map(|&s| model.shown(s).filter(|_| !reset)).collect();
        rows.put("reset", 1, [reset]);
        // A source without flows may offer anything.
        let is_idle = |source: &Terminal| !plan.sends(*source);
        let noise = |source: &Terminal| hash(SEED, &[1, cycle.into(), source.0.into()]) & 1 == 1;
        let valid = sources.iter().zip(&offers);
        let valid = valid.map(|(source, own)| own.is_some() || is_idle(source) && noise(source));
        rows.put("s_valid", 1, valid);
        rows.put("s_last", 1, offers.iter().map(last));
        rows.put("s_dest", address, (0..).zip(&offers).map(dest));
        rows.put("s_ready", 1, offers.iter().map(takes));
        rows.put("s_error", 1, offers.iter().map(unknown));
        rows.put("slot_valid", 1, sources.iter().map(|s| open(s).is_some()));
        rows.put("slot_dest", address, sources.iter().map(|s| open(s).map_or(0, address_of)));
        rows.put("m_valid", 1, shown.iter().map(Option::is_some));
        rows.put("m_last", 1, shown.iter().map(|word| word.is_some_and(|word| word.is_last)));
        let place = |source| sources.binary_search(&source).unwrap_or(0) as u64;
        let from = shown.iter().map(|word| word.map_or(0, |word| place(word.source)));
        rows.put("m_source", source_bits(plan), from);
        let number = shown.iter().map(|word| word.map_or(0, |word| numbers[&word.number]));
        rows.put("m_number", NUMBER_BITS, number.map(|number| number % (1 << NUMBER_BITS)));
        if reset {
            return;
        }
        for (&source, offer) in sources.iter().zip(&offers).filter(|(_, offer)| takes(offer)) {
            let taken = taken.entry(source).or_default();
            if let Some(Offer::Word(word)) = offer {
                numbers.insert(word.number, *taken);
            }
            *taken += 1;
        }
        let offered: Vec<Offer> = stimulus.offered().copied().collect();
        stimulus.take(&model);
        model.clock(&offered);
    })
}
