//! The testbench of a queue: random words against a `VecDeque`, cycle for cycle.

use super::failure::{bit, words};
use super::ready_before::ReadyBefore;
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use std::collections::VecDeque;
use turnpike_fabric::rtl::fifo::Shape;
use turnpike_sim_network::traffic::random::Random;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Shares of cycles, in percent, in which a side of the queue is ready; they change every 64
/// cycles.
const SHARES: [u32; 4] = [100, 50, 10, 90];

/// The bench of `rtl::fifo`.
#[derive(Debug)]
pub struct FifoBench {
    ports: Ports,
    width: u32,
    depth: usize,
    /// Words that may be on the way when `in_ready` is looked at.
    in_flight: usize,
    /// `in_ready` in the cycles before.
    was_ready: ReadyBefore,
    cycles: u64,
    random: Random,
    /// Cycles since power was there.
    clock: u64,
    /// Whether this one is under reset.
    reset: bool,
    queue: VecDeque<Vec<u64>>,
    /// Whether a word comes out two cycles after it went in, and not in the next.
    is_behind: bool,
    /// Whether the oldest word can be taken.
    is_shown: bool,
    /// The word offered in this cycle.
    offered: Option<Vec<u64>>,
    taken: bool,
    /// Words that came out.
    pub delivered: u64,
    /// The longest run of cycles in which a word went in and a word came out.
    pub longest_stream: u64,
    stream: u64,
}

#[derive(Clone, Copy, Debug)]
struct Ports {
    in_valid: NetId,
    in_ready: NetId,
    in_data: NetId,
    out_valid: NetId,
    out_ready: NetId,
    out_data: NetId,
}

impl FifoBench {
    /// A bench of that many cycles for a queue of that shape.
    pub fn new(dut: &Dut, shape: Shape, cycles: u64, seed: u64) -> Self {
        let ports = Ports {
            in_valid: dut.port("in_valid"),
            in_ready: dut.port("in_ready"),
            in_data: dut.port("in_data"),
            out_valid: dut.port("out_valid"),
            out_ready: dut.port("out_ready"),
            out_data: dut.port("out_data"),
        };
        Self {
            ports,
            width: dut.evaluator().width(ports.in_data),
            depth: shape.depth as usize,
            in_flight: shape.in_flight as usize,
            was_ready: ReadyBefore::new(shape.in_flight),
            cycles,
            random: Random::new(seed),
            clock: 0,
            reset: false,
            queue: VecDeque::new(),
            is_behind: shape.is_behind(),
            is_shown: false,
            offered: None,
            taken: false,
            delivered: 0,
            longest_stream: 0,
            stream: 0,
        }
    }

    fn share(&mut self, side: u64) -> bool {
        // Phases that fill the queue, drain it, and stream through it.
        let phase = self.clock / (64 + 2 * self.depth as u64);
        let percent = SHARES[((phase >> (2 * side)) % 4) as usize];
        self.random.below(100) < percent
    }
}

/// Random words of that many bits.
pub(super) fn random_words(random: &mut Random, width: u32) -> Vec<u64> {
    let mut word = || u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX));
    let mut words: Vec<u64> = (0..width.div_ceil(64)).map(|_| word()).collect();
    if let Some(top) = words.last_mut() {
        *top &= u64::MAX >> (64 * width.div_ceil(64) - width);
    }
    words
}

impl Bench<Dut> for FifoBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        // The deeper the queue, the longer it takes to fill.
        self.reset = is_reset(self.clock, RESET_EVERY + 16 * self.depth as u64);
        dut.set_reset(self.reset);
        // With words in flight, only who found room sends, as many cycles later. Under reset
        // anybody may.
        let may = self.reset || self.was_ready.lets_send();
        self.offered = (may && self.share(0)).then(|| random_words(&mut self.random, self.width));
        self.taken = self.share(1);
        dut.set(self.ports.in_valid, self.offered.is_some().into());
        if let Some(word) = &self.offered {
            dut.set_words(self.ports.in_data, 0, self.width, word);
        }
        dut.set(self.ports.out_ready, self.taken.into());
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        self.clock += 1;
        if self.reset {
            // Nothing goes in or out, and nothing is left.
            self.queue.clear();
            self.is_shown = false;
            self.was_ready.clear();
            self.stream = 0;
            return Ok(Flow::On);
        }
        let cycle = self.clock - 2;
        let ready = self.queue.len() + self.in_flight < self.depth;
        bit(cycle, "in_ready", ready, dut.get(self.ports.in_ready) == 1)?;
        let room = ready || self.in_flight > 0;
        self.was_ready.note(ready);
        bit(cycle, "out_valid", self.is_shown, dut.get(self.ports.out_valid) == 1)?;
        let mut moved = 0;
        if let Some(front) = self.queue.front().filter(|_| self.is_shown) {
            let found: Vec<u64> = dut.get_words(self.ports.out_data, 0, self.width).collect();
            words(cycle, "out_data", front, found.into_iter())?;
            if self.taken {
                self.queue.pop_front();
                self.delivered += 1;
                moved += 1;
            }
        }
        let was_left = !self.queue.is_empty();
        if let Some(word) = self.offered.take().filter(|_| room) {
            self.queue.push_back(word);
            moved += 1;
        }
        self.is_shown = if self.is_behind { was_left } else { !self.queue.is_empty() };
        self.stream = if moved == 2 { self.stream + 1 } else { 0 };
        self.longest_stream = self.longest_stream.max(self.stream);
        Ok(if self.clock > self.cycles { Flow::Done } else { Flow::On })
    }
}
