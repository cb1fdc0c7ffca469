//! Cycles of a bus fabric that its testbench replays: when the reference model takes words, and when
//! and where they come. So every draw, every wait and every turn is held.

use crate::recording::{Recording, resets};
use std::collections::HashMap;
use turnpike_base::bits::bits_for;
use turnpike_bus::BusPlan;
use turnpike_sim_network::bus::fabric::FabricModel;
use turnpike_sim_network::bus::{Offer, Stimulus};

/// Seed of the stimulus.
const SEED: u64 = 1;
/// Cycles between two resets at most.
const LONGEST_GAP: u32 = 50;
/// Bits that tell apart the words of one source.
pub(super) const NUMBER_BITS: u32 = 8;

/// Records the cycles of a fabric.
pub(super) fn record(plan: &BusPlan) -> Recording {
    let mut model = FabricModel::new(plan);
    let mut stimulus = Stimulus::new(plan, SEED);
    // By source, the words that were taken; and the number of each among those of its source.
    let mut taken = vec![0u32; plan.terminals() as usize];
    let mut numbers = HashMap::new();
    let terminals = 0..plan.terminals();
    let resets = resets(LONGEST_GAP);
    Recording::new(|rows, cycle| {
        let reset = resets.contains(&cycle);
        stimulus.step();
        let ready: Vec<bool> =
            terminals.clone().map(|source| !reset && model.ready(source)).collect();
        let offered =
            terminals.clone().map(|sink| model.offered(sink).filter(|_| !reset)).collect();
        put(rows, plan, reset, &stimulus, &ready, Shown { words: offered, numbers: &numbers });
        for (source, offer) in stimulus.offers.iter().enumerate().filter(|(s, _)| ready[*s]) {
            let Some(offer) = offer else { continue };
            if let Offer::Word(word) = offer {
                numbers.insert(word.number, taken[source]);
            }
            taken[source] += 1;
        }
        match reset {
            true => model.reset(),
            false => model.clock(&stimulus.offers, &stimulus.takes),
        }
        stimulus.take(|source| ready[source as usize]);
    })
}

/// Words that the sinks show in a cycle.
struct Shown<'a> {
    words: Vec<Option<turnpike_sim_network::bus::Word>>,
    /// Number of each word among those of its source, by the value that tells words apart.
    numbers: &'a HashMap<u64, u32>,
}

fn put(
    rows: &mut Recording,
    plan: &BusPlan,
    reset: bool,
    stimulus: &Stimulus,
    ready: &[bool],
    shown: Shown<'_>,
) {
    let offers = &stimulus.offers;
    rows.put("reset", 1, [reset]);
    rows.put("s_valid", 1, offers.iter().map(Option::is_some));
    rows.put("s_dest", plan.grid.address_bits(), stimulus.addresses.iter().copied());
    rows.put("m_ready", 1, stimulus.takes.iter().copied());
    rows.put("s_ready", 1, ready.iter().copied());
    if plan.refuses() {
        let refused = |(offer, ready): (&Option<Offer>, &bool)| {
            *ready && matches!(offer, Some(Offer::Unknown))
        };
        rows.put("s_error", 1, offers.iter().zip(ready).map(refused));
    }
    let words = &shown.words;
    rows.put("m_valid", 1, words.iter().map(Option::is_some));
    let source = words.iter().map(|word| word.map_or(0, |word| word.source));
    rows.put("m_source", bits_for(plan.terminals()), source);
    let number = words.iter().map(|word| word.map_or(0, |word| shown.numbers[&word.number]));
    rows.put("m_number", NUMBER_BITS, number.map(|number| number % (1 << NUMBER_BITS)));
}
