//! Steps and what they read: where values lie side by side.

use super::{Builder, Reached};
use crate::eval::lanes::{Kernel, Memories, Place, Step};
use crate::eval::program::{Instruction, Op, Words};
use crate::eval::values::Slot;

impl Builder<'_> {
    /// New words of the state, for that many lanes.
    pub fn allocate(&mut self, lanes: usize, bits: bool) -> u32 {
        let at = self.lanes.initial.len();
        let words = if bits { lanes.div_ceil(64) } else { lanes };
        self.lanes.initial.resize(at + words, 0);
        at as u32
    }

    /// Says that slots lie there, in the order of the lanes.
    pub fn settle(&mut self, slots: &[Slot], at: u32, bits: bool) {
        for (lane, &slot) in (0..).zip(slots) {
            self.places[slot as usize] = match bits {
                true => Place { word: at + lane / 64, shift: (lane % 64) as u8, keep: 63 },
                false => Place { word: at + lane, shift: 0, keep: 0 },
            };
        }
        self.columns[usize::from(bits)].insert(slots, at);
    }

    /// Places instructions of one kind, in the order in which most operands lie as they are.
    pub fn step(&mut self, mut members: Vec<Instruction>) {
        let operands = members[0].operands();
        let unit = |i: &Instruction| {
            let net = self.values.home[i.to as usize] as usize;
            (self.scopes[self.scope_of[net] as usize].1, i.to)
        };
        members.sort_by_cached_key(unit);
        // A single one is in order.
        let mut best = if members.len() == 1 { operands } else { self.lying(&members) };
        for operand in 0..operands {
            if best == operands {
                break;
            }
            let mut other = members.clone();
            other.sort_by_key(|i| self.places[i.slots()[operand] as usize]);
            let lying = self.lying(&other);
            if lying > best {
                (best, members) = (lying, other);
            }
        }
        let first = members[0];
        let bit = |operand: usize| members.iter().all(|i| self.is_bit(i.slots()[operand]));
        let (one, ones) = (self.is_bit(first.to), (0..operands).all(bit));
        let kernel = match first.op {
            Op::Not if one => Kernel::BitNot,
            Op::And | Op::Gate if one => Kernel::BitAnd,
            Op::AndNot if one => Kernel::BitAndNot,
            Op::Or if one => Kernel::BitOr,
            Op::Xor | Op::Add | Op::Sub if one => Kernel::BitXor,
            Op::Mux if one => Kernel::BitMux,
            Op::Equal if ones => Kernel::BitEqual,
            Op::Any => Kernel::Any,
            Op::Equal => Kernel::Equal,
            Op::Carry => Kernel::Carry,
            Op::Field if one => Kernel::Bit,
            Op::Not => Kernel::Not,
            Op::And => Kernel::And,
            Op::AndNot => Kernel::AndNot,
            Op::Or => Kernel::Or,
            Op::Xor => Kernel::Xor,
            Op::Gate => Kernel::Gate,
            Op::Repeat => Kernel::Repeat,
            Op::Add => Kernel::Add,
            Op::Sub => Kernel::Sub,
            Op::Sum => Kernel::Sum,
            Op::Mux => Kernel::Mux,
            Op::Field => Kernel::Field,
            Op::PlaceUp if bit(1) => Kernel::PlaceBit,
            Op::PlaceUp => Kernel::PlaceUp,
            Op::PlaceDown => Kernel::PlaceDown,
            Op::Read => Kernel::Read,
            Op::Table => Kernel::Table,
        };
        let mut at = [0; 3];
        let mut column: Vec<Slot> = Vec::with_capacity(members.len());
        for (operand, at) in at.iter_mut().enumerate().take(operands) {
            column.clear();
            column.extend(members.iter().map(|i| i.slots()[operand]));
            *at = self.column(&column, reads_bits(kernel, operand));
        }
        let x = match first.op {
            Op::Read => {
                let words = |i: &Instruction| self.program.reads[i.b as usize];
                let Words { stride, depth, .. } = words(&first);
                let bases = members.iter().map(|i| words(i).base).collect();
                self.lanes.reads.push(Memories { bases, stride, depth });
                self.lanes.reads.len() as u32 - 1
            }
            Op::PlaceUp | Op::PlaceDown => first.c,
            _ => first.b,
        };
        let reached = members.iter().map(|i| self.reached[i.to as usize]);
        let reached = reached.fold(Reached::default(), Reached::and);
        let (lanes, bits) = (members.len(), kernel.is_bits());
        let to = self.allocate(lanes, bits);
        column.clear();
        column.extend(members.iter().map(|i| i.to));
        self.settle(&column, to, bits);
        let ([a, b, c], keep, lanes) = (at, first.keep, lanes as u32);
        self.steps.push((Step { kernel, keep, lanes, to, a, b, c, x }, reached));
    }

    /// Number of operands that lie somewhere in the order of these instructions.
    fn lying(&self, members: &[Instruction]) -> usize {
        let lies = |operand: &usize| {
            let column: Vec<Slot> = members.iter().map(|i| i.slots()[*operand]).collect();
            self.columns.iter().any(|columns| columns.get(&column).is_some())
        };
        (0..members[0].operands()).filter(lies).count()
    }

    /// Column in which these slots lie side by side, as words or as their lowest bits; they are
    /// gathered if they do not yet. An operation on bits may read the lowest bits of wider slots
    /// (`x & 1`), so bits stand for words only where each slot has one bit.
    pub fn column(&mut self, column: &[Slot], bits: bool) -> u32 {
        if let Some(at) = self.columns[usize::from(bits)].get(column) {
            return at;
        }
        let at = self.allocate(column.len(), bits);
        let known = column.iter().map(|&slot| self.values.value(slot));
        if known.clone().all(|value| value.is_some()) {
            let words = &mut self.lanes.initial[at as usize..];
            for (lane, value) in known.flatten().enumerate() {
                match bits {
                    true => words[lane / 64] |= (value & 1) << (lane % 64),
                    false => words[lane] = value,
                }
            }
        } else {
            // In the order of the lanes, but bits for words or words for bits.
            let all = bits || column.iter().all(|&slot| self.is_bit(slot));
            let other = self.columns[usize::from(!bits)].get(column).filter(|_| all);
            let kernel = match (other, bits) {
                (Some(_), true) => Kernel::Bit,
                (Some(_), false) => Kernel::Repeat,
                (None, true) => Kernel::GatherBits,
                (None, false) => Kernel::Gather,
            };
            let x = match other {
                Some(_) => 0,
                None => {
                    let places = column.iter().map(|&slot| self.places[slot as usize]);
                    self.lanes.gathers.push(places.collect());
                    self.lanes.gathers.len() as u32 - 1
                }
            };
            let reached = column.iter().map(|&slot| self.reached[slot as usize]);
            let reached = reached.fold(Reached::default(), Reached::and);
            let lanes = column.len() as u32;
            let a = other.unwrap_or(0);
            let step = Step { kernel, keep: 63, lanes, to: at, a, b: 0, c: 0, x };
            self.steps.push((step, reached));
        }
        self.columns[usize::from(bits)].insert(column, at);
        at
    }

    /// A step for a word put together of several values.
    pub fn collect(&mut self, slot: Slot, parts: &[(Slot, u8)]) {
        let places = parts.iter().map(|&(part, low)| (self.places[part as usize], low));
        let places = places.collect();
        self.lanes.collections.push(places);
        let x = self.lanes.collections.len() as u32 - 1;
        let to = self.allocate(1, false);
        self.settle(&[slot], to, false);
        let kernel = Kernel::Collect;
        let step = Step { kernel, keep: 0, lanes: 1, to, a: 0, b: 0, c: 0, x };
        self.steps.push((step, self.reached[slot as usize]));
    }
}

/// Whether a kernel has an operand, by its number, as bits.
fn reads_bits(kernel: Kernel, operand: usize) -> bool {
    use Kernel::{Any, Bit, Carry, Equal, Gate, Mux, PlaceBit, Repeat};
    match kernel {
        Any | Equal | Carry | Bit => false,
        Gate | Mux | Repeat => operand == 0,
        PlaceBit => operand == 1,
        _ => kernel.is_bits(),
    }
}
