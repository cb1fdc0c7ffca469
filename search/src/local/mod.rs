//! Local search, for questions of equal loads: simulated annealing over the next hops of single
//! pairs. Counting loads makes large formulas; here a change of one hop moves a few of them. It
//! finds relations, and cannot say that there is none.
//!
//! Equal loads under bounds on turns are too much at one go from dimension 6 on. Then loads that are
//! nearly equal are looked for first, and made equal under turns that are kept ([`pairs`]).

mod options;
mod pairs;
mod state;

use crate::encode::{Hops, scenarios};
use crate::question::{Balanced, Failures, Measure, Question, Symmetric};
use crate::solver::Limits;
use options::Options;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use state::State;

/// Temperatures at the first and at the last move, in squares of loads.
const TEMPERATURES: (f64, f64) = (6.0, 0.36);
/// Destinations drawn for a channel before another move is made.
const FOCUSED_DRAWS: u32 = 8;
/// Moves between two looks at the clock and the temperature.
const MOVES_AT_ONCE: u64 = 4096;
/// Difference that loads may have at first, beyond what is asked for: the least that is more, as
/// those above the mean are made up for by those below.
const NEARLY: u32 = 2;
/// Moves that take the time of a pair of them.
const MOVES_OF_A_PAIR: u64 = 8;

/// Whether local search knows what a question asks for: loads in all, of one relation of
/// shortest paths that may differ from node to node and has no bound on virtual channels.
pub fn applies(question: &Question) -> bool {
    question.counts_loads()
        && question.balanced != Some(Balanced::PerStep)
        && question.symmetric == Symmetric::No
        && question.failures != Failures::Fixed
        && question.vcs.is_none()
        && question.worst_case.is_none()
        && question.slack() == 0
        && !question.minimal_rotations
        && question.flows.is_none()
}

/// A relation that answers `question`, where as many moves find one; always the same for the
/// same seed and moves.
pub fn search(question: &Question, seed: u64, moves: u64, limits: &Limits) -> Option<Hops> {
    let (failed, _) = scenarios(question).into_iter().next()?;
    let options = Options::new(question.dimension, &failed)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut state = State::new(question, &options);
    let found = anneal(&mut state, &options, &mut random, moves, limits)
        || nearly(question).is_some_and(|nearly| {
            state = State::new(&nearly, &options);
            anneal(&mut state, &options, &mut random, moves, limits) && {
                state.ask(question);
                pairs::search(&mut state, &options, &mut random, moves / MOVES_OF_A_PAIR, limits)
            }
        });
    found.then(|| Hops { failed, by_difference: false, next: state.hops(&options) })
}

/// A question with the same bounds on turns, for loads that are nearly those of `question`; `None`
/// where it has no bounds on turns, or none on how far apart loads are.
fn nearly(question: &Question) -> Option<Question> {
    let on_turns = [Measure::Crosspoints, Measure::FanIn, Measure::FanOut];
    question.balanced?;
    on_turns.iter().find_map(|&measure| question.bound(measure))?;
    Some(question.clone().with(Measure::Imbalance, question.imbalance + NEARLY))
}

/// Changes single hops until all bounds hold or as many moves are made; whether they hold.
fn anneal(
    state: &mut State,
    options: &Options,
    random: &mut ChaCha8Rng,
    moves: u64,
    limits: &Limits,
) -> bool {
    let (first, last) = TEMPERATURES;
    let mut made = 0;
    while !state.is_answer() {
        if made >= moves || limits.are_reached() || options.free.is_empty() {
            return false;
        }
        let temperature = first * (last / first).powf(made as f64 / moves as f64);
        for _ in 0..MOVES_AT_ONCE {
            let (at, to, port) =
                focused(state, options, random).unwrap_or_else(|| anywhere(state, options, random));
            // A move that costs more is taken with a chance that falls with the cost
            // (Metropolis): turned round, so much more is taken.
            state.attempt(at, to, port, -temperature * draw_chance(random).ln());
            if state.is_answer() {
                break;
            }
        }
        made += MOVES_AT_ONCE;
    }
    true
}

/// A number from 0 to 1.
fn draw_chance(random: &mut ChaCha8Rng) -> f64 {
    f64::from(random.next_u32()) / f64::from(u32::MAX)
}

/// A move of any pair that has a choice: node, destination, the new dimension.
fn anywhere(state: &State, options: &Options, random: &mut ChaCha8Rng) -> (u32, u32, u32) {
    let (at, to) = options.free[random.next_u32() as usize % options.free.len()];
    let others = options.of(at, to) & !(1 << state.next(at, to));
    (at, to, nth_bit(others, random.next_u32() % others.count_ones()))
}

