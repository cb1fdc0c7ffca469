//! One relation as variables: the next hop at every node for every destination.

use crate::cube::{dimensions, distance, is_periodic};
use crate::formula::Formula;
use crate::orbits::Orbits;
use crate::question::{Question, Symmetric};
use crate::solver::Model;
use rustsat::types::Lit;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use turnpike_network::routing::rotation::{least_rotation, rotated};

/// The next hops of one relation.
#[derive(Debug)]
pub struct Routes {
    pub(super) k: u32,
    pub(super) failed: BTreeSet<u32>,
    /// Channels that a route may have beyond the distance.
    pub(super) slack: u32,
    pub(super) orbits: Orbits,
    rotations: bool,
    minimal_rotations: bool,
    next: HashMap<(u32, u32, u32), Lit>,
    /// Pairs whose routes count; all where `None`.
    flows: Option<Vec<(u32, u32)>>,
    /// Nodes that routes of flows may come to, with the destination: whether one does.
    on_route: BTreeMap<(u32, u32), Lit>,
}

impl Routes {
    /// Adds the variables, and that each node has one next hop for each destination.
    pub fn new(
        formula: &mut Formula,
        question: &Question,
        failed: BTreeSet<u32>,
        slack: u32,
    ) -> Self {
        let mut routes = Self {
            k: question.dimension,
            orbits: question.orbits_without(&failed),
            rotations: question.symmetric == Symmetric::Rotations,
            minimal_rotations: question.minimal_rotations,
            failed,
            slack,
            next: HashMap::new(),
            flows: question.flows.clone(),
            on_route: BTreeMap::new(),
        };
        if routes.flows.is_some() {
            let near = routes.near_flows();
            routes.on_route = near.into_iter().map(|pair| (pair, formula.fresh())).collect();
        }
        for (at, to) in routes.pairs() {
            let keys: Vec<_> =
                routes.options(at, to).into_iter().map(|p| routes.key(at, to, p)).collect();
            // Under rotations several pairs have the same variables.
            if keys.first().is_some_and(|key| routes.next.contains_key(key)) {
                continue;
            }
            let lits: Vec<Lit> = keys.iter().map(|_| formula.fresh()).collect();
            formula.exactly_one(&lits);
            routes.next.extend(keys.into_iter().zip(lits));
        }
        routes.follow_flows(formula);
        routes
    }

    /// Nodes on shortest paths of flows, each with the destination.
    fn near_flows(&self) -> BTreeSet<(u32, u32)> {
        let near = |&(from, to): &(u32, u32)| {
            let between = move |&at: &u32| {
                at != to && distance(from, at) + distance(at, to) == distance(from, to)
            };
            self.alive().filter(between).map(move |at| (at, to)).collect::<Vec<_>>()
        };
        self.flows.iter().flatten().flat_map(near).collect()
    }

    /// Adds which nodes the routes of flows come to.
    fn follow_flows(&self, formula: &mut Formula) {
        for pair in self.flows.iter().flatten().filter(|(from, to)| from != to) {
            formula.clause([self.on_route[pair]]);
        }
        for (&(at, to), &there) in &self.on_route {
            for p in self.options(at, to) {
                if let Some(&after) = self.on_route.get(&(at ^ 1 << p, to)) {
                    formula.implies(&[there, self.next(at, to, p)], after);
                }
            }
        }
    }

    /// Literal of a route that comes to a node, on the way to a destination; `None` where every pair
    /// has a route.
    pub fn on_route(&self, at: u32, to: u32) -> Option<Lit> {
        self.on_route.get(&(at, to)).copied()
    }

    /// The pairs whose routes are counted: of sources that stand for all.
    pub fn counted(&self) -> Vec<(u32, u32)> {
        match &self.flows {
            None => self.pairs(),
            Some(flows) => flows.iter().filter(|(from, to)| from != to).copied().collect(),
        }
    }

