//! Headers: the bits that a packet carries for routing, and their update on a turn.

use std::collections::BTreeMap;
use turnpike_base::bits::{bits_of, low_bits};

/// Bits that a packet carries for routing: bit j is header bit j. At most 64 bits; their meaning is
/// up to the relation.
pub type Header = u64;

/// Origin of a header bit on a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carried {
    /// A bit of the header that came in.
    Bit(u32),
    /// The opposite of a bit of the header that came in.
    Inverse(u32),
    /// A bit of a number that goes down by one: the number's lowest bit is `low`, the bit `at`.
    Less {
        /// The lowest bit of the number.
        low: u32,
        /// The bit of the header that came in.
        at: u32,
    },
}

/// Update of a header on a turn, as hardware: wires, inverters, and numbers that go down by one.
/// Bits that are not named are 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct HeaderUpdate {
    /// By bit of the new header.
    bits: BTreeMap<u32, Carried>,
}

impl HeaderUpdate {
    /// Each bit of `mask` in its place.
    pub fn keeping(mask: Header) -> Self {
        Self::default().also_keeping(mask)
    }

    /// The update that also keeps each bit of `mask` in its place.
    #[must_use]
    pub fn also_keeping(self, mask: Header) -> Self {
        bits_of(mask).into_iter().fold(self, |carry, bit| carry.with(bit, Carried::Bit(bit)))
    }

    /// The update with one bit more.
    #[must_use]
    pub fn with(mut self, bit: u32, from: Carried) -> Self {
        self.bits.insert(bit, from);
        self
    }

    /// The update that also counts down the number of `bits` bits from bit `low` up.
    #[must_use]
    pub fn counting_down(self, low: u32, bits: u32) -> Self {
        (low..low + bits).fold(self, |carry, at| carry.with(at, Carried::Less { low, at }))
    }

    /// The update of a header that stands `by` bits higher, before and after.
    #[must_use]
    pub fn higher(self, by: u32) -> Self {
        let moved = |from| match from {
            Carried::Bit(at) => Carried::Bit(at + by),
            Carried::Inverse(at) => Carried::Inverse(at + by),
            Carried::Less { low, at } => Carried::Less { low: low + by, at: at + by },
        };
        Self { bits: self.bits.into_iter().map(|(at, from)| (at + by, moved(from))).collect() }
    }

    /// Origin of a bit of the new header; `None` where it is 0.
    pub fn bit(&self, at: u32) -> Option<Carried> {
        self.bits.get(&at).copied()
    }

    /// The new header.
    pub fn apply(&self, header: Header) -> Header {
        let bit = |from| match from {
            Carried::Bit(at) => header >> at & 1,
            Carried::Inverse(at) => !header >> at & 1,
            Carried::Less { low, at } => {
                let borrows = header >> low & low_bits(at - low) == 0;
                (header >> at & 1) ^ u64::from(borrows)
            }
        };
        self.bits.iter().fold(0, |new, (at, &from)| new | bit(from) << at)
    }

    /// The bits of the new header that may be set, where no bit of the old one outside `mask` is.
    pub fn may_set(&self, mask: Header) -> Header {
        let may = |from| match from {
            Carried::Bit(at) => mask >> at & 1 == 1,
            // A borrow sets a bit that was not.
            Carried::Inverse(_) | Carried::Less { .. } => true,
        };
        let set = self.bits.iter().filter(|&(_, &from)| may(from));
        set.fold(0, |new, (at, _)| new | 1 << at)
    }

    /// The bits of the old header that the bits `wanted` of the new one are made of.
    pub fn needs(&self, wanted: Header) -> Header {
        let made = self.bits.iter().filter(|(at, _)| wanted >> **at & 1 == 1);
        made.fold(0, |mask, (_, &from)| match from {
            Carried::Bit(at) | Carried::Inverse(at) => mask | 1 << at,
            Carried::Less { low, at } => mask | low_bits(at - low + 1) << low,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_turn_and_vanish() {
        let carry =
            HeaderUpdate::keeping(0b0110).with(0, Carried::Bit(3)).with(3, Carried::Inverse(0));
        assert_eq!(carry.apply(0b1111), 0b0111);
        assert_eq!(carry.apply(0b0010), 0b1010);
        assert_eq!(carry.needs(0b1000), 0b0001);
        assert_eq!(carry.needs(0b1_0000), 0);
    }

    #[test]
    fn a_header_that_stands_higher_is_carried_alike() {
        let carry = HeaderUpdate::keeping(0b1).with(1, Carried::Inverse(0)).counting_down(2, 3);
        for header in 0..1 << 5 {
            assert_eq!(carry.clone().higher(4).apply(header << 4), carry.apply(header) << 4);
        }
    }

    #[test]
    fn numbers_go_down_by_one() {
        let carry = HeaderUpdate::keeping(0b1).counting_down(2, 3);
        for number in 1..8 {
            assert_eq!(carry.apply(number << 2 | 0b11), (number - 1) << 2 | 1);
        }
        assert_eq!(carry.may_set(0b1_0010), 0b1_1100, "by a borrow");
        assert_eq!(carry.may_set(0b0_0001), 0b1_1101);
        assert_eq!(carry.needs(0b0_0100), 0b0_0100);
        assert_eq!(carry.needs(0b1_0000), 0b1_1100, "the borrow comes from below");
    }
}
