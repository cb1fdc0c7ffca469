//! Crossings of channels by the routes of pairs, and clauses that not all of some pairs cross one.

use super::follow::{any, follow};
use super::order::Channel;
use super::routes::Routes;
use crate::formula::{Formula, TooLarge};
use crate::solver::Model;
use rustsat::types::Lit;
use std::collections::{BTreeMap, HashMap, HashSet};
use turnpike_base::permutations::permutations;

/// A source and a destination.
pub type Pair = (u32, u32);

/// Most images of some pairs under automorphisms of the cube that are ruled out with them. More make the
/// formula grow faster than the search shrinks: k = 6 with one representative takes longer with its 720.
const MOST_IMAGES: u64 = 1 << 9;

/// Crossings of each pair whose source is an orbit representative: whether its route crosses a
/// channel.
#[derive(Debug)]
pub struct Crossings {
    crosses: HashMap<(Pair, Channel), Lit>,
    /// The clauses that are there, so that none is twice.
    ruled_out: HashSet<Vec<Lit>>,
    /// Renamings of the dimensions.
    renamings: Vec<Vec<u32>>,
}

impl Crossings {
    /// Follows every route that is short enough.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(formula: &mut Formula, routes: &Routes) -> Result<Self, TooLarge> {
        let mut crosses = HashMap::new();
        for pair in routes.counted() {
            formula.check_size()?;
            let mut uses: BTreeMap<Channel, Vec<Lit>> = BTreeMap::new();
            follow(formula, routes, pair, |channel, _, used| {
                uses.entry(channel).or_default().push(used);
            });
            for (channel, used) in uses {
                crosses.insert((pair, channel), any(formula, &used));
            }
        }
        let k = routes.k;
        let orbits = routes.sources();
        let images = (1..=u64::from(k)).product::<u64>() * orbits.len() as u64;
        let renamings = match images <= MOST_IMAGES {
            true => permutations(k),
            false => vec![(0..k).collect()],
        };
        Ok(Self { crosses, ruled_out: HashSet::new(), renamings })
    }

    /// Whether a pair's route crosses a channel; `None` where none of its routes may.
    fn of(&self, routes: &Routes, (source, to): Pair, (at, p): Channel) -> Option<Lit> {
        let by = source ^ routes.orbits.of(source);
        self.crosses.get(&((source ^ by, to ^ by), (at ^ by, p))).copied()
    }

    /// Pairs that cross each channel of an orbit representative, in a model.
    pub fn read(&self, routes: &Routes, model: &Model) -> BTreeMap<Channel, Vec<Pair>> {
        let mut crossed: BTreeMap<Channel, Vec<Pair>> = BTreeMap::new();
        for (&((source, to), (at, p)), &lit) in &self.crosses {
            if !model.holds(lit) {
                continue;
            }
            // Seen from every node whose channels this one stands for.
            let alike = routes.alive().filter(|&node| routes.orbits.of(node) == source);
            for by in alike.map(|node| node ^ source) {
                if routes.orbits.of(at ^ by) == at ^ by {
                    crossed.entry((at ^ by, p)).or_default().push((source ^ by, to ^ by));
                }
            }
        }
        crossed.values_mut().for_each(|pairs| pairs.sort_unstable());
        crossed
    }

    /// Adds that not all of these pairs cross the channel, and so for their images under the cube's
    /// automorphisms, for which the same bound holds: all of them, or, where they are more than
    /// [`MOST_IMAGES`], translations alone.
    pub fn rule_out(
        &mut self,
        formula: &mut Formula,
        routes: &Routes,
        (at, p): Channel,
        pairs: &[Pair],
    ) {
        for renaming in &self.renamings {
            let renamed = |node: u32| {
                (0..).zip(renaming).fold(0, |image, (bit, &to)| image | (node >> bit & 1) << to)
            };
            // Translations that keep the representatives give the same clause: one to each is enough.
            for representative in routes.sources() {
                let image = |node| renamed(node) ^ renamed(at) ^ representative;
                let channel = (image(at), renaming[p as usize]);
                let crosses = pairs.iter().map(|&(from, to)| {
                    self.of(routes, (image(from), image(to)), channel).map(|lit| !lit)
                });
                // A pair that cannot cross it does not.
                let Some(mut clause) = crosses.collect::<Option<Vec<Lit>>>() else { continue };
                clause.sort_unstable();
                clause.dedup();
                if self.ruled_out.insert(clause.clone()) {
                    formula.clause(clause);
                }
            }
        }
    }
}
