//! Random draws that give the same values on every machine and in every version.

use rand_chacha::ChaCha8Core;
use rand_chacha::rand_core::SeedableRng;
use rand_chacha::rand_core::block::Generator;

/// Words that are drawn at a time: a bit each in [`Random::hits`].
const DRAWN: usize = 64;

/// ChaCha8, seeded with one number.
#[derive(Clone, Debug)]
pub struct Random {
    words: [u32; DRAWN],
    /// Numbers of the block that are used up.
    used: usize,
    /// Numbers of the block that are below `threshold`, one bit each.
    hits: u64,
    /// The threshold of the last [`Random::trials`].
    threshold: u64,
    stream: ChaCha8Core,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let stream = ChaCha8Core::seed_from_u64(seed);
        Self { words: [0; DRAWN], used: DRAWN, hits: 0, threshold: 0, stream }
    }

    /// Uniform over all words of 32 bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used >= DRAWN {
            self.draw();
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    #[cold]
    fn draw(&mut self) {
        self.stream.generate(&mut self.words);
        self.used = 0;
        self.find_hits();
    }

    fn find_hits(&mut self) {
        let Ok(threshold) = u32::try_from(self.threshold) else {
            self.hits = u64::MAX;
            return;
        };
        // Bytes, and eight of them to as many bits by one product: half the instructions of bit by bit.
        let hits = self.words.map(|word| u8::from(word < threshold));
        let eight =
            |hits: &[u8; 8]| u64::from_le_bytes(*hits).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let eights = hits.as_chunks().0.iter().rev();
        self.hits = eights.fold(0, |bits, hits| bits << 8 | eight(hits));
    }

    /// True with probability `threshold / 2^32`.
    #[inline]
    pub fn chance(&mut self, threshold: u64) -> bool {
        u64::from(self.word()) < threshold
    }

    /// Makes `count` trials one after the other, each true with probability `threshold / 2^32`.
    /// Calls `each` with the number of every successful trial before it goes on to the next. The
    /// draws are those of [`Random::chance`] for each trial, without a step for the failures.
    /// `each` makes no trials itself.
    #[inline]
    pub fn trials(&mut self, count: usize, threshold: u64, mut each: impl FnMut(usize, &mut Self)) {
        if threshold != self.threshold {
            self.threshold = threshold;
            self.find_hits();
        }
        let mut trial = 0;
        while trial < count {
            if self.used >= DRAWN {
                self.draw();
            }
            let misses = (self.hits >> self.used).trailing_zeros() as usize;
            if misses < (DRAWN - self.used).min(count - trial) {
                self.used += misses + 1;
                each(trial + misses, self);
                trial += misses + 1;
            } else {
                let misses = (DRAWN - self.used).min(count - trial);
                self.used += misses;
                trial += misses;
            }
        }
    }

    /// Uniform over 0 to `below - 1`, without bias; 0 where `below` is 0. (Lemire,
    /// "Fast random integer generation in an interval", 2019.)
    #[inline]
    pub fn below(&mut self, below: u32) -> u32 {
        let mut product = u64::from(self.word()) * u64::from(below);
        if (product as u32) < below {
            product = self.without_bias(product, below);
        }
        (product >> 32) as u32
    }

    /// The product, or another one where it belongs to the few that would be drawn too often.
    #[cold]
    fn without_bias(&mut self, mut product: u64, below: u32) -> u64 {
        let least = below.wrapping_neg() % below;
        while (product as u32) < least {
            product = u64::from(self.word()) * u64::from(below);
        }
        product
    }

    /// Uniform over the multiples of 2^-53 from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        let (low, high) = (self.word(), self.word());
        let word = u64::from(high) << 32 | u64::from(low);
        (word >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// `probability` (0 to 1) as a threshold out of 2^32, rounded to the nearest.
pub fn threshold(probability: f64) -> u64 {
    (probability.clamp(0.0, 1.0) * 4_294_967_296.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::Rng;

    /// Words are those of the stream in their order, a number of 64 bits being two, the low one first.
    #[test]
    fn words_are_those_of_the_stream() {
        let (mut random, mut stream) = (Random::new(5), ChaCha8Rng::seed_from_u64(5));
        for _ in 0..7 * DRAWN {
            assert_eq!(random.word(), stream.next_u32());
            let unit = (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            assert_eq!(random.unit(), unit);
        }
    }

    /// Trials are chances whatever else is drawn between them, and between calls with other
    /// thresholds.
    #[test]
    fn trials_are_chances_one_after_the_other() {
        let (mut random, mut other) = (Random::new(6), Random::new(6));
        let mut successes = 0;
        for call in 0..3_000 {
            let count = call * 7 % 200;
            let threshold = [threshold(0.3), 0, threshold(0.01), 1 << 32, 7][call / 3 % 5];
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            random.trials(count, threshold, |trial, random| {
                found.push((trial, (0..trial % 4).map(|_| random.word()).collect::<Vec<_>>()));
            });
            for trial in 0..count {
                if other.chance(threshold) {
                    expected.push((trial, (0..trial % 4).map(|_| other.word()).collect()));
                }
            }
            assert_eq!(found, expected);
            assert_eq!(random.below(call as u32), other.below(call as u32));
            successes += found.len();
        }
        assert!(successes > 50_000, "{successes}");
    }

    #[test]
    fn draws_cover_their_range_evenly_and_repeat() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[random.below(6) as usize] += 1);
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
        let draws = |seed| {
            let mut r = Random::new(seed);
            (0..9).map(|_| r.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
        assert!((0..100).all(|_| random.chance(1 << 32) && !random.chance(0)));
        assert_eq!(random.below(0), 0);
        let mean = (0..10_000).map(|_| random.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&random.unit())));
    }
}
