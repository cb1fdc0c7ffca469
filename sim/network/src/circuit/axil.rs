//! The AXI4-Lite port of a circuit fabric and what is behind it: the two banks, the slot.

use turnpike_circuit::layout::WORD;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::registers::{Address, ID, Map};

/// Signals of a master on an AXI4-Lite port in a cycle. `None` is a `valid` that is low.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bus {
    /// `awaddr`.
    pub write_address: Option<u32>,
    /// `wdata` and `wstrb`.
    pub write: Option<Write>,
    /// `bready`.
    pub takes_response: bool,
    /// `araddr`.
    pub read_address: Option<u32>,
    /// `rready`.
    pub takes_read: bool,
}

impl Bus {
    /// Whether a write is offered.
    pub fn asks(&self) -> bool {
        self.write_address.is_some() || self.write.is_some()
    }
}

/// Data to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// `wdata`.
    pub data: u32,
    /// `wstrb`.
    pub strobe: u8,
}

/// Answer to a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// `rdata`.
    pub data: u32,
    /// Whether `rresp` is OKAY; else it is SLVERR.
    pub okay: bool,
    /// Whether `data` follows from what was written: a memory starts with anything.
    pub known: bool,
}

/// Outputs of the port in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BusOutputs {
    /// `awready`.
    pub takes_address: bool,
    /// `wready`.
    pub takes_write: bool,
    /// `bresp`, where `bvalid` is high: whether it is OKAY.
    pub response: Option<bool>,
    /// `arready`.
    pub takes_read_address: bool,
    /// `rdata` and `rresp`, where `rvalid` is high.
    pub answer: Option<Answer>,
}

/// The port, what is behind it, and their state.
#[derive(Clone, Debug)]
pub(super) struct Port {
    map: Map,
    /// By word, the bits that there are.
    masks: Vec<u32>,
    /// By bank and slot.
    banks: [Vec<Vec<u32>>; 2],
    /// Whether a word of the memory was ever written.
    written: [Vec<Vec<bool>>; 2],
    now: State,
}

/// Contents of the registers.
#[derive(Clone, Copy, Debug)]
struct State {
    running: bool,
    bank: usize,
    slot: u32,
    /// Slots of the schedule that runs.
    active: u32,
    /// Slots of the next.
    count: u32,
    pending: bool,
    write_address: Option<u32>,
    write: Option<Write>,
    response: Option<bool>,
    read_address: Option<u32>,
    /// Whether the address was held in the cycle before.
    fetching: bool,
    /// Word that the memory gave in the cycle before.
    fetched: u32,
    /// Whether that was ever written.
    fetched_known: bool,
    answer: Option<Answer>,
}

impl State {
    const RESET: Self = Self {
        running: false,
        bank: 0,
        slot: 0,
        active: 1,
        count: 1,
        pending: false,
        write_address: None,
        write: None,
        response: None,
        read_address: None,
        fetching: false,
        fetched: 0,
        fetched_known: false,
        answer: None,
    };
}

impl Port {
    pub fn new(plan: &CircuitPlan) -> Self {
        let layout = plan.layout();
        let words = layout.words();
        let bank = vec![vec![0; words.len()]; 1 << plan.slot_bits()];
        let written = vec![vec![false; words.len()]; 1 << plan.slot_bits()];
        let mask = |width: u32| u32::MAX >> (WORD - width);
        Self {
            map: plan.map(),
            masks: words.iter().map(|word| mask(word.width)).collect(),
            banks: [bank.clone(), bank],
            written: [written.clone(), written],
            now: State::RESET,
        }
    }

    /// The memory keeps what is in it.
    pub fn reset(&mut self) {
        self.now = State::RESET;
    }

    pub fn running(&self) -> bool {
        self.now.running
    }

    pub fn bank(&self) -> usize {
        self.now.bank
    }

    /// Whether a swap is pending, or a write that may ask for one under way.
    pub fn is_pending(&self) -> bool {
        self.now.pending || self.now.write.is_some()
    }

    pub fn slot(&self) -> u32 {
        self.now.slot
    }

    /// The settings of the slot that it is.
    pub fn settings(&self) -> &[u32] {
        &self.banks[self.now.bank][self.now.slot as usize]
    }

    /// Whether all of them were written.
    pub fn settings_known(&self) -> bool {
        self.written[self.now.bank][self.now.slot as usize].iter().all(|&written| written)
    }

