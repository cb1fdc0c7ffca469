//! The SAT solver (BatSat), with clauses that are added as they are needed, and a limit of conflicts.

use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

/// A literal.
pub type Literal = Lit;

/// Counts conflicts, and ends the solver.
struct Limit {
    conflicts: u64,
    most: u64,
}

impl Callbacks for Limit {
    fn on_new_clause(&mut self, _: &[Lit], kind: Kind) {
        self.conflicts += u64::from(kind == Kind::Learnt);
    }
    fn stop(&self) -> bool {
        self.conflicts >= self.most
    }
}

/// A formula with its solver.
pub struct Formula {
    solver: Solver<Limit>,
    consistent: bool,
    clauses: usize,
}

/// Verdict of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiability {
    /// A formula that can be satisfied.
    Satisfiable,
    /// A formula that cannot be satisfied.
    Unsatisfiable,
    /// A verdict that is not known within the conflicts.
    Stopped,
}

impl Formula {
    /// A formula without a clause, for a solver of so many conflicts.
    pub fn new(most: u64) -> Self {
        let limit = Limit { conflicts: 0, most };
        let solver = Solver::new(SolverOpts::default(), limit);
        Self { solver, consistent: true, clauses: 0 }
    }

    /// Lets the solver go on for so many conflicts more.
    pub fn extend(&mut self, more: u64) {
        let limit = self.solver.cb_mut();
        limit.most = limit.conflicts + more;
    }

    /// A new variable.
    pub fn fresh(&mut self) -> Literal {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// At least one of these holds.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = Literal>) {
        let mut clause: Vec<Lit> = lits.into_iter().collect();
        self.consistent &= self.solver.add_clause_reuse(&mut clause);
        self.clauses += 1;
    }

    /// If all of `if_all` hold, then `then`.
    pub fn implies(&mut self, if_all: &[Literal], then: Literal) {
        self.clause(if_all.iter().map(|&lit| !lit).chain([then]));
    }

    /// At most one of these holds.
    pub fn at_most_one(&mut self, lits: &[Literal]) {
        for (at, &a) in lits.iter().enumerate() {
            lits[at + 1..].iter().for_each(|&b| self.clause([!a, !b]));
        }
    }

    /// Literals, of which the one in place k holds where more than k of these hold, for k below `most`
    /// (Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", 2005).
    pub fn more_than(&mut self, lits: &[Literal], most: usize) -> Vec<Literal> {
        let mut before: Vec<Literal> = Vec::new();
        for &lit in lits {
            let next: Vec<Literal> =
                (0..most.min(before.len() + 1)).map(|_| self.fresh()).collect();
            for (k, &more) in next.iter().enumerate() {
                if let Some(&had) = before.get(k) {
                    self.implies(&[had], more);
                }
                match k.checked_sub(1).map(|k| before[k]) {
                    None => self.implies(&[lit], more),
                    Some(had) => self.implies(&[lit, had], more),
                }
            }
            before = next;
        }
        before
    }

    /// Number of clauses.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// Solves it under assumptions.
    pub fn solve(&mut self, assumed: &[Literal]) -> Satisfiability {
        if !self.consistent {
            return Satisfiability::Unsatisfiable;
        }
        match self.solver.solve_limited(assumed) {
            result if result == lbool::TRUE => Satisfiability::Satisfiable,
            result if result == lbool::FALSE => Satisfiability::Unsatisfiable,
            _ => Satisfiability::Stopped,
        }
    }

    /// Whether a literal holds in the model that was found last.
    pub fn holds(&self, lit: Literal) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }
}
