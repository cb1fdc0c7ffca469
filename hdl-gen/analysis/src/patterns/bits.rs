//! Permutations of addresses by their bits. An address has b bits, bit 0 the least significant.

fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

/// Every bit inverted.
pub(super) fn complement(address: u32, bits: u32) -> u32 {
    address ^ mask(bits)
}

/// Rotated to the left.
pub(super) fn rotate_left(address: u32, by: u32, bits: u32) -> u32 {
    let by = if bits == 0 { 0 } else { by % bits };
    if by == 0 { address } else { (address << by | address >> (bits - by)) & mask(bits) }
}

/// The halves swapped, a bit between them left in place.
pub(super) fn transpose(address: u32, bits: u32) -> u32 {
    let half = bits / 2;
    let (low, high) = (address & mask(half), address >> (bits - half));
    let middle = address & mask(bits) & !(mask(half) | mask(half) << (bits - half));
    low << (bits - half) | middle | high
}

/// The bits from the other end.
pub(super) fn reverse(address: u32, bits: u32) -> u32 {
    if bits == 0 { address } else { address.reverse_bits() >> (32 - bits) }
}

#[cfg(test)]
mod tests {
    use crate::patterns::{Places, find};

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
                    let to = find(name).unwrap().of(&Places::row(1 << bits)).unwrap();
                    let to = to[address as usize];
                    assert_eq!(format!("{to:0bits$b}"), wanted, "{name} of {digits}");
                }
            }
        }
    }
}
