//! The testbench of a circuit fabric: random words, pauses, resets and bus accesses, against the
//! reference model, cycle for cycle.

use super::failure::{bit, words};
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use std::collections::{HashSet, VecDeque};
use turnpike_base::hash::mix;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::registers::{Address, Map, PREFIX};
use turnpike_schedule::permutation::PartialPermutation;
use turnpike_schedule::rearrange::rearrange;
use turnpike_sim_network::circuit::{Bus, Inputs, Model, Outputs, Word, Write};
use turnpike_sim_network::traffic::random::Random;
use turnpike_sim_rtl::dut::Dut;

/// What the master of a script does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Writes to an address.
    Write(u32, u32),
    /// Waits until no swap is pending.
    Swapped,
    /// Waits for so many cycles.
    Run(u32),
}

/// How often, in percent, words come, the cycle counts, and the bus is busy; changes every 64
/// cycles.
const SHARES: [[u32; 3]; 5] =
    [[100, 100, 90], [60, 100, 100], [90, 60, 100], [100, 10, 60], [50, 90, 20]];

/// The bench of `turnpike_circuit::rtl`.
#[derive(Debug)]
pub struct CircuitBench {
    plan: CircuitPlan,
    map: Map,
    model: Model,
    random: Random,
    cycles: u64,
    clock: u64,
    number: Word,
    inputs: Inputs,
    /// Words that came to sinks.
    pub delivered: u64,
    /// Swaps of schedules.
    pub swaps: u64,
    /// Cycles in which words were lost to conflicts.
    pub conflicts: u64,
    bank_ran: bool,
    /// What the master does, one write after the other, where that is given; a number of cycles in
    /// which it does nothing stands between them.
    script: Option<VecDeque<Op>>,
    /// The sources that all sinks took from in a cycle, each such list once; of a script.
    pub seen: HashSet<Vec<u32>>,
    /// Settings that connect all terminals, where the network has such for every permutation.
    known: Vec<Vec<u32>>,
}

/// Drawn permutations whose settings a bench knows.
const KNOWN: u32 = 8;

impl CircuitBench {
    /// A bench of that many cycles.
    pub fn new(plan: &CircuitPlan, cycles: u64, seed: u64) -> Self {
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
        Self {
            plan: plan.clone(),
            map: plan.map(),
            model: Model::new(plan),
            random,
            cycles,
            clock: 0,
            number: 0,
            inputs: Inputs::default(),
            delivered: 0,
            swaps: 0,
            conflicts: 0,
            bank_ran: false,
            script: None,
            seen: HashSet::new(),
            known,
        }
    }

    /// A bench in which the master of the AXI4-Lite port does this, every source sends in every
    /// cycle, and every cycle counts.
    pub fn with_script(plan: &CircuitPlan, script: impl IntoIterator<Item = Op>) -> Self {
        let script = Some(script.into_iter().collect());
        Self { script, ..Self::new(plan, u64::MAX, 1) }
    }

    fn scripted_inputs(&mut self) -> Inputs {
        let terminals = self.plan.terminals();
        let first = self.number;
        self.number += Word::from(terminals);
        let words = (0..terminals).map(|t| Some(first + Word::from(t))).collect();
        let shown = self.model.outputs(&self.inputs).bus;
        let mut bus = Bus { takes_response: true, takes_read: true, ..Bus::default() };
        let script = self.script.get_or_insert_default();
        // The last write is answered before the next is begun.
        let ready = self.clock > 0 && shown.takes_address && !self.inputs.bus.asks();
        match script.front_mut() {
            Some(Op::Run(left)) if *left > 0 => *left -= 1,
            Some(Op::Run(_)) => drop(script.pop_front()),
            Some(Op::Swapped) if ready && !self.model.is_pending() => drop(script.pop_front()),
            Some(Op::Write(address, data)) if ready => {
                bus.write_address = Some(*address);
                bus.write = Some(Write { data: *data, strobe: 15 });
                script.pop_front();
            }
            _ => {}
        }
        let reset = self.clock == 0;
        Inputs { reset, enable: true, words, destinations: vec![0; terminals as usize], bus }
    }

    /// Notes which sources all sinks took from.
    fn note(&mut self, outputs: &Outputs) {
        let terminals = Word::from(self.plan.terminals());
        let source = |word: &Option<Word>| word.map(|word| (word % terminals) as u32);
        let sources: Option<Vec<u32>> = outputs.words.iter().map(source).collect();
        self.seen.extend(sources);
    }

