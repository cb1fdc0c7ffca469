//! Emits instructions: equal operations share one slot, constants fold, and pairs that
//! netlists are full of become one instruction.

use super::program::{Instruction, Op, Words};
use rustc_hash::{FxBuildHasher, FxHashMap};

pub(super) type Slot = u32;

/// The instructions so far.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By slot: its value before the first settling.
    pub initial: Vec<u64>,
    /// By slot: whether it is a constant.
    constant: Vec<bool>,
    /// By slot: the instruction that writes it, or `u32::MAX`.
    made_by: Vec<u32>,
    /// By slot: bits from this one up are 0; at least 1.
    pub bound: Vec<u8>,
    /// By slot: the net that was compiled when it was made.
    pub home: Vec<u32>,
    /// The net that is compiled.
    pub current: u32,
    pub list: Vec<Instruction>,
    known: FxHashMap<(Op, u8, u32, u32, u32), Slot>,
    constants: FxHashMap<u64, Slot>,
    pub reads: Vec<Words>,
    read_index: FxHashMap<Words, u32>,
    pub tables: Vec<Vec<u64>>,
    table_index: FxHashMap<Vec<u64>, u32>,
    /// Single bits that were asked for: see [`Values::bit`].
    bits: FxHashMap<(Slot, u32), Option<Slot>>,
}

/// Number of operators that [`Values::bit`] looks through.
const DEPTH: u32 = 64;

/// Number of bits that are taken one by one, at most, where a word of them is held or tested.
pub(super) const SINGLY: u32 = 16;

impl Values {
    /// No instructions yet, with room for those of about that many slots.
    pub fn with_room(slots: usize) -> Self {
        Self {
            initial: Vec::with_capacity(slots),
            constant: Vec::with_capacity(slots),
            made_by: Vec::with_capacity(slots),
            bound: Vec::with_capacity(slots),
            home: Vec::with_capacity(slots),
            list: Vec::with_capacity(slots),
            known: FxHashMap::with_capacity_and_hasher(slots, FxBuildHasher),
            ..Self::default()
        }
    }

    /// A slot that something else writes, of up to `width` bits: an input or a register.
    pub fn fresh(&mut self, width: u32) -> Slot {
        self.slot(0, false, u32::MAX, width)
    }

    fn slot(&mut self, initial: u64, constant: bool, made_by: u32, bound: u32) -> Slot {
        self.initial.push(initial);
        self.constant.push(constant);
        self.made_by.push(made_by);
        self.bound.push(bound.clamp(1, 64) as u8);
        self.home.push(self.current);
        self.initial.len() as Slot - 1
    }

    pub fn constant(&mut self, value: u64) -> Slot {
        if let Some(&slot) = self.constants.get(&value) {
            return slot;
        }
        let slot = self.slot(value, true, u32::MAX, 64 - value.leading_zeros());
        self.constants.insert(value, slot);
        slot
    }

    /// The value of a slot that is a constant.
    pub fn value(&self, slot: Slot) -> Option<u64> {
        self.constant[slot as usize].then(|| self.initial[slot as usize])
    }

    /// Whether an instruction makes a slot.
    pub fn is_made(&self, slot: Slot) -> bool {
        self.made_by[slot as usize] != u32::MAX
    }

    /// The operand of a slot that `op` made in all its `width` bits. (A slot may have more bits
    /// than what made it: those above are 0.)
    fn operand_of(&self, slot: Slot, op: Op, width: u32) -> Option<Slot> {
        let made = self.list.get(self.made_by[slot as usize] as usize)?;
        (made.op == op && u32::from(made.keep) == 64 - width).then_some(made.a)
    }

    fn emit(&mut self, op: Op, keep: u32, a: u32, b: u32, c: u32) -> Slot {
        let key = (op, keep as u8, a, b, c);
        if let Some(&slot) = self.known.get(&key) {
            return slot;
        }
        let bound = self.bound_of(op, keep, a, b, c);
        let to = self.slot(0, false, self.list.len() as u32, bound);
        self.list.push(Instruction { op, keep: keep as u8, to, a, b, c });
        self.known.insert(key, to);
        to
    }

    /// The bits that a result may have.
    fn bound_of(&self, op: Op, keep: u32, a: Slot, b: Slot, c: Slot) -> u32 {
        let bound = |slot: Slot| u32::from(self.bound[slot as usize]);
        match op {
            Op::And => bound(a).min(bound(b)),
            Op::AndNot => bound(a),
            Op::Or | Op::Xor => bound(a).max(bound(b)),
            Op::Gate => bound(b),
            Op::Mux => bound(b).max(bound(c)),
            Op::PlaceUp => bound(a).max(bound(b) + c),
            Op::PlaceDown => bound(a).max(bound(b).saturating_sub(c)),
            Op::Field => (64 - keep).min(bound(a).saturating_sub(b)),
            Op::Table => {
                let most = self.tables[b as usize].iter().max();
                most.map_or(1, |most| 64 - most.leading_zeros())
            }
            _ => 64 - keep,
        }
    }

