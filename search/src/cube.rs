//! The hypercube as numbers.

/// The dimensions in which two nodes differ, ascending.
pub fn dimensions(difference: u32) -> impl Iterator<Item = u32> + Clone {
    (0..u32::BITS).filter(move |&p| difference >> p & 1 == 1)
}

/// The distance of two nodes.
pub fn distance(a: u32, b: u32) -> u32 {
    (a ^ b).count_ones()
}

/// `value` of `k` bits turned left by `by` places, less than `k`.
pub fn rotated(k: u32, value: u32, by: u32) -> u32 {
    (value << by | value >> (k - by)) & ((1 << k) - 1)
}

/// The least rotation of a value, and the shortest turn to the left that makes it.
pub fn least_rotation(k: u32, value: u32) -> (u32, u32) {
    (0..k).map(|by| (rotated(k, value, by), by)).min().unwrap_or((value, 0))
}

/// Whether a turn by less than `k` places keeps the value.
pub fn is_periodic(k: u32, value: u32) -> bool {
    (1..k).any(|by| rotated(k, value, by) == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations() {
        assert_eq!(rotated(4, 0b0011, 1), 0b0110);
        assert_eq!(rotated(4, 0b1001, 1), 0b0011);
        assert_eq!(least_rotation(4, 0b1001), (0b0011, 1));
        assert_eq!(least_rotation(4, 0b1010), (0b0101, 1));
        let periodic: Vec<u32> = (0..16).filter(|&x| is_periodic(4, x)).collect();
        assert_eq!(periodic, [0, 0b0101, 0b1010, 0b1111]);
        assert_eq!(dimensions(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
