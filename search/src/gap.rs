//! Distance of a value from the least there may be.

/// Difference of a value and a bound below it, in parts of the bound; `None` where that is 0 and the value is not.
pub fn gap(value: u64, bound: u64) -> Option<f64> {
    match (value - bound, bound) {
        (0, _) => Some(0.0),
        (_, 0) => None,
        (more, bound) => Some(more as f64 / bound as f64),
    }
}