    /// The nodes that are there.
    pub fn alive(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..1 << self.k).filter(|node| !self.failed.contains(node))
    }

    /// The pairs whose next hops are those of all pairs: node, destination. Of flows those on a shortest
    /// path of one.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        if self.flows.is_some() {
            return self.on_route.keys().copied().collect();
        }
        let others = |at| self.alive().filter(move |&to| to != at).map(move |to| (at, to));
        self.sources().into_iter().flat_map(others).collect()
    }

    /// The sources whose routes stand for all.
    pub fn sources(&self) -> Vec<u32> {
        self.alive().filter(|&node| self.orbits.of(node) == node).collect()
    }

    /// The dimensions that a packet at `at` for `to` may cross next.
    pub fn options(&self, at: u32, to: u32) -> Vec<u32> {
        let k = self.k;
        if self.minimal_rotations {
            let difference = u64::from(at ^ to);
            let (least, _) = least_rotation(k, difference);
            let ties = (0..k).filter(|&by| rotated(k, difference, by) == least);
            return ties.map(|by| (least.ilog2() + k - by) % k).collect();
        }
        let reaches = |p: &u32| distance(at ^ 1 << p, to) < distance(at, to) + self.slack;
        let alive = |p: &u32| !self.failed.contains(&(at ^ 1 << p));
        (0..k).filter(reaches).filter(alive).collect()
    }

    fn key(&self, at: u32, to: u32, p: u32) -> (u32, u32, u32) {
        let difference = at ^ to;
        if self.rotations && !is_periodic(self.k, difference) {
            let (least, by) = least_rotation(self.k, difference.into());
            return (0, least as u32, (p + by) % self.k);
        }
        let (representative, to) = self.orbits.pair(at, to);
        (representative, to, p)
    }

    /// Literal that a packet at `at` for `to` crosses dimension `p` next, one of its options.
    pub fn next(&self, at: u32, to: u32, p: u32) -> Lit {
        self.next[&self.key(at, to, p)]
    }

    /// Calls `visit` with every two hops that follow each other on a route: the node before,
    /// the destination, and the dimensions.
    pub fn each_turn(&self, mut visit: impl FnMut(u32, u32, u32, u32)) {
        for (at, to) in self.pairs() {
            for p in self.options(at, to) {
                let middle = at ^ 1 << p;
                if middle != to {
                    self.options(middle, to).into_iter().for_each(|q| visit(at, to, p, q));
                }
            }
        }
    }

    /// Routes of at most [`Routes::slack`] channels beyond the distance. By the channels that
    /// are left, which fall by one or more on each hop.
    pub fn bound_lengths(&self, formula: &mut Formula) {
        if self.slack == 0 {
            return;
        }
        // `left[(at, to, j)]`: at least distance + j channels are left, j from 1 to the slack.
        let mut left: BTreeMap<((u32, u32), u32), Lit> = BTreeMap::new();
        for (at, to) in self.pairs() {
            let lits: Vec<Lit> = (1..=self.slack).map(|_| formula.fresh()).collect();
            lits.windows(2).for_each(|pair| formula.implies(&[pair[1]], pair[0]));
            left.extend((1..).zip(lits).map(|(j, lit)| (((at, to), j), lit)));
        }
        for (at, to) in self.pairs() {
            for p in self.options(at, to) {
                let middle = at ^ 1 << p;
                let hop = self.next(at, to, p);
                // Toward the destination j stays; away from it grows by 2.
                let away = if distance(middle, to) > distance(at, to) { 2 } else { 0 };
                if let Some(&least) = left.get(&((at, to), away)) {
                    formula.implies(&[hop], least);
                }
                if middle == to {
                    continue;
                }
                for j in 1..=self.slack {
                    let behind = left[&(self.orbits.pair(middle, to), j)];
                    match left.get(&((at, to), j + away)) {
                        Some(&before) => formula.implies(&[hop, behind], before),
                        None => formula.clause([!hop, !behind]),
                    }
                }
            }
        }
    }

    /// Routes of at most `vcs` ascending runs of dimensions, by the descents that are left.
    pub fn bound_descents(&self, formula: &mut Formula, vcs: u32) {
        let most = vcs - 1;
        let mut left: BTreeMap<((u32, u32), u32), Lit> = BTreeMap::new();
        for (at, to) in self.pairs() {
            let lits: Vec<Lit> = (1..=most).map(|_| formula.fresh()).collect();
            lits.windows(2).for_each(|pair| formula.implies(&[pair[1]], pair[0]));
            left.extend((1..).zip(lits).map(|(j, lit)| (((at, to), j), lit)));
        }
        self.each_turn(|at, to, p, q| {
            let hops = [self.next(at, to, p), self.next(at ^ 1 << p, to, q)];
            let more = u32::from(q <= p);
            for j in 0..=most {
                let behind = (j > 0).then(|| left[&(self.orbits.pair(at ^ 1 << p, to), j)]);
                let [one, other] = hops;
                let given = [Some(one), Some(other), behind].into_iter().flatten();
                let given: Vec<Lit> = given.collect();
                if j + more > most {
                    formula.clause(given.iter().map(|&lit| !lit));
                } else if j + more > 0 {
                    formula.implies(&given, left[&((at, to), j + more)]);
                }
            }
        });
    }

    /// Whether they are shortest paths of the whole cube.
    pub fn are_shortest_without_failures(&self) -> bool {
        self.failed.is_empty() && self.slack == 0 && self.flows.is_none()
    }

    /// Whether they may be any such routes, so that each automorphism of the cube takes them to
    /// others that are asked for as well.
    pub fn are_any_without_failures(&self) -> bool {
        self.are_shortest_without_failures() && !self.minimal_rotations && self.orbits.is_each()
    }

    /// Fixes one route in the order of the dimensions, where the cube's automorphisms can turn
    /// any relation into one with that route.
    pub fn break_symmetry(&self, formula: &mut Formula) {
        let all = (1 << self.k) - 1;
        // From one node to another that permutations of the dimensions of their difference
        // keep, failed nodes included.
        let (from, to) = match self.failed.iter().collect::<Vec<_>>()[..] {
            [] => (0, all),
            [0] => (all, 1),
            _ => return,
        };
        let kept = self.orbits.is_one() || self.orbits.is_each();
        let any = self.slack == 0 && self.flows.is_none();
        if !any || self.minimal_rotations || self.rotations || !kept {
            return;
        }
        self.cross_in_order(formula, from, to);
    }

    /// The route from one node to another crosses the dimensions in their order.
    pub fn cross_in_order(&self, formula: &mut Formula, from: u32, to: u32) {
        let mut at = from;
        for p in dimensions(from ^ to) {
            formula.clause([self.next(at, to, p)]);
            at ^= 1 << p;
        }
    }

    /// The next hops of a model: by node and destination, those of node 0 where it stands for
    /// all.
    pub fn read(&self, model: &Model) -> BTreeMap<(u32, u32), u32> {
        let hop = |at: u32, to: u32| {
            if self.flows.is_some() && !self.on_route.contains_key(&(at, to)) {
                // No flow comes here.
                return ((at, to), (at ^ to).trailing_zeros());
            }
            let mut options = self.options(at, to).into_iter();
            let p = options.find(|&p| model.holds(self.next(at, to, p)));
            ((at, to), p.expect("each pair has a next hop"))
        };
        let nodes = self.alive().take(if self.orbits.is_one() { 1 } else { usize::MAX });
        let others = |at| self.alive().filter(move |&to| to != at).map(move |to| hop(at, to));
        nodes.flat_map(others).collect()
    }
}
