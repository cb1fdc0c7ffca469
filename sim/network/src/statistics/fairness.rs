//! Fairness: how evenly something is shared.

/// Jain's index of shares, (sum x)^2 / (n sum x^2): 1 where all are alike, 1/n where one has all
/// (Jain, Chiu and Hawe, A quantitative measure of fairness, DEC-TR-301, 1984). `None` where there
/// is nothing to share.
pub fn jain(shares: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for share in shares {
        count += 1.0;
        sum += share;
        squares += share * share;
    }
    (sum > 0.0).then(|| sum * sum / (count * squares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fairness_is_jains_index() {
        let of = |shares: &[f64]| jain(shares.iter().copied());
        assert_eq!(of(&[3.0; 5]), Some(1.0));
        assert_eq!(of(&[0.0, 7.0, 0.0, 0.0]), Some(0.25));
        // 16 / (3 * 6), as the paper's definition gives.
        assert_eq!(of(&[1.0, 1.0, 2.0]), Some(16.0 / 18.0));
        assert_eq!(of(&[0.0, 0.0]), None);
    }
}
