//! A bound on the worst case: that no permutation puts more than so many packets on a channel.
//!
//! The packets of a permutation that cross a channel have sources and destinations of their own: they are a matching
//! of the pairs whose routes cross it. A largest matching has as many pairs as a smallest cover has
//! nodes: sources and destinations such that each pair has one of them (Kőnig 1931). So there is no permutation with
//! more than so many packets on a channel if, and only if, so many sources and destinations cover the pairs that
//! cross it. Covers are what the formula says: one for each channel, in place of a clause for each permutation.

use super::follow::{any, follow};
use super::order::Channel;
use super::routes::Routes;
use crate::formula::{Formula, TooLarge};
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// A source and a destination.
type Pair = (u32, u32);

/// Bounds the packets of any permutation on a channel.
///
/// # Errors
/// [`TooLarge`].
pub fn bound(formula: &mut Formula, routes: &Routes, most: u32) -> Result<(), TooLarge> {
    for pairs in crossings(formula, routes)?.values() {
        let mut covers: [BTreeMap<u32, Lit>; 2] = Default::default();
        for &((source, to), crosses) in pairs {
            let [sources, sinks] = &mut covers;
            let source = *sources.entry(source).or_insert_with(|| formula.fresh());
            let sink = *sinks.entry(to).or_insert_with(|| formula.fresh());
            formula.clause([!crosses, source, sink]);
        }
        let covers: Vec<Lit> = covers.iter().flat_map(BTreeMap::values).copied().collect();
        formula.at_most(&covers, most as usize);
        formula.check_size()?;
    }
    Ok(())
}

/// Pairs that may cross each channel of an orbit representative, and whether they do.
fn crossings(
    formula: &mut Formula,
    routes: &Routes,
) -> Result<BTreeMap<Channel, Vec<(Pair, Lit)>>, TooLarge> {
    let mut crossings: BTreeMap<Channel, Vec<(Pair, Lit)>> = BTreeMap::new();
    for (source, to) in routes.counted() {
        formula.check_size()?;
        let mut uses: BTreeMap<Channel, Vec<Lit>> = BTreeMap::new();
        follow(formula, routes, (source, to), |channel, _, used| {
            uses.entry(channel).or_default().push(used);
        });
        // Every node whose routes these stand for.
        let alike: Vec<u32> =
            routes.alive().filter(|&node| routes.orbits.of(node) == source).collect();
        for ((at, p), used) in uses {
            let crosses = any(formula, &used);
            for by in alike.iter().map(|node| node ^ source) {
                if routes.orbits.of(at ^ by) == at ^ by {
                    let pairs = crossings.entry((at ^ by, p)).or_default();
                    pairs.push(((source ^ by, to ^ by), crosses));
                }
            }
        }
    }
    Ok(crossings)
}
