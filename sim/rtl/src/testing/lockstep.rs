//! The evaluator beside the interpreter: every net of every instance, cycle by cycle.

use super::interpreter::Interpreter;
use crate::eval::{Evaluator, NetId, Scope};
use std::fmt;
use std::sync::Arc;
use turnpike_base::hash::hash;
use turnpike_netlist::{Design, Module, Net, NetInfo, NetKind};

/// First net that the evaluator and the interpreter disagree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Hierarchical name of the net.
    pub net: String,
    /// Cycle, from 0.
    pub cycle: u64,
    /// Bits by the evaluator, the lowest first.
    pub evaluated: Vec<bool>,
    /// Bits by the interpreter, the lowest first.
    pub interpreted: Vec<bool>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |bits: &[bool]| -> String {
            bits.iter().rev().map(|&b| if b { '1' } else { '0' }).collect()
        };
        let Self { net, cycle, evaluated, interpreted } = self;
        let (evaluated, interpreted) = (digits(evaluated), digits(interpreted));
        write!(f, "{net} in cycle {cycle} is {evaluated}, and {interpreted} by the interpreter")
    }
}

/// Runs a netlist for some cycles under random inputs and resets in both, and in an evaluator of
/// the ports alone.
///
/// # Errors
/// The first net with different values.
///
/// # Panics
/// If the netlist fails its own checks.
pub fn lockstep(module: &Arc<Module>, seed: u64, cycles: u64) -> Result<(), Box<Difference>> {
    let inputs: Vec<_> = module
        .ports()
        .filter(|(_, info)| info.kind == NetKind::Input)
        .map(|(net, _)| net)
        .collect();
    let mut both = Both::new(module);
    for cycle in 0..cycles {
        both.set_reset(hash(seed, &[cycle]).is_multiple_of(8));
        for &net in &inputs {
            both.set(net, &input(seed, cycle, net.index.into(), net.width));
        }
        both.settle(cycle)?;
        both.clock(cycle)?;
    }
    Ok(())
}

/// Random words with long runs of equal bits among them, so that carries travel.
fn input(seed: u64, cycle: u64, port: u64, width: u32) -> Vec<u64> {
    let word = |i| match hash(seed, &[cycle, port, i, 1]) % 4 {
        0 => 0,
        1 => u64::MAX,
        _ => hash(seed, &[cycle, port, i, 2]),
    };
    (0..u64::from(width.div_ceil(64))).map(word).collect()
}

/// A netlist in the evaluator, in an evaluator of its ports, and in the interpreter.
pub struct Both<'m> {
    evaluator: Evaluator,
    ports: Evaluator,
    interpreter: Interpreter<'m>,
    /// Every net and its bits, in the interpreter's order.
    nets: Vec<(NetId, usize)>,
    /// Bits by the interpreter.
    interpreted: Vec<bool>,
    /// Bits of an input that is set.
    input: Vec<bool>,
}

impl<'m> Both<'m> {
    /// A netlist in its first cycle; all inputs are 0.
    ///
    /// # Panics
    /// If the netlist fails its own checks.
    pub fn new(module: &'m Arc<Module>) -> Self {
        let design = Design::new(module).expect("a legal netlist");
        let (evaluator, ports) = Evaluator::with_ports(&design);
        let interpreter = Interpreter::new(module);
        let nets = same_nets(&evaluator, &interpreter, &module.name);
        // What is compiled for its ports alone has the nets of the top, and no others.
        assert!((1..ports.scopes().len()).all(|scope| ports.nets(scope).next().is_none()));
        assert_eq!(ports.nets(0).count(), module.nets.len());
        let (interpreted, input) = (Vec::new(), Vec::new());
        Self { evaluator, ports, interpreter, nets, interpreted, input }
    }

    pub fn set_reset(&mut self, reset: bool) {
        self.evaluator.set_reset(reset);
        self.ports.set_reset(reset);
        self.interpreter.set_reset(reset);
    }

    /// Sets an input of the top: its bits in words of 64, the lowest first.
    pub fn set(&mut self, net: Net, words: &[u64]) {
        self.input.clear();
        self.input.extend(words.iter().flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1)));
        self.interpreter.set(net, &self.input[..net.width as usize]);
        self.evaluator.set(self.evaluator.top_net(net), words);
        self.ports.set(self.ports.top_net(net), words);
    }

    /// Lets the logic follow the inputs, and compares.
    ///
    /// # Errors
    /// The first net with different values.
    pub fn settle(&mut self, cycle: u64) -> Result<(), Box<Difference>> {
        assert_eq!(self.evaluator.settle(), self.ports.settle());
        self.compare(cycle)
    }

    /// The clock's edge, and compares.
    ///
    /// # Errors
    /// The first net with different values.
    pub fn clock(&mut self, cycle: u64) -> Result<(), Box<Difference>> {
        assert_eq!(self.evaluator.clock(), self.ports.clock());
        self.interpreter.clock();
        self.compare(cycle)
    }

    fn compare(&mut self, cycle: u64) -> Result<(), Box<Difference>> {
        self.interpreted.clear();
        self.interpreter.all(&mut self.interpreted);
        let mut rest = &self.interpreted[..];
        for (i, &(net, width)) in self.nets.iter().enumerate() {
            let (interpreted, after) = rest.split_at(width);
            rest = after;
            // A bit above the width makes the words unequal.
            if !self.evaluator.get(net).eq(interpreted.chunks(64).map(word)) {
                let mut names = Vec::new();
                self.interpreter.names("", &mut names);
                let (net, evaluated) = (names.swap_remove(i), bits(&self.evaluator, net));
                let interpreted = interpreted.to_vec();
                return Err(Box::new(Difference { net, cycle, evaluated, interpreted }));
            }
        }
        for (net, info) in self.evaluator.nets(0) {
            if !self.evaluator.get(net).eq(self.ports.get(net)) {
                let [interpreted, evaluated] = [&self.evaluator, &self.ports].map(|e| bits(e, net));
                let net = format!("{} (of the ports alone)", info.name);
                return Err(Box::new(Difference { net, cycle, evaluated, interpreted }));
            }
        }
        Ok(())
    }
}

/// Every net of an evaluator, with its bits, and that the interpreter has the same nets in the same
/// order.
fn same_nets(evaluator: &Evaluator, interpreter: &Interpreter, top: &str) -> Vec<(NetId, usize)> {
    let mut expected = Vec::with_capacity(evaluator.net_count());
    interpreter.nets(top, &mut expected);
    let scopes = evaluator.scopes().iter().enumerate();
    let nets = scopes.flat_map(|(at, scope)| evaluator.nets(at).map(move |net| (scope, net)));
    let mut expected = expected.into_iter();
    let pair = |(scope, (id, info)): (&Scope, (NetId, &NetInfo))| {
        let found = Some((&*scope.name, &*info.name, info.width));
        assert_eq!(found, expected.next().map(|(of, net)| (of, &*net.name, net.width)));
        (id, evaluator.width(id) as usize)
    };
    let nets: Vec<(NetId, usize)> = nets.map(pair).collect();
    assert_eq!((nets.len(), expected.next()), (evaluator.net_count(), None));
    nets
}

/// Up to 64 bits, the lowest first, as a number.
fn word(bits: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit))
}

/// Bits of a net, the lowest first; a bit above its width makes the result too long.
fn bits(evaluator: &Evaluator, net: NetId) -> Vec<bool> {
    let mut bits: Vec<bool> =
        evaluator.get(net).flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1)).collect();
    let width = evaluator.width(net) as usize;
    while bits.len() > width && bits.last() == Some(&false) {
        bits.pop();
    }
    bits
}
