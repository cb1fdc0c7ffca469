//! A formula in conjunctive normal form, and the constraints that it is made of.

use rustsat::encodings::am1::{Encode, Ladder};
use rustsat::encodings::card::{
    BoundBoth, BoundLower, BoundUpper, Totalizer, encode_cardinality_constraint,
};
use rustsat::encodings::pb::{self, DynamicPolyWatchdog};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::constraints::CardConstraint;
use rustsat::types::{Clause, Lit};
use std::io;
use turnpike_base::numbers::gcd;

/// Most clauses of a formula: about a gigabyte in the solver.
pub const MOST_CLAUSES: usize = 8_000_000;

/// Literals of which at most one holds that are held apart two by two.
const PAIRED: usize = 5;

/// A formula grew beyond [`MOST_CLAUSES`].
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "the formula has more than {MOST_CLAUSES} clauses; use a smaller dimension, fewer constraints \
     or a symmetry"
)]
pub struct TooLarge;

/// A formula in conjunctive normal form.
#[derive(Debug, Default)]
pub struct Formula {
    cnf: Cnf,
    vars: BasicVarManager,
    /// Whether something was left out.
    overflown: bool,
}

impl Formula {
    /// A new variable.
    pub fn fresh(&mut self) -> Lit {
        self.vars.new_lit()
    }

    /// At least one of these.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        if self.has_room(1) {
            self.cnf.add_clause(lits.into_iter().collect());
        }
    }

    /// If all of `if_all` hold, then `then`.
    pub fn implies(&mut self, if_all: &[Lit], then: Lit) {
        self.clause(if_all.iter().map(|&lit| !lit).chain([then]));
    }

    /// Exactly one of these.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.clause(lits.iter().copied());
        self.every_pair(lits);
    }

    /// Adds that no two of these hold.
    fn every_pair(&mut self, lits: &[Lit]) {
        for (at, &a) in lits.iter().enumerate() {
            lits[at + 1..].iter().for_each(|&b| self.clause([!a, !b]));
        }
    }

    /// At most one of these: for more than a few with variables of its own, so that there are no more
    /// clauses than three for each.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        if lits.len() <= PAIRED {
            self.every_pair(lits);
        } else if self.has_room(3 * lits.len()) {
            let mut ladder: Ladder = lits.iter().copied().collect();
            let Self { cnf, vars, .. } = self;
            ladder.encode(cnf, vars).expect("a list of clauses grows or aborts");
        }
    }

    /// At most `most` of these.
    pub fn at_most(&mut self, lits: &[Lit], most: usize) {
        self.count(CardConstraint::new_ub(lits.iter().copied(), most), lits.len(), most);
    }

    /// Literals with weights, of which those that hold weigh `most` at most.
    pub fn weigh_at_most(&mut self, lits: &[(Lit, u64)], most: u64) {
        let unit = lits.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1);
        let in_units = |(lit, weight): (Lit, u64)| (lit, (weight / unit) as usize);
        // What alone is too much is out, and takes no part.
        let (lits, out): (Vec<_>, Vec<_>) =
            lits.iter().copied().partition(|&(_, weight)| weight <= most);
        out.into_iter().for_each(|(lit, _)| self.clause([!lit]));
        let lits: Vec<(Lit, usize)> = lits.into_iter().map(in_units).collect();
        let most = (most / unit) as usize;
        if lits.iter().map(|&(_, weight)| weight).sum::<usize>() <= most {
            return;
        }
        if let Some(&(_, one)) = lits.first()
            && lits.iter().all(|&(_, weight)| weight == one)
        {
            let lits: Vec<Lit> = lits.into_iter().map(|(lit, _)| lit).collect();
            return self.at_most(&lits, most / one);
        }
        // A totalizer for each bit of the weights.
        let bits = (usize::BITS - most.leading_zeros()) as usize;
        if !self.has_room(bits * lits.len() * lits.len()) {
            return;
        }
        let mut weighed: DynamicPolyWatchdog = lits.into_iter().collect();
        let Self { cnf, vars, .. } = self;
        let grows = "a list of clauses grows or aborts";
        pb::BoundUpper::encode_ub(&mut weighed, most..=most, cnf, vars).expect(grows);
        let held = pb::BoundUpper::enforce_ub(&weighed, most).expect("the bound was encoded");
        held.into_iter().for_each(|lit| self.clause([lit]));
    }

    /// At least `least` of these.
    pub fn at_least(&mut self, lits: &[Lit], least: usize) {
        self.count(CardConstraint::new_lb(lits.iter().copied(), least), lits.len(), least);
    }

    /// Adds, for each of `ranges` that is chosen, that the number of these that hold is from its
    /// least to its most.
    pub fn between(&mut self, lits: &[Lit], ranges: impl Iterator<Item = (Lit, usize, usize)>) {
        let ranges: Vec<_> = ranges.collect();
        let (Some(least), Some(most)) =
            (ranges.iter().map(|range| range.1).min(), ranges.iter().map(|range| range.2).max())
        else {
            return;
        };
        // At each of its levels a totalizer has a clause for each two counts below.
        if !self.has_room(lits.len() * (most.min(lits.len()) + 1)) {
            return;
        }
        let mut counted: Totalizer = lits.iter().copied().collect();
        let Self { cnf, vars, .. } = self;
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

    fn count(&mut self, constraint: CardConstraint, lits: usize, bound: usize) {
        if !self.has_room(lits * (bound.min(lits) + 1)) {
            return;
        }
        let Self { cnf, vars, .. } = self;
        encode_cardinality_constraint::<Totalizer, _>(constraint, cnf, vars)
            .expect("a list of clauses grows or aborts");
    }

    /// Fails where it has grown too large.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn check_size(&self) -> Result<(), TooLarge> {
        if self.overflown { Err(TooLarge) } else { Ok(()) }
    }

    /// Whether so many clauses more fit; what does not is left out, and the formula is no more
    /// than too large.
    fn has_room(&mut self, clauses: usize) -> bool {
        self.overflown |= self.cnf.len() + clauses > MOST_CLAUSES;
        !self.overflown
    }

    /// Number of variables.
    pub fn variables(&self) -> u32 {
        self.vars.n_used()
    }

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
