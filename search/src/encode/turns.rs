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

    /// Waits close no cycle: the channels are in an order, and each crosspoint leads to a later
    /// one. A channel is named by its node and dimension. Where a node stands for others, a
    /// cycle among the channels of sites is one of the network: going round it leads to another
    /// channel of the same site, and twice round to the same one.
    pub fn forbid_cycles(&self, formula: &mut Formula) {
        let sites = self.sites.all();
        let channels: Vec<Channel> =
            sites.into_iter().flat_map(|node| (0..self.k).map(move |p| (node, p))).collect();
        let waits = self.lits.iter().map(|(&(node, p, q), &crosspoint)| {
            let held = (self.sites.of(node ^ 1 << p), p);
            (crosspoint, held, (node, q))
        });
        match channels.len() <= MOST_IN_PAIRS {
            true => order_pairs(formula, &channels, waits),
            false => number(formula, &channels, waits),
        }
    }
}

/// A channel: node and dimension.
type Channel = (u32, u32);

/// Channels at most whose order is given by pairs: clauses grow with the third power. Solvers
/// are faster with it by factors of 10 to 100.
const MOST_IN_PAIRS: usize = 200;

/// For each two channels, which comes first; of each three, in one order.
fn order_pairs(
    formula: &mut Formula,
    channels: &[Channel],
    waits: impl Iterator<Item = (Lit, Channel, Channel)>,
) {
    let first: Vec<Vec<Lit>> =
        (0..channels.len()).map(|at| (0..at).map(|_| formula.fresh()).collect()).collect();
    // Whether channel a comes before channel b.
    let before = |a: usize, b: usize| if a < b { first[b][a] } else { !first[a][b] };
    for c in 0..channels.len() {
        for b in 0..c {
            for a in 0..b {
                let (ab, bc, ac) = (before(a, b), before(b, c), before(a, c));
                formula.implies(&[ab, bc], ac);
                formula.implies(&[!ab, !bc], !ac);
            }
        }
    }
    let at = |channel| channels.binary_search(&channel).expect("a channel of a site");
    for (crosspoint, held, wanted) in waits {
        formula.implies(&[crosspoint], before(at(held), at(wanted)));
    }
}

/// Every channel has a number, in bits.
fn number(
    formula: &mut Formula,
    channels: &[Channel],
    waits: impl Iterator<Item = (Lit, Channel, Channel)>,
) {
    let bits = u32::BITS - (channels.len() as u32 - 1).leading_zeros();
    let numbers: BTreeMap<Channel, Vec<Lit>> = channels
        .iter()
        .map(|&channel| (channel, (0..bits).map(|_| formula.fresh()).collect()))
        .collect();
    for (crosspoint, held, wanted) in waits {
        less(formula, crosspoint, &numbers[&held], &numbers[&wanted]);
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
