//! The load at which a network saturates, to 1 % where runs can tell.

use super::curve::{Curve, Runs};
use crate::progress::Progress;
use schemars::JsonSchema;
use serde::Serialize;
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::sweep::{Bracket, Estimate, Point, bisect};
use turnpike_sim_network::traffic::MOST_CYCLES;

/// Width of a bracket that is narrow enough, as a share of its upper end.
pub const TOLERANCE: f64 = 0.01;

/// Factors by which runs are longer, one after the other, until they tell.
const LONGER: [u64; 3] = [1, 4, 16];

/// The load at which a network saturates, in flits per terminal and cycle.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Saturation {
    /// Whether `low` and `high` are within 1 % of one another, or the network is steady under a load
    /// of 1.
    pub decided: bool,
    /// The load in the middle between them; absent where that is not decided, and where it is steady
    /// under a load of 1.
    pub load: Option<f64>,
    /// The largest load that was found steady.
    pub low: f64,
    /// The least load that was found saturated; absent where none was.
    pub high: Option<f64>,
    /// Flits that are delivered there, under the load `high`, per terminal and cycle.
    pub accepted_throughput: Estimate,
}

impl Saturation {
    /// The load in the middle of what is not known.
    pub fn middle(self) -> f64 {
        (self.low + self.high.unwrap_or(1.0)) / 2.0
    }
}

/// Saturation of a curve, from its points; nothing where it deadlocks. nothing where it deadlocks.
///
/// # Errors
/// As [`Runs::figures`].
pub fn of(
    curve: &Curve,
    runs: &Runs<'_>,
    points: &[(f64, Point)],
) -> anyhow::Result<Option<Saturation>> {
    let progress = Progress::spinner(format!("saturation of {}", curve.name()));
    let mut found = points.to_vec();
    let verdicts = found.iter().map(|(load, point)| Some((*load, point.verdict?)));
    let Some(known) = verdicts.collect::<Option<Vec<_>>>() else { return Ok(None) };
    let ended = bisect(Bracket::of(known), TOLERANCE, |load| {
        progress.message(format!("saturation of {}: load {load}", curve.name()));
        let point = tell(curve, runs, load).map_err(Some)?;
        let verdict = point.verdict;
        found.push((load, point));
        // A deadlock ends it, and is no failure.
        verdict.ok_or(None)
    });
    let bracket = match ended {
        Ok(bracket) => bracket,
        Err(None) => return Ok(None),
        Err(Some(failure)) => return Err(failure),
    };
    let decided = bracket.is_decided(TOLERANCE);
    let Bracket { low, high } = bracket;
    let at_high = found.iter().rev().find(|(load, _)| Some(*load) == high);
    Ok(Some(Saturation {
        decided,
        load: high.filter(|_| decided).map(|high| (low + high) / 2.0),
        low,
        high,
        accepted_throughput: at_high.map(|(_, p)| p.accepted_throughput).unwrap_or_default(),
    }))
}

/// A point whose runs are made longer until they tell, or long enough.
fn tell(curve: &Curve, runs: &Runs<'_>, load: f64) -> anyhow::Result<Point> {
    let mut lengths = LONGER.map(|times| (curve.cycles * times).min(MOST_CYCLES)).into_iter();
    loop {
        let cycles = lengths.next().unwrap_or(curve.cycles);
        let point = Point::of(&runs.of_all_seeds(curve, load, cycles)?);
        if point.verdict != Some(Stability::Undecided) || lengths.len() == 0 {
            return Ok(point);
        }
    }
}
