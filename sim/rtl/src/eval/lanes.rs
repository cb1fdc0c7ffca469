//! The program as it runs: each step does one operation for many places of the netlist at once.
//!
//! A network is the same few modules many times. What one instruction is in each of them stands
//! side by side here, a *lane* for each: values of one bit as the bits of words, so that one
//! operation does 64 of them, all others in a word each. [`super::group`] finds the lanes.

/// Some bits of a word of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// 64 less the number of bits.
    pub keep: u8,
}

impl Place {
    #[inline]
    pub fn read(self, values: &[u64]) -> u64 {
        values[self.word as usize] >> (self.shift & 63) << (self.keep & 63) >> (self.keep & 63)
    }
}

/// An operation. Names in capitals of [`Step`]: A, B and C are lanes that it reads, X its
/// number. Those on bits have all lanes as bits; of the others A, B and C are words, unless it
/// says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kernel {
    BitNot,
    BitAnd,
    BitAndNot,
    BitOr,
    BitXor,
    BitEqual,
    /// B where A, else C, on bits.
    BitMux,
    Not,
    And,
    AndNot,
    Or,
    Xor,
    /// B where the bit A, else 0.
    Gate,
    /// The bit A in every bit.
    Repeat,
    Add,
    Sub,
    /// A + B + C.
    Sum,
    /// B where the bit A, else C.
    Mux,
    /// A >> X.
    Field,
    /// A | B << X.
    PlaceUp,
    /// A | B << X of bits B.
    PlaceBit,
    /// A | B >> X.
    PlaceDown,
    /// The word of memory `reads[X]` at A.
    Read,
    /// The row of `tables[X]` at A.
    Table,
    /// Bits: whether A is not 0.
    Any,
    /// Bits: whether A and B are equal.
    Equal,
    /// Bits: the carry out of A + B + C.
    Carry,
    /// Bits: bit X of A.
    Bit,
    /// Words from the places `gathers[X]`.
    Gather,
    /// Bits from the places `gathers[X]`.
    GatherBits,
    /// All of `collections[X]`, put together, in a single lane.
    Collect,
}

impl Kernel {
    /// Whether its result is in bits.
    pub fn is_bits(self) -> bool {
        use Kernel::{Any, Bit, BitAnd, BitAndNot, BitEqual, BitMux, BitNot, BitOr, BitXor};
        use Kernel::{Carry, Equal, GatherBits};
        matches!(
            self,
            BitNot
                | BitAnd
                | BitAndNot
                | BitOr
                | BitXor
                | BitEqual
                | BitMux
                | Any
                | Equal
                | Carry
                | Bit
                | GatherBits
        )
    }
}

/// One operation for all lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub kernel: Kernel,
    /// 64 less the width of a result in words.
    pub keep: u8,
    pub lanes: u32,
    /// The first word of the result, after all that it reads.
    pub to: u32,
    /// The first words of what it reads.
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// A number.
    pub x: u32,
}

/// Words of memories, by lane.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Memories {
    /// By lane: its word 0.
    pub bases: Vec<u32>,
    /// From one word to the next.
    pub stride: u32,
    /// Words.
    pub depth: u32,
}

impl Memories {
    #[inline]
    pub fn at(&self, lane: usize, address: u64) -> Option<usize> {
        let fits = address < u64::from(self.depth);
        fits.then(|| self.bases[lane] as usize + address as usize * self.stride as usize)
    }
}

/// A slot of registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registers {
    pub bits: bool,
    pub lanes: u32,
    pub to: u32,
    pub next: u32,
    /// Bits; `None`: always.
    pub enable: Option<u32>,
    pub reset: Option<u64>,
}

impl Registers {
    /// Words of the state that they take.
    pub fn words(&self) -> usize {
        let lanes = self.lanes as usize;
        if self.bits { lanes.div_ceil(64) } else { lanes }
    }
}

/// A slot of write ports.
#[derive(Clone, Debug)]
pub(super) struct Writes {
    pub memories: Memories,
    /// Bits.
    pub enable: u32,
    pub address: u32,
    pub data: u32,
}

/// A netlist in lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    /// Words before the first settling: constants, and 0.
    pub initial: Vec<u64>,
    /// Every step, operands first.
    pub all: Vec<Step>,
    /// Steps that depend on an input or the reset.
    pub after_inputs: Vec<Step>,
    /// Steps that depend on a register or a memory.
    pub after_clock: Vec<Step>,
    pub gathers: Vec<Vec<Place>>,
    /// Places, and by how much what is there is shifted up.
    pub collections: Vec<Vec<(Place, u8)>>,
    pub reads: Vec<Memories>,
    pub tables: Vec<Vec<u64>>,
    /// Registers, whose words are those from `registers_at` up, one after the other.
    pub registers: Vec<Registers>,
    pub registers_at: u32,
    pub writes: Vec<Writes>,
    pub memory_words: usize,
    /// The word of the reset.
    pub reset: u32,
}
