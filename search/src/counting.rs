//! Bounds without a search: by counting, and by short arguments.

use crate::cube::{distance, pairs_of_dimensions};
use crate::encode::scenarios;
use crate::orbits::Orbits;
use crate::question::{Balanced, Failures, Measure, Question};
use std::collections::BTreeSet;

/// The least that a measure can be, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// No relation has less.
    pub least: u32,
    /// The argument.
    pub why: String,
}

/// Reason that no relation answers a question, where counting gives one.
pub fn refutation(question: &Question) -> Option<String> {
    Measure::ALL.iter().find_map(|&(measure, name)| {
        let asked = question.bound(measure)?;
        let bound = least(question, measure)?;
        (asked < bound.least)
            .then(|| format!("{name}: at least {}, not {asked}: {}", bound.least, bound.why))
    })
}

/// The least that `measure` can be for relations that answer `question`, its own bound on it
/// left aside, as far as short arguments go; `None` where they say nothing.
pub fn least(question: &Question, measure: Measure) -> Option<Bound> {
    // The arguments are of all pairs.
    if question.flows.is_some() {
        return None;
    }
    let bounds = match measure {
        Measure::Crosspoints | Measure::FanIn | Measure::FanOut => {
            vec![
                by_turns(question, measure),
                by_failures(question, measure),
                by_waits(question, measure),
            ]
        }
        Measure::Vcs => vec![by_one_vc_refuted(question)],
        Measure::MaxLoad => vec![by_mean_load(question)],
        Measure::WorstCase => Vec::new(),
        Measure::Imbalance => vec![by_division(question)],
    };
    bounds.into_iter().flatten().max_by_key(|bound| bound.least)
}

/// Paths of length 2: each takes a turn of its own at one of two switches (Broder, Manasse,
/// Saxe, SRC Technical Note 2000-001, on the optimality of its bound and on failures).
fn by_turns(question: &Question, measure: Measure) -> Option<Bound> {
    let k = question.dimension;
    let parity = |node: u32| node.count_ones() % 2;
    let of = |failed: &BTreeSet<u32>, odd: u32| {
        let alive = |node: &u32| !failed.contains(node);
        let middles: Vec<u32> =
            (0..1 << k).filter(|&node| parity(node) == odd).filter(alive).collect();
        let ends = (0..1u32 << k).filter(|&node| parity(node) != odd).filter(alive);
        let mut paths = 0u32;
        for from in ends {
            for p in 0..k {
                let to = (0..p).map(|q| from ^ 1 << p ^ 1 << q);
                paths += to.filter(alive).count() as u32;
            }
        }
        // From each end p > q counts every difference once: ordered pairs, for both ends are
        // sources.
        let ports =
            middles.iter().map(|&node| (0..k).filter(|&p| alive(&(node ^ 1 << p))).count() as u32);
        let among = match measure {
            Measure::Crosspoints => middles.len() as u32,
            _ => ports.sum(),
        };
        (paths > 0 && among > 0).then(|| (paths.div_ceil(among), paths, among, middles.len()))
    };
    let shortest = scenarios(question).into_iter().filter(|(_, slack)| *slack == 0);
    let counts = shortest
        .flat_map(|(failed, _)| [of(&failed, 0), of(&failed, 1)])
        .flatten()
        .max_by_key(|count| count.0);
    let (least, paths, among, switches) = counts?;
    let what = match measure {
        Measure::Crosspoints => "switches".to_owned(),
        Measure::FanIn => format!("output ports of {switches} switches"),
        _ => format!("input ports of {switches} switches"),
    };
    let why = format!(
        "{paths} pairs at distance 2 take a turn each, no two the same, at the {among} {what} of \
         one parity"
    );
    Some(Bound { least, why })
}

/// A crossbar that outlives any failure, with shortest paths.
fn by_failures(question: &Question, measure: Measure) -> Option<Bound> {
    if question.failures != Failures::Fixed || question.slack() > 0 {
        return None;
    }
    let k = question.dimension;
    let least = if measure == Measure::Crosspoints { k * (k - 1) } else { k - 1 };
    let why = "the two neighbours of a switch at any two of its dimensions are joined by two \
               paths of length 2; where the switch in the middle of the other fails, the route \
               turns here: every turn is needed"
        .to_owned();
    Some(Bound { least, why })
}