    /// Bit `at` of a slot, where it is had without taking a word apart: where the word was put
    /// together of bits, perhaps with operators over it.
    fn bit(&mut self, slot: Slot, at: u32, depth: u32) -> Option<Slot> {
        if let Some(v) = self.value(slot) {
            return Some(self.constant(v >> at & 1));
        }
        let bound = u32::from(self.bound[slot as usize]);
        if at >= bound {
            return Some(self.constant(0));
        }
        if bound == 1 {
            return Some(slot);
        }
        if let Some(&known) = self.bits.get(&(slot, at)) {
            return known;
        }
        let made = *self.list.get(self.made_by[slot as usize] as usize)?;
        let depth = depth.checked_sub(1)?;
        let Instruction { op, keep, a, b, c, .. } = made;
        let found = match op {
            Op::Field => self.bit(a, at + b, depth),
            Op::Repeat => Some(a),
            Op::PlaceUp => {
                let low = self.bit(a, at, depth);
                let high = match at.checked_sub(c) {
                    Some(at) => self.bit(b, at, depth),
                    None => Some(self.constant(0)),
                };
                low.zip(high).map(|(low, high)| self.or(low, high, 1))
            }
            Op::Not if at < 64 - u32::from(keep) => self.bit(a, at, depth).map(|a| self.not(a, 1)),
            Op::And | Op::AndNot | Op::Or | Op::Xor => {
                let both = self.bit(a, at, depth).zip(self.bit(b, at, depth));
                both.map(|(a, b)| match op {
                    Op::And => self.and(a, b, 1),
                    Op::Or => self.or(a, b, 1),
                    Op::Xor => self.xor(a, b),
                    _ => {
                        let b = self.not(b, 1);
                        self.and(a, b, 1)
                    }
                })
            }
            Op::Gate => self.bit(b, at, depth).map(|b| self.and(a, b, 1)),
            Op::Mux => {
                let both = self.bit(b, at, depth).zip(self.bit(c, at, depth));
                both.map(|(b, c)| self.mux(a, b, c, 1))
            }
            _ => None,
        };
        self.bits.insert((slot, at), found);
        found
    }

    /// The low `width` bits of a slot, one by one, where all are had and are few.
    fn singly(&mut self, slot: Slot, width: u32) -> Option<Vec<Slot>> {
        let few = width <= SINGLY;
        few.then(|| (0..width).map(|at| self.bit(slot, at, DEPTH)).collect()).flatten()
    }

    /// `!a` over `width` bits.
    pub fn not(&mut self, a: Slot, width: u32) -> Slot {
        match (self.value(a), self.operand_of(a, Op::Not, width)) {
            (Some(v), _) => self.constant(!v & mask(width)),
            (None, Some(inner)) => inner,
            (None, None) => self.emit(Op::Not, 64 - width, a, a, a),
        }
    }

