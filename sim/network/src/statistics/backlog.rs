//! Whether a queue is steady: by its backlog, and by what it takes of what is offered.

use super::batches::{self, LONG, Pair};
use super::interval::Spread;
use super::{correlation, quantile, trend};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Chance that a queue which neither grows nor falls behind is found to, by either test.
const GROWTH_LEVEL: f64 = 0.005;
/// Batches in which a drift of the backlog is looked for, at most.
const SHORT: usize = 128;
/// Share of the steady queues that are taken for undecided.
const STEADY_LEVEL: f64 = 0.01;

/// Stability of a queue, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// A backlog that varies about a mean.
    Steady,
    /// A backlog that grows, for less is accepted than offered: without end, were the run.
    Saturated,
    /// The run is too short to tell.
    Undecided,
}

/// A queue over some time.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Length of the span, in cycles.
    pub cycles: f64,
    /// The sum, over its cycles, of what was released and not yet delivered.
    pub backlog: f64,
    /// Flits that were released.
    pub offered: f64,
    /// Flits that were delivered.
    pub accepted: f64,
}

impl Stability {
    /// Stability from spans of equal length in the order of time.
    ///
    /// *Saturated* where both tests of growth say so: Mann's and Kendall's finds that the
    /// backlog rises from batch to batch, and Student's that more is offered than accepted.
    /// *Steady* where neither does, and short batches of the backlog are not correlated, as
    /// they would be if it drifted at all within the run. Fewer than 32 spans decide nothing.
    pub fn of(spans: &[Span]) -> Self {
        if spans.len() < LONG {
            return Self::Undecided;
        }
        let backlog: Vec<Pair> = spans.iter().map(|s| (s.backlog, s.cycles)).collect();
        let short: Vec<Pair> = spans.iter().map(|s| (s.offered - s.accepted, s.cycles)).collect();
        match (rises(&backlog), falls_behind(&short)) {
            (true, true) => Self::Saturated,
            (false, false) if varies_about_a_mean(&backlog) => Self::Steady,
            _ => Self::Undecided,
        }
    }
}

/// Number of times as many spans as would probably tell more than [`Stability::Undecided`]: by how
/// strongly short batches of the backlog are correlated, and where the two tests of growth differ,
/// 4.
pub fn times_to_tell(spans: &[Span]) -> f64 {
    if spans.len() < LONG {
        return 2.0 * LONG as f64 / spans.len().max(1) as f64;
    }
    let backlog: Vec<Pair> = spans.iter().map(|s| (s.backlog, s.cycles)).collect();
    let short: Vec<Pair> = spans.iter().map(|s| (s.offered - s.accepted, s.cycles)).collect();
    if rises(&backlog) != falls_behind(&short) {
        return 4.0;
    }
    let (y, x) = batches::sum(&backlog);
    let batches = batches::residuals(&batches::join(&backlog, SHORT.min(backlog.len())), y / x);
    correlation::times_for_absence(&batches)
}

fn rises(backlog: &[Pair]) -> bool {
    let means: Vec<f64> = batches::join(backlog, LONG).iter().map(|(y, x)| y / x).collect();
    trend::mann_kendall(&means) > quantile::normal(1.0 - GROWTH_LEVEL)
}

fn falls_behind(short: &[Pair]) -> bool {
    let (y, x) = batches::sum(short);
    y / x > quantile::student(1.0 - GROWTH_LEVEL, LONG - 1) * Spread::of(short).deviation
}

fn varies_about_a_mean(backlog: &[Pair]) -> bool {
    let (y, x) = batches::sum(backlog);
    let short = batches::join(backlog, SHORT.min(backlog.len()));
    correlation::is_absent(&batches::residuals(&short, y / x), STEADY_LEVEL)
}
