//! Contents of the packets of a self-test. Source and sink make the same words, each by itself: a
//! packet's words follow from its source, its destination and its number among those of this pair,
//! so that a sink knows every bit of every beat, and where the packet must end.
//!
//! The words come from a state of a few more bits than these three. It begins with them in clear
//! and a hash of them above, and moves on with every beat. Bit i of a word is bit i of the state;
//! above that each is the exclusive or of bits of the state, never twice the same, so that no two
//! bits of a word can be exchanged unseen.

use super::{Expr, SelftestError};
use crate::plan::FabricPlan;
use turnpike_netlist::Net;

/// Bits of the state beyond source, destination and number.
const HASH_BITS: u32 = 8;

/// Constant that is mixed into the hash, so that no state is zero.
const HASH_SALT: u64 = 0b1011_0101;

/// Bits that the state moves by with a beat.
const STRIDE: u32 = 5;

/// Bits of the counter that bounds a packet: it has at most 16 beats.
pub const BEAT_BITS: u32 = 4;

/// The sizes of the words of a fabric's packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Bits of an address, A.
    pub address: u32,
    /// Bits of a packet's number.
    pub sequence: u32,
    /// Bits that a beat carries: `tdata`, and `tkeep` and `tuser` above it where there are any.
    pub word: u32,
    /// Bits of `tdata`.
    pub data: u32,
    /// Whether packets of a pair arrive in order.
    pub in_order: bool,
    /// Whether each beat is a packet: there is no `tlast`.
    pub single: bool,
}

impl Pattern {
    /// The pattern for a switched fabric.
    ///
    /// # Errors
    /// Those of [`Pattern::sized`].
    pub fn new(plan: &FabricPlan) -> Result<Self, SelftestError> {
        let fields = plan.flit_fields().into_iter().filter(|f| !matches!(f.name, "id" | "last"));
        let word = fields.map(|f| f.width).sum();
        let address = plan.topology().address_bits();
        let sized = Self::sized(&plan.name, address, plan.parameters.width, word)?;
        Ok(Self { in_order: plan.keeps_order(), ..sized })
    }

    /// The pattern of packets in order, of any number of beats, for the fabric of this name:
    /// addresses of `address` bits, `data` bits of `tdata`, `word` bits of a beat.
    ///
    /// # Errors
    /// [`SelftestError::Width`] where `tdata` cannot hold a source, a destination and two bits
    /// of a number.
    pub fn sized(name: &str, address: u32, data: u32, word: u32) -> Result<Self, SelftestError> {
        let least = 2 * address + 2;
        if data < least {
            return Err(SelftestError::Width { name: name.to_owned(), width: data, least });
        }
        let sequence = (data - 2 * address).min(4);
        Ok(Self { address, sequence, word, data, in_order: true, single: false })
    }

    /// Bits of source, destination and number together.
    fn key(self) -> u32 {
        2 * self.address + self.sequence
    }

    /// Bits of the state. A beat alone shows all of it.
    pub fn state(self) -> u32 {
        let whole = self.key() + HASH_BITS;
        if self.single { whole.min(self.word) } else { whole }
    }

    /// The state of a packet's first beat: number, destination and source below, from the
    /// lowest bit up source, destination, number; the hash above them.
    pub fn first(self, source: Net, destination: Net, sequence: Net) -> Expr {
        let parts = [source, destination, sequence];
        let bits: Vec<Expr> = parts.iter().flat_map(|p| (0..p.width).map(|i| p.bit(i))).collect();
        let key = bits.len() as u32;
        let hash = (0..self.state() - key).rev().map(|j| {
            let mixed = bits[(j % key) as usize].clone()
                ^ bits[((j + self.address) % key) as usize].clone();
            if HASH_SALT >> j & 1 == 1 { !mixed } else { mixed }
        });
        Expr::concat(hash.chain(parts.into_iter().rev().map(Expr::from)))
    }

    /// The state of the next beat.
    pub fn next(self, state: Net) -> Expr {
        let top = state.width - 1;
        let fresh = (0..STRIDE).rev().map(|j| state.bit(top - j) ^ state.bit(top - STRIDE - j));
        Expr::concat([state.slice(0, state.width - STRIDE)].into_iter().chain(fresh))
    }

    /// Three bits, all 0 in a packet's last beat (one beat in eight), unless the counter ends
    /// the packet before.
    pub fn goes_on(self, state: Net) -> Expr {
        let (a, top) = (self.address, state.width - 1);
        let mix = |bits: [u32; 3]| Expr::Xor(bits.map(|i| state.bit(i)).to_vec());
        Expr::concat([
            mix([0, a, top]),
            mix([a - 1, 2 * a, top - 2]),
            mix([2 * a - 1, 2 * a + 1, top - 4]),
        ])
    }

    /// The word of a beat.
    pub fn word(self, state: Net) -> Expr {
        let direct = state.slice(0, state.width.min(self.word));
        let mixed: Vec<Expr> = mixtures(state.width)
            .take(self.word.saturating_sub(state.width) as usize)
            .map(|bits| Expr::Xor(bits.into_iter().map(|i| state.bit(i)).collect()))
            .collect();
        Expr::concat(mixed.into_iter().rev().chain([direct]))
    }
}

/// Sets of two bits or more out of `n`: all pairs, then all of three, of four. Pairs at the same
/// distance follow each other, so that neighbours in a word share few bits.
fn mixtures(n: u32) -> impl Iterator<Item = Vec<u32>> {
    let pairs = (1..n).flat_map(move |d| (0..n - d).map(move |a| vec![a, a + d]));
    let threes =
        (0..n).flat_map(move |c| (0..c).flat_map(move |b| (0..b).map(move |a| vec![a, b, c])));
    let fours = (0..n).flat_map(move |d| {
        (0..d).flat_map(move |c| (0..c).flat_map(move |b| (0..b).map(move |a| vec![a, b, c, d])))
    });
    pairs.chain(threes).chain(fours)
}
