//! Latencies as they are collected.

use crate::report::Latency;
use hdrhistogram::Histogram;

const GROWS: &str = "a histogram grows to hold any latency";

/// Latencies that are counted one by one: those that a histogram keeps exactly.
const COUNTED: usize = 2048;

/// Latencies: percentiles from a histogram, mean and maximum exact.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    /// Counts of the latencies below [`COUNTED`]; nearly all are.
    counts: Box<[u64; COUNTED]>,
    /// All others, with their sum and the largest one.
    histogram: Histogram<u64>,
    sum: u64,
    max: u64,
}

impl Samples {
    /// Samples without a latency.
    pub fn new() -> Self {
        let histogram = Histogram::new(3).expect("3 significant digits are in range");
        Self { counts: Box::new([0; COUNTED]), histogram, sum: 0, max: 0 }
    }

    /// Takes one in.
    #[inline]
    pub fn record(&mut self, cycles: u64) {
        match self.counts.get_mut(cycles as usize) {
            Some(count) => *count += 1,
            None => self.record_long(cycles),
        }
    }

    #[cold]
    fn record_long(&mut self, cycles: u64) {
        self.histogram.record(cycles).expect(GROWS);
        self.sum += cycles;
        self.max = self.max.max(cycles);
    }

    /// Summary of the samples; `None` without any.
    pub fn report(&self) -> Option<Latency> {
        let Self { counts, mut histogram, mut sum, mut max } = self.clone();
        for (cycles, &count) in (0..).zip(&*counts).filter(|(_, count)| **count > 0) {
            histogram.record_n(cycles, count).expect(GROWS);
            sum += cycles * count;
            max = max.max(cycles);
        }
        // The histogram gives the top of a bucket, which may lie above all that is in it.
        let quantile = |q| histogram.value_at_quantile(q).min(max);
        (!histogram.is_empty()).then(|| Latency {
            mean: sum as f64 / histogram.len() as f64,
            p50: quantile(0.50),
            p95: quantile(0.95),
            p99: quantile(0.99),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least of the latencies that so many per cent of them do not exceed.
    fn percentile(sorted: &[u64], per_cent: usize) -> u64 {
        sorted[(sorted.len() * per_cent).div_ceil(100) - 1]
    }

    /// Holds a summary to the samples themselves.
    fn holds(mut latencies: Vec<u64>) {
        let mut samples = Samples::new();
        latencies.iter().for_each(|&latency| samples.record(latency));
        let found = samples.report().unwrap();
        latencies.sort_unstable();
        for (per_cent, found) in [(50, found.p50), (95, found.p95), (99, found.p99)] {
            let exact = percentile(&latencies, per_cent);
            let most = if exact < 2048 { exact } else { exact + exact / 1000 };
            assert!((exact..=most).contains(&found), "p{per_cent} is {found}, not {exact}");
        }
        assert_eq!(found.max, *latencies.last().unwrap());
        assert!(found.p50 <= found.p95 && found.p95 <= found.p99 && found.p99 <= found.max);
        let sum: u64 = latencies.iter().sum();
        assert_eq!(found.mean, sum as f64 / latencies.len() as f64);
    }

    #[test]
    fn no_latencies_have_no_summary() {
        assert_eq!(Samples::new().report(), None);
    }

    /// 1 to 4,000: what a queue of as many packets gives that are released in one cycle.
    #[test]
    fn a_long_queue() {
        for length in [1, 20, 100, 2047, 2048, 2049, 4000, 100_000] {
            holds((1..=length).collect());
            holds((1..=length).rev().collect());
        }
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_samples(
            // As many of 10 bits as of 40.
            latencies in prop::collection::vec((0..40u32, any::<u64>()), 1..2000)
        ) {
            holds(latencies.iter().map(|(bits, random)| random % (2 << bits)).collect());
        }

        #[test]
        fn percentiles_of_like_samples(
            base in 0..1u64 << 40,
            above in prop::collection::vec(0..5u64, 1..500),
        ) {
            holds(above.iter().map(|above| base + above).collect());
        }
    }
}