    pub fn outputs(&self, reset: bool) -> BusOutputs {
        BusOutputs {
            takes_address: self.now.write_address.is_none() && !reset,
            takes_write: self.now.write.is_none() && !reset,
            response: self.now.response,
            takes_read_address: self.now.read_address.is_none() && !reset,
            answer: self.now.answer,
        }
    }

    /// A word of a slot, where the address is of one: slot and word.
    fn settings_at(&self, address: u32) -> Option<(usize, usize)> {
        let offset = (address & !3).checked_sub(self.map.address(0, 0))? / 4;
        let (slot, word) = (offset >> self.map.word_bits, offset % (1 << self.map.word_bits));
        (slot < self.map.slots && word < self.map.words).then_some((slot as usize, word as usize))
    }

    fn register_at(address: u32) -> Option<Address> {
        Address::ALL.into_iter().find(|register| register.bytes() == address & !3)
    }

    fn read(&self, address: u32, draining: bool) -> Answer {
        let okay = |data| Answer { data, okay: true, known: true };
        if self.settings_at(address).is_some() {
            return Answer { known: self.now.fetched_known, ..okay(self.now.fetched) };
        }
        let bit = |on: bool, at: u32| u32::from(on) << at;
        match Self::register_at(address) {
            None => Answer { data: 0, okay: false, known: true },
            Some(Address::Id) => okay(ID),
            Some(Address::Shape) => okay(self.map.slots << 16 | self.map.words),
            Some(Address::Status) => okay(
                bit(self.now.running, 0)
                    | bit(self.now.pending, 1)
                    | bit(draining, 2)
                    | bit(self.now.bank == 1, 3),
            ),
            Some(Address::Swap) => okay(bit(self.now.pending, 0)),
            Some(Address::Count) => okay(self.now.count),
            Some(Address::Slot) if self.now.running => okay(self.now.active << 16 | self.now.slot),
            Some(Address::Slot) => okay(0),
        }
    }

    /// Carries out a write. Whether it was, and whether it asks for a swap.
    fn carry_out(&mut self, address: u32, write: Write, draining: bool) -> (bool, bool) {
        if write.strobe != 15 || self.now.pending {
            return (false, false);
        }
        if let Some((slot, word)) = self.settings_at(address) {
            if !draining {
                let mask = self.masks[word];
                self.banks[1 - self.now.bank][slot][word] = write.data & mask;
                self.written[1 - self.now.bank][slot][word] = true;
            }
            return (!draining, false);
        }
        match Self::register_at(address) {
            Some(Address::Swap) => (write.data == 1, write.data == 1),
            Some(Address::Count) if (1..=self.map.slots).contains(&write.data) => {
                self.now.count = write.data;
                (true, false)
            }
            _ => (false, false),
        }
    }

    /// The clock's rising edge.
    pub fn clock(&mut self, enable: bool, draining: bool, bus: &Bus) {
        let before = self.now;
        // Reads see the state and the memory before the edge.
        self.clock_reads(&before, draining, bus);
        let mut swap = false;
        if let (Some(address), Some(write), None) =
            (before.write_address, before.write, before.response)
        {
            let (done, swaps) = self.carry_out(address, write, draining);
            (self.now.response, swap) = (Some(done), swaps);
            (self.now.write_address, self.now.write) = (None, None);
        } else {
            self.now.write_address = before.write_address.or(bus.write_address);
            self.now.write = before.write.or(bus.write);
        }
        if before.response.is_some() && bus.takes_response {
            self.now.response = None;
        }
        if enable {
            let ends = !before.running || before.slot + 1 == before.active;
            self.now.running = before.running || before.pending;
            self.now.slot = if ends { 0 } else { before.slot + 1 };
            if ends && before.pending {
                self.now.bank = 1 - before.bank;
                self.now.active = before.count;
                self.now.pending = false;
            }
        }
        self.now.pending |= swap;
    }

    fn clock_reads(&mut self, before: &State, draining: bool, bus: &Bus) {
        match before.read_address {
            None => self.now.read_address = bus.read_address,
            Some(address) if before.fetching && before.answer.is_none() => {
                self.now.answer = Some(self.read(address, draining));
                self.now.read_address = None;
            }
            Some(_) => {}
        }
        self.now.fetching = before.read_address.is_some() && self.now.read_address.is_some();
        if before.answer.is_some() && bus.takes_read {
            self.now.answer = None;
        }
        // The memory is read in every cycle, at the address that is held.
        if let Some((slot, word)) = before.read_address.and_then(|at| self.settings_at(at)) {
            self.now.fetched = self.banks[1 - before.bank][slot][word];
            self.now.fetched_known = self.written[1 - before.bank][slot][word];
        }
    }
}
