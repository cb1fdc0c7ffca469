//! Masks of bits, how many bits a number takes, and bytes as digits.

/// A mask of the low `bits` bits.
pub fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The bits of a mask that are set, ascending.
pub fn bits_of(mask: u64) -> Vec<u32> {
    (0..64).filter(|&bit| mask >> bit & 1 == 1).collect()
}

/// Bits that count from 0 to `values - 1`; `values` is not 0.
pub fn bits_for(values: u32) -> u32 {
    u32::BITS - (values - 1).leading_zeros()
}

/// The bits at `places`, the first at bit 0.
pub fn gather(value: u64, places: &[u32]) -> u64 {
    places.iter().enumerate().fold(0, |all, (at, &bit)| all | (value >> bit & 1) << at)
}

/// The bits back at `places`, from bit 0 on: what [`gather`] took.
pub fn scatter(value: u64, places: &[u32]) -> u64 {
    places.iter().enumerate().fold(0, |all, (at, &bit)| all | (value >> at & 1) << bit)
}

/// Bits in words: `bit 3`, `bits 3 to 1`.
pub fn in_words(high: u32, low: u32) -> String {
    if high == low { format!("bit {low}") } else { format!("bits {high} to {low}") }
}

/// Bytes as hexadecimal digits, two each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_widths() {
        assert_eq!([0, 3, 63, 64].map(low_bits), [0, 7, u64::MAX >> 1, u64::MAX]);
        assert_eq!(bits_of(0b1010), [1, 3]);
        assert_eq!(gather(0b1010, &[3, 0, 1]), 0b101);
        assert_eq!(scatter(0b101, &[3, 0, 1]), 0b1010);
        assert_eq!([in_words(3, 3), in_words(3, 1)], ["bit 3", "bits 3 to 1"]);
        assert_eq!(hexadecimal(&[0x0f, 0xa0, 0]), "0fa000");
        assert_eq!([1, 2, 3, 4, 5, u32::MAX].map(bits_for), [0, 1, 2, 2, 3, 32]);
    }
}
