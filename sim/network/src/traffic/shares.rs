//! Shares of a whole: of the packets by length, of the load by class.

/// Tolerance of the sum of shares, which should be 1.
const TOLERANCE: f64 = 1e-6;

/// Whether it is above 0 and up to 1.
pub(super) fn is_share(share: f64) -> bool {
    share > 0.0 && share <= 1.0
}

/// The sum of shares where it is not 1, within [`TOLERANCE`].
pub(super) fn wrong_sum(shares: impl Iterator<Item = f64>) -> Option<f64> {
    Some(shares.sum::<f64>()).filter(|sum| (sum - 1.0).abs() > TOLERANCE)
}

/// A sum to as many places as tell it from 1.
pub(super) fn rounded(sum: f64) -> f64 {
    (sum * 1e9).round() / 1e9
}
