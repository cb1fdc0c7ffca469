//! Latencies as they are collected.

use crate::report::Latency;
use hdrhistogram::Histogram;

/// Latencies: percentiles from a histogram, mean and maximum exact.
#[derive(Debug)]
pub(crate) struct Samples {
    histogram: Histogram<u64>,
    sum: u64,
    max: u64,
}

impl Samples {
    /// None yet.
    pub fn new() -> Self {
        let histogram = Histogram::new(3).expect("3 significant digits are in range");
        Self { histogram, sum: 0, max: 0 }
    }

    /// Takes one in.
    pub fn record(&mut self, cycles: u64) {
        self.histogram.saturating_record(cycles);
        self.sum += cycles;
        self.max = self.max.max(cycles);
    }

    /// Their summary; `None` without any.
    pub fn report(&self) -> Option<Latency> {
        let quantile = |q| self.histogram.value_at_quantile(q);
        (!self.histogram.is_empty()).then(|| Latency {
            mean: self.sum as f64 / self.histogram.len() as f64,
            p50: quantile(0.50),
            p95: quantile(0.95),
            p99: quantile(0.99),
            max: self.max,
        })
    }
}
