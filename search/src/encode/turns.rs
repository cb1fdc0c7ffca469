//! The crosspoints of every switch as variables, and what bounds them.

use super::order::{self, Pairs};
use super::routes::Routes;
use crate::formula::Formula;
use crate::orbits::Orbits;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// A crosspoint: node, dimension of the input, dimension of the output.
pub type Crosspoint = (u32, u32, u32);

/// The crosspoints that may be in use, shared by all relations of a question.
#[derive(Debug)]
pub struct Turns {
    k: u32,
    /// Switches that have the same crossbar.
    orbits: Orbits,
    lits: BTreeMap<Crosspoint, Lit>,
}

impl Turns {
    /// No crosspoint yet.
    pub fn new(k: u32, orbits: Orbits) -> Self {
        Self { k, orbits, lits: BTreeMap::new() }
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
            let taken: Vec<Lit> = routes.on_route(at, to).into_iter().chain(hops).collect();
            let switch = self.orbits.of(middle);
            let crosspoint = *self.lits.entry((switch, p, q)).or_insert_with(|| formula.fresh());
            formula.implies(&taken, crosspoint);
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

    /// Adds that no crosspoint is left out, where all switches together may have no more than there
    /// are pairs at distance 2: each switch has as many as it may, and each pair a crosspoint at
    /// one of the two switches between its nodes and none at the other. That follows from
    /// [`Turns::bound`], by counting over the whole cube, which a solver does not do.
    pub fn leave_none_out(&self, formula: &mut Formula, most: u32) {
        let mut switches: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
        for (&(node, p, q), &crosspoint) in &self.lits {
            let other = (self.orbits.of(node ^ 1 << p ^ 1 << q), q, p);
            // Each pair of crosspoints once.
            if let Some(&other) = self.lits.get(&other).filter(|_| p < q) {
                formula.clause([!crosspoint, !other]);
            }
            switches.entry(node).or_default().push(crosspoint);
        }
        switches.values().for_each(|lits| formula.at_least(lits, most as usize));
    }

    /// Waits close no cycle: the channels are in an order, and each crosspoint leads to a later
    /// one. A channel is named by its node and dimension. Where a node stands for others, a
    /// cycle among the channels of representatives is one of the network: going round it leads to another
    /// channel of the same representative, and twice round to the same one. Gives the order where it is one
    /// by pairs.
    pub fn forbid_cycles(&self, formula: &mut Formula) -> Option<Pairs> {
        let orbits = self.orbits.all();
        let channels = orbits.into_iter().flat_map(|node| (0..self.k).map(move |p| (node, p)));
        let waits = self.lits.iter().map(|(&(node, p, q), &crosspoint)| {
            let held = (self.orbits.of(node ^ 1 << p), p);
            (crosspoint, held, (node, q))
        });
        order::ascend(formula, channels.collect(), waits)
    }
}
