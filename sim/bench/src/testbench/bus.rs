//! The testbench of a bus fabric: random words, sinks that pause, resets, against the reference
//! model, cycle for cycle. Besides, each word has to arrive where it is for, once.

use super::failure::{bit, words};
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use std::collections::{HashMap, HashSet};
use turnpike_base::bits::low_bits;
use turnpike_base::hash::mix;
use turnpike_bus::BusPlan;
use turnpike_sim_network::bus::fabric::FabricModel;
use turnpike_sim_network::bus::{Counts, Offer, Stimulus};
use turnpike_sim_rtl::dut::Dut;

/// The bench of `turnpike_bus::rtl`.
#[derive(Debug)]
pub struct BusBench {
    plan: BusPlan,
    /// By slice of the ports, the node of the source and of the sink.
    sources: Vec<u32>,
    sinks: Vec<u32>,
    model: FabricModel,
    stimulus: Stimulus,
    cycles: u64,
    clock: u64,
    reset: bool,
    /// Words that are in the fabric, by what tells them apart, and their sinks.
    inside: HashMap<u64, u32>,
    arrived: HashSet<u64>,
    /// Words that came to their sinks.
    pub delivered: u64,
    /// Counts of words on the busses, of all runs between resets.
    pub counts: Counts,
    /// Words to addresses without a node.
    pub unknown: u64,
}

impl BusBench {
    /// A bench of that many cycles.
    pub fn new(plan: &BusPlan, cycles: u64, seed: u64) -> Self {
        Self {
            plan: plan.clone(),
            sources: plan.sources(),
            sinks: plan.sinks(),
            model: FabricModel::new(plan),
            stimulus: Stimulus::new(plan, seed),
            cycles,
            clock: 0,
            reset: true,
            inside: HashMap::new(),
            arrived: HashSet::new(),
            delivered: 0,
            counts: Counts::default(),
            unknown: 0,
        }
    }

    /// Bits `low` to `low + 63` of a word's data.
    fn data(number: u64, low: u32) -> u64 {
        mix(number ^ mix(u64::from(low)))
    }

    fn set(&self, dut: &mut Dut) {
        let (width, address) = (self.plan.parameters.width, self.plan.grid.address_bits());
        dut.set_reset(self.reset);
        let [valid, data, dest, ready] =
            ["s_axis_tvalid", "s_axis_tdata", "s_axis_tdest", "m_axis_tready"].map(|p| dut.port(p));
        for (slice, &node) in (0..).zip(&self.sinks) {
            dut.set_bits(ready, slice, 1, self.stimulus.takes[node as usize].into());
        }
        for (slice, &node) in (0..).zip(&self.sources) {
            let offer = &self.stimulus.offers[node as usize];
            let number = match offer {
                Some(Offer::Word(word)) => word.number,
                // What is not offered is noise.
                Some(Offer::Unknown) | None => mix(self.clock ^ u64::from(node)),
            };
            let bits = match offer {
                Some(_) => self.stimulus.addresses[node as usize],
                None => number & low_bits(address),
            };
            dut.set_bits(valid, slice, 1, offer.is_some().into());
            dut.set_bits(dest, slice * address, address, bits);
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                dut.set_bits(
                    data,
                    slice * width + low,
                    bits,
                    Self::data(number, low) & low_bits(bits),
                );
            }
        }
    }

    fn compare(&self, dut: &Dut) -> Result<(), Failure> {
        let cycle = self.clock;
        let width = self.plan.parameters.width;
        let [ready, valid, data] =
            ["s_axis_tready", "m_axis_tvalid", "m_axis_tdata"].map(|name| dut.port(name));
        let [error, id] = ["s_axis_error", "m_axis_tid"].map(|name| dut.find_port(name));
        for (slice, &node) in (0..).zip(&self.sources) {
            let name = |signal: &str| format!("{signal}[{slice}]");
            let is_ready = !self.reset && self.model.ready(node);
            bit(cycle, name("s_axis_tready"), is_ready, dut.get_bits(ready, slice, 1) == 1)?;
            if let Some(error) = error {
                let unknown = self.stimulus.offers[node as usize] == Some(Offer::Unknown);
                let found = dut.get_bits(error, slice, 1) == 1;
                bit(cycle, name("s_axis_error"), is_ready && unknown, found)?;
            }
        }
        for (slice, &node) in (0..).zip(&self.sinks) {
            let name = |signal: &str| format!("{signal}[{slice}]");
            let offered = self.model.offered(node).filter(|_| !self.reset);
            let found = dut.get_bits(valid, slice, 1) == 1;
            bit(cycle, name("m_axis_tvalid"), offered.is_some(), found)?;
            let Some(word) = offered else { continue };
            for low in (0..width).step_by(64) {
                let bits = (width - low).min(64);
                let wanted = Self::data(word.number, low) & low_bits(bits);
                let found = dut.get_bits(data, slice * width + low, bits);
                words(cycle, name("m_axis_tdata"), &[wanted], std::iter::once(found))?;
            }
            if let Some(id) = id {
                let bits = self.plan.id_bits();
                let wanted = self.plan.grid.address(word.source);
                let found = dut.get_bits(id, slice * bits, bits);
                words(cycle, name("m_axis_tid"), &[wanted], std::iter::once(found))?;
            }
        }
        Ok(())
    }

    /// Follows the words in and out: none is lost, doubled or brought elsewhere.
    fn follow(&mut self) -> Result<(), Failure> {
        let fault = |place: u32, found: &str| Failure {
            cycle: self.clock,
            place: format!("terminal {place}"),
            signal: "m_axis_tvalid".into(),
            expected: "a word for this terminal, once".into(),
            found: found.into(),
        };
        for node in 0..self.plan.terminals() {
            let at = node as usize;
            if let Some(word) = self.model.offered(node).filter(|_| self.stimulus.takes[at]) {
                match self.inside.remove(&word.number) {
                    Some(sink) if sink == node => {}
                    Some(_) => return Err(fault(node, "that of another")),
                    None => return Err(fault(node, "one that came before, or was never sent")),
                }
                self.delivered += 1;
                self.arrived.insert(word.number);
            }
            if !self.model.ready(node) {
                continue;
            }
            match self.stimulus.offers[at] {
                Some(Offer::Word(word)) => drop(self.inside.insert(word.number, word.destination)),
                Some(Offer::Unknown) => self.unknown += 1,
                None => {}
            }
        }
        Ok(())
    }

    fn add_counts(&mut self) {
        let Counts { slots, sent, understood, taken } = self.model.counts();
        self.counts.slots += slots;
        self.counts.sent += sent;
        self.counts.understood += understood;
        self.counts.taken += taken;
    }
}

impl Bench<Dut> for BusBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        let every = RESET_EVERY * (1 + u64::from(self.plan.parameters.depth) / 16);
        self.reset = is_reset(self.clock, every);
        self.stimulus.step();
        self.set(dut);
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        // Before the first reset nothing is known.
        if self.clock > 0 || !self.reset {
            self.compare(dut)?;
        }
        if self.reset {
            self.add_counts();
            self.model.reset();
            self.inside.clear();
        } else {
            self.follow()?;
            let ready: Vec<bool> =
                (0..self.plan.terminals()).map(|node| self.model.ready(node)).collect();
            self.model.clock(&self.stimulus.offers, &self.stimulus.takes);
            self.stimulus.take(|node| ready[node as usize]);
        }
        self.clock += 1;
        if self.clock < self.cycles {
            return Ok(Flow::On);
        }
        self.add_counts();
        Ok(Flow::Done)
    }
}
