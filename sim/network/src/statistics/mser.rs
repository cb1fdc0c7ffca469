//! End of a warm-up: MSER-5.
//!
//! White, Simulation 69, 1997; White, Cobb and Spratt, Winter Simulation Conference 2000. Of a
//! series that starts away from its steady state, the first members are cut off such that the
//! standard error of the mean of the others, were they independent, is least. MSER-5 does so on
//! means of five. A cut in the second half means that the series is too short to tell.

/// Members of a mean.
const FIVE: usize = 5;
/// Means that are never cut off: the error of the last few is small by chance.
const KEPT: usize = 5;

/// A series as it is collected.
#[derive(Clone, Debug, Default)]
pub struct Mser5 {
    means: Vec<f64>,
    sum: f64,
    /// Members of the sum.
    members: usize,
}

impl Mser5 {
    /// Takes in one more member.
    pub fn sample(&mut self, value: f64) {
        self.sum += value;
        self.members += 1;
        if self.members == FIVE {
            self.means.push(self.sum / FIVE as f64);
            (self.sum, self.members) = (0.0, 0);
        }
    }

    /// Number of members that are cut off; `None` where the series is too short to tell.
    pub fn cut(&self) -> Option<usize> {
        let n = self.means.len();
        let (mut mean, mut squares) = (0.0, 0.0);
        let mut least = None;
        // From the end, with Welford's update of the mean and the sum of squares about it.
        for (kept, &value) in (1..).zip(self.means.iter().rev()) {
            let distance = value - mean;
            mean += distance / kept as f64;
            squares += distance * (value - mean);
            let error = squares / (kept as f64).powi(2);
            // Of equal errors, the one that cuts off less.
            if kept >= KEPT && least.is_none_or(|(least, _)| error <= least) {
                least = Some((error, n - kept));
            }
        }
        least.map(|(_, cut)| cut).filter(|cut| 2 * cut <= n).map(|cut| cut * FIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(series: impl Iterator<Item = f64>) -> Option<usize> {
        let mut mser = Mser5::default();
        series.for_each(|x| mser.sample(x));
        mser.cut()
    }

    /// The definition, tried at every cut.
    fn plain(series: &[f64]) -> Option<usize> {
        let means: Vec<f64> = series.chunks_exact(5).map(|c| c.iter().sum::<f64>() / 5.0).collect();
        let error = |d: usize| {
            let kept = &means[d..];
            let n = kept.len() as f64;
            let mean = kept.iter().sum::<f64>() / n;
            kept.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n * n)
        };
        let cuts = 0..(means.len() + 1).saturating_sub(KEPT);
        let least = cuts.min_by(|&a, &b| error(a).total_cmp(&error(b)))?;
        (2 * least <= means.len()).then_some(5 * least)
    }

    #[test]
    fn the_cut_is_that_of_the_definition() {
        let noise = |i: u32| f64::from(i.wrapping_mul(2654435761) >> 24) / 256.0;
        for length in [10, 26, 100, 500] {
            for rise in [0.001, 5.0, 50.0, 1000.0f64] {
                let value = |i: u32| noise(i) - 10.0 * (-f64::from(i) / rise).exp();
                let series: Vec<f64> = (0..length).map(value).collect();
                assert_eq!(cut(series.iter().copied()), plain(&series), "{length} {rise}");
            }
        }
    }

    #[test]
    fn a_start_is_cut_off_and_growth_is_not_steady() {
        let start = (0..100).map(|_| 0.0).chain((0..900).map(|i| 50.0 + f64::from(i % 7)));
        assert!((100..=110).contains(&cut(start).unwrap()));
        assert_eq!(cut((0..1000).map(f64::from)), None);
        assert_eq!(cut((0..1000).map(|_| 4.0)), Some(0));
        assert_eq!(cut((0..24).map(|_| 4.0)), None);
    }
}
