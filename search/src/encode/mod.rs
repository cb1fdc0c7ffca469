//! A question as a formula, and a model of it as next hops.

mod covers;
mod follow;
mod loads;
pub(crate) mod order;
mod routes;
mod turns;

use crate::counting::step_totals;
use crate::cube::pairs_of_dimensions;
use crate::formula::{Formula, MOST_CLAUSES, TooLarge};
use crate::question::{Failures, Question};
use crate::solver::Model;
use loads::Loads;
pub use order::Channel;
use routes::Routes;
use std::collections::{BTreeMap, BTreeSet};
use turns::Turns;

/// A relation as numbers: which nodes failed, and the dimension to cross by node and
/// destination; node 0 stands for all where it depends on the XOR alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hops {
    /// The nodes that failed.
    pub failed: BTreeSet<u32>,
    /// Whether the next hop depends on the XOR alone.
    pub by_difference: bool,
    /// The dimension to cross, by node and destination.
    pub next: BTreeMap<(u32, u32), u32>,
}

impl Hops {
    /// The image under a translation.
    fn translated(&self, by: u32) -> Self {
        let hops = self.next.iter().map(|(&(at, to), &p)| ((at ^ by, to ^ by), p));
        Self {
            failed: self.failed.iter().map(|node| node ^ by).collect(),
            by_difference: self.by_difference,
            next: hops.collect(),
        }
    }
}

/// A question as a formula.
#[derive(Debug)]
pub struct Encoding {
    pub formula: Formula,
    relations: Vec<Routes>,
    /// Failed nodes of each relation of an answer, and the translation that takes one that is
    /// encoded to it.
    answers: Vec<(BTreeSet<u32>, u32)>,
}

impl Encoding {
    /// Encoding of a question that holds ([`Question::check`]).
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn of(question: &Question) -> Result<Self, TooLarge> {
        let k = question.dimension;
        // Before the variables, which are many as well.
        if turn_clauses(question) > MOST_CLAUSES as u64 {
            return Err(TooLarge);
        }
        let mut formula = Formula::default();
        let mut turns = Turns::new(k, question.orbits());
        let mut relations: Vec<Routes> = Vec::new();
        for (failed, slack) in encoded(question) {
            let routes = Routes::new(&mut formula, question, failed, slack);
            turns.carry(&mut formula, &routes);
            routes.bound_lengths(&mut formula);
            if let Some(vcs) = question.vcs.filter(|&vcs| vcs > 1) {
                routes.bound_descents(&mut formula, vcs);
            }
            formula.check_size()?;
            relations.push(routes);
        }
        if let Some(most) = question.crosspoints {
            turns.bound(&mut formula, most, |(node, _, _)| node);
            if most == pairs_of_dimensions(k)
                && relations.iter().any(Routes::are_shortest_without_failures)
            {
                turns.leave_none_out(&mut formula, most);
            }
        }
        if let Some(most) = question.fan_out {
            turns.bound(&mut formula, most, |(node, input, _)| (node, input));
        }
        if let Some(most) = question.fan_in {
            turns.bound(&mut formula, most, |(node, _, output)| (node, output));
        }
        let order = match (question.vcs, &relations[..]) {
            (Some(1), [_]) => turns.forbid_cycles(&mut formula),
            (Some(1), _) => {
                // Relations that share crossbars are not in use together: each has its own waits.
                for routes in &relations {
                    let mut own = Turns::new(k, routes.orbits.clone());
                    own.carry(&mut formula, routes);
                    own.forbid_cycles(&mut formula);
                    formula.check_size()?;
                }
                None
            }
            _ => None,
        };
        // The order of the dimensions is not free where descents are counted. What breaks the
        // symmetry of one relation may not break that of another again.
        match (order, &relations[..]) {
            _ if question.vcs.is_some_and(|vcs| vcs > 1) => {}
            (Some(order), [first]) if first.are_any_without_failures() => {
                let left = order.break_symmetry(&mut formula, k);
                first.cross_in_order(&mut formula, 0, left);
            }
            (_, [first, ..]) => first.break_symmetry(&mut formula),
            _ => {}
        }
        formula.check_size()?;
        if question.counts_loads() {
            for routes in &relations {
                let loads = Loads::new(&mut formula, routes)?;
                if let Some(most) = question.load {
                    loads.bound(&mut formula, most);
                }
                if let Some(scope) = question.balanced {
                    let totals = step_totals(k, &routes.failed, &routes.orbits, routes.slack);
                    loads.balance(&mut formula, scope, question.imbalance, &totals);
                }
            }
            formula.check_size()?;
        }
        if let (Some(most), [routes]) = (question.worst_case, &relations[..]) {
            covers::bound(&mut formula, routes, most)?;
        }
        let orbits = question.orbits();
        let answers = scenarios(question).into_iter().map(|(failed, _)| {
            let by = failed.first().map_or(0, |&node| node ^ orbits.of(node));
            (failed, by)
        });
        Ok(Self { formula, relations, answers: answers.collect() })
    }

    /// The relations of a model, in the order of [`scenarios`].
    pub fn read(&self, model: &Model) -> Vec<Hops> {
        let read = |routes: &Routes| Hops {
            failed: routes.failed.clone(),
            by_difference: routes.orbits.is_one(),
            next: routes.read(model),
        };
        let read: Vec<Hops> = self.relations.iter().map(read).collect();
        let answer = |(failed, by): &(BTreeSet<u32>, u32)| {
            let of = |hops: &&Hops| hops.failed.iter().map(|node| node ^ by).eq(failed.clone());
            read.iter().find(of).expect("its representative is encoded").translated(*by)
        };
        self.answers.iter().map(answer).collect()
    }
}

/// Clauses that say which turns are taken, about: two hops that follow each other, at each
/// source for each destination.
fn turn_clauses(question: &Question) -> u64 {
    let k = question.dimension;
    if question.minimal_rotations {
        return 0;
    }
    let clauses = |(failed, _): &(BTreeSet<u32>, u32)| {
        let sources = question.orbits_without(failed).all().len() as u64;
        (sources * u64::from(k * (k - 1))) << (k - 2)
    };
    encoded(question).map(|scenario| clauses(&scenario)).sum()
}

/// The scenarios that stand for all: where crossbars are alike, translations take the failure of
/// one node to that of another.
fn encoded(question: &Question) -> impl Iterator<Item = (BTreeSet<u32>, u32)> {
    let orbits = question.orbits();
    let stands =
        move |(failed, _): &(BTreeSet<u32>, u32)| failed.iter().all(|&n| orbits.of(n) == n);
    scenarios(question).into_iter().filter(stands)
}

/// The relations that a question is about: which nodes fail, and how many channels beyond the
/// distance routes may have.
pub fn scenarios(question: &Question) -> Vec<(BTreeSet<u32>, u32)> {
    let slack = question.slack();
    match &question.failures {
        Failures::Given(failed) => vec![(failed.clone(), slack)],
        Failures::Regenerated => vec![(BTreeSet::from([0]), slack)],
        Failures::Fixed => {
            let each = (0..1 << question.dimension).map(|node| (BTreeSet::from([node]), slack));
            std::iter::once((BTreeSet::new(), 0)).chain(each).collect()
        }
    }
}
