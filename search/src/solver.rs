//! The SAT solver (BatSat), with a limit of time, progress, and a proof where there is nothing.

use crate::formula::Formula;
use batsat::clause::Kind;
use batsat::{Callbacks, ProgressStatus, Solver, SolverInterface, SolverOpts, lbool};
use rustsat::types::Lit;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of a search, and the observer of its progress.
#[derive(Clone, Default)]
pub struct Limits {
    /// The moment after which no search goes on.
    pub deadline: Option<Instant>,
    /// Conflicts after which the solver gives a formula up; a search that goes in rounds sets
    /// its own.
    pub conflicts: Option<u64>,
    /// Seed of the moves of local search.
    pub seed: u64,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
    /// Called now and then with the number of conflicts so far.
    pub progress: Option<Arc<dyn Fn(u64) + Send + Sync>>,
}

impl Limits {
    /// Limits of the first of so many searches that share evenly the time which is left.
    #[must_use]
    pub fn share(&self, searches: usize) -> Self {
        match self.left() {
            Some(left) => self.within(left / searches.max(1) as u32),
            None => self.clone(),
        }
    }

    /// The time that is left; `None` where there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Limits that are reached after this time, if not before.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now() + time;
        let deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
        Self { deadline, ..self.clone() }
    }

    /// Whether to stop.
    pub fn are_reached(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.is_interrupted()
    }

    /// Whether it was stopped from outside.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// Verdict of the solver on a formula.
#[derive(Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// A formula that can be satisfied, by this model.
    Satisfiable(Model),
    /// A formula that cannot be satisfied.
    Unsatisfiable,
    /// A verdict that is not known within the limits.
    Stopped,
}

/// Values that satisfy a formula.
#[derive(Debug, PartialEq, Eq)]
pub struct Model(Vec<bool>);

impl Model {
    /// Whether a literal holds.
    pub fn holds(&self, lit: Lit) -> bool {
        self.0[lit.vidx()] == lit.is_pos()
    }
}

/// Solves a formula. Where it is unsatisfiable, every clause that the solver learnt or dropped
/// is in `proof`, in the text form of DRAT.
///
/// # Errors
/// What writing the proof gives.
pub fn solve<'a>(
    formula: &Formula,
    limits: &'a Limits,
    proof: Option<&'a mut dyn Write>,
) -> io::Result<Satisfiability> {
    let watch = Watch { limits, proof, failure: None, conflicts: 0 };
    let mut solver = Solver::new(SolverOpts::default(), watch);
    let own = |solver: &mut Solver<Watch<'_>>, lit: &Lit| {
        batsat::Lit::new(solver.var_of_int(lit.vidx32()), lit.is_pos())
    };
    let mut consistent = true;
    for clause in formula.clauses() {
        let mut clause: Vec<_> = clause.iter().map(|lit| own(&mut solver, lit)).collect();
        consistent &= solver.add_clause_reuse(&mut clause);
    }
    let result = match consistent {
        true => solver.solve_limited(&[]),
        false => lbool::FALSE,
    };
    let value = |var| solver.value_var(batsat::Var::unsafe_from_idx(var)) == lbool::TRUE;
    let verdict = if result == lbool::TRUE {
        // A variable of no clause is one that the solver does not know.
        let known = solver.num_vars();
        Satisfiability::Satisfiable(Model(
            (0..formula.variables()).map(|v| v < known && value(v)).collect(),
        ))
    } else if result == lbool::FALSE {
        solver.cb_mut().write(format_args!("0\n"));
        Satisfiability::Unsatisfiable
    } else {
        Satisfiability::Stopped
    };
    match solver.cb_mut().failure.take() {
        Some(failure) => Err(failure),
        None => Ok(verdict),
    }
}

/// Callbacks of the solver while it works.
struct Watch<'a> {
    limits: &'a Limits,
    proof: Option<&'a mut dyn Write>,
    failure: Option<io::Error>,
    /// Number of conflicts so far.
    conflicts: u64,
}

impl Watch<'_> {
    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        if let Some(proof) = &mut self.proof
            && self.failure.is_none()
        {
            self.failure = proof.write_fmt(text).err();
        }
    }

    fn line(&mut self, first: &str, clause: &[batsat::Lit]) {
        if self.proof.is_some() {
            let number = |lit: &batsat::Lit| {
                let at = i64::from(lit.var().idx()) + 1;
                format!("{} ", if lit.sign() { at } else { -at })
            };
            let numbers: String = clause.iter().map(number).collect();
            self.write(format_args!("{first}{numbers}0\n"));
        }
    }
}

impl Callbacks for Watch<'_> {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: Kind) {
        if kind == Kind::Learnt {
            self.conflicts += 1;
            self.line("", clause);
        }
    }
    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.line("d ", clause);
    }
    fn on_progress<F: FnOnce() -> ProgressStatus>(&mut self, status: F) {
        if let Some(progress) = &self.limits.progress {
            progress(status().conflicts.max(0) as u64);
        }
    }
    fn stop(&self) -> bool {
        let spent = self.limits.conflicts.is_some_and(|most| self.conflicts >= most);
        spent || self.failure.is_some() || self.limits.are_reached()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pigeon more than holes.
    fn pigeons(holes: usize) -> Formula {
        let mut formula = Formula::default();
        let sits: Vec<Vec<Lit>> =
            (0..=holes).map(|_| (0..holes).map(|_| formula.fresh()).collect()).collect();
        sits.iter().for_each(|hole| formula.clause(hole.iter().copied()));
        for hole in 0..holes {
            let column: Vec<Lit> = sits.iter().map(|pigeon| pigeon[hole]).collect();
            formula.at_most(&column, 1);
        }
        formula
    }

    #[test]
    fn an_interrupt_and_a_deadline_stop_it() {
        let limits = Limits::default();
        limits.interrupt.store(true, Ordering::Relaxed);
        assert_eq!(solve(&pigeons(9), &limits, None).unwrap(), Satisfiability::Stopped);
        let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(solve(&pigeons(9), &limits, None).unwrap(), Satisfiability::Stopped);
        let limits = Limits { conflicts: Some(100), ..Limits::default() };
        assert_eq!(solve(&pigeons(9), &limits, None).unwrap(), Satisfiability::Stopped);
    }

    #[test]
    fn a_proof_that_cannot_be_written_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        assert!(solve(&pigeons(4), &Limits::default(), Some(&mut Full)).is_err());
    }

    #[test]
    fn what_it_says_holds() {
        let mut formula = Formula::default();
        let lits: Vec<Lit> = (0..6).map(|_| formula.fresh()).collect();
        formula.at_least(&lits, 3);
        formula.at_most(&lits, 3);
        formula.exactly_one(&lits[..3]);
        let Satisfiability::Satisfiable(model) = solve(&formula, &Limits::default(), None).unwrap()
        else {
            panic!("three of six, one of them among the first three")
        };
        let held = |lits: &[Lit]| lits.iter().filter(|&&lit| model.holds(lit)).count();
        assert_eq!((held(&lits), held(&lits[..3])), (3, 1));
        assert_eq!(
            solve(&pigeons(5), &Limits::default(), None).unwrap(),
            Satisfiability::Unsatisfiable
        );
    }
}
