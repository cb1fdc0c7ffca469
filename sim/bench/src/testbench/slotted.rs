//! The testbench of a slotted fabric: random words, in their slots and out of them, and resets, against the
//! reference model, cycle for cycle.

use super::failure::{bit, words};
use super::{Bench, Failure, Flow};
use turnpike_base::bits::low_bits;
use turnpike_base::hash::mix;
use turnpike_base::random::Random;
use turnpike_fabric::plan::Side;
use turnpike_network::topology::Terminal;
use turnpike_sim_network::slotted::{Model, Offer, Stimulus, Word};
use turnpike_sim_rtl::dut::Dut;
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::ports::{ID, SLOT_DEST, SLOT_VALID, SlottedPorts};

/// Most cycles between two resets, beside those of two frames.
const MOST_BETWEEN: u32 = 150;

/// Resets of one cycle or of three, in any slot.
#[derive(Debug)]
struct Resets {
    frame: u32,
    random: Random,
    /// Cycles of the reset that are left, and those until the next.
    left: u32,
    until: u32,
}

impl Resets {
    /// A reset in the first cycle, and those that follow from a seed.
    fn new(frame: u32, seed: u64) -> Self {
        Self { frame, random: Random::new(mix(seed)), left: 1, until: 0 }
    }

    /// Whether the next cycle is one of a reset.
    fn step(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.until = 1 + self.random.below(2 * self.frame + MOST_BETWEEN);
            }
            return true;
        }
        self.until -= 1;
        if self.until == 0 {
            self.left = [1, 3][self.random.below(2) as usize];
        }
        false
    }
}

/// The bench of `turnpike_slotted::rtl`.
#[derive(Debug)]
pub struct SlottedBench {
    plan: SlottedPlan,
    ports: SlottedPorts,
    model: Model,
    stimulus: Stimulus,
    cycles: u64,
    clock: u64,
    reset: bool,
    resets: Resets,
    /// Words that came to their sinks.
    pub delivered: u64,
    /// Words to addresses without a flow.
    pub unknown: u64,
}

impl SlottedBench {
    /// A bench of that many cycles.
    pub fn new(plan: &SlottedPlan, cycles: u64, seed: u64) -> Self {
        Self {
            plan: plan.clone(),
            ports: plan.ports(),
            model: Model::new(plan),
            stimulus: Stimulus::new(plan, seed),
            cycles,
            clock: 0,
            reset: true,
            resets: Resets::new(plan.frame(), seed),
            delivered: 0,
            unknown: 0,
        }
    }

    /// Bits of a field of a word, the lowest first, 64 at a time, each part with its bits.
    fn field(word: u64, name: &str, width: u32) -> impl Iterator<Item = (u32, u32, u64)> + use<> {
        let salt = mix(name.bytes().fold(word, |all, byte| mix(all ^ u64::from(byte))));
        (0..width).step_by(64).map(move |low| {
            let bits = (width - low).min(64);
            (low, bits, mix(salt ^ u64::from(low)) & low_bits(bits))
        })
    }

    fn put(&self, dut: &mut Dut, terminal: Terminal, signal: &'static str, value: u64) {
        let bits = self.ports.bits(Side::Source, terminal, signal).expect("it has the port");
        let port = dut.port(&bits.port);
        dut.set_bits(port, bits.low, bits.width, value);
    }

    fn set(&self, dut: &mut Dut) {
        dut.set_reset(self.reset);
        for &source in self.plan.over().sources() {
            let offer = self.stimulus.offers.get(&source).copied().flatten();
            let noise = mix(self.clock ^ u64::from(source.0) << 32);
            let (number, dest, last) = match offer {
                Some(Offer::Word(word)) => {
                    (word.number, self.plan.address(word.destination), word.is_last)
                }
                Some(Offer::Unknown(address)) => (noise, address, noise & 1 == 1),
                // What is not offered is noise.
                None => (noise, noise & low_bits(self.plan.address_bits()), noise & 2 == 2),
            };
            // A source without flows may offer anything.
            let is_idle = !self.plan.sends(source);
            self.put(dut, source, "valid", (offer.is_some() || is_idle && noise & 4 == 4).into());
            self.put(dut, source, "dest", dest);
            for field in self.plan.over().flit_fields() {
                let bits = self.ports.bits(Side::Source, source, field.name).expect("a port");
                let port = dut.port(&bits.port);
                if field.name == "last" {
                    dut.set_bits(port, bits.low, 1, last.into());
                    continue;
                }
                for (low, width, value) in Self::field(number, field.name, field.width) {
                    dut.set_bits(port, bits.low + low, width, value);
                }
            }
        }
    }

