//! Runs a program in lanes: the loops over the lanes, and the state that they work on.

use super::lanes::{Kernel, Lanes, Memories, Registers, Step};

/// The state of a netlist in lanes.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub values: Vec<u64>,
    memory: Vec<u64>,
    next: Vec<u64>,
}

/// Bits, from what `bit` makes of each item; only its lowest bit counts.
#[inline]
fn pack<T>(to: &mut [u64], items: &[T], bit: impl Fn(&T) -> u64) {
    for (to, items) in to.iter_mut().zip(items.chunks(64)) {
        // Four at a time: by itself each would wait for the one before.
        let (fours, rest) = items.as_chunks::<4>();
        let mut all = rest.iter().rev().fold(0, |all, item| all << 1 | bit(item) & 1);
        for four in fours.iter().rev() {
            let [a, b, c, d] = four.each_ref().map(|item| bit(item) & 1);
            all = all << 4 | (a | b << 1) | (c << 2 | d << 3);
        }
        *to = all;
    }
}

/// Bits, from two words and a carry in each lane.
#[inline]
fn pack3(to: &mut [u64], [a, b, c]: [&[u64]; 3], bit: impl Fn(u64, u64, u64) -> bool) {
    to.fill(0);
    for (lane, ((&a, &b), &c)) in a.iter().zip(b).zip(c).enumerate() {
        to[lane / 64] |= u64::from(bit(a, b, c)) << (lane % 64);
    }
}

/// Words, from a bit in each lane (all ones or all zeros) and an item.
#[inline]
fn spread<T>(
    to: &mut [u64],
    bits: &[u64],
    mut items: impl Iterator<Item = T>,
    value: impl Fn(u64, T) -> u64,
) {
    for (to, &bits) in to.chunks_mut(64).zip(bits) {
        let mut bits = bits;
        for (to, item) in to.iter_mut().zip(&mut items) {
            *to = value((bits & 1).wrapping_neg(), item);
            bits >>= 1;
        }
    }
}

#[inline]
fn each1(to: &mut [u64], a: &[u64], value: impl Fn(u64) -> u64) {
    to.iter_mut().zip(a).for_each(|(to, &a)| *to = value(a));
}

#[inline]
fn each2(to: &mut [u64], a: &[u64], b: &[u64], value: impl Fn(u64, u64) -> u64) {
    to.iter_mut().zip(a).zip(b).for_each(|((to, &a), &b)| *to = value(a, b));
}

#[inline]
fn each3(to: &mut [u64], [a, b, c]: [&[u64]; 3], value: impl Fn(u64, u64, u64) -> u64) {
    to.iter_mut().zip(a).zip(b).zip(c).for_each(|(((to, &a), &b), &c)| *to = value(a, b, c));
}

impl State {
    pub fn new(lanes: &Lanes) -> Self {
        let registers = lanes.registers.iter().map(Registers::words).sum();
        Self {
            values: lanes.initial.clone(),
            memory: vec![0; lanes.memory_words],
            next: vec![0; registers],
        }
    }

    /// Words of the registers, then those of the memories.
    pub fn held(&self, program: &Lanes) -> impl Iterator<Item = u64> {
        let registers = &self.values[program.registers_at as usize..][..self.next.len()];
        registers.iter().chain(&self.memory).copied()
    }

    /// Takes the words of [`State::held`].
    pub fn restore(&mut self, program: &Lanes, held: &[u64]) {
        let (registers, memory) = held.split_at(self.next.len());
        self.values[program.registers_at as usize..][..registers.len()].copy_from_slice(registers);
        self.memory.copy_from_slice(memory);
    }

