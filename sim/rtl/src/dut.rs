//! The device under test of a testbench: a module of the netlist, evaluated.

use crate::eval::{Evaluator, NetId};
use turnpike_netlist::Design;

/// A device under test: a module of the netlist whose ports are set and read by name or handle.
///
/// Values set take effect when the circuit [settles](Dut::settle) or its [clock](Dut::clock)
/// rises next, and that edge sees them.
#[derive(Debug)]
pub struct Dut {
    evaluator: Evaluator,
}

impl Dut {
    /// The circuit of a design, in reset's absence, with every input 0.
    pub fn new(design: &Design) -> Self {
        Self::of(Evaluator::new(design))
    }

    /// The circuit of an evaluator, in its state.
    pub fn of(evaluator: Evaluator) -> Self {
        Self { evaluator }
    }

    /// The netlist inside.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The handle of a port.
    ///
    /// # Panics
    /// If the module has no such port.
    pub fn port(&self, name: &str) -> NetId {
        let module = self.evaluator.module();
        let port = self.evaluator.port(name);
        port.unwrap_or_else(|| panic!("{} has no port {name}", module.name))
    }

    /// The handle of a port, where there is one of this name.
    pub fn find_port(&self, name: &str) -> Option<NetId> {
        self.evaluator.port(name)
    }

    /// Sets the reset, for when the circuit settles next.
    pub fn set_reset(&mut self, reset: bool) {
        self.evaluator.set_reset(reset);
    }

    /// Sets an input of up to 64 bits, for when the circuit settles next.
    pub fn set(&mut self, input: NetId, value: u64) {
        self.evaluator.set(input, &[value]);
    }

    /// Sets up to 64 bits of an input, for when the circuit settles next: `width` bits from `low` up.
    pub fn set_bits(&mut self, input: NetId, low: u32, width: u32, value: u64) {
        self.evaluator.set_bits(input, low, width, value);
    }

    /// Sets `width` bits of an input from `low` up, out of words of 64 bits, the lowest first;
    /// missing words are 0.
    pub fn set_words(&mut self, input: NetId, low: u32, width: u32, words: &[u64]) {
        for (i, done) in (0..width).step_by(64).enumerate() {
            let word = words.get(i).copied().unwrap_or(0);
            self.evaluator.set_bits(input, low + done, (width - done).min(64), word);
        }
    }

    /// The low 64 bits of a net, as it settled last.
    pub fn get(&self, net: NetId) -> u64 {
        self.evaluator.get_low(net)
    }

    /// Up to 64 bits of a net, as it settled last: `width` bits from `low` up.
    pub fn get_bits(&self, net: NetId, low: u32, width: u32) -> u64 {
        self.evaluator.get_bits(net, low, width)
    }

    /// `width` bits of a net from `low` up, in words of 64 bits, the lowest first.
    pub fn get_words(&self, net: NetId, low: u32, width: u32) -> impl Iterator<Item = u64> {
        (0..width)
            .step_by(64)
            .map(move |done| self.evaluator.get_bits(net, low + done, (width - done).min(64)))
    }

    /// Lets all nets follow from the inputs; whether anything was to do.
    pub fn settle(&mut self) -> bool {
        self.evaluator.settle()
    }

    /// Gives every register its next value, as the rising edge of the clock does, and lets all nets
    /// follow; whether any register changed.
    pub fn clock(&mut self) -> bool {
        self.evaluator.clock()
    }
}
