//! The compiled netlist: a flat list of instructions over slots of 64 bits.
//!
//! A net of w bits is in w / 64 slots, rounded up, the low bits first; bits above its width are
//! always 0. Slots are written once per settling, in the order of the list.

/// An operation. `a`, `b` and `c` are slots unless it says otherwise; `keep` drops the upper
/// bits of a result: it is shifted left and right again by 64 less the result's width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    /// `!a`, kept.
    Not,
    /// `a & b`
    And,
    /// `a & !b`
    AndNot,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `b` where the one bit `a` is set, else 0.
    Gate,
    /// The one bit `a` in every bit, kept.
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

/// One instruction.
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

/// Where one slot of the words of a memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Words {
    /// Of the slot in word 0.
    pub base: u32,
    /// From one word to the next.
    pub stride: u32,
    /// Words.
    pub depth: u32,
}

impl Words {
    #[inline]
    fn at(self, address: u64) -> Option<usize> {
        let fits = address < u64::from(self.depth);
        fits.then(|| self.base as usize + address as usize * self.stride as usize)
    }
}

/// One slot of a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegisterSlot {
    pub to: u32,
    pub next: u32,
    pub enable: u32,
    pub reset: Option<u64>,
}

/// One slot of a write port.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteSlot {
    pub words: Words,
    pub enable: u32,
    pub address: u32,
    pub data: u32,
}

/// What a netlist compiles to.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// Slots before the first settling: constants, and 0.
    pub initial: Vec<u64>,
    /// Every instruction, operands first.
    pub all: Vec<Instruction>,
    /// Those that depend on an input or the reset.
    pub after_inputs: Vec<Instruction>,
    /// Those that depend on a register or a memory.
    pub after_clock: Vec<Instruction>,
    pub reads: Vec<Words>,
    pub tables: Vec<Vec<u64>>,
    pub registers: Vec<RegisterSlot>,
    pub writes: Vec<WriteSlot>,
    /// Slots of all memories together.
    pub memory_slots: usize,
    /// The slot of the reset.
    pub reset: u32,
}

/// Slots and memories of a program.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub slots: Vec<u64>,
    pub memory: Vec<u64>,
    next: Vec<u64>,
}

impl State {
    pub fn new(program: &Program) -> Self {
        Self {
            slots: program.initial.clone(),
            memory: vec![0; program.memory_slots],
            next: vec![0; program.registers.len()],
        }
    }

    /// Executes a list of instructions of the program.
    pub fn run(&mut self, program: &Program, list: &[Instruction]) {
        let v = &mut self.slots[..];
        for i in list {
            let a = v[i.a as usize];
            let value = match i.op {
                Op::Not => !a << i.keep >> i.keep,
                Op::And => a & v[i.b as usize],
                Op::AndNot => a & !v[i.b as usize],
                Op::Or => a | v[i.b as usize],
                Op::Xor => a ^ v[i.b as usize],
                Op::Gate => a.wrapping_neg() & v[i.b as usize],
                Op::Repeat => a.wrapping_neg() << i.keep >> i.keep,
                Op::Any => u64::from(a != 0),
                Op::Equal => u64::from(a == v[i.b as usize]),
                Op::Add => a.wrapping_add(v[i.b as usize]) << i.keep >> i.keep,
                Op::Sub => a.wrapping_sub(v[i.b as usize]) << i.keep >> i.keep,
                Op::Sum => a.wrapping_add(v[i.b as usize]).wrapping_add(v[i.c as usize]),
                Op::Carry => {
                    let (sum, first) = a.overflowing_add(v[i.b as usize]);
                    u64::from(first | sum.overflowing_add(v[i.c as usize]).1)
                }
                Op::Mux => {
                    let otherwise = v[i.c as usize];
                    otherwise ^ ((otherwise ^ v[i.b as usize]) & a.wrapping_neg())
                }
                Op::Field => a >> (i.b & 63) << i.keep >> i.keep,
                Op::PlaceUp => a | v[i.b as usize] << (i.c & 63),
                Op::PlaceDown => a | v[i.b as usize] >> (i.c & 63),
                Op::Read => {
                    let at = program.reads[i.b as usize].at(a);
                    at.map_or(0, |at| self.memory[at])
                }
                Op::Table => program.tables[i.b as usize][a as usize],
            };
            v[i.to as usize] = value;
        }
    }

    /// The rising edge: every next value from what is there before it, then all at once.
    /// Whether anything may have changed.
    pub fn edge(&mut self, program: &Program) -> bool {
        let v = &mut self.slots[..];
        let mut changed = 0;
        for w in &program.writes {
            if v[w.enable as usize] != 0
                && let Some(at) = w.words.at(v[w.address as usize])
            {
                self.memory[at] = v[w.data as usize];
                changed = 1;
            }
        }
        let reset = v[program.reset as usize] != 0;
        for (r, next) in program.registers.iter().zip(&mut self.next) {
            let value = match r.reset {
                Some(value) if reset => value,
                _ => {
                    let enable = v[r.enable as usize].wrapping_neg();
                    let held = v[r.to as usize];
                    held ^ ((held ^ v[r.next as usize]) & enable)
                }
            };
            *next = value;
        }
        for (r, &next) in program.registers.iter().zip(&self.next) {
            let to = &mut v[r.to as usize];
            changed |= *to ^ next;
            *to = next;
        }
        changed != 0
    }
}
