//! Cases of the evaluator's random tests: drawn, run, made smaller, printed.

use super::lockstep::{Difference, lockstep};
use super::random_netlist::{Shape, random_netlist};
use super::random_network::random_network;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use turnpike_base::random::Random;
use turnpike_netlist::Module;

/// A random netlist, and what it is run under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// Seed of the netlist and of its inputs.
    pub seed: u64,
    /// Instances of the netlist beside each other; 0: the netlist itself is the top.
    pub instances: u32,
    /// Clocks that the instances are in, each with a reset of its own; 0: all in that of the top.
    pub clocks: u32,
    /// Size of the netlist.
    pub shape: Shape,
}

/// Cycles that each case runs for.
const CYCLES: u64 = 6;

impl Case {
    /// Case number `index` of a stream of cases, the same everywhere.
    ///
    /// Most are small, so that millions can be run. Weighted towards what small mistakes of a
    /// compiler need: constants and repeated bits, one-bit operators beside wide words,
    /// registers without a reset, one in sixteen many instances.
    pub fn drawn(stream: u64, index: u64) -> Self {
        let mut random = Random::new(turnpike_base::hash::hash(stream, &[index]));
        let small = random.below(16) > 0;
        let width = match random.below(5) {
            0 => 1 + random.below(2),
            1 => 1 + random.below(8),
            2 => 60 + random.below(10),
            3 => 1 + random.below(if small { 80 } else { 200 }),
            _ => 126 + random.below(6),
        };
        let up_to =
            |random: &mut Random, few: u32, many: u32| random.below(if small { few } else { many });
        let shape = Shape {
            wires: 1 + up_to(&mut random, 5, 30),
            registers: up_to(&mut random, 2, 6),
            memories: random.below(16).saturating_sub(if small { 14 } else { 13 }),
            tables: random.below(16).saturating_sub(if small { 14 } else { 13 }),
            levels: random.below(4).saturating_sub(if small { 2 } else { 1 }),
            width,
            nesting: up_to(&mut random, 4, 5),
            known: random.below(3) == 0,
            constants: random.below(4) > 0,
        };
        let instances = match random.below(20) {
            0 => 1 + random.below(if small { 8 } else { 140 }),
            _ => 0,
        };
        let seed = u64::from(random.word()) << 32 | u64::from(random.word());
        let clocks = if random.below(2) == 0 { 0 } else { 1 + random.below(3) };
        Self { seed, instances, clocks: if instances == 0 { 0 } else { clocks }, shape }
    }

    /// Netlist of the case.
    pub fn netlist(&self) -> Arc<Module> {
        match self.instances {
            0 => random_netlist(self.seed, &self.shape),
            n => random_network(self.seed, &self.shape, n, self.clocks),
        }
    }

    /// Runs the evaluator beside the interpreter.
    ///
    /// # Errors
    /// The first net on which they disagree.
    pub fn run(&self) -> Result<(), Box<Difference>> {
        lockstep(&self.netlist(), self.seed, CYCLES)
    }

    /// A smaller case that fails as well, as far as leaving out one thing at a time gets.
    #[must_use]
    pub fn smaller(mut self) -> Self {
        loop {
            let Shape { wires, registers, memories, tables, levels, width, nesting, .. } =
                self.shape;
            let shape = self.shape;
            let less = |n: u32| n.saturating_sub(1);
            let tries = [
                Shape { levels: less(levels), ..shape },
                Shape { memories: less(memories), ..shape },
                Shape { tables: less(tables), ..shape },
                Shape { registers: less(registers), ..shape },
                Shape { nesting: less(nesting), ..shape },
                Shape { wires: less(wires).max(1), ..shape },
                Shape { width: (width / 2).max(1), ..shape },
                Shape { width: less(width).max(1), ..shape },
            ];
            let cases = tries.map(|shape| Self { shape, ..self });
            let fewer = Self { instances: self.instances / 2, ..self };
            let one_clock = Self { clocks: less(self.clocks), ..self };
            let mut smaller =
                cases.into_iter().chain([fewer, one_clock]).filter(|case| *case != self);
            match smaller.find(|case| case.run().is_err()) {
                Some(case) => self = case,
                None => return self,
            }
        }
    }
}

/// Runs cases of a stream, by their numbers, on all cores.
///
/// # Panics
/// At the first case that fails; the message is the case made smaller, as a line of Rust that
/// can be pasted into a list, and the difference.
pub fn run_all(stream: u64, cases: Range<u64>) {
    let (next, failed) = (AtomicU64::new(cases.start), AtomicBool::new(false));
    let found: Mutex<Option<Case>> = Mutex::new(None);
    let work = || {
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= cases.end {
                return;
            }
            let case = Case::drawn(stream, index);
            if case.run().is_err() {
                failed.store(true, Ordering::Relaxed);
                *found.lock().expect("no thread panics") = Some(case);
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
    if let Some(case) = found.into_inner().expect("no thread panics") {
        let case = case.smaller();
        let difference = case.run().expect_err("it failed before");
        panic!("stream {stream} has a case that fails:\n    {case:?},\n{difference}");
    }
}
