//! A mean over the runs of a point, and how sure it is.
//!
//! Runs of unlike seeds are independent, so their means are a sample as of any textbook: Student's t
//! on their deviation (independent replications: Law, Simulation Modeling and Analysis, 5th edition,
//! 9.5.1). That holds whatever differs between seeds, as a drawn permutation does. The intervals of
//! the runs themselves, from batches, say how sure each is. Their errors are independent as well, so
//! that they add up as squares. With few runs the first may be narrow by chance, and the second
//! misses what differs between seeds: the interval given is the wider of both, at each end.

use crate::statistics::{Interval, quantile};
use schemars::JsonSchema;
use serde::Serialize;

/// A mean over runs with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct Estimate {
    /// Mean over the runs.
    pub value: Option<f64>,
    /// Lower end of the 95 % confidence interval of the mean, 0 at least.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Estimate from the means of runs, each with its own interval where it has one. One run
    /// without an interval gives none.
    pub fn of(runs: &[(f64, Option<Interval>)]) -> Self {
        let count = runs.len() as f64;
        if runs.is_empty() {
            return Self::default();
        }
        let value = runs.iter().map(|(mean, _)| mean).sum::<f64>() / count;
        let between = between(runs, value);
        let below = within(runs, |mean, interval| mean - interval.low);
        let above = within(runs, |mean, interval| interval.high - mean);
        let wider = |within: Option<f64>| match (between, within) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        Self {
            value: Some(value),
            // What is measured is no less than 0.
            low: wider(below).map(|below| (value - below).max(0.0)),
            high: wider(above).map(|above| value + above),
        }
    }

    /// The estimate without an interval.
    #[must_use]
    pub fn without_interval(self) -> Self {
        Self { value: self.value, ..Self::default() }
    }
}

/// Half an interval, from how far the means lie apart.
fn between(runs: &[(f64, Option<Interval>)], value: f64) -> Option<f64> {
    let degrees = runs.len().checked_sub(1).filter(|&degrees| degrees > 0)?;
    let squares: f64 = runs.iter().map(|(mean, _)| (mean - value).powi(2)).sum();
    let deviation = (squares / degrees as f64 / runs.len() as f64).sqrt();
    Some(quantile::student(0.975, degrees) * deviation)
}

/// Half width from the runs' own intervals; runs without one are taken to be as sure as the others.
fn within(runs: &[(f64, Option<Interval>)], half: fn(f64, Interval) -> f64) -> Option<f64> {
    let own = runs.iter().filter_map(|(mean, interval)| Some(half(*mean, (*interval)?)));
    let squares: Vec<f64> = own.map(|half| half * half).collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    (!squares.is_empty()).then(|| (mean / runs.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(mean: f64, half: f64) -> (f64, Option<Interval>) {
        (mean, Some(Interval { low: mean - half, high: mean + half }))
    }

    fn ends(of: Estimate) -> (f64, f64) {
        (of.low.unwrap(), of.high.unwrap())
    }

    #[test]
    fn one_run_is_as_sure_as_it_says() {
        let lopsided = Interval { low: 9.0, high: 12.0 };
        let one = Estimate::of(&[(10.0, Some(lopsided))]);
        assert_eq!((one.value, ends(one)), (Some(10.0), (9.0, 12.0)));
        let without = Estimate::of(&[(10.0, None)]);
        assert_eq!((without.value, without.low, without.high), (Some(10.0), None, None));
        assert_eq!(Estimate::of(&[]), Estimate::default());
        // Nothing that is measured is below 0.
        let far_apart = Estimate::of(&[(0.1, None), (0.5, None)]);
        assert_eq!(far_apart.low, Some(0.0));
        assert!(far_apart.high > Some(2.0));
    }

    /// Student's t of four degrees of freedom is 2.7764, and the deviation of 1 to 5 the root of 2.5.
    #[test]
    fn runs_far_apart_are_judged_by_that() {
        let runs: Vec<_> = (1..=5).map(|mean| run(f64::from(mean), 0.01)).collect();
        let (low, high) = ends(Estimate::of(&runs));
        let half = 2.776_445 * (2.5f64 / 5.0).sqrt();
        assert!((low - (3.0 - half)).abs() < 1e-4 && (high - (3.0 + half)).abs() < 1e-4);
        let bare: Vec<_> = runs.iter().map(|(mean, _)| (*mean, None)).collect();
        assert_eq!(Estimate::of(&bare), Estimate::of(&runs));
    }

    /// Four runs halve what one is off.
    #[test]
    fn runs_that_agree_are_judged_by_their_batches() {
        let mut runs = vec![run(7.0, 0.6); 4];
        let (low, high) = ends(Estimate::of(&runs));
        assert!((low - 6.7).abs() < 1e-12 && (high - 7.3).abs() < 1e-12);
        runs[0].1 = None;
        assert_eq!(ends(Estimate::of(&runs)), (low, high));
    }

    /// Means of runs whose true mean is known, 3 seeds each: at least 93 % of 2,000 intervals hold it.
    #[test]
    fn intervals_hold_what_they_promise() {
        use crate::traffic::random::Random;
        let mut random = Random::new(1);
        let mut held = 0;
        for _ in 0..2000 {
            // The sum of twelve is near to normal, with mean 6 and deviation 1.
            let mut draw = || (0..12).map(|_| random.unit()).sum::<f64>();
            let runs: Vec<_> = (0..3).map(|_| (draw(), None)).collect();
            let (low, high) = ends(Estimate::of(&runs));
            held += u32::from(low <= 6.0 && 6.0 <= high);
        }
        assert!((1860..=1960).contains(&held), "{held}");
    }
}
