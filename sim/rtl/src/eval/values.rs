//! Emits instructions: equal operations share one slot, constants fold, and pairs that
//! netlists are full of become one instruction.

use super::program::{Instruction, Op, Words};
use std::collections::HashMap;

/// A slot.
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
    pub list: Vec<Instruction>,
    known: HashMap<(Op, u8, u32, u32, u32), Slot>,
    constants: HashMap<u64, Slot>,
    pub reads: Vec<Words>,
    read_index: HashMap<Words, u32>,
    pub tables: Vec<Vec<u64>>,
    table_index: HashMap<Vec<u64>, u32>,
}

impl Values {
    /// A slot that something else writes: an input or a register.
    pub fn fresh(&mut self) -> Slot {
        self.slot(0, false, u32::MAX)
    }

    fn slot(&mut self, initial: u64, constant: bool, made_by: u32) -> Slot {
        self.initial.push(initial);
        self.constant.push(constant);
        self.made_by.push(made_by);
        self.initial.len() as Slot - 1
    }

    /// The slot of a constant.
    pub fn constant(&mut self, value: u64) -> Slot {
        if let Some(&slot) = self.constants.get(&value) {
            return slot;
        }
        let slot = self.slot(value, true, u32::MAX);
        self.constants.insert(value, slot);
        slot
    }

    fn value(&self, slot: Slot) -> Option<u64> {
        self.constant[slot as usize].then(|| self.initial[slot as usize])
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
        let to = self.slot(0, false, self.list.len() as u32);
        self.list.push(Instruction { op, keep: keep as u8, to, a, b, c });
        self.known.insert(key, to);
        to
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
            None => self.emit(Op::Any, 63, a, a, a),
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

    /// A slot of the word at an address.
    pub fn read(&mut self, address: Slot, words: Words) -> Slot {
        let index = match self.read_index.get(&words) {
            Some(&index) => index,
            None => {
                self.reads.push(words);
                self.read_index.insert(words, self.reads.len() as u32 - 1);
                self.reads.len() as u32 - 1
            }
        };
        self.emit(Op::Read, 0, address, index, address)
    }

    /// The row of a table.
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
