//! Record of a run's cycles and packets, for the verdict and the intervals.

use crate::report::Outcome;
use crate::statistics::backlog::{Span, times_to_tell};
use crate::statistics::batches::{self, Pair};
use crate::statistics::interval::times_for_interval;
use crate::statistics::{Interval, Stability, Windows};

/// Sums over windows of the measurement (or of the warm-up, until the measurement begins).
/// Cycles are counted where they pass, packets where they were released.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The first cycle.
    start: u64,
    windows: Windows<7>,
}

/// A cycle, in flits.
#[derive(Clone, Copy)]
pub(super) struct Cycle {
    /// Asked for and not delivered: in the network, at the sources, and in replies to come.
    pub backlog: u64,
    /// Released; of a whole run, with the replies that follow.
    pub released: u64,
    pub delivered: u64,
}

impl Record {
    /// From this cycle on.
    pub fn from(start: u64) -> Self {
        Self { start, windows: Windows::default() }
    }

    pub fn cycle(&mut self, cycle: u64, Cycle { backlog, released, delivered }: Cycle) {
        let [cycles, waiting, offered, accepted, ..] = self.windows.at(cycle - self.start);
        *cycles += 1.0;
        *waiting += backlog as f64;
        *offered += released as f64;
        *accepted += delivered as f64;
    }

    /// A measured packet arrived.
    pub fn packet(&mut self, released: u64, latency: u64, network_latency: u64) {
        let [.., packets, from_release, from_injection] = self.windows.at(released - self.start);
        *packets += 1.0;
        *from_release += float(latency);
        *from_injection += float(network_latency);
    }

    fn pairs(&self, pair: fn(&[f64; 7]) -> Pair) -> Vec<Pair> {
        self.windows.sums().iter().map(pair).collect()
    }

    fn spans(&self) -> Vec<Span> {
        let span = |&[cycles, backlog, offered, accepted, ..]: &[f64; 7]| Span {
            cycles,
            backlog,
            offered,
            accepted,
        };
        self.windows.sums().iter().map(span).collect()
    }

    fn stability(&self) -> Stability {
        Stability::of(&self.spans())
    }

    /// Whether the verdict on the cycles so far is known, and with it how sure the means are: where the run is
    /// steady, the mean latency within such a share of it.
    pub fn can_tell(&self, terminals: u32, precision: Option<f64>) -> bool {
        let intervals = self.intervals(terminals);
        let verdict = self.verdict(Outcome::Drained, &intervals);
        match precision {
            None => verdict != Stability::Undecided,
            Some(share) => {
                let (latency, packets) = batches::sum(&self.pairs(|w| (w[5], w[4])));
                let mean = (packets > 0.0).then(|| latency / packets);
                Interval::knows(intervals.latency, share, mean, Some(verdict)) != Some(false)
            }
        }
    }

    /// The verdict, where the means are as sure as that.
    fn verdict(&self, outcome: Outcome, intervals: &Intervals) -> Stability {
        let packets: f64 = self.windows.sums().iter().map(|w| w[4]).sum();
        // Packets that are not delivered are late ones: without them means are too low.
        let known =
            packets == 0.0 || intervals.latency.is_some() && intervals.network_latency.is_some();
        match self.stability() {
            Stability::Steady if !known || outcome != Outcome::Drained => Stability::Undecided,
            verdict => verdict,
        }
    }

    /// Number of cycles that would probably be enough for a verdict, where `cycles` were not.
    pub fn enough(&self, cycles: u64) -> u64 {
        let latencies = [self.pairs(|w| (w[5], w[4])), self.pairs(|w| (w[6], w[4]))];
        let times = latencies.iter().map(|pairs| times_for_interval(pairs));
        // Half as many again at least: else it would have been enough, but for chance.
        let times = times.fold(times_to_tell(&self.spans()).max(1.5), f64::max);
        two_digits(cycles as f64 * times)
    }

    /// Whether the verdict on the cycles so far is *saturated*.
    pub fn is_saturated(&self) -> bool {
        self.stability() == Stability::Saturated
    }

    /// Findings from the record. Without `measured`, there was but a warm-up.
    pub fn findings(&self, outcome: Outcome, measured: bool, terminals: u32) -> Findings {
        let intervals = self.intervals(terminals);
        let verdict = self.verdict(outcome, &intervals);
        let steady = verdict == Stability::Steady;
        let throughput = intervals.throughput.filter(|_| measured);
        Findings {
            verdict: Some(verdict),
            intervals: Intervals { throughput, ..intervals }.if_steady(steady),
        }
    }

    /// Confidence intervals of the means, whatever the verdict.
    pub fn intervals(&self, terminals: u32) -> Intervals {
        let throughput = Interval::of(&self.pairs(|w| (w[3], w[0])));
        let terminals = f64::from(terminals.max(1));
        Intervals {
            latency: Interval::of(&self.pairs(|w| (w[5], w[4]))),
            network_latency: Interval::of(&self.pairs(|w| (w[6], w[4]))),
            throughput: throughput
                .map(|flits| Interval { low: flits.low / terminals, high: flits.high / terminals }),
        }
    }
}

/// A number with two digits that count, not below `number`.
fn two_digits(number: f64) -> u64 {
    let unit = 10f64.powi((number.max(10.0).log10().floor() - 1.0) as i32);
    ((number / unit).ceil() * unit) as u64
}

/// A number of cycles of one packet as a float. Of a signed number that is one instruction, of an unsigned
/// one it is ten.
fn float(cycles: u64) -> f64 {
    cycles.cast_signed() as f64
}

/// Findings of the statistics on a run.
#[derive(Default)]
pub(super) struct Findings {
    pub verdict: Option<Stability>,
    pub intervals: Intervals,
}

/// Confidence intervals of the means.
#[derive(Clone, Copy, Default)]
pub(super) struct Intervals {
    /// Known where the run is steady.
    pub latency: Option<Interval>,
    pub network_latency: Option<Interval>,
    /// Flits accepted per terminal and cycle.
    pub throughput: Option<Interval>,
}

impl Intervals {
    /// Latencies mean something where the run is steady alone.
    pub fn if_steady(self, steady: bool) -> Self {
        Self {
            latency: self.latency.filter(|_| steady),
            network_latency: self.network_latency.filter(|_| steady),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_count() {
        for (number, rounded) in [(3.2, 4), (99.0, 99), (100.1, 110), (61_000.5, 62_000)] {
            assert_eq!(two_digits(number), rounded);
        }
    }
}