/// Every other time, a move off a channel with too many routes or onto one with too few, where
/// one is soon found.
fn focused(state: &State, options: &Options, random: &mut ChaCha8Rng) -> Option<(u32, u32, u32)> {
    let drawn = random.next_u32();
    if drawn & 1 == 0 {
        return None;
    }
    let (at, p, too_many) = state.uneven(drawn >> 1)?;
    for _ in 0..FOCUSED_DRAWS {
        let to = random.next_u32() & (options.nodes() - 1);
        let choice = options.of(at, to);
        let others = choice & !(1 << p);
        let crosses = choice & 1 << p != 0 && state.next(at, to) == p;
        if too_many && crosses && others != 0 {
            return Some((at, to, nth_bit(others, random.next_u32() % others.count_ones())));
        }
        if !too_many && !crosses && choice & 1 << p != 0 {
            return Some((at, to, p));
        }
    }
    None
}

/// The place of the `nth` bit that is set, from 0.
fn nth_bit(bits: u32, nth: u32) -> u32 {
    let cleared = (0..nth).fold(bits, |bits, _| bits & (bits - 1));
    cleared.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::found;
    use crate::question::Measure;

    fn even(k: u32, failures: Failures) -> Question {
        Question { failures, balanced: Some(Balanced::Total), ..Question::new(k) }
    }

    /// Relations with equal loads after a failure, held against the question by the ordinary
    /// analysis.
    #[test]
    fn equal_loads_after_a_failure() {
        for question in [
            even(3, Failures::Regenerated),
            even(4, Failures::Regenerated),
            even(4, Failures::Regenerated).with(Measure::FanOut, 2),
            even(4, Failures::Regenerated).with(Measure::FanIn, 2),
            even(4, Failures::Regenerated).with(Measure::Crosspoints, 8),
            Question::new(4).with(Measure::MaxLoad, 8),
            even(3, Failures::Given([1, 6].into())).with(Measure::Imbalance, 3),
        ] {
            assert!(applies(&question));
            let hops = search(&question, 1, 1 << 21, &Limits::default());
            let hops = hops.unwrap_or_else(|| panic!("{question:?}"));
            found(&question, vec![hops], "found").unwrap();
        }
    }

    /// Pairs of moves alone come to equal loads, from loads that are nearly equal, and keep the bound
    /// on turns.
    #[test]
    fn nearly_equal_loads_become_equal() {
        let question = even(5, Failures::Regenerated).with(Measure::FanOut, 3);
        let nearly = nearly(&question).unwrap();
        assert_eq!((nearly.imbalance, nearly.fan_out), (2, Some(3)));
        let (failed, _) = scenarios(&question).remove(0);
        let options = Options::new(5, &failed).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let limits = Limits::default();
        let mut state = State::new(&nearly, &options);
        assert!(anneal(&mut state, &options, &mut random, 1 << 22, &limits));
        state.ask(&question);
        assert!(!state.is_answer());
        assert!(pairs::search(&mut state, &options, &mut random, 1 << 19, &limits));
        let next = state.hops(&options);
        let hops = Hops { failed, by_difference: false, next };
        found(&question, vec![hops], "found").unwrap();
    }

    /// Local search finds a relation of dimension 3 just where the solver does.
    #[test]
    fn it_agrees_with_the_solver() {
        use crate::encode::Encoding;
        use crate::solver::{Satisfiability, solve};
        let (mut there, mut none) = (0, 0);
        for failures in [Failures::Given([].into()), Failures::Regenerated] {
            for (fan_out, crosspoints) in [(1, 6), (2, 3), (2, 4), (2, 6)] {
                for (imbalance, fan_in) in [(0, 1), (0, 2), (1, 1), (2, 2)] {
                    let question = even(3, failures.clone())
                        .with(Measure::FanOut, fan_out)
                        .with(Measure::FanIn, fan_in)
                        .with(Measure::Crosspoints, crosspoints)
                        .with(Measure::Imbalance, imbalance);
                    let formula = Encoding::of(&question).unwrap().formula;
                    let solved = solve(&formula, &Limits::default(), None).unwrap();
                    let is_there = matches!(solved, Satisfiability::Satisfiable(_));
                    *if is_there { &mut there } else { &mut none } += 1;
                    let hops = search(&question, 1, 1 << 16, &Limits::default());
                    assert_eq!(hops.is_some(), is_there, "{question:?}");
                }
            }
        }
        assert!(there > 5 && none > 5, "{there} there, {none} not");
    }

    #[test]
    fn the_same_seed_finds_the_same() {
        let question = even(4, Failures::Regenerated);
        let find = |seed| search(&question, seed, 1 << 20, &Limits::default()).unwrap();
        assert_eq!(find(1), find(1));
        assert_ne!(find(1), find(2));
    }

    #[test]
    fn it_stops() {
        let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
        assert_eq!(search(&even(5, Failures::Regenerated), 1, u64::MAX, &limits), None);
        // 0 and 3 cannot meet by a shortest path.
        let cut = even(2, Failures::Given([1, 2].into()));
        assert_eq!(search(&cut, 1, u64::MAX, &Limits::default()), None);
    }

    #[test]
    fn bits_by_number() {
        assert_eq!([0, 1, 2].map(|nth| nth_bit(0b11010, nth)), [1, 3, 4]);
    }
}
