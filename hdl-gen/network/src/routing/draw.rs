//! Draws of randomised relations.
//!
//! A randomised relation is a deterministic one of source, destination and draw: a source draws
//! once for each packet, from a finite set of draws of equal odds ([`super::Relation::draws`]). So
//! whatever is said of all routes is said over all draws, and a mean over them is exact.

use serde::Serialize;
use turnpike_base::bits::bits_for;

/// Bits of a draw beyond those that count the things drawn from, where these are no power of two: then
/// no thing's odds are off by more than an eighth.
const SPARE_BITS: u32 = 3;

/// Draw of a source for a packet: the index of one of the relation's draws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Draw(pub u32);

impl Draw {
    /// The only draw of a relation that draws nothing.
    pub const NONE: Self = Self(0);

    /// Bits of a draw from so many things at most, 1 or more: as many as count them where there are a
    /// power of two of them in any case (`even`), and 3 more elsewhere.
    pub fn bits_for(most: u32, even: bool) -> u32 {
        if even { most.ilog2() } else { bits_for(most) + SPARE_BITS }
    }

    /// Index of the thing that is drawn, among `things`, where a draw has `bits` bits: floor(draw *
    /// things / 2^bits), so that none comes for more than one draw more than another.
    pub fn pick(self, things: u128, bits: u32) -> u128 {
        (u128::from(self.0) * things) >> bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every thing is drawn, one at most once more often than another, and within an eighth of the same
    /// odds.
    #[test]
    fn odds_are_within_an_eighth() {
        for things in 1..=300u32 {
            let bits = Draw::bits_for(things, things.is_power_of_two());
            let mut drawn = vec![0u32; things as usize];
            for draw in 0..1 << bits {
                drawn[Draw(draw).pick(things.into(), bits) as usize] += 1;
            }
            let (least, most) = (*drawn.iter().min().unwrap(), *drawn.iter().max().unwrap());
            let even = f64::from(1u32 << bits) / f64::from(things);
            assert!(most - least <= u32::from(!things.is_power_of_two()));
            assert!((even - f64::from(least)) / even <= 0.125);
            assert!((f64::from(most) - even) / even <= 0.125);
        }
    }
}
