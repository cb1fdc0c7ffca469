//! The crosspoints of every switch as variables, and what bounds them.

use super::routes::Routes;
use crate::formula::Formula;
use crate::sites::Sites;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// A crosspoint: node, dimension of the input, dimension of the output.
pub type Crosspoint = (u32, u32, u32);

/// The crosspoints that may be in use, shared by all relations of a question.
#[derive(Debug)]
pub struct Turns {
    k: u32,
    /// Which switches have the same crossbar.
    sites: Sites,
    lits: BTreeMap<Crosspoint, Lit>,
}

impl Turns {
    /// No crosspoint yet.
    pub fn new(k: u32, sites: Sites) -> Self {
        Self { k, sites, lits: BTreeMap::new() }
    }

    /// Every turn of these routes has its crosspoint.
    pub fn carry(&mut self, formula: &mut Formula, routes: &Routes) {
        routes.each_turn(|at, to, p, q| {
            let middle = at ^ 1 << p;
            let hops = [routes.next(at, to, p), routes.next(middle, to, q)];
            if p == q {
                // Straight back.
                formula.clause(hops.map(|lit| !lit));
                return;
            }
            let switch = self.sites.of(middle);
            let crosspoint = *self.lits.entry((switch, p, q)).or_insert_with(|| formula.fresh());
            formula.implies(&hops, crosspoint);
        });
    }

    /// At most so many crosspoints among those of one key.
    pub fn bound<K: Ord>(&self, formula: &mut Formula, most: u32, key: impl Fn(Crosspoint) -> K) {
        let mut groups: BTreeMap<K, Vec<Lit>> = BTreeMap::new();
        for (&crosspoint, &lit) in &self.lits {
            groups.entry(key(crosspoint)).or_default().push(lit);
        }
        groups.values().for_each(|lits| formula.at_most(lits, most as usize));
    }

    /// Waits close no cycle: every channel has a number, and each crosspoint leads to a channel
    /// of a greater one. A channel is named by its node and dimension. Where a node stands for
    /// others, a cycle among the channels of sites is one of the network: going round it leads
    /// to another channel of the same site, and twice round to the same one.
    pub fn forbid_cycles(&self, formula: &mut Formula) {
        let channels = self.k * self.sites.all().len() as u32;
        let bits = u32::BITS - (channels - 1).leading_zeros();
        let mut numbers: BTreeMap<(u32, u32), Vec<Lit>> = BTreeMap::new();
        let mut number = |formula: &mut Formula, channel| {
            let bits = || (0..bits).map(|_| formula.fresh()).collect();
            numbers.entry(channel).or_insert_with(bits).clone()
        };
        for (&(node, p, q), &crosspoint) in &self.lits {
            let before = self.sites.of(node ^ 1 << p);
            let held = number(formula, (before, p));
            let wanted = number(formula, (node, q));
            less(formula, crosspoint, &held, &wanted);
        }
    }
}

/// If `given`, the number `a` is less than `b`; least bits first.
fn less(formula: &mut Formula, given: Lit, a: &[Lit], b: &[Lit]) {
    let mut given = given;
    for (at, (&a, &b)) in a.iter().zip(b).enumerate().rev() {
        // Here a is no more than b; where they are the same, the lower bits decide.
        formula.implies(&[given, a], b);
        if at == 0 {
            formula.implies(&[given], !a);
            formula.implies(&[given], b);
        } else {
            let lower = formula.fresh();
            formula.implies(&[given, a], lower);
            formula.implies(&[given, !b], lower);
            given = lower;
        }
    }
}