    fn has(&mut self, percent: u32) -> bool {
        self.random.below(100) < percent
    }

    fn next_inputs(&mut self) -> Inputs {
        let terminals = self.plan.terminals();
        let [words, counts, busy] = SHARES[(self.clock / 64) as usize % SHARES.len()];
        let word = |bench: &mut Self| {
            bench.number += 1;
            bench.has(words).then_some(bench.number)
        };
        let offered = (0..terminals).map(|_| word(self)).collect();
        let destinations = self.destinations();
        let bus = match self.plan.control {
            Control::Memory(_) => self.next_bus(busy),
            Control::Baked(_) | Control::SelfRouting => Bus::default(),
        };
        Inputs {
            reset: is_reset(self.clock, RESET_EVERY),
            enable: self.has(counts),
            words: offered,
            destinations,
            bus,
        }
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
        let (before, shown) = (self.inputs.bus, self.model.outputs(&self.inputs).bus);
        let stays = |offered: bool, taken: bool| offered && !taken && !self.inputs.reset;
        let keeps_address = stays(before.write_address.is_some(), shown.takes_address);
        let keeps_write = stays(before.write.is_some(), shown.takes_write);
        let keeps_read = stays(before.read_address.is_some(), shown.takes_read_address);
        let map = self.map;
        let mut bus =
            Bus { takes_response: self.has(70), takes_read: self.has(70), ..Bus::default() };
        bus.write_address = match keeps_address {
            true => before.write_address,
            false => self.has(busy).then(|| self.address(&map, &[Address::Swap, Address::Count])),
        };
        bus.write = match keeps_write {
            true => before.write,
            false => self.has(busy).then(|| self.write(&map, bus.write_address)),
        };
        bus.read_address = match keeps_read {
            true => before.read_address,
            false => self.has(busy).then(|| self.address(&map, &Address::ALL)),
        };
        bus
    }

    /// Mostly settings, sometimes a register of these, rarely anything.
    fn address(&mut self, map: &Map, registers: &[Address]) -> u32 {
        match self.random.below(10) {
            0 => self.random.below(1 << map.address_bits()),
            1 => registers[self.random.below(registers.len() as u32) as usize].bytes(),
            _ => {
                let slot = self.random.below(map.slots);
                map.address(slot, self.random.below(map.words))
            }
        }
    }

    fn write(&mut self, map: &Map, address: Option<u32>) -> Write {
        let word = address.and_then(|at| at.checked_sub(map.address(0, 0))).map(|at| at / 4);
        let slot = |word: u32| (word >> map.word_bits, word & ((1 << map.word_bits) - 1));
        let known = word.map(slot).and_then(|(slot, word)| {
            let at = self.clock as usize / 256 + slot as usize;
            let settings = self.known.get(at % KNOWN as usize)?;
            settings.get(word as usize)
        });
        // What is small is a number of slots, or asks for a swap.
        let data = match (self.random.below(4), known) {
            (1.., Some(&known)) => known,
            (kind, _) => self.data(map, kind),
        };
        let strobe = if self.has(95) { 15 } else { self.random.below(15) as u8 };
        Write { data, strobe }
    }

    fn data(&mut self, map: &Map, kind: u32) -> u32 {
        match kind {
            0 => 1,
            1 => self.random.below(map.slots + 2),
            _ => self.random.below(u32::MAX),
        }
    }

    /// Bits `low` to `low + 63` of what a word carries, tlast above its data.
    fn bits(word: Word, low: u32) -> u64 {
        mix(word ^ mix(u64::from(low)))
    }

