//! A series in batches of equal length.

/// Batches in which correlation is looked for: each is short, so that what is left of it in the
/// 16 times longer ones is little.
pub const SHORT: usize = 512;
/// Batches that variances are taken from. More than some 30 gain next to nothing (Schmeiser,
/// Operations Research 30, 1982).
pub const LONG: usize = 32;

/// Numerator and denominator of a mean, over some time: latencies and packets, say, or flits
/// and cycles.
pub type Pair = (f64, f64);

/// Joins neighbours to `count` batches of as equal a length as may be; fewer pairs than that
/// leave some of the batches empty.
pub fn join(pairs: &[Pair], count: usize) -> Vec<Pair> {
    let from = |i: usize| i * pairs.len() / count;
    (0..count).map(|i| sum(&pairs[from(i)..from(i + 1)])).collect()
}

pub fn sum(pairs: &[Pair]) -> Pair {
    pairs.iter().fold((0.0, 0.0), |(y, x), pair| (y + pair.0, x + pair.1))
}

/// Residuals: the excess of each numerator over its share, at a mean of `ratio`.
pub fn residuals(pairs: &[Pair], ratio: f64) -> Vec<f64> {
    pairs.iter().map(|(y, x)| y - ratio * x).collect()
}
