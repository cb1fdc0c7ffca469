//! The reference model of a slotted fabric: what it does, cycle by cycle, without its switches.
//!
//! The model knows of each flow its slots and how many cycles its words take, and nothing of slot tables: that
//! these bring each word to its sink in time is what it is there to check.

mod stimulus;

pub use stimulus::Stimulus;

use std::collections::{BTreeMap, HashMap};
use turnpike_network::topology::Terminal;
use turnpike_slotted::{SlottedFlow, SlottedPlan};

/// A word on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// Terminal that it comes from.
    pub source: Terminal,
    /// Terminal that it goes to.
    pub destination: Terminal,
    /// Number that tells the word from all others.
    pub number: u64,
    /// Whether it is the last of a packet.
    pub is_last: bool,
}

/// Offer of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    Word(Word),
    /// A word to an address that the source has no flow to: it is taken, and goes nowhere.
    Unknown(u64),
}

/// A fabric's state.
#[derive(Clone, Debug)]
pub struct Model {
    frame: u32,
    slot: u32,
    /// Cycles since the reset.
    cycle: u64,
    /// By source and slot, the destination of the flow that has it, and the cycles of its words.
    slots: HashMap<(Terminal, u32), (Terminal, u32)>,
    /// By cycle and sink, the words that come.
    coming: BTreeMap<(u64, Terminal), Word>,
}

impl Model {
    /// A fabric after its reset.
    pub fn new(plan: &SlottedPlan) -> Self {
        let mut slots = HashMap::new();
        for SlottedFlow { source, destination, starts, cycles } in plan.flows() {
            for &slot in starts {
                slots.insert((*source, slot), (*destination, *cycles));
            }
        }
        Self { frame: plan.frame(), slot: 0, cycle: 0, slots, coming: BTreeMap::new() }
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        (self.slot, self.cycle) = (0, 0);
        self.coming.clear();
    }

    /// The slot of this cycle.
    pub fn slot(&self) -> u32 {
        self.slot
    }

    /// The destination of the flow of a source that has this slot.
    pub fn open(&self, source: Terminal) -> Option<Terminal> {
        self.slots.get(&(source, self.slot)).map(|&(destination, _)| destination)
    }

    /// Whether an offer is taken in this cycle.
    pub fn takes(&self, offer: &Offer) -> bool {
        match offer {
            Offer::Unknown(_) => true,
            Offer::Word(word) => self.open(word.source) == Some(word.destination),
        }
    }

    /// The word that a sink shows in this cycle.
    pub fn shown(&self, sink: Terminal) -> Option<Word> {
        self.coming.get(&(self.cycle, sink)).copied()
    }

    /// One cycle in which these are offered.
    ///
    /// # Panics
    /// Where two words come to one sink at once: the time table is wrong.
    pub fn clock<'a>(&mut self, offers: impl IntoIterator<Item = &'a Offer>) {
        for offer in offers {
            let Offer::Word(word) = offer else { continue };
            if !self.takes(offer) {
                continue;
            }
            let (_, cycles) = self.slots[&(word.source, self.slot)];
            let at = (self.cycle + u64::from(cycles), word.destination);
            assert!(self.coming.insert(at, *word).is_none(), "two words at once for a sink");
        }
        self.cycle += 1;
        self.slot = (self.slot + 1) % self.frame;
        while let Some(entry) = self.coming.first_entry()
            && entry.key().0 < self.cycle
        {
            entry.remove();
        }
    }
}
