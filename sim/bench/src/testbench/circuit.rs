//! The testbench of a circuit fabric: random words, pauses, resets and bus accesses, against the
//! reference model, cycle for cycle.

use super::failure::{bit, words};
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use std::collections::{HashSet, VecDeque};
use turnpike_base::hash::mix;
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::rtl::registers::PREFIX;
use turnpike_sim_network::circuit::{Bus, Inputs, Model, Outputs, Stimulus, Word, Write};
use turnpike_sim_rtl::dut::Dut;

/// Operation of the master of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Writes to an address.
    Write(u32, u32),
    /// Waits until no swap is pending.
    Swapped,
    /// Waits for so many cycles.
    Run(u32),
}

/// The bench of `turnpike_circuit::rtl`.
#[derive(Debug)]
pub struct CircuitBench {
    plan: CircuitPlan,
    model: Model,
    stimulus: Stimulus,
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
    /// Operations of the master, one write after the other, where a script is given; a number of
    /// cycles in which it does nothing stands between them.
    script: Option<VecDeque<Op>>,
    /// The sources that all sinks took from in a cycle, each such list once; of a script.
    pub seen: HashSet<Vec<u32>>,
}

impl CircuitBench {
    /// A bench of that many cycles.
    pub fn new(plan: &CircuitPlan, cycles: u64, seed: u64) -> Self {
        Self {
            plan: plan.clone(),
            model: Model::new(plan),
            stimulus: Stimulus::new(plan, seed),
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
            None => self.stimulus.next(&self.model, is_reset(self.clock, RESET_EVERY)),
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
