//! Random bits that the injectors draw: a generator for each terminal that sends, the same in
//! software and in hardware ([`crate::rtl::draw`]).
//!
//! The generator is a linear feedback shift register of 31 bits, x^31 + x^13 + x^8 + x^3 + 1. A
//! draw is as many of its bits as the relation's draws need. After a packet the register moves on
//! by as many, so that each packet has fresh bits. 2^31 - 1 is prime: the polynomial, which is
//! irreducible, is primitive, and whatever the step, the period is 2^31 - 1 packets. In a period of
//! draws of b bits every draw comes 2^(31-b) times but the draw 0, which comes once less: a bias of
//! 2^(b-31).

use super::FabricPlan;
use turnpike_base::bits::low_bits;
use turnpike_base::hash::mix;
use turnpike_network::routing::Draw;
use turnpike_network::topology::Terminal;

/// Bits of the register.
pub const STATE_BITS: u32 = 31;

/// The bits, beside the lowest, whose sum is the next one.
pub const TAPS: [u32; 3] = [3, 8, 13];

/// Most bits of a draw: the next bits are sums of those that stand in the register.
pub const MOST_BITS: u32 = STATE_BITS - TAPS[2];

/// The generator of one terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generator {
    /// The state under reset.
    first: u64,
    state: u64,
    bits: u32,
}

impl Generator {
    /// The generator of draws of `bits` bits, 1 to [`MOST_BITS`], of a terminal. Different terminals
    /// begin in different states.
    pub fn new(seed: u64, terminal: Terminal, bits: u32) -> Self {
        let start = mix(seed).wrapping_add(u64::from(terminal.0));
        let state = match scrambled(start) {
            // The one state that it never leaves; no terminal has the number that stands for it.
            0 => scrambled(mix(seed).wrapping_sub(1)),
            state => state,
        };
        Self { first: state, state, bits }
    }

    /// The state that it begins in, the first bit lowest.
    pub fn first_state(&self) -> u64 {
        self.first
    }

    /// Begins anew.
    pub fn reset(&mut self) {
        self.state = self.first;
    }

    /// Draw of the next packet.
    pub fn draw(&self) -> Draw {
        Draw((self.state & low_bits(self.bits)) as u32)
    }

    /// Moves on behind a packet.
    pub fn step(&mut self) {
        for _ in 0..self.bits {
            let sum = TAPS.iter().fold(self.state, |sum, tap| sum ^ self.state >> tap) & 1;
            self.state = self.state >> 1 | sum << (STATE_BITS - 1);
        }
    }
}

/// A permutation of the numbers of 31 bits: odd factors and shifts can be undone.
fn scrambled(number: u64) -> u64 {
    let mask = low_bits(STATE_BITS);
    let x = number & mask;
    let x = (x ^ x >> 16).wrapping_mul(0x7feb_352d) & mask;
    let x = (x ^ x >> 15).wrapping_mul(0x046c_a68b) & mask;
    x ^ x >> 16
}

impl FabricPlan {
    /// Bits that an injector draws for each packet; `None` where packets draw nothing.
    pub fn draw_bits(&self) -> Option<u32> {
        let relation = self.relation();
        relation.is_randomised().then(|| relation.draw_count().ilog2())
    }

    /// The generator of a terminal; `None` where packets draw nothing.
    pub fn generator(&self, terminal: Terminal) -> Option<Generator> {
        let seed = self.parameters.draw_seed;
        self.draw_bits().map(|bits| Generator::new(seed, terminal, bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// x^(2^31) is x modulo the polynomial, and 31 is prime: it is irreducible or a product of
    /// linear factors, and has no root.
    #[test]
    fn the_polynomial_is_primitive() {
        let polynomial = TAPS.iter().fold(1 | 1u64 << STATE_BITS, |p, tap| p | 1 << tap);
        let times = |a: u64, b: u64| {
            let mut product = 0u64;
            for bit in (0..STATE_BITS).rev() {
                product <<= 1;
                product ^= if product >> STATE_BITS & 1 == 1 { polynomial } else { 0 };
                product ^= if b >> bit & 1 == 1 { a } else { 0 };
            }
            product
        };
        let mut power = 2;
        (0..STATE_BITS).for_each(|_| power = times(power, power));
        assert_eq!(power, 2);
        assert_eq!(polynomial.count_ones() % 2, 1, "1 is no root");
        let prime = (1u64 << STATE_BITS) - 1;
        assert!((3..=46341).step_by(2).all(|divisor| !prime.is_multiple_of(divisor)));
    }

    #[test]
    fn terminals_begin_in_different_states() {
        for seed in [1, 2, u64::MAX] {
            let state = |terminal| Generator::new(seed, Terminal(terminal), 4).first_state();
            let states: BTreeSet<u64> = (0..1 << 16).map(state).collect();
            assert_eq!(states.len(), 1 << 16);
            assert!(!states.contains(&0));
        }
    }

    /// The draws of a terminal, and those of two terminals side by side, are spread as a sample of
    /// independent ones is: chi-square over pairs of draws below its 99.99 % point.
    #[test]
    fn draws_look_independent() {
        let bits = 4;
        for (a, b) in [(0, 1), (5, 5), (3, 60)] {
            let [mut one, mut other] = [a, b].map(|t| Generator::new(1, Terminal(t), bits));
            if a == b {
                other.step();
            }
            let mut counts = [0u32; 256];
            let samples = 1 << 16;
            for _ in 0..samples {
                counts[(one.draw().0 << 4 | other.draw().0) as usize] += 1;
                one.step();
                other.step();
            }
            let mean = f64::from(samples) / 256.0;
            let chi: f64 = counts.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
            // 255 degrees of freedom.
            assert!((170.0..350.0).contains(&chi), "{a} {b}: {chi}");
        }
    }
}
