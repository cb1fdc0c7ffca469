//! Ranges of addresses, as users write them: `0x8000_0000..0xBFFF_FFFF`.

use std::fmt;
use std::str::FromStr;

/// Bytes within which a burst of AXI4 stays (IHI 0022 H, A3.4.1): ranges are whole pages.
pub const PAGE: u64 = 4096;

/// Addresses from `first` to `last`, both among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddressRange {
    /// The lowest address.
    pub first: u64,
    /// The highest address.
    pub last: u64,
}

/// Text that is no range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is no range of addresses; write the first and the last, such as 0x8000_0000..0xBFFF_FFFF"
)]
pub struct NoRange(pub String);

impl AddressRange {
    /// Whether both have an address.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Whether it begins and ends with a page of 4 KiB.
    pub fn is_of_pages(&self) -> bool {
        self.first.is_multiple_of(PAGE) && self.last % PAGE == PAGE - 1
    }

    /// Aligned blocks, each of a power of two of bytes, that it is made of, ascending: an address is in
    /// a block where its bits above the block's are those of the block. Each is the lowest address and the
    /// number of bits below.
    pub fn blocks(&self) -> Vec<(u64, u32)> {
        let (mut at, end) = (u128::from(self.first), u128::from(self.last) + 1);
        let mut blocks = Vec::new();
        while at < end {
            let aligned = if at == 0 { 64 } else { at.trailing_zeros().min(64) };
            let fits = (end - at).ilog2();
            let bits = aligned.min(fits);
            blocks.push((at as u64, bits));
            at += 1 << bits;
        }
        blocks
    }
}

impl FromStr for AddressRange {
    type Err = NoRange;

    fn from_str(text: &str) -> Result<Self, NoRange> {
        let wrong = || NoRange(text.to_owned());
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let [first, last] = [first, last].map(address);
        let (first, last) = first.zip(last).ok_or_else(wrong)?;
        match first <= last {
            true => Ok(Self { first, last }),
            false => Err(wrong()),
        }
    }
}

/// Number of an address: hexadecimal behind `0x`, or decimal; `_` between digits.
fn address(text: &str) -> Option<u64> {
    let plain = text.trim().replace('_', "");
    match plain.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u64::from_str_radix(hex, 16).ok()
        }
        Some(_) => None,
        None => turnpike_base::numbers::digits(&plain),
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}..{:#010x}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_are_read_and_written() {
        let range: AddressRange = "0x8000_0000..0xBFFF_FFFF".parse().unwrap();
        assert_eq!(range, AddressRange { first: 0x8000_0000, last: 0xbfff_ffff });
        assert_eq!(range.to_string(), "0x80000000..0xbfffffff");
        assert_eq!(range.to_string().parse(), Ok(range));
        assert!(range.is_of_pages());
        let all = format!("0..{}", u64::MAX).parse::<AddressRange>().unwrap();
        assert_eq!(all.blocks(), [(0, 64)]);
        for wrong in ["", "0x0", "4..3", "0x..0x1", "a..b", "0..0x1_0000_0000_0000_0000"] {
            assert!(wrong.parse::<AddressRange>().is_err(), "{wrong}");
        }
    }

    proptest! {
        /// The blocks of a range have its addresses, and no others.
        #[test]
        fn blocks_are_the_range(first in 0u64..300, more in 0u64..300) {
            let range = AddressRange { first, last: first + more };
            let blocks = range.blocks();
            for (low, bits) in &blocks {
                prop_assert_eq!(low % (1 << bits), 0);
            }
            for address in 0..700 {
                let holding = blocks.iter().filter(|(low, bits)| address >> bits == low >> bits);
                let is_in = (first..=first + more).contains(&address);
                prop_assert_eq!(holding.count(), usize::from(is_in));
            }
        }
    }
}
