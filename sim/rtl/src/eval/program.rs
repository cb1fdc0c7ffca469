//! The netlist as a flat list of instructions over slots of 64 bits, before they are gathered
//! into lanes ([`super::group`]).
//!
//! A net of w bits is in w / 64 slots, rounded up, the low bits first; bits above its width are
//! always 0. Slots are written once per settling, in the order of the list.

use super::values::Slot;

/// An operation. `a`, `b` and `c` are slots unless it says otherwise; `keep` drops the upper
/// bits of a result: it is shifted left and right again by 64 less the result's width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    /// `!a`, kept.
    Not,
    /// `a & b`.
    And,
    /// `a & !b`
    AndNot,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `b` where the one bit `a` is set, else 0.
    Gate,
    /// The only bit of `a` in every bit, kept.
    Repeat,
    /// Whether `a` is not 0.
    Any,
    /// Whether `a` and `b` are equal.
    Equal,
    /// `a + b`, kept.
    Add,
    /// `a - b`, kept.
    Sub,
    /// `a + b + c`
    Sum,
    /// The carry out of `a + b + c`, where `c` is one bit.
    Carry,
    /// `b` where the one bit `a` is set, else `c`.
    Mux,
    /// `a >> b`, kept; `b` is a number.
    Field,
    /// `a | b << c`; `c` is a number.
    PlaceUp,
    /// `a | b >> c`; `c` is a number.
    PlaceDown,
    /// A word out of a memory at address `a`; `b` is an index into [`Program::reads`].
    Read,
    /// A row out of a table at `a`; `b` is an index into [`Program::tables`].
    Table,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Instruction {
    pub op: Op,
    /// 64 less the width of the result.
    pub keep: u8,
    pub to: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// Position of one slot of the words of a memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Words {
    /// Position of the slot of word 0.
    pub base: u32,
    /// From one word to the next.
    pub stride: u32,
    /// Words.
    pub depth: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterSlot {
    pub to: u32,
    /// Index of the slot in the register, from 0.
    pub part: u32,
    pub next: u32,
    pub enable: u32,
    pub reset: Option<u64>,
}

/// One slot of a write port.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteSlot {
    /// Number of write ports of the same memory that come before it: the last one wins.
    pub port: u32,
    pub words: Words,
    pub enable: u32,
    pub address: u32,
    pub data: u32,
}

/// Program that a netlist compiles to.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// Every instruction that something uses, operands first.
    pub all: Vec<Instruction>,
    pub reads: Vec<Words>,
    pub tables: Vec<Vec<u64>>,
    pub registers: Vec<RegisterSlot>,
    pub writes: Vec<WriteSlot>,
    /// Slots of all memories together.
    pub memory_slots: usize,
    pub reset: Slot,
}

impl Program {
    /// Drops instructions that neither registers and memories nor the slots that are `kept` need, of
    /// `slots` in all.
    pub fn keep(&mut self, slots: usize, kept: impl Iterator<Item = Slot>) {
        let mut used = vec![false; slots];
        let ends = self.registers.iter().flat_map(|r| [r.next, r.enable]);
        let ends = ends.chain(self.writes.iter().flat_map(|w| [w.enable, w.address, w.data]));
        ends.chain(kept).for_each(|slot| used[slot as usize] = true);
        for i in self.all.iter().rev() {
            if used[i.to as usize] {
                i.slots()[..i.operands()].iter().for_each(|&slot| used[slot as usize] = true);
            }
        }
        self.all.retain(|i| used[i.to as usize]);
    }
}

impl Instruction {
    /// Number of `a`, `b` and `c`, from the first, that are slots that it reads.
    pub fn operands(&self) -> usize {
        match self.op {
            Op::Not | Op::Repeat | Op::Any | Op::Field | Op::Read | Op::Table => 1,
            Op::Sum | Op::Carry | Op::Mux => 3,
            _ => 2,
        }
    }

    /// `a`, `b` and `c`, of which the first are slots.
    pub fn slots(&self) -> [Slot; 3] {
        [self.a, self.b, self.c]
    }

    /// Whether its first two operands may change places.
    pub fn is_commutative(&self) -> bool {
        matches!(self.op, Op::And | Op::Or | Op::Xor | Op::Equal | Op::Add)
    }
}
