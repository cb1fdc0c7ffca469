//! Stimulus of a circuit fabric in tests: words, pauses and bus accesses at random. Phases of full
//! and of partial traffic take turns, and each source sends alone in its turn.

use super::{Bus, BusOutputs, Inputs, Model, Word, Write};
use crate::traffic::random::Random;
use std::collections::VecDeque;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::registers::{Address, Map};
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::rearrange::rearrange;

/// Shares of cycles, in percent, in which words come, in which the cycle counts, and in which the
/// bus is busy; they change every [`PHASE`] cycles. Where the share of words is 0, one source alone
/// sends in each cycle, all in turn.
const SHARES: [[u32; 3]; 7] = [
    [100, 100, 90],
    [60, 100, 100],
    [0, 100, 60],
    [90, 60, 100],
    [100, 10, 60],
    [50, 90, 20],
    [15, 90, 90],
];
/// Cycles of a phase.
const PHASE: u64 = 64;
/// Drawn permutations whose settings are written.
const KNOWN: u32 = 8;

/// Writes of a master. Address and data of each are offered whenever their time comes, in either order.
#[derive(Clone, Debug, Default)]
struct Writes {
    /// Writes of which the address or the data is still to be taken, in order.
    drawn: VecDeque<(u32, Write)>,
    /// Number of these whose address was taken.
    addresses: usize,
    /// Number of these whose data was taken.
    data: usize,
}

impl Writes {
    /// Notes what the port has taken.
    fn take(&mut self, address: bool, data: bool) {
        self.addresses += usize::from(address);
        self.data += usize::from(data);
        let whole = self.addresses.min(self.data);
        self.drawn.drain(..whole);
        (self.addresses, self.data) = (self.addresses - whole, self.data - whole);
    }
}

/// Inputs of a fabric, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Stimulus {
    plan: CircuitPlan,
    map: Map,
    random: Random,
    clock: u64,
    number: Word,
    inputs: Inputs,
    /// Outputs of the port in the last cycle.
    shown: BusOutputs,
    writes: Writes,
    /// Settings that connect all terminals, where the network has such for every permutation.
    known: Vec<Vec<u32>>,
}

impl Stimulus {
    /// The inputs that follow from a seed.
    pub fn new(plan: &CircuitPlan, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let layout = plan.layout();
        let known = (0..KNOWN).filter_map(|_| {
            let mut sinks: Vec<u32> = (0..plan.terminals()).collect();
            random.shuffle(&mut sinks);
            let permutation = PartialPermutation::whole(&sinks).ok()?;
            let settings = rearrange(&plan.network, &permutation).ok()?;
            Some(layout.encode(&settings, &permutation))
        });
        let known = known.collect();
        let (plan, map, inputs) = (plan.clone(), plan.map(), Inputs::default());
        let (shown, writes) = (BusOutputs::default(), Writes::default());
        Self { plan, map, random, clock: 0, number: 0, inputs, shown, writes, known }
    }

    pub fn source(&self, word: Word) -> u32 {
        ((word - 1) % Word::from(self.plan.terminals())) as u32
    }

    /// The inputs of the next cycle, of a fabric that is as `model` is.
    pub fn next(&mut self, model: &Model, reset: bool) -> Inputs {
        let terminals = self.plan.terminals();
        let [words, counts, busy] = SHARES[(self.clock / PHASE) as usize % SHARES.len()];
        let alone = (words == 0).then_some((self.clock % u64::from(terminals)) as u32);
        let word = |t: u32| {
            self.number += 1;
            let sends = match alone {
                Some(sender) => sender == t,
                None => self.random.below(100) < words,
            };
            sends.then_some(self.number)
        };
        let words = (0..terminals).map(word).collect();
        let destinations = self.destinations();
        let bus = match self.plan.control {
            Control::Memory(_) => self.next_bus(busy),
            Control::Baked(_) | Control::SelfRouting => Bus::default(),
        };
        let enable = self.has(counts);
        self.clock += 1;
        self.inputs = Inputs { reset, enable, words, destinations, bus };
        self.shown = model.outputs(&self.inputs).bus;
        self.inputs.clone()
    }