/// One virtual channel.
fn by_waits(question: &Question, measure: Measure) -> Option<Bound> {
    let k = question.dimension;
    let applies = question.vcs == Some(1) && question.is_intact() && question.slack() == 0;
    if !applies || measure == Measure::Crosspoints {
        return None;
    }
    if question.orbits().is_one() {
        let why = "every switch has the same turns, of each two dimensions one way at least, and \
                   waits close no cycle only if these follow one order of the dimensions: the \
                   first leads to all others, and all others lead to the last"
            .to_owned();
        return Some(Bound { least: k - 1, why });
    }
    // Each pair {i, j} of dimensions gives a node one turn, behind its channel over i or over j.
    let turns = pairs_of_dimensions(k);
    // Count channels from those that wait for none, each after those it waits for. Where a node
    // is the first to have `few` counted, each of these waits for channels of one other node,
    // which are fewer than `few`. For fan-in the same backward, with the channels to a node.
    let left = |few: u32| turns.saturating_sub(few * (few - 1));
    let few = (1..k).rev().max_by_key(|&few| left(few).div_ceil(k - few))?;
    let least = left(few).div_ceil(k - few);
    // What counting the turns says without waits.
    if least <= k / 2 {
        return None;
    }
    let (of, end, waits, port) = match measure {
        Measure::FanOut => ("from", "end", "that it waits for", "input"),
        _ => ("to", "start", "that wait for it", "output"),
    };
    let why = format!(
        "the pairs at distance 2 {of} a node take {turns} turns, each at the port of one of its \
         {k} channels; count channels from the {end} of all waits, each after those {waits}: the \
         first node to have {few} counted has at most {} turns at these, and {} are left to {} \
         {port} ports",
        few * (few - 1),
        left(few),
        k - few,
    );
    Some(Bound { least, why })
}

fn by_one_vc_refuted(question: &Question) -> Option<Bound> {
    let one = Question { vcs: Some(1), ..question.clone() };
    let ports = [Measure::FanIn, Measure::FanOut].into_iter().find_map(|measure| {
        let asked = question.bound(measure)?;
        let bound = by_waits(&one, measure)?;
        (asked < bound.least).then_some((measure, bound))
    });
    let (measure, bound) = ports?;
    let why = format!("with one, {} is at least {}: {}", measure.name(), bound.least, bound.why);
    Some(Bound { least: 2, why })
}

fn by_mean_load(question: &Question) -> Option<Bound> {
    let (totals, channels) = uses(question)?;
    let total: u64 = totals.iter().sum();
    let least = total.div_ceil(channels) as u32;
    Some(Bound { least, why: format!("{total} hops of all pairs over {channels} channels") })
}

fn by_division(question: &Question) -> Option<Bound> {
    if question.slack() > 0 {
        return None;
    }
    let (totals, channels) = uses(question)?;
    let uneven = |total: &u64| !total.is_multiple_of(channels);
    let (step, total) = match question.balanced? {
        Balanced::Total => (None, Some(totals.iter().sum()).filter(uneven)?),
        Balanced::PerStep => {
            let (step, &total) = (1..).zip(&totals).find(|(_, total)| uneven(total))?;
            (Some(step), total)
        }
    };
    let at = step.map_or(String::new(), |step: u32| format!(" at step {step}"));
    let why = format!("the {total} hops of all pairs{at} do not divide among {channels} channels");
    Some(Bound { least: 1, why })
}