    /// Executes a list of steps.
    pub fn run(&mut self, program: &Lanes, list: &[Step]) {
        for s in list {
            let (lanes, keep, x) = (s.lanes as usize, s.keep & 63, s.x & 63);
            let (from, to) = self.values.split_at_mut(s.to as usize);
            let words = if s.kernel.is_bits() { lanes.div_ceil(64) } else { lanes };
            let to = &mut to[..words];
            // What a step reads: a word for each of its lanes, or their bits.
            let all = |at: u32| &from[at as usize..][..lanes];
            let bits = |at: u32| &from[at as usize..][..lanes.div_ceil(64)];
            let cut = |value: u64| value << keep >> keep;
            match s.kernel {
                Kernel::BitNot => each1(to, bits(s.a), |a| !a),
                Kernel::BitAnd => each2(to, bits(s.a), bits(s.b), |a, b| a & b),
                Kernel::BitAndNot => each2(to, bits(s.a), bits(s.b), |a, b| a & !b),
                Kernel::BitOr => each2(to, bits(s.a), bits(s.b), |a, b| a | b),
                Kernel::BitXor => each2(to, bits(s.a), bits(s.b), |a, b| a ^ b),
                Kernel::BitEqual => each2(to, bits(s.a), bits(s.b), |a, b| !(a ^ b)),
                Kernel::BitMux => {
                    each3(to, [bits(s.a), bits(s.b), bits(s.c)], |a, b, c| c ^ ((c ^ b) & a));
                }
                Kernel::Not => each1(to, all(s.a), |a| cut(!a)),
                Kernel::And => each2(to, all(s.a), all(s.b), |a, b| a & b),
                Kernel::AndNot => each2(to, all(s.a), all(s.b), |a, b| a & !b),
                Kernel::Or => each2(to, all(s.a), all(s.b), |a, b| a | b),
                Kernel::Xor => each2(to, all(s.a), all(s.b), |a, b| a ^ b),
                Kernel::Gate => spread(to, bits(s.a), all(s.b).iter(), |a, &b| a & b),
                Kernel::Repeat => spread(to, bits(s.a), 0..lanes, |a, _| cut(a)),
                Kernel::Add => each2(to, all(s.a), all(s.b), |a, b| cut(a.wrapping_add(b))),
                Kernel::Sub => each2(to, all(s.a), all(s.b), |a, b| cut(a.wrapping_sub(b))),
                Kernel::Sum => each3(to, [all(s.a), all(s.b), all(s.c)], |a, b, c| {
                    a.wrapping_add(b).wrapping_add(c)
                }),
                Kernel::Mux => {
                    let both = all(s.b).iter().zip(all(s.c));
                    spread(to, bits(s.a), both, |a, (&b, &c)| c ^ ((c ^ b) & a));
                }
                Kernel::Field => each1(to, all(s.a), |a| cut(a >> x)),
                Kernel::PlaceUp => each2(to, all(s.a), all(s.b), |a, b| a | b << x),
                Kernel::PlaceBit => {
                    spread(to, bits(s.b), all(s.a).iter(), |b, &a| a | (b & 1) << x);
                }
                Kernel::PlaceDown => each2(to, all(s.a), all(s.b), |a, b| a | b >> x),
                Kernel::Read => {
                    let Memories { bases, stride, depth } = &program.reads[s.x as usize];
                    let memory = &self.memory[..];
                    let word = |a: u64, base: u32| match a < u64::from(*depth) {
                        true => memory[base as usize + a as usize * *stride as usize],
                        false => 0,
                    };
                    let addressed = to.iter_mut().zip(all(s.a)).zip(bases);
                    addressed.for_each(|((to, &a), &base)| *to = word(a, base));
                }
                Kernel::Table => {
                    let rows = &program.tables[s.x as usize][..];
                    each1(to, all(s.a), |a| rows[a as usize]);
                }
                Kernel::Any => pack(to, all(s.a), |&a| u64::from(a != 0)),
                Kernel::Equal => pack3(to, [all(s.a), all(s.b), all(s.a)], |a, b, _| a == b),
                Kernel::Carry => pack3(to, [all(s.a), all(s.b), all(s.c)], |a, b, c| {
                    let (sum, first) = a.overflowing_add(b);
                    first | sum.overflowing_add(c).1
                }),
                Kernel::Bit => pack(to, all(s.a), |&a| a >> x),
                Kernel::Gather => {
                    let places = &program.gathers[s.x as usize];
                    to.iter_mut().zip(places).for_each(|(to, place)| *to = place.read(from));
                }
                Kernel::GatherBits => {
                    pack(to, &program.gathers[s.x as usize], |place| place.read(from));
                }
                Kernel::Collect => {
                    let parts = program.collections[s.x as usize].iter();
                    to[0] = parts.fold(0, |all, (place, low)| all | place.read(from) << (low & 63));
                }
            }
        }
    }

    /// The rising edge: every next value from what is there before it, then all at once.
    /// Whether anything may have changed.
    pub fn edge(&mut self, program: &Lanes) -> bool {
        let values = &self.values[..];
        let mut changed = false;
        for w in &program.writes {
            let lanes = w.memories.bases.len();
            for (i, first) in (0..lanes).step_by(64).enumerate() {
                // Lanes beyond the last one have bits of no meaning.
                let mut enable = values[w.enable as usize + i] & low(lanes - first);
                while enable != 0 {
                    let lane = first + enable.trailing_zeros() as usize;
                    enable &= enable - 1;
                    if let Some(at) = w.memories.at(lane, values[w.address as usize + lane]) {
                        self.memory[at] = values[w.data as usize + lane];
                        changed = true;
                    }
                }
            }
        }
        let reset = values[program.reset as usize] != 0;
        let mut rest = &mut self.next[..];
        for r in &program.registers {
            let (lanes, words) = (r.lanes as usize, r.words());
            let (to, after) = rest.split_at_mut(words);
            rest = after;
            let next = &values[r.next as usize..][..words];
            let held = &values[r.to as usize..][..words];
            match (r.reset, r.enable) {
                (Some(value), _) if reset && r.bits => to.fill(value.wrapping_neg()),
                (Some(value), _) if reset => to.fill(value),
                (_, None) => to.copy_from_slice(next),
                (_, Some(enable)) => {
                    let enable = &values[enable as usize..][..lanes.div_ceil(64)];
                    let take = |take: u64, held: u64, next: u64| held ^ ((held ^ next) & take);
                    match r.bits {
                        true => each3(to, [enable, held, next], take),
                        false => {
                            let both = held.iter().zip(next);
                            spread(to, enable, both, |enable, (&h, &n)| take(enable, h, n));
                        }
                    }
                }
            }
            if r.bits {
                to[words - 1] &= low(lanes - 64 * (words - 1));
            }
        }
        let registers = &mut self.values[program.registers_at as usize..][..self.next.len()];
        changed |= *registers != self.next[..];
        registers.copy_from_slice(&self.next);
        changed
    }
}

/// The lowest bits of a word, all of them where there are 64 or more.
fn low(lanes: usize) -> u64 {
    u64::MAX >> (64 - lanes.min(64))
}
