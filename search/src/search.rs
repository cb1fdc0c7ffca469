//! The search itself: an answer, or the least value of a measure with the proof that less is
//! impossible.

use crate::answer::{AnswerError, Found, found};
use crate::counting;
use crate::encode::Encoding;
use crate::formula::TooLarge;
use crate::local;
use crate::parities;
use crate::proof::{self, ProofError};
use crate::question::{Measure, Question, QuestionError, Symmetric};
use crate::solver::{self, Limits, Satisfiability};
use std::io;
use std::path::Path;

/// Reason that a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// A short argument.
    ByArgument(String),
    /// The solver's: the formula has no solution, or none of several.
    BySolver {
        /// Number of formulas.
        formulas: usize,
        /// Number of variables.
        variables: u64,
        /// Number of clauses.
        clauses: usize,
        /// Whether a proof was written, and checked.
        checked: bool,
    },
}

/// Outcome of a question.
#[derive(Debug)]
pub enum Answer {
    /// A relation.
    Found(Box<Found>),
    /// No relation answers.
    None(Impossible),
    /// An answer that is not known within the limits.
    Unknown,
}

/// A search that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// A proof of many formulas.
    #[error("search: a proof is of one formula, and any {0} parities take several; say which")]
    Proofs(u32),
    /// A question too large for a formula.
    #[error(transparent)]
    Size(#[from] TooLarge),
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The solver's output.
    #[error("the solver: {0}")]
    Solver(#[from] io::Error),
    /// A wrong answer.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

/// Answers a question; a relation is called `name`. A proof goes to `proof` where the solver
/// has one.
///
/// # Errors
/// [`SearchError`].
pub fn decide(
    question: &Question,
    name: &str,
    limits: &Limits,
    proof: Option<&Path>,
) -> Result<Answer, SearchError> {
    question.check()?;
    if let Some(why) = counting::refutation(question) {
        return Ok(Answer::None(Impossible::ByArgument(why)));
    }
    match question.symmetric {
        Symmetric::AnyParities(count) => with_any_parities(question, count, name, limits, proof),
        _ if local::applies(question) => with_local_search(question, name, limits, proof),
        _ => by_solver(question, name, limits, proof),
    }
}

/// Conflicts that each choice of parities is given first.
const FIRST_CONFLICTS: u64 = 1_000;

/// Each choice of so many parities in turn, in rounds of ever more conflicts: some choices have
/// an answer at once where others take long. By conflicts, not by time, so that the same
/// question has the same answer.
fn with_any_parities(
    question: &Question,
    count: u32,
    name: &str,
    limits: &Limits,
    proof: Option<&Path>,
) -> Result<Answer, SearchError> {
    let with = |masks: &[u32]| Question {
        symmetric: Symmetric::Parities(masks.to_vec()),
        ..question.clone()
    };
    let mut open = parities::choices(question.dimension, count);
    match (&open[..], proof) {
        ([only], _) => return by_solver(&with(only), name, limits, proof),
        (_, Some(_)) => return Err(SearchError::Proofs(count)),
        _ => {}
    }
    let (mut in_all, mut all_clauses) = (0, 0);
    let several = open.len();
    let mut conflicts = FIRST_CONFLICTS;
    while !open.is_empty() {
        let limits = Limits { conflicts: Some(conflicts), ..limits.clone() };
        let mut left = Vec::new();
        for masks in open {
            if limits.are_reached() {
                return Ok(Answer::Unknown);
            }
            match by_solver(&with(&masks), name, &limits, None)? {
                Answer::None(Impossible::BySolver { variables, clauses, .. }) => {
                    in_all += variables;
                    all_clauses += clauses;
                }
                Answer::Unknown if !limits.are_reached() => left.push(masks),
                answer => return Ok(answer),
            }
        }
        open = left;
        conflicts *= 4;
    }
    Ok(Answer::None(Impossible::BySolver {
        formulas: several,
        variables: in_all,
        clauses: all_clauses,
        checked: false,
    }))
}

/// Moves of local search in the first round: for each pair of nodes, and at most.
const FIRST_MOVES: (u64, u64) = (1 << 12, 1 << 24);
/// Rounds of local search where the formula is too large for the solver: some minutes.
const MOST_ROUNDS: u32 = 3;

/// Local search and the solver in turn, in rounds of ever more moves and conflicts: the one
/// finds even loads, the other knows where there are none.
fn with_local_search(
    question: &Question,
    name: &str,
    limits: &Limits,
    proof: Option<&Path>,
) -> Result<Answer, SearchError> {
    let (each, most) = FIRST_MOVES;
    let mut moves = most.min(each << (2 * question.dimension));
    let mut conflicts = FIRST_CONFLICTS;
    let mut encoding = None;
    for round in 1.. {
        if let Some(hops) = local::search(question, limits.seed, moves, limits) {
            let mut found = found(question, vec![hops], name)?;
            found.by_local_search = true;
            return Ok(Answer::Found(Box::new(found)));
        }
        if limits.are_reached() {
            break;
        }
        match encoding.get_or_insert_with(|| Encoding::of(question)) {
            Ok(encoding) => {
                let limits = Limits { conflicts: Some(conflicts), ..limits.clone() };
                let verdict = ask(encoding, &limits, proof)?;
                match answer(question, encoding, verdict, name, proof)? {
                    Answer::Unknown => {}
                    answer => return Ok(answer),
                }
            }
            Err(_) if round < MOST_ROUNDS => {}
            Err(TooLarge) => return Err(TooLarge.into()),
        }
        moves *= 4;
        conflicts *= 4;
    }
    Ok(Answer::Unknown)
}

fn by_solver(
    question: &Question,
    name: &str,
    limits: &Limits,
    proof: Option<&Path>,
) -> Result<Answer, SearchError> {
    let encoding = Encoding::of(question)?;
    let verdict = ask(&encoding, limits, proof)?;
    answer(question, &encoding, verdict, name, proof)
}

/// Verdict of the solver.
fn ask(
    encoding: &Encoding,
    limits: &Limits,
    proof: Option<&Path>,
) -> Result<Satisfiability, SearchError> {
    if limits.are_reached() {
        return Ok(Satisfiability::Stopped);
    }
    Ok(match proof {
        Some(path) => proof::solve(&encoding.formula, limits, path)?,
        None => solver::solve(&encoding.formula, limits, None)?,
    })
}

/// Answer that a verdict of the solver means.
fn answer(
    question: &Question,
    encoding: &Encoding,
    verdict: Satisfiability,
    name: &str,
    proof: Option<&Path>,
) -> Result<Answer, SearchError> {
    let formula = &encoding.formula;
    Ok(match verdict {
        Satisfiability::Satisfiable(model) => {
            Answer::Found(Box::new(found(question, encoding.read(&model), name)?))
        }
        Satisfiability::Unsatisfiable => Answer::None(Impossible::BySolver {
            formulas: 1,
            variables: formula.variables().into(),
            clauses: formula.clauses().len(),
            checked: proof.is_some(),
        }),
        Satisfiability::Stopped => Answer::Unknown,
    })
}

/// The least value of a measure, as far as it was found.
#[derive(Debug)]
pub struct Least {
    /// A relation with the least value found; `None` where none was.
    pub best: Option<Box<Found>>,
    /// Reason that less is impossible; `None` where that is not known.
    pub proven: Option<Impossible>,
}

/// The least value of `measure` among the relations that answer `question`: from the first one
/// found downward, until there is none or counting says so. `each` is told each value found.
///
/// # Errors
/// [`SearchError`].
pub fn minimize(
    question: &Question,
    measure: Measure,
    name: &str,
    limits: &Limits,
    proof: Option<&Path>,
    mut each: impl FnMut(u32),
) -> Result<Least, SearchError> {
    let mut question = question.clone();
    if measure == Measure::WorstCase {
        // No channel carries more than all packets.
        question.worst_case.get_or_insert(1 << question.dimension);
    }
    if measure == Measure::Vcs {
        // What cannot be asked of two is said now, not on the way down.
        question.clone().with(measure, question.vcs.unwrap_or(2)).check()?;
    }
    let mut best: Option<Box<Found>> = None;
    loop {
        let answer = match decide(&question, name, limits, proof) {
            // What was found stays, where less is too large a question.
            Err(SearchError::Size(_)) if best.is_some() => Answer::Unknown,
            answer => answer?,
        };
        match answer {
            Answer::Found(found) => {
                let value = found.figures.of(measure, question.balanced);
                each(value);
                best = Some(found);
                // A packet needs a virtual channel.
                let floor = u32::from(measure == Measure::Vcs);
                if value == floor {
                    let why = format!("{} cannot be less than {floor}", measure.name());
                    return Ok(Least { best, proven: Some(Impossible::ByArgument(why)) });
                }
                question = question.with(measure, value - 1);
            }
            Answer::None(why) => return Ok(Least { best, proven: Some(why) }),
            Answer::Unknown => return Ok(Least { best, proven: None }),
        }
    }
}
