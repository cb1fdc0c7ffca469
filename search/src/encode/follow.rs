//! The channels of a route, as literals.

use super::order::Channel;
use super::routes::Routes;
use crate::cube::distance;
use crate::formula::Formula;
use rustsat::types::Lit;
use std::collections::BTreeMap;

/// Calls `visit` with each channel that the route of a pair may cross, at each step, counted from 0,
/// and with whether it does.
pub fn follow(
    formula: &mut Formula,
    routes: &Routes,
    (source, to): (u32, u32),
    mut visit: impl FnMut(Channel, u32, Lit),
) {
    // The uses of channels that end at a node, in the order of the steps.
    let mut arrivals: BTreeMap<(u32, u32), Vec<Lit>> = BTreeMap::new();
    let longest = distance(source, to) + routes.slack;
    arrivals.insert((0, source), Vec::new());
    while let Some(((step, at), into)) = arrivals.pop_first() {
        let visited = (step > 0).then(|| any(formula, &into));
        let in_time = |p: &u32| step + 1 + distance(at ^ 1 << p, to) <= longest;
        for p in routes.options(at, to).into_iter().filter(in_time) {
            let hop = routes.next(at, to, p);
            let used = visited.map_or(hop, |visited| both(formula, visited, hop));
            visit((at, p), step, used);
            let end = at ^ 1 << p;
            if end != to {
                arrivals.entry((step + 1, end)).or_default().push(used);
            }
        }
    }
}

/// Whether any of these holds, at least one.
pub fn any(formula: &mut Formula, of: &[Lit]) -> Lit {
    if let [one] = *of {
        return one;
    }
    let any = formula.fresh();
    of.iter().for_each(|&lit| formula.implies(&[lit], any));
    formula.clause(of.iter().copied().chain([!any]));
    any
}

/// Whether both hold.
fn both(formula: &mut Formula, a: Lit, b: Lit) -> Lit {
    let both = formula.fresh();
    formula.implies(&[a, b], both);
    formula.implies(&[both], a);
    formula.implies(&[both], b);
    both
}
