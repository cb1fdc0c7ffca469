//! Whether the members of a series are correlated with those before them.

use super::quantile;

/// The correlation of each member with the one before, for a series whose mean is 0; 0 for a
/// series of zeros.
pub fn lag_one(series: &[f64]) -> f64 {
    let square: f64 = series.iter().map(|x| x * x).sum();
    let product: f64 = series.windows(2).map(|w| w[0] * w[1]).sum();
    if square > 0.0 { product / square } else { 0.0 }
}

/// Rank correlation of each member with the one before: 1 for a series that rises, about 0 for one
/// without correlation.
pub fn by_rank(series: &[f64]) -> f64 {
    von_neumann(series).map_or(0.0, |ratio| 1.0 - ratio / 2.0)
}

/// Number of times as long batches as would probably pass [`is_absent`]: what correlation is left
/// between neighbours falls with their length, and should come to half of what may be there by
/// chance. At least 1.
pub fn times_for_absence(batches: &[f64]) -> f64 {
    let by_chance = 1.0 / (batches.len().max(1) as f64).sqrt();
    (by_rank(batches) / by_chance).max(1.0)
}

/// The squares of the differences between neighbours by those from the mean, of the ranks; `None` where
/// all are equal.
fn von_neumann(series: &[f64]) -> Option<f64> {
    let ranks = ranks(series);
    let mean = (series.len() as f64 - 1.0) / 2.0;
    let spread: f64 = ranks.iter().map(|r| (r - mean).powi(2)).sum();
    let differences: f64 = ranks.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    (spread > 0.0).then(|| differences / spread)
}

/// Whether a test for positive correlation of each member with the one before finds none:
/// Bartels' form of von Neumann's, on ranks. `level` is the share of series without correlation
/// for which it says that there is some. For 30 members and more.
///
/// Ranks, for a series with a few large members (busy periods of a queue) has a large mean and
/// a large correlation together: leaving such runs out would leave those with small means.
///
/// Bartels, Journal of the American Statistical Association 77, 1982.
pub fn is_absent(series: &[f64], level: f64) -> bool {
    let n = series.len() as f64;
    // Normal, with mean 2 and this deviation, where there is no correlation.
    let deviation = (20.0 / (5.0 * n + 7.0)).sqrt();
    let least = 2.0 - quantile::normal(1.0 - level) * deviation;
    von_neumann(series).is_none_or(|ratio| ratio >= least)
}

/// The place of each in the order of size, from 0; equal ones share the mean of theirs.
fn ranks(series: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&a, &b| series[a].total_cmp(&series[b]));
    let mut ranks = vec![0.0; series.len()];
    let mut first = 0;
    for tie in order.chunk_by(|&a, &b| series[a] == series[b]) {
        let rank = first as f64 + (tie.len() as f64 - 1.0) / 2.0;
        tie.iter().for_each(|&i| ranks[i] = rank);
        first += tie.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 0.0, 5.0]), [3.0, 1.0, 3.0, 0.0, 3.0]);
        // All equal, and the order within ties, are no trend.
        assert!(is_absent(&[1.0; 500], 0.01));
        let two: Vec<f64> =
            (0..500u32).map(|i| f64::from(i.wrapping_mul(2654435761) >> 31)).collect();
        assert!(is_absent(&two, 0.01));
    }

    #[test]
    fn correlation_is_found_and_alternation_is_none() {
        let rising: Vec<f64> = (0..512).map(f64::from).collect();
        assert!(!is_absent(&rising, 0.01));
        assert!(by_rank(&rising) > 0.999);
        let alternating: Vec<f64> = (0..512).map(|i| f64::from(i % 2) - 0.5).collect();
        assert!(is_absent(&alternating, 0.01));
        assert!(by_rank(&alternating) < -0.5);
        assert!((lag_one(&alternating) + 511.0 / 512.0).abs() < 1e-12);
    }
}
