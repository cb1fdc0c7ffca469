//! What a packet carries for routing, and what becomes of it on a turn.

use std::collections::BTreeMap;
use turnpike_base::bits::bits_of;

/// What a packet carries for routing: bit j is header bit j. At most 64 bits; what the bits
/// mean is the relation's affair.
pub type Header = u64;

/// Where a header bit comes from on a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carried {
    /// A bit of the header that came in.
    Bit(u32),
    /// The opposite of a bit of the header that came in.
    Inverse(u32),
}

/// What becomes of a header on a turn, as hardware: wires and inverters. Bits that are not
/// named are 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Carry {
    /// By bit of the new header.
    bits: BTreeMap<u32, Carried>,
}

impl Carry {
    /// Each bit of `mask` in its place.
    pub fn keeping(mask: Header) -> Self {
        let bits = bits_of(mask).into_iter();
        Self { bits: bits.map(|bit| (bit, Carried::Bit(bit))).collect() }
    }

    /// The same with one bit more.
    #[must_use]
    pub fn with(mut self, bit: u32, from: Carried) -> Self {
        self.bits.insert(bit, from);
        self
    }

    /// Where a bit of the new header comes from; `None` where it is 0.
    pub fn bit(&self, at: u32) -> Option<Carried> {
        self.bits.get(&at).copied()
    }

    /// The new header.
    pub fn apply(&self, header: Header) -> Header {
        let bit = |from| match from {
            Carried::Bit(at) => header >> at & 1,
            Carried::Inverse(at) => !header >> at & 1,
        };
        self.bits.iter().fold(0, |new, (at, &from)| new | bit(from) << at)
    }

    /// The bits of the old header that the bits `wanted` of the new one are made of.
    pub fn needs(&self, wanted: Header) -> Header {
        let made = self.bits.iter().filter(|(at, _)| wanted >> **at & 1 == 1);
        made.fold(0, |mask, (_, &from)| match from {
            Carried::Bit(at) | Carried::Inverse(at) => mask | 1 << at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_turn_and_vanish() {
        let carry = Carry::keeping(0b0110).with(0, Carried::Bit(3)).with(3, Carried::Inverse(0));
        assert_eq!(carry.apply(0b1111), 0b0111);
        assert_eq!(carry.apply(0b0010), 0b1010);
        assert_eq!(carry.needs(0b1000), 0b0001);
        assert_eq!(carry.needs(0b1_0000), 0);
    }
}
