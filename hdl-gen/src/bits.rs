//! Masks of bits, and how many bits a number takes.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_widths() {
        assert_eq!([0, 3, 63, 64].map(low_bits), [0, 7, u64::MAX >> 1, u64::MAX]);
        assert_eq!(bits_of(0b1010), [1, 3]);
        assert_eq!([1, 2, 3, 4, 5, u32::MAX].map(bits_for), [0, 1, 2, 2, 3, 32]);
    }
}
