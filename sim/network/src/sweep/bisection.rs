//! The load at which a network saturates, by bisection on the verdict.
//!
//! A network that is steady under a load is held to be so under all below it, and one that is
//! saturated under all above. Near the load between them no run of any length tells, so two edges
//! are looked for: the largest load that is found steady, and the least that is found saturated.

use crate::statistics::Stability;

/// Bounds of the load at which a network saturates, in flits per terminal and cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bracket {
    /// The largest load that was found steady; 0 where none was.
    pub low: f64,
    /// The least load that was found saturated; `None` where none was, up to 1.
    pub high: Option<f64>,
}

impl Bracket {
    /// Bracket of verdicts at some loads, in any order. A load below one that is steady is not
    /// saturated, whatever was found: a backlog grows by chance more easily than it stays away.
    pub fn of(found: impl IntoIterator<Item = (f64, Stability)> + Clone) -> Self {
        let of = |found: (f64, Stability), wanted| (found.1 == wanted).then_some(found.0);
        let steady = found.clone().into_iter().filter_map(|f| of(f, Stability::Steady));
        let low = steady.max_by(f64::total_cmp).unwrap_or(0.0);
        let saturated = found.into_iter().filter_map(|f| of(f, Stability::Saturated));
        Self { low, high: saturated.filter(|&load| load > low).min_by(f64::total_cmp) }
    }

    /// Whether both ends are within `tolerance` of the upper one, as a share of it, or the network
    /// carries all that can be offered.
    pub fn is_decided(&self, tolerance: f64) -> bool {
        match self.high {
            Some(high) => is_narrow(self.low, high, tolerance),
            None => self.low >= 1.0,
        }
    }
}

fn is_narrow(low: f64, high: f64, tolerance: f64) -> bool {
    high - low <= tolerance * high
}

/// Closes in on the load at which a network saturates, from what is known, until either edge is
/// within `tolerance` (a share of the load) of what is not so: `probe` gives the verdict on a load.
/// Loads are multiples of 1e-6, so that it ends.
///
/// # Errors
/// Those of `probe`.
pub fn bisect<E>(
    known: Bracket,
    tolerance: f64,
    mut probe: impl FnMut(f64) -> Result<Stability, E>,
) -> Result<Bracket, E> {
    let Bracket { low, mut high } = known;
    if high.is_none() && low < 1.0 {
        match probe(1.0)? {
            Stability::Steady => return Ok(Bracket { low: 1.0, high }),
            Stability::Saturated => high = Some(1.0),
            Stability::Undecided => {}
        }
    }
    // The largest that is steady. What is found saturated on the way brings the upper end down; what is
    // found neither is the lower end of what is saturated.
    let mut neither = low;
    let low = edge(low, high.unwrap_or(1.0), tolerance, |load| {
        let verdict = probe(load)?;
        match verdict {
            Stability::Saturated => high = Some(high.map_or(load, |high| high.min(load))),
            Stability::Undecided => neither = neither.max(load),
            Stability::Steady => {}
        }
        Ok(verdict == Stability::Steady)
    })?;
    let Some(mut least) = high else { return Ok(Bracket { low, high }) };
    // The least that is saturated.
    let mut most = low;
    let neither = if neither < least { neither.max(low) } else { low };
    edge(neither, least, tolerance, |load| {
        let verdict = probe(load)?;
        match verdict {
            Stability::Saturated => least = least.min(load),
            Stability::Steady => most = most.max(load),
            Stability::Undecided => {}
        }
        Ok(verdict != Stability::Saturated)
    })?;
    Ok(Bracket { low: most, high: Some(least) })
}

/// The largest load for which `is_below` is found, between one for which it holds and one for which it
/// does not.
fn edge<E>(
    mut low: f64,
    mut high: f64,
    tolerance: f64,
    mut is_below: impl FnMut(f64) -> Result<bool, E>,
) -> Result<f64, E> {
    while !is_narrow(low, high, tolerance) {
        let middle = ((low + high) / 2.0 * 1e6).round() / 1e6;
        if middle <= low || middle >= high {
            break;
        }
        if is_below(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Stability::{Saturated, Steady, Undecided};

    /// A network that is steady up to `steady` and saturated from `saturated`; how often it is asked.
    fn find(known: Bracket, steady: f64, saturated: f64) -> (Bracket, u32) {
        let mut probes = 0;
        let found = bisect(known, 0.01, |load| {
            assert!((0.0..=1.0).contains(&load));
            probes += 1;
            Ok::<_, ()>(match load {
                x if x <= steady => Steady,
                x if x >= saturated => Saturated,
                _ => Undecided,
            })
        });
        (found.unwrap(), probes)
    }

    const NOTHING: Bracket = Bracket { low: 0.0, high: None };

    #[test]
    fn a_sharp_edge_is_found_to_one_per_cent() {
        for edge in [0.013, 0.1, 0.25, 0.333, 0.5, 0.777, 0.99] {
            let (Bracket { low, high }, probes) = find(NOTHING, edge, edge + 1e-9);
            let high = high.unwrap();
            assert!(
                low <= edge && edge < high && high - low <= 0.01 * high,
                "{edge}: {low} {high}"
            );
            assert!(probes <= 15, "{edge}: {probes}");
            assert!(Bracket { low, high: Some(high) }.is_decided(0.01));
        }
    }

    #[test]
    fn what_is_known_is_not_asked_again() {
        let known = Bracket::of([(0.3, Steady), (0.4, Saturated), (0.2, Steady), (0.5, Saturated)]);
        assert_eq!(known, Bracket { low: 0.3, high: Some(0.4) });
        let (found, probes) = find(known, 0.351, 0.3511);
        assert!(found.is_decided(0.01) && probes <= 5, "{found:?} {probes}");
        assert!(found.low <= 0.351 && found.high >= Some(0.351));
    }

    #[test]
    fn where_no_run_tells_both_edges_are_found() {
        for (steady, saturated) in [(0.4, 0.5), (0.2, 0.9), (0.493, 0.502)] {
            let (found, _) = find(NOTHING, steady, saturated);
            let Bracket { low, high } = found;
            let high = high.unwrap();
            assert!(low <= steady && low > steady - 0.01, "{found:?}");
            assert!(high >= saturated && high < saturated + 0.02, "{found:?}");
            assert!(!found.is_decided(0.01));
        }
    }

    #[test]
    fn a_network_that_carries_all_has_no_upper_end() {
        let (found, probes) = find(NOTHING, 1.0, 2.0);
        assert_eq!((found, probes), (Bracket { low: 1.0, high: None }, 1));
        assert!(found.is_decided(0.01));
        let (found, _) = find(NOTHING, 0.8, 2.0);
        assert!(found.high.is_none() && found.low > 0.78 && !found.is_decided(0.01));
        assert_eq!(find(Bracket { low: 1.0, high: None }, 1.0, 2.0).1, 0);
    }

    #[test]
    fn one_that_carries_nothing_ends() {
        let (found, _) = find(NOTHING, 0.0, 0.0);
        assert!(found.low == 0.0 && found.high < Some(1e-5), "{found:?}");
        // A saturated load below a steady one is chance.
        let known =
            Bracket::of([(0.5, Saturated), (0.6, Steady), (0.1, Undecided), (0.8, Saturated)]);
        assert_eq!(known, Bracket { low: 0.6, high: Some(0.8) });
    }

    #[test]
    fn failures_end_it() {
        assert_eq!(bisect(NOTHING, 0.01, |_| Err::<Stability, _>("no")), Err("no"));
    }
}
