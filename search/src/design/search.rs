//! The search for routes: less and less of a measure, until there is no less.

use super::encode::Encoding;
use super::figures::{Figures, Route};
use super::lengths::Lengths;
use super::near::nearer;
use super::question::{Measure, Question, QuestionError};
use crate::formula::TooLarge;
use crate::gap::gap;
use crate::solver::{self, Limits, Satisfiability};
use std::io;

/// Part of the time that looking for a bound may take: one of so many.
const BOUND_SHARE: usize = 4;
/// Conflicts after which the solver gives a question up, in the first round.
const CONFLICTS: u64 = 10_000;
/// Factor by which conflicts and moves grow from round to round.
const MORE: u64 = 4;

/// Reason that there is nothing, or nothing less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// Lengths of the channels ([`Lengths::bound`]).
    Lengths(Lengths),
    /// No value is less than this one.
    Least,
    /// The solver: the formula has no solution.
    Solver {
        /// Number of variables.
        variables: u32,
        /// Number of clauses.
        clauses: usize,
    },
}

/// Measure that was to be least, with what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Least {
    pub measure: Measure,
    /// The least value that was found.
    pub value: u64,
    /// No routes have less than this.
    pub bound: u64,
    /// The reason for the bound.
    pub why: Why,
}

impl Least {
    /// Whether the value is known to be the least.
    pub fn is_proven(&self) -> bool {
        self.value == self.bound
    }

    /// Difference of value and bound, in parts of the bound; `None` where that is 0 and the
    /// value is not.
    pub fn gap(&self) -> Option<f64> {
        gap(self.value, self.bound)
    }
}

/// Outcome of a search for routes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Routes, one for each demand, and how small the measures are that were to be least.
    Found {
        /// The routes.
        routes: Vec<Route>,
        /// Figures of the routes.
        figures: Figures,
        /// Measures that were to be least, in their order.
        least: Vec<Least>,
    },
    /// No routes are within the bounds.
    None(Why),
    /// Whether there are any is not known within the limits.
    Unknown,
}

/// A search that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// A formula that is too large.
    #[error("design: {0}")]
    Size(#[from] TooLarge),
    /// The solver's output.
    #[error("the solver: {0}")]
    Solver(#[from] io::Error),
}

/// Searches for routes with the least of each measure in turn: the least of the first, and of those the
/// least of the second. They share the time until the deadline evenly. It begins with the best of `known`
/// routes where some answer the question, else with what the solver finds. Calls `each` with what a measure
/// is now.
///
/// # Errors
/// [`DesignError`].
pub fn design(
    question: &Question,
    measures: &[Measure],
    known: &[Vec<Route>],
    limits: &Limits,
    mut each: impl FnMut(Measure, u64),
) -> Result<Outcome, DesignError> {
    // The bound is worth no more than a part of the time.
    let lengths = Lengths::find(question, &limits.share(BOUND_SHARE));
    let bound = lengths.bound(question);
    if question.bounds.get(&Measure::MaxLoad).is_some_and(|&most| most < bound) {
        return Ok(Outcome::None(Why::Lengths(lengths)));
    }
    let known = known.iter().filter(|routes| question.is_answered_by(routes));
    let of_first = |routes: &&Vec<Route>| {
        measures.first().map(|&measure| Figures::of(question, routes).value(measure))
    };
    let mut best = match known.min_by_key(of_first) {
        Some(routes) => routes.clone(),
        None => match solve(question, limits)? {
            Solved::Routes(routes) => routes,
            Solved::None(why) => return Ok(Outcome::None(why)),
            Solved::Unknown => return Ok(Outcome::Unknown),
        },
    };
    let mut question = question.clone();
    let mut least = Vec::new();
    for (at, &measure) in measures.iter().enumerate() {
        let limits = &limits.share(measures.len() - at);
        let start = match measure {
            Measure::MaxLoad => (bound, Why::Lengths(lengths.clone())),
            Measure::Vcs => (question.classes as u64, Why::Least),
            Measure::MultiplexerInputs | Measure::Queues => (0, Why::Least),
        };
        let (better, found) = minimize(&question, measure, best, start, limits, &mut each)?;
        best = better;
        question = question.with(measure, found.value)?;
        least.push(found);
    }
    let figures = Figures::of(&question, &best);
    Ok(Outcome::Found { routes: best, figures, least })
}

/// Routes with the least of a measure, from these on. Local search and the solver take turns, with ever more
/// moves and conflicts.
fn minimize(
    question: &Question,
    measure: Measure,
    mut best: Vec<Route>,
    (bound, why): (u64, Why),
    limits: &Limits,
    each: &mut impl FnMut(Measure, u64),
) -> Result<(Vec<Route>, Least), DesignError> {
    let value = Figures::of(question, &best).value(measure);
    let mut least = Least { measure, value, bound, why };
    for round in 0.. {
        if least.is_proven() || limits.are_reached() {
            break;
        }
        let more = MORE.saturating_pow(round);
        let seed = limits.seed.wrapping_add(round.into());
        let own = Limits { seed, ..limits.clone() };
        best = nearer(question, measure, best, (least.bound, more), &own);
        least.value = Figures::of(question, &best).value(measure);
        let conflicts = Some(CONFLICTS.saturating_mul(more));
        let limits = Limits { conflicts, ..limits.clone() };
        best = by_solver(question, best, &mut least, &limits, each)?;
    }
    Ok((best, least))
}

/// Asks the solver for less, first halfway between the bound and the best, then nearer to the best, as long as
/// it answers within the limits.
fn by_solver(
    question: &Question,
    mut best: Vec<Route>,
    least: &mut Least,
    limits: &Limits,
    each: &mut impl FnMut(Measure, u64),
) -> Result<Vec<Route>, DesignError> {
    let (measure, step) = (least.measure, question.step(least.measure));
    // Less than this was tried in vain.
    let mut tried = least.bound;
    while tried < least.value && !limits.are_reached() {
        each(measure, least.value);
        let most = tried + (least.value - tried - step) / step / 2 * step;
        let solved = match solve(&question.clone().with(measure, most)?, limits) {
            // There is local search alone then.
            Err(DesignError::Size(_)) => break,
            solved => solved?,
        };
        match solved {
            Solved::Routes(routes) => {
                least.value = Figures::of(question, &routes).value(measure);
                best = routes;
            }
            Solved::None(why) => {
                (least.bound, least.why) = (most + step, why);
                tried = tried.max(least.bound);
            }
            Solved::Unknown => tried = most + step,
        }
    }
    Ok(best)
}

/// Answer of the solver.
enum Solved {
    Routes(Vec<Route>),
    None(Why),
    Unknown,
}

fn solve(question: &Question, limits: &Limits) -> Result<Solved, DesignError> {
    let encoding = Encoding::new(question)?;
    Ok(match solver::solve(&encoding.formula, limits, None)? {
        Satisfiability::Satisfiable(model) => Solved::Routes(encoding.read(question, &model)),
        Satisfiability::Unsatisfiable => Solved::None(Why::Solver {
            variables: encoding.formula.variables(),
            clauses: encoding.formula.clauses().len(),
        }),
        Satisfiability::Stopped => Solved::Unknown,
    })
}
