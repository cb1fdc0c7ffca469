//! Permutations of addresses by their bits, as traffic and as what a network is asked to carry.
//!
//! An address has b bits, bit 0 the least significant.

/// One entry of the list.
#[derive(Clone, Copy)]
pub struct BitPattern {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Where an address of so many bits, at most 31, sends to.
    pub map: fn(u32, u32) -> u32,
}

/// Every pattern there is. A new one is an entry here.
pub const BIT_PATTERNS: &[BitPattern] =
    &[TRANSPOSE, BIT_COMPLEMENT, BIT_REVERSAL, ROTATION, SHUFFLE];

/// x m y to y m x.
pub const TRANSPOSE: BitPattern = BitPattern {
    name: "transpose",
    summary: "the halves of the address swapped; of an odd number of bits the middle one stays",
    map: transpose,
};
/// Every bit inverted.
pub const BIT_COMPLEMENT: BitPattern = BitPattern {
    name: "bit-complement",
    summary: "every address bit inverted",
    map: |address, bits| address ^ mask(bits),
};
/// The bits from the other end.
pub const BIT_REVERSAL: BitPattern =
    BitPattern { name: "bit-reversal", summary: "the address bits in reverse order", map: reverse };
/// By half its bits.
pub const ROTATION: BitPattern = BitPattern {
    name: "rotation",
    summary: "the address rotated by half its bits (rounded down)",
    map: |address, bits| rotate_left(address, bits / 2, bits),
};
/// By one bit.
pub const SHUFFLE: BitPattern = BitPattern {
    name: "shuffle",
    summary: "the address rotated by one bit to the left (perfect shuffle)",
    map: |address, bits| rotate_left(address, 1, bits),
};

/// The entry of that name.
pub fn find(name: &str) -> Option<&'static BitPattern> {
    BIT_PATTERNS.iter().find(|pattern| pattern.name == name)
}

fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

fn rotate_left(address: u32, by: u32, bits: u32) -> u32 {
    let by = if bits == 0 { 0 } else { by % bits };
    if by == 0 { address } else { (address << by | address >> (bits - by)) & mask(bits) }
}

fn transpose(address: u32, bits: u32) -> u32 {
    let half = bits / 2;
    let (low, high) = (address & mask(half), address >> (bits - half));
    let middle = address & mask(bits) & !(mask(half) | mask(half) << (bits - half));
    low << (bits - half) | middle | high
}

fn reverse(address: u32, bits: u32) -> u32 {
    if bits == 0 { address } else { address.reverse_bits() >> (32 - bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the digits as text: x0y to y0x, and so on.
    #[test]
    fn each_is_what_it_says_of_the_digits() {
        for bits in 1..=9usize {
            for address in 0..1u32 << bits {
                let digits = format!("{address:0bits$b}");
                let (x, rest) = digits.split_at(bits / 2);
                let (middle, y) = rest.split_at(bits % 2);
                let wanted = [
                    ("transpose", format!("{y}{middle}{x}")),
                    ("bit-reversal", digits.chars().rev().collect()),
                    ("rotation", format!("{rest}{x}")),
                    ("shuffle", format!("{}{}", &digits[1..], &digits[..1])),
                    (
                        "bit-complement",
                        digits.replace('0', "x").replace('1', "0").replace('x', "1"),
                    ),
                ];
                for (name, wanted) in wanted {
                    let to = (find(name).unwrap().map)(address, bits as u32);
                    assert_eq!(format!("{to:0bits$b}"), wanted, "{name} of {digits}");
                }
            }
        }
    }

    #[test]
    fn each_is_a_permutation() {
        for pattern in BIT_PATTERNS {
            for bits in 0..=10 {
                let mut to: Vec<u32> = (0..1 << bits).map(|a| (pattern.map)(a, bits)).collect();
                to.sort_unstable();
                assert!(to.into_iter().eq(0..1 << bits), "{} of {bits} bits", pattern.name);
            }
        }
    }
}
