//! A formula in conjunctive normal form, and the constraints that it is made of.

use rustsat::encodings::card::{
    BoundBoth, BoundLower, BoundUpper, Totalizer, encode_cardinality_constraint,
};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::constraints::CardConstraint;
use rustsat::types::{Clause, Lit};
use std::io;

/// Most clauses of a formula: some gigabytes in the solver.
pub const MOST_CLAUSES: usize = 20_000_000;

/// A formula grew beyond [`MOST_CLAUSES`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "the formula has more than {MOST_CLAUSES} clauses; use a smaller dimension, fewer constraints \
     or --symmetric"
)]
pub struct TooLarge;

/// A formula in conjunctive normal form.
#[derive(Debug, Default)]
pub struct Formula {
    cnf: Cnf,
    vars: BasicVarManager,
}

impl Formula {
    /// A new variable.
    pub fn fresh(&mut self) -> Lit {
        self.vars.new_lit()
    }

    /// At least one of these.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        self.cnf.add_clause(lits.into_iter().collect());
    }

    /// If all of `if_all` hold, then `then`.
    pub fn implies(&mut self, if_all: &[Lit], then: Lit) {
        self.cnf.add_clause(if_all.iter().map(|&lit| !lit).chain([then]).collect());
    }

    /// Exactly one of these.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.clause(lits.iter().copied());
        for (at, &a) in lits.iter().enumerate() {
            lits[at + 1..].iter().for_each(|&b| self.clause([!a, !b]));
        }
    }

    /// At most `most` of these.
    pub fn at_most(&mut self, lits: &[Lit], most: usize) {
        self.count(CardConstraint::new_ub(lits.iter().copied(), most));
    }

    /// At least `least` of these.
    pub fn at_least(&mut self, lits: &[Lit], least: usize) {
        self.count(CardConstraint::new_lb(lits.iter().copied(), least));
    }

    /// For each of `ranges` that is chosen: the number of these that hold is from its least to
    /// its most.
    pub fn between(&mut self, lits: &[Lit], ranges: impl Iterator<Item = (Lit, usize, usize)>) {
        let ranges: Vec<_> = ranges.collect();
        let (Some(least), Some(most)) =
            (ranges.iter().map(|range| range.1).min(), ranges.iter().map(|range| range.2).max())
        else {
            return;
        };
        let mut counted: Totalizer = lits.iter().copied().collect();
        let Self { cnf, vars } = self;
        let grows = "a list of clauses grows or aborts";
        counted.encode_both(least..=most, cnf, vars).expect(grows);
        for (chosen, least, most) in ranges {
            if least > lits.len() {
                self.clause([!chosen]);
                continue;
            }
            let encoded = "the range was encoded";
            let low = counted.enforce_lb(least).expect(encoded);
            let high = counted.enforce_ub(most).expect(encoded);
            low.into_iter().chain(high).for_each(|lit| self.implies(&[chosen], lit));
        }
    }

    fn count(&mut self, constraint: CardConstraint) {
        let Self { cnf, vars } = self;
        encode_cardinality_constraint::<Totalizer, _>(constraint, cnf, vars)
            .expect("a list of clauses grows or aborts");
    }

    /// Fails where it has grown too large.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn check_size(&self) -> Result<(), TooLarge> {
        if self.cnf.len() > MOST_CLAUSES { Err(TooLarge) } else { Ok(()) }
    }

    /// How many variables.
    pub fn variables(&self) -> u32 {
        self.vars.n_used()
    }

    /// The clauses.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &Clause> {
        self.cnf.iter()
    }

    /// Writes it in the DIMACS format, for other solvers and checkers.
    ///
    /// # Errors
    /// What writing gives.
    pub fn write_dimacs(&self, to: &mut impl io::Write) -> io::Result<()> {
        self.cnf.write_dimacs(to, self.variables())
    }
}