    /// `a & b` over `width` bits.
    pub fn and(&mut self, a: Slot, b: Slot, width: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x & y),
            (Some(0), _) => return a,
            (_, Some(0)) => return b,
            (Some(x), _) if x == mask(width) => return b,
            (_, Some(y)) if y == mask(width) => return a,
            _ if a == b => return a,
            _ => {}
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(bit) = self.operand_of(a, Op::Repeat, width) {
                return self.emit(Op::Gate, 0, bit, b, b);
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(inner) = self.operand_of(b, Op::Not, width) {
                return self.emit(Op::AndNot, 0, a, inner, a);
            }
        }
        self.emit(Op::And, 0, a.min(b), a.max(b), a.min(b))
    }

    /// `a | b` over `width` bits.
    pub fn or(&mut self, a: Slot, b: Slot, width: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x | y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            (Some(x), _) if x == mask(width) => a,
            (_, Some(y)) if y == mask(width) => b,
            _ if a == b => a,
            _ => self.emit(Op::Or, 0, a.min(b), a.max(b), a.min(b)),
        }
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x ^ y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if a == b => self.constant(0),
            _ => self.emit(Op::Xor, 0, a.min(b), a.max(b), a.min(b)),
        }
    }

    /// One bit in each of `width` bits.
    pub fn repeat(&mut self, bit: Slot, width: u32) -> Slot {
        match self.value(bit) {
            Some(v) => self.constant(v.wrapping_neg() & mask(width)),
            None if width == 1 => bit,
            None => self.emit(Op::Repeat, 64 - width, bit, bit, bit),
        }
    }

    /// Whether any bit of a slot of `width` bits is set.
    pub fn any(&mut self, a: Slot, width: u32) -> Slot {
        match self.value(a) {
            Some(v) => self.constant(u64::from(v != 0)),
            None if width == 1 => a,
            None => match self.singly(a, width) {
                Some(bits) => bits.into_iter().reduce(|x, y| self.or(x, y, 1)).unwrap_or(a),
                None => self.emit(Op::Any, 63, a, a, a),
            },
        }
    }

    /// Whether two slots are equal.
    pub fn equal(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(u64::from(x == y)),
            _ if a == b => self.constant(1),
            _ => self.emit(Op::Equal, 63, a.min(b), a.max(b), a.min(b)),
        }
    }

    /// `a + b` over `width` bits.
    pub fn add(&mut self, a: Slot, b: Slot, width: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x.wrapping_add(y) & mask(width)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.emit(Op::Add, 64 - width, a.min(b), a.max(b), a.min(b)),
        }
    }

    /// `a - b` over `width` bits.
    pub fn sub(&mut self, a: Slot, b: Slot, width: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x.wrapping_sub(y) & mask(width)),
            (_, Some(0)) => a,
            _ if a == b => self.constant(0),
            _ => self.emit(Op::Sub, 64 - width, a, b, a),
        }
    }

    /// `a + b + carry` over 64 bits, and the carry out of it.
    pub fn sum(&mut self, a: Slot, b: Slot, carry: Slot) -> (Slot, Slot) {
        (self.emit(Op::Sum, 0, a, b, carry), self.emit(Op::Carry, 63, a, b, carry))
    }

    /// `then` where `select` is set, else `otherwise`, over `width` bits.
    pub fn mux(&mut self, select: Slot, then: Slot, otherwise: Slot, width: u32) -> Slot {
        match (self.value(select), self.value(then), self.value(otherwise)) {
            (Some(0), ..) => otherwise,
            (Some(_), ..) => then,
            _ if then == otherwise => then,
            (_, Some(1), Some(0)) if width == 1 => select,
            (_, Some(0), Some(1)) if width == 1 => self.not(select, 1),
            (_, _, Some(0)) => self.emit(Op::Gate, 0, select, then, then),
            _ => self.emit(Op::Mux, 0, select, then, otherwise),
        }
    }

    /// Bits `shift` to `shift + width - 1` of a slot of `of` bits.
    pub fn field(&mut self, a: Slot, shift: u32, width: u32, of: u32) -> Slot {
        match self.value(a) {
            Some(v) => self.constant(v >> shift & mask(width)),
            None if shift == 0 && width == of => a,
            None if width == 1 => match self.bit(a, shift, DEPTH) {
                Some(bit) => bit,
                None => self.emit(Op::Field, 63, a, shift, a),
            },
            None => self.emit(Op::Field, 64 - width, a, shift, a),
        }
    }

    /// `a | b << shift`, bits above 63 dropped; `shift` below 64.
    pub fn place_up(&mut self, a: Slot, b: Slot, shift: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x | y << shift),
            (_, Some(0)) => a,
            (Some(0), _) if shift == 0 => b,
            _ => self.emit(Op::PlaceUp, 0, a, b, shift),
        }
    }

    /// `a | b >> shift`; `shift` from 1 to 63.
    pub fn place_down(&mut self, a: Slot, b: Slot, shift: u32) -> Slot {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x | y >> shift),
            (_, Some(0)) => a,
            _ => self.emit(Op::PlaceDown, 0, a, b, shift),
        }
    }

    /// A slot of the word at an address, of up to `width` bits.
    pub fn read(&mut self, address: Slot, words: Words, width: u32) -> Slot {
        let index = match self.read_index.get(&words) {
            Some(&index) => index,
            None => {
                self.reads.push(words);
                self.read_index.insert(words, self.reads.len() as u32 - 1);
                self.reads.len() as u32 - 1
            }
        };
        self.emit(Op::Read, 64 - width, address, index, address)
    }

    pub fn table(&mut self, index: Slot, rows: &[u64]) -> Slot {
        if let Some(v) = self.value(index) {
            return self.constant(rows[v as usize]);
        }
        let table = match self.table_index.get(rows) {
            Some(&table) => table,
            None => {
                self.tables.push(rows.to_vec());
                self.table_index.insert(rows.to_vec(), self.tables.len() as u32 - 1);
                self.tables.len() as u32 - 1
            }
        };
        self.emit(Op::Table, 0, index, table, index)
    }
}

/// The low `width` bits, 1 to 64.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
