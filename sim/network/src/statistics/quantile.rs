//! Quantiles of the distributions of the tests.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Quantile of the standard normal distribution; `p` within 0 and 1.
pub fn normal(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// Quantile of Student's t with so many degrees of freedom, at least 1; `p` within 0 and 1.
pub fn student(p: f64, degrees: usize) -> f64 {
    let t = StudentsT::new(0.0, 1.0, degrees.max(1) as f64);
    t.expect("the degrees of freedom are positive").inverse_cdf(p)
}
