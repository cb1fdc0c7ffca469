//! Whether a series rises.

/// The statistic of Mann's and Kendall's test: pairs of members that rise less pairs that fall,
/// over the deviation of that in a series without trend, ties allowed for. Normal, for 10
/// independent members and more without trend. 0 where all members are equal.
///
/// Mann, Econometrica 13, 1945; Kendall, *Rank Correlation Methods*, 1948.
pub fn mann_kendall(series: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, a) in series.iter().enumerate() {
        for b in &series[i + 1..] {
            s += f64::from(i8::from(b > a) - i8::from(b < a));
        }
    }
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let spread = |n: usize| (n * (n - 1) * (2 * n + 5)) as f64;
    let ties: f64 = sorted.chunk_by(|a, b| a == b).map(|tie| spread(tie.len())).sum();
    let variance = (spread(series.len().max(1)) - ties) / 18.0;
    // Less 1 of s, for s is whole and the normal distribution is not.
    if variance > 0.0 && s != 0.0 { (s - s.signum()) / variance.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trends_have_their_signs() {
        let rising: Vec<f64> = (0..32).map(f64::from).collect();
        let falling: Vec<f64> = rising.iter().rev().copied().collect();
        // Every pair of the 496 rises; the variance is 32 * 31 * 69 / 18.
        let most = 495.0 / (32.0 * 31.0 * 69.0 / 18.0f64).sqrt();
        assert!((mann_kendall(&rising) - most).abs() < 1e-12);
        assert!((mann_kendall(&falling) + most).abs() < 1e-12);
        for level in [vec![], vec![1.0], vec![3.0; 32], vec![2.0, 1.0, 2.0]] {
            assert_eq!(mann_kendall(&level), 0.0, "{level:?}");
        }
    }

    /// Gilbert, *Statistical Methods for Environmental Pollution Monitoring*, 1987, has the
    /// variance with ties: n (n-1) (2n+5) less t (t-1) (2t+5) of each tie, over 18.
    #[test]
    fn ties_lower_the_variance() {
        let found = mann_kendall(&[1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0]);
        // 21 pairs, of which 4 are ties.
        let variance = (7.0 * 6.0 * 19.0 - 2.0 * 9.0 - 3.0 * 2.0 * 11.0) / 18.0f64;
        assert!((found - 16.0 / variance.sqrt()).abs() < 1e-12);
    }
}