    fn has(&mut self, percent: u32) -> bool {
        self.random.below(100) < percent
    }

    /// Half of the time a rotation, which the Benes network passes; else anything.
    fn destinations(&mut self) -> Vec<u32> {
        let terminals = self.plan.terminals();
        let by = self.random.below(terminals);
        match self.has(50) {
            true => (0..terminals).map(|t| (t + by) % terminals).collect(),
            false => (0..terminals).map(|_| self.random.below(terminals)).collect(),
        }
    }

    /// A master that keeps to the protocol: what was offered stays until it is taken.
    fn next_bus(&mut self, busy: u32) -> Bus {
        let (before, shown) = (self.inputs.bus, self.shown);
        let stays = |offered: bool, taken: bool| offered && !taken && !self.inputs.reset;
        let takes_address = before.write_address.is_some() && shown.takes_address;
        let takes_write = before.write.is_some() && shown.takes_write;
        let keeps_address = stays(before.write_address.is_some(), takes_address);
        let keeps_write = stays(before.write.is_some(), takes_write);
        let keeps_read = stays(before.read_address.is_some(), shown.takes_read_address);
        match self.inputs.reset {
            true => self.writes = Writes::default(),
            false => self.writes.take(takes_address, takes_write),
        }
        let mut bus =
            Bus { takes_response: self.has(70), takes_read: self.has(70), ..Bus::default() };
        if keeps_address || self.has(busy) {
            bus.write_address = Some(self.write_at(self.writes.addresses).0);
        }
        if keeps_write || self.has(busy) {
            bus.write = Some(self.write_at(self.writes.data).1);
        }
        bus.read_address = match keeps_read {
            true => before.read_address,
            false => self.has(busy).then(|| self.address(&Address::ALL)),
        };
        bus
    }

    /// The write at a place among those under way.
    fn write_at(&mut self, place: usize) -> (u32, Write) {
        while self.writes.drawn.len() <= place {
            let address = self.address(&[Address::Swap, Address::Count]);
            let write = self.write(address);
            self.writes.drawn.push_back((address, write));
        }
        self.writes.drawn[place]
    }

    /// Mostly settings, sometimes a register of these, rarely anything.
    fn address(&mut self, registers: &[Address]) -> u32 {
        let map = self.map;
        match self.random.below(10) {
            0 => self.random.below(1 << map.address_bits()),
            1 | 2 => registers[self.random.below(registers.len() as u32) as usize].bytes(),
            _ => {
                let slot = self.random.below(map.slots);
                map.address(slot, self.random.below(map.words))
            }
        }
    }

    fn write(&mut self, address: u32) -> Write {
        let map = self.map;
        let word = address.checked_sub(map.address(0, 0)).map(|at| at / 4);
        let slot = |word: u32| (word >> map.word_bits, word & ((1 << map.word_bits) - 1));
        let known = word.map(slot).and_then(|(slot, word)| {
            let at = self.clock as usize / 256 + slot as usize;
            let settings = self.known.get(at % KNOWN as usize)?;
            settings.get(word as usize)
        });
        let register = |register: Address| address == register.bytes();
        let data = match (self.random.below(4), known) {
            (1.., Some(&known)) => known,
            (1.., None) if register(Address::Swap) => 1,
            (1.., None) if register(Address::Count) => 1 + self.random.below(map.slots),
            (kind, _) => self.data(&map, kind),
        };
        let strobe = if self.has(95) { 15 } else { self.random.below(15) as u8 };
        Write { data, strobe }
    }

    /// Data of a write: a small number, for a number of slots or a swap, or any number.
    fn data(&mut self, map: &Map, kind: u32) -> u32 {
        match kind {
            0 | 1 => self.random.below(map.slots + 2),
            _ => self.random.below(u32::MAX),
        }
    }
}
