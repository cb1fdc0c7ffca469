//! The stateless hashes of stimulus and digests, simple enough to be written again in any
//! language. All arithmetic is on unsigned 64-bit integers and wraps.

/// Increment that splitmix64 adds to its state with each number.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One round of splitmix64:
///
/// ```c
/// uint64_t mix(uint64_t z) {
///     z += 0x9e3779b97f4a7c15;
///     z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
///     z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
///     return z ^ (z >> 31);
/// }
/// ```
#[inline]
pub fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A hash of a seed and a list of words: `h = seed`, then `h = mix(h ^ w)` for each word `w`.
#[inline]
pub fn hash(seed: u64, words: &[u64]) -> u64 {
    words.iter().fold(seed, |h, w| mix(h ^ w))
}

/// Puts a list in an order that follows from `state`, which moves on (Fisher and Yates over
/// splitmix64). The bias of the remainders is below 2^-31 for lists that memory holds.
pub fn shuffle<T>(list: &mut [T], state: &mut u64) {
    for i in (1..list.len()).rev() {
        let drawn = mix(*state);
        *state = state.wrapping_add(GOLDEN);
        list.swap(i, (drawn % (i as u64 + 1)) as usize);
    }
}

/// FNV-1a over bytes, 64 bits:
///
/// ```c
/// uint64_t h = 0xcbf29ce484222325;
/// for each byte b { h = (h ^ b) * 0x100000001b3; }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }

    /// Takes in the low `count` (0 to 8) bytes of a word, the least significant first.
    #[inline]
    pub fn bytes(&mut self, word: u64, count: u32) {
        (0..count).for_each(|i| self.byte((word >> (8 * i)) as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of three things is as often in each place.
    #[test]
    fn orders_are_even() {
        let mut state = 7;
        let mut counts = [[0u32; 3]; 3];
        for _ in 0..30_000 {
            let mut list = [0, 1, 2];
            shuffle(&mut list, &mut state);
            (0..3).for_each(|at| counts[at][list[at]] += 1);
        }
        let even = |count: &u32| (9_500..10_500).contains(count);
        assert!(counts.iter().flatten().all(even), "{counts:?}");
    }

    #[test]
    fn published_values() {
        // splitmix64 from state 0, and FNV-1a of "foobar".
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        let mut fnv = Fnv::default();
        b"foobar".iter().for_each(|&b| fnv.byte(b));
        assert_eq!(fnv.0, 0x8594_4171_f739_67e8);
    }
}