/// Uses of channels at each step, and how many channels there are: of shortest paths, which are
/// the fewest uses there can be. `None` where there is no channel, or not one relation alone.
pub fn uses(question: &Question) -> Option<(Vec<u64>, u64)> {
    let k = question.dimension;
    let (failed, _) = scenarios(question).into_iter().next()?;
    if question.failures == Failures::Fixed {
        return None;
    }
    let orbits = question.orbits_without(&failed);
    let alive = |node: &u32| !failed.contains(node);
    let of = |node: u32| (0..k).filter(|p| alive(&(node ^ 1 << p))).count() as u64;
    let channels = orbits.all().into_iter().filter(alive).map(of).sum();
    let totals = || step_totals(k, &failed, &orbits, 0).into_iter().map(|(total, _)| total);
    (channels > 0).then(|| (totals().collect(), channels))
}

/// Number of routes of all pairs of nodes that are alive that have a hop at step 1, 2, ... k +
/// slack, at least and at most: of at most `slack` channels beyond the distance; those from the
/// orbit representatives alone.
pub fn step_totals(k: u32, failed: &BTreeSet<u32>, orbits: &Orbits, slack: u32) -> Vec<(u64, u64)> {
    let alive = |node: &u32| !failed.contains(node);
    let mut totals = vec![(0, 0); (k + slack) as usize];
    for from in orbits.all().into_iter().filter(alive) {
        for to in (0..1 << k).filter(alive).filter(|&to| to != from) {
            let shortest = distance(from, to) as usize;
            totals[..shortest].iter_mut().for_each(|total| total.0 += 1);
            totals[..shortest + slack as usize].iter_mut().for_each(|total| total.1 += 1);
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Symmetric;

    fn least_of(question: &Question, measure: Measure) -> u32 {
        least(question, measure).map_or(0, |bound| bound.least)
    }

    /// The bounds that the note derives.
    #[test]
    fn the_notes_counting_bounds() {
        for k in 2..=8u32 {
            let whole = Question::new(k);
            assert_eq!(least_of(&whole, Measure::Crosspoints), k * (k - 1) / 2);
            assert_eq!(least_of(&whole, Measure::FanOut), k / 2);
            assert_eq!(least_of(&whole, Measure::FanIn), k / 2);
            let failed = Question { failures: Failures::Regenerated, ..whole };
            let half = 1 << (k - 1);
            assert_eq!(
                least_of(&failed, Measure::Crosspoints),
                (half * k * (k - 1) / 2).div_ceil(half - 1)
            );
            // Odd k: more than half the ports.
            if k > 2 {
                assert_eq!(least_of(&failed, Measure::FanOut), k / 2 + k % 2);
            }
            let fixed = Question { failures: Failures::Fixed, ..failed };
            assert_eq!(least_of(&fixed, Measure::Crosspoints), k * (k - 1));
        }
        let four = Question { failures: Failures::Regenerated, ..Question::new(4) };
        assert_eq!(least_of(&four, Measure::Crosspoints), 7);
    }

    #[test]
    fn one_virtual_channel_costs_crosspoints_of_ports() {
        let bounds = (2..).zip([1, 2, 2, 3, 4, 4, 5, 5, 6]);
        for (k, least) in bounds {
            let one = Question { vcs: Some(1), ..Question::new(k) };
            assert_eq!(least_of(&one, Measure::FanOut), least);
            assert_eq!(least_of(&one, Measure::FanIn), least);
            let alike = Question { symmetric: Symmetric::Translations, ..one };
            assert_eq!(least_of(&alike, Measure::FanIn), k - 1);
        }
        let three = Question::new(3).with(Measure::FanOut, 1);
        assert_eq!(least_of(&three, Measure::Vcs), 2);
        assert!(refutation(&three.with(Measure::Vcs, 1)).is_some());
        assert_eq!(refutation(&Question::new(3).with(Measure::FanOut, 1)), None);
    }

    #[test]
    fn loads_that_do_not_divide() {
        for k in 2..=9u32 {
            let balanced = |scope| Question { balanced: Some(scope), ..Question::new(k) };
            assert_eq!(least_of(&balanced(Balanced::Total), Measure::Imbalance), 0);
            // k does not divide 2^k - 1, whatever k.
            assert_eq!(least_of(&balanced(Balanced::PerStep), Measure::Imbalance), 1);
            assert_eq!(least_of(&Question::new(k), Measure::MaxLoad), 1 << (k - 1));
        }
    }
}