    fn set(&self, dut: &mut Dut) {
        let Inputs { reset, enable, words, destinations, bus } = &self.inputs;
        let (width, address) = (self.plan.parameters.width, self.plan.address_bits());
        dut.set_reset(*reset);
        if let Some(net) = dut.find_port("enable") {
            dut.set(net, u64::from(*enable));
        }
        let [valid, data, last] =
            ["s_axis_tvalid", "s_axis_tdata", "s_axis_tlast"].map(|name| dut.port(name));
        let dest = dut.find_port("s_axis_tdest");
        for (t, word) in (0..).zip(words) {
            // What is not offered is noise.
            let number = word.unwrap_or(mix(self.clock ^ u64::from(t)));
            dut.set_bits(valid, t, 1, u64::from(word.is_some()));
            dut.set_bits(last, t, 1, Self::bits(number, width));
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                dut.set_bits(data, t * width + low, bits, Self::bits(number, low));
            }
            if let Some(dest) = dest {
                dut.set_bits(dest, t * address, address, destinations[t as usize].into());
            }
        }
        if matches!(self.plan.control, Control::Memory(_)) {
            let mut set = |name: &str, value: Option<u64>| {
                if let Some(net) = dut.find_port(&format!("{PREFIX}{name}")) {
                    dut.set(net, value.unwrap_or(mix(self.clock)));
                }
            };
            let valid = |is: bool| Some(u64::from(is));
            set("awvalid", valid(bus.write_address.is_some()));
            set("awaddr", bus.write_address.map(u64::from));
            set("wvalid", valid(bus.write.is_some()));
            set("wdata", bus.write.map(|write| write.data.into()));
            set("wstrb", bus.write.map(|write| write.strobe.into()));
            set("bready", valid(bus.takes_response));
            set("arvalid", valid(bus.read_address.is_some()));
            set("araddr", bus.read_address.map(u64::from));
            set("rready", valid(bus.takes_read));
            set("awprot", None);
            set("arprot", None);
        }
    }

    fn compare(&self, dut: &Dut, expected: &Outputs) -> Result<(), Failure> {
        let cycle = self.clock;
        let width = self.plan.parameters.width;
        let [valid, data, last] =
            ["m_axis_tvalid", "m_axis_tdata", "m_axis_tlast"].map(|name| dut.port(name));
        for (t, word) in (0..).zip(&expected.words) {
            let name = |signal| format!("m_axis_{signal}[{t}]");
            bit(cycle, name("tvalid"), word.is_some(), dut.get_bits(valid, t, 1) == 1)?;
            let Some(word) = *word else { continue };
            bit(
                cycle,
                name("tlast"),
                Self::bits(word, width) & 1 == 1,
                dut.get_bits(last, t, 1) == 1,
            )?;
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                let wanted = Self::bits(word, low) & turnpike_base::bits::low_bits(bits);
                let found = dut.get_bits(data, t * width + low, bits);
                words(cycle, name("tdata"), &[wanted], std::iter::once(found))?;
            }
        }
        let number = |name: &str, wanted: u64| match dut.find_port(name) {
            Some(net) => words(cycle, name, &[wanted], std::iter::once(dut.get(net))),
            None => Ok(()),
        };
        number("running", expected.running.into())?;
        number("s_slot", expected.offered_slot.into())?;
        number("m_slot", expected.coming_slot.into())?;
        number("s_bank", expected.banks[0].into())?;
        number("m_bank", expected.banks[1].into())?;
        number("conflict", expected.conflict.into())?;
        let bus = &expected.bus;
        let port = |name: &str, wanted: u64| number(&format!("{PREFIX}{name}"), wanted);
        let response = |okay: bool| if okay { 0b00 } else { 0b10 };
        port("awready", bus.takes_address.into())?;
        port("wready", bus.takes_write.into())?;
        port("arready", bus.takes_read_address.into())?;
        port("bvalid", bus.response.is_some().into())?;
        port("rvalid", bus.answer.is_some().into())?;
        if let Some(okay) = bus.response {
            port("bresp", response(okay))?;
        }
        if let Some(answer) = bus.answer {
            port("rresp", response(answer.okay))?;
            port("rdata", answer.data.into())?;
        }
        Ok(())
    }
}

impl Bench<Dut> for CircuitBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        self.inputs = match self.script {
            Some(_) => self.scripted_inputs(),
            None => self.next_inputs(),
        };
        self.set(dut);
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        let expected = self.model.outputs(&self.inputs);
        // Before the first reset nothing is known.
        if !self.inputs.reset {
            self.compare(dut, &expected)?;
            let come = expected.words.iter().flatten().count() as u64;
            self.delivered += if self.inputs.enable { come } else { 0 };
            self.conflicts += u64::from(expected.conflict);
        }
        self.model.clock(&self.inputs);
        let bank = self.model.bank() == Some(1);
        self.swaps += u64::from(bank != self.bank_ran);
        self.bank_ran = bank;
        self.clock += 1;
        if let Some(script) = &self.script {
            let done = script.is_empty();
            self.note(&expected);
            return Ok(if done { Flow::Done } else { Flow::On });
        }
        Ok(if self.clock == self.cycles { Flow::Done } else { Flow::On })
    }
}

#[cfg(test)]
mod tests;
