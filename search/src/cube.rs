//! The hypercube as numbers.

use turnpike_network::routing::rotation::rotated;

/// The dimensions in which two nodes differ, ascending.
pub fn dimensions(difference: u32) -> impl Iterator<Item = u32> + Clone {
    (0..u32::BITS).filter(move |&p| difference >> p & 1 == 1)
}

/// A node, or a mask of the bits of one, in binary digits, most significant first.
pub fn label(k: u32, node: u32) -> String {
    format!("{node:0width$b}", width = k as usize)
}

/// Number of pairs of dimensions: as many turns as the pairs at distance 2 take at a switch, on
/// average over the whole cube.
pub fn pairs_of_dimensions(k: u32) -> u32 {
    k * (k - 1) / 2
}

/// The distance of two nodes.
pub fn distance(a: u32, b: u32) -> u32 {
    (a ^ b).count_ones()
}

/// Whether a turn by less than `k` places keeps the value.
pub fn is_periodic(k: u32, value: u32) -> bool {
    (1..k).any(|by| rotated(k, value.into(), by) == u64::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_turn_keeps() {
        let periodic: Vec<u32> = (0..16).filter(|&x| is_periodic(4, x)).collect();
        assert_eq!(periodic, [0, 0b0101, 0b1010, 0b1111]);
        assert_eq!(dimensions(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
