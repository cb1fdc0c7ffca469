//! The interval of a mean.
//!
//! Batch means with two corrections, those of N-Skart (Tafazzoli, Steiger and Wilson, IEEE
//! Transactions on Automatic Control 56, 2011): for what correlation is left between batches,
//! and for skewness, which makes means from short runs come out low and their intervals narrow.
//! N-Skart tries batch sizes in turn. Here the number of batches is fixed, they are as long as
//! the run allows, and a run that is too short for them gets no interval.

use super::batches::{self, LONG, Pair, SHORT};
use super::{Stability, correlation, quantile};
use serde::{Deserialize, Serialize};

/// Share of the runs without correlation that are taken for too short.
const LEVEL: f64 = 0.01;

/// Confidence interval of a mean, at 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// The interval of the sum of numerators over the sum of denominators, for pairs in the
    /// order of time. `None` where the run is too short to tell: fewer than 512 pairs, a sum of
    /// denominators below 512, or 512 batches that are correlated.
    pub fn of(pairs: &[Pair]) -> Option<Self> {
        let (y, x) = batches::sum(pairs);
        if pairs.len() < SHORT || x < SHORT as f64 {
            return None;
        }
        let ratio = y / x;
        let short = batches::residuals(&batches::join(pairs, SHORT), ratio);
        if !correlation::is_absent(&short, LEVEL) {
            return None;
        }
        let long = Spread::of(pairs);
        let t = quantile::student(0.975, LONG - 1);
        let (low, high) = (ratio - long.skewed(t), ratio - long.skewed(-t));
        Some(Self { low, high })
    }

    /// Whether both ends are within this share of the mean.
    fn is_within(&self, share: f64, mean: f64) -> bool {
        (mean - self.low).max(self.high - mean) <= share * mean
    }

    /// Whether a mean is known within this share of it, in a run with this verdict. `None` where there is no such
    /// mean: of what is saturated, of what has no verdict, as it deadlocked, and where nothing was measured.
    pub fn knows(
        ends: Option<Self>,
        share: f64,
        mean: Option<f64>,
        verdict: Option<Stability>,
    ) -> Option<bool> {
        match verdict? {
            Stability::Saturated => None,
            Stability::Undecided => Some(false),
            Stability::Steady => mean.map(|mean| ends.is_some_and(|e| e.is_within(share, mean))),
        }
    }
}

/// Number of times as many pairs as would probably give [`Interval::of`], by how strongly batches
/// are correlated: what is left of that falls with their length. At least 1.
pub fn times_for_interval(pairs: &[Pair]) -> f64 {
    let (y, x) = batches::sum(pairs);
    let many = SHORT as f64;
    let few = (many / pairs.len().max(1) as f64).max(many / x.max(1.0));
    if few > 1.0 {
        // Of too few nothing is known; twice as many leave room.
        return 2.0 * few;
    }
    let short = batches::residuals(&batches::join(pairs, SHORT), y / x);
    correlation::times_for_absence(&short)
}

/// Error of the mean of a ratio, from its long batches.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The deviation of the mean.
    pub deviation: f64,
    /// Skewness of a batch over 6 times the root of their number: Johnson's correction.
    skew: f64,
}

impl Spread {
    /// Spread of the sum of numerators over the sum of denominators, which is above 0.
    pub fn of(pairs: &[Pair]) -> Self {
        let (y, x) = batches::sum(pairs);
        let n = LONG as f64;
        let residuals = batches::residuals(&batches::join(pairs, LONG), y / x);
        let variance = residuals.iter().map(|z| z * z).sum::<f64>() / (n - 1.0);
        if variance == 0.0 {
            return Self { deviation: 0.0, skew: 0.0 };
        }
        let cubes: f64 = residuals.iter().map(|z| z.powi(3)).sum();
        let skewness = n * cubes / ((n - 1.0) * (n - 2.0)) / variance.powf(1.5);
        // As of a first-order autoregression; at most as far as 32 batches can tell.
        let left = correlation::lag_one(&residuals).clamp(0.0, 0.9);
        let deviation = (variance * n * (1.0 + left) / (1.0 - left)).sqrt() / x;
        Self { deviation, skew: skewness / (6.0 * n.sqrt()) }
    }

    /// Half width of `t` deviations, moved to the side to which the batches are skewed. Willink,
    /// Communications in Statistics: Theory and Methods 34, 2005.
    fn skewed(&self, t: f64) -> f64 {
        let b = self.skew;
        if b.abs() < 1e-6 {
            return t * self.deviation;
        }
        self.deviation * ((1.0 + 6.0 * b * (t - b)).cbrt() - 1.0) / (2.0 * b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_short_a_run_has_none() {
        let pair = |i: u32| (f64::from(i.wrapping_mul(2654435761) >> 20), 1.0);
        let pairs: Vec<Pair> = (0..511).map(pair).collect();
        assert_eq!(Interval::of(&pairs), None);
        let pairs: Vec<Pair> = (0..512).map(pair).collect();
        let Interval { low, high } = Interval::of(&pairs).unwrap();
        let mean = batches::sum(&pairs).0 / 512.0;
        assert!(low < mean && mean < high);
        // A walk is correlated however long its batches are.
        let walk: Vec<Pair> = (0..100_000).map(|i| (f64::from(i), 1.0)).collect();
        assert_eq!(Interval::of(&walk), None);
        // Few packets in many windows.
        let few: Vec<Pair> = (0..4096).map(|i| (0.0, f64::from(u8::from(i % 9 == 0)))).collect();
        assert_eq!(Interval::of(&few), None);
    }

    #[test]
    fn what_does_not_vary_is_known() {
        let pairs = vec![(6.0, 2.0); 1000];
        assert_eq!(Interval::of(&pairs), Some(Interval { low: 3.0, high: 3.0 }));
    }
}
