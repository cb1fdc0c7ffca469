//! The evaluator beside the interpreter: every net of every instance, cycle by cycle.

use super::interpreter::{Bits, Interpreter};
use crate::eval::{Evaluator, NetId};
use std::fmt;
use std::sync::Arc;
use turnpike_base::hash::hash;
use turnpike_netlist::{Design, Module, NetKind};

/// First net that the evaluator and the interpreter disagree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Hierarchical name of the net.
    pub net: String,
    /// Cycle, from 0.
    pub cycle: u64,
    /// Bits by the evaluator, the lowest first.
    pub evaluated: Bits,
    /// Bits by the interpreter, the lowest first.
    pub interpreted: Bits,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |bits: &Bits| -> String {
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
pub struct Both {
    evaluator: Evaluator,
    ports: Evaluator,
    interpreter: Interpreter,
    /// By net, in the interpreter's order.
    nets: Vec<(NetId, String)>,
}

impl Both {
    /// A netlist in its first cycle; all inputs are 0.
    ///
    /// # Panics
    /// If the netlist fails its own checks.
    pub fn new(module: &Arc<Module>) -> Self {
        let design = Design::new(module).expect("a legal netlist");
        let (evaluator, ports) = (Evaluator::new(&design), Evaluator::of_ports(&design));
        let interpreter = Interpreter::new(module);
        let mut names = Vec::new();
        interpreter.names("", &mut names);
        assert_eq!(names.len(), evaluator.net_count());
        let find = |name: String| (evaluator.find(&name).expect("a net of the netlist"), name);
        let nets = names.into_iter().map(find).collect();
        Self { evaluator, ports, interpreter, nets }
    }

    pub fn set_reset(&mut self, reset: bool) {
        self.evaluator.set_reset(reset);
        self.ports.set_reset(reset);
        self.interpreter.set_reset(reset);
    }

    /// Sets an input of the top: its bits in words of 64, the lowest first.
    pub fn set(&mut self, net: turnpike_netlist::Net, words: &[u64]) {
        let all = words.iter().flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1));
        self.interpreter.set(net, all.take(net.width as usize).collect());
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
        let mut expected = Vec::with_capacity(self.nets.len());
        self.interpreter.all(&mut expected);
        for ((net, name), interpreted) in self.nets.iter().zip(expected) {
            let evaluated = bits(&self.evaluator, *net);
            if evaluated != interpreted {
                let net = name.clone();
                return Err(Box::new(Difference { net, cycle, evaluated, interpreted }));
            }
        }
        // What is compiled for its ports alone has the nets of the top, and no others.
        for (net, info) in self.evaluator.nets(0) {
            if !self.evaluator.get(net).eq(self.ports.get(net)) {
                let [interpreted, evaluated] = [&self.evaluator, &self.ports].map(|e| bits(e, net));
                let net = format!("{} (of the ports alone)", info.name);
                return Err(Box::new(Difference { net, cycle, evaluated, interpreted }));
            }
        }
        assert!((1..self.evaluator.scopes().len()).all(|s| self.ports.nets(s).next().is_none()));
        Ok(())
    }
}

/// Bits of a net, the lowest first; a bit above its width makes the result too long.
fn bits(evaluator: &Evaluator, net: NetId) -> Bits {
    let mut bits: Bits =
        evaluator.get(net).flat_map(|w| (0..64).map(move |i| w >> i & 1 == 1)).collect();
    let width = evaluator.width(net) as usize;
    while bits.len() > width && bits.last() == Some(&false) {
        bits.pop();
    }
    bits
}