    fn seen(&self, dut: &Dut, side: Side, terminal: Terminal, signal: &'static str) -> u64 {
        let bits = self.ports.bits(side, terminal, signal).expect("it has the port");
        dut.get_bits(dut.port(&bits.port), bits.low, bits.width)
    }

    fn compare(&self, dut: &Dut) -> Result<(), Failure> {
        let cycle = self.clock;
        let topology = self.plan.over().topology();
        if self.plan.frame() > 1 && !self.reset {
            let found = std::iter::once(dut.get(dut.port("slot")));
            words(cycle, "slot", &[self.model.slot().into()], found)?;
        }
        for &source in self.plan.over().sources() {
            let name = |signal: &str| format!("{signal} of {}", topology.terminal_label(source));
            let offer = self.stimulus.offers.get(&source).copied().flatten();
            let is = |signal| self.seen(dut, Side::Source, source, signal) == 1;
            let open = self.model.open(source).filter(|_| !self.reset);
            let unknown = matches!(offer, Some(Offer::Unknown(_))) && !self.reset;
            bit(cycle, name(SLOT_VALID), open.is_some(), is(SLOT_VALID))?;
            bit(cycle, name("error"), unknown, is("error"))?;
            if let Some(open) = open {
                let found = std::iter::once(self.seen(dut, Side::Source, source, SLOT_DEST));
                words(cycle, name(SLOT_DEST), &[self.plan.address(open)], found)?;
            }
            // Where nothing is offered, `tready` follows an address that is noise.
            if let Some(offer) = offer {
                let takes = self.model.takes(&offer) && !self.reset;
                bit(cycle, name("ready"), takes, is("ready"))?;
            }
            if self.reset || !self.plan.sends(source) {
                bit(cycle, name("ready"), false, is("ready"))?;
            }
        }
        for &sink in self.plan.over().sinks() {
            let shown = self.model.shown(sink).filter(|_| !self.reset);
            let name = |signal: &str| format!("{signal} at {}", topology.terminal_label(sink));
            let valid = self.seen(dut, Side::Sink, sink, "valid") == 1;
            bit(cycle, name("valid"), shown.is_some(), valid)?;
            if let Some(word) = shown {
                self.compare_word(dut, sink, word, name)?;
            }
        }
        Ok(())
    }

    fn compare_word(
        &self,
        dut: &Dut,
        sink: Terminal,
        word: Word,
        name: impl Fn(&str) -> String,
    ) -> Result<(), Failure> {
        let cycle = self.clock;
        let from = self.plan.address(word.source);
        let found = std::iter::once(self.seen(dut, Side::Sink, sink, ID));
        words(cycle, name(ID), &[from], found)?;
        for field in self.plan.over().flit_fields() {
            let bits = self.ports.bits(Side::Sink, sink, field.name).expect("it has the port");
            let port = dut.port(&bits.port);
            if field.name == "last" {
                let last = dut.get_bits(port, bits.low, 1) == 1;
                bit(cycle, name("last"), word.is_last, last)?;
                continue;
            }
            for (low, width, value) in Self::field(word.number, field.name, field.width) {
                let found = std::iter::once(dut.get_bits(port, bits.low + low, width));
                words(cycle, name(field.name), &[value], found)?;
            }
        }
        Ok(())
    }
}

impl Bench<Dut> for SlottedBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        self.reset = self.resets.step();
        if self.reset {
            self.model.reset();
        }
        self.stimulus.step(&self.model);
        self.set(dut);
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        // Before the first reset nothing is known.
        if self.clock > 0 {
            self.compare(dut)?;
        }
        if !self.reset {
            let is_unknown = |offer: &&Offer| matches!(offer, Offer::Unknown(_));
            self.unknown += self.stimulus.offered().filter(is_unknown).count() as u64;
            let sinks = self.plan.over().sinks().iter();
            self.delivered +=
                sinks.filter(|&&sink| self.model.shown(sink).is_some()).count() as u64;
            let offered: Vec<Offer> = self.stimulus.offered().copied().collect();
            self.stimulus.take(&self.model);
            self.model.clock(&offered);
        }
        self.clock += 1;
        Ok(if self.clock < self.cycles { Flow::On } else { Flow::Done })
    }
}
