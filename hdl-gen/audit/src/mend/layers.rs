//! Fewest virtual channels that are added so that routes close no cycle: each route goes in one of
//! several layers, a virtual channel of each link, from its source on.

use super::solver::{Formula, Literal, Satisfiability};
use super::{MOST_CONFLICTS, ascends};
use crate::AuditError;
use crate::cycles::Graph;
use crate::model::Routed;
use crate::traffic::Traffic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Layers at most.
const MOST_LAYERS: u32 = 8;
/// Channels of all routes together at most.
const MOST_STEPS: usize = 4_000_000;
/// Channels of all routes together at most, for the solver.
const MOST_SOLVED: usize = 100_000;
/// Cycles that are broken in a round.
const CYCLES: usize = 1024;
/// Channels of routes that are gone over in all rounds of a search at most.
const MOST_WORK: usize = 60_000_000;
/// Rounds of one search.
const ROUNDS: usize = 2_000;

/// A route: packets of a class that enter at a switch for a destination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// Message class.
    pub class: u32,
    /// Switch where packets enter.
    pub switch: u32,
    /// Destination.
    pub destination: u32,
    /// Channels of the route.
    path: Vec<u32>,
    /// Resources that may wait until packets are sent by it.
    held: Vec<u32>,
}

/// Routes in layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// Layers, each with the virtual channels that there were.
    pub layers: u32,
    /// Routes that are not in the first layer.
    pub moved: usize,
    /// Whether it is proven that no fewer layers do.
    pub proven: bool,
    /// Routes, each with its layer.
    pub routes: Vec<(Route, u32)>,
}

/// Fewest layers that free a network of cycles, for tables of one next channel each; `None` where
/// none are found, or the network is too large.
pub fn layers(routed: &Routed, traffic: &Traffic) -> Option<Layers> {
    let routes = routes(routed, traffic)?;
    let mut search = Search { routed, traffic, routes };
    let by_rank: Vec<u32> = search
        .routes
        .iter()
        .map(|route| traffic.classes.get(route.class as usize).map_or(0, |class| class.rank))
        .collect();
    let plain = vec![0; search.routes.len()];
    let mut begins = vec![plain, by_rank];
    begins.dedup();
    let mut best = begins
        .into_iter()
        .filter_map(|begin| search.greedy(begin))
        .min_by_key(|layer_of| count(layer_of))?;
    // The network as it is has a cycle: two layers are the fewest.
    let mut proven = count(&best) == 2;
    while !proven {
        match search.solve(count(&best) - 1) {
            Some(Some(fewer)) => best = fewer,
            Some(None) => proven = true,
            None => break,
        }
        proven |= count(&best) == 2;
    }
    let (layers, moved) = (count(&best), best.iter().filter(|&&layer| layer > 0).count());
    let routes = std::mem::take(&mut search.routes).into_iter().zip(best).collect();
    let found = Layers { layers, moved, proven, routes };
    let mended = mended(routed, traffic, &found).ok()?;
    ascends(&mended, traffic).then_some(found)
}

fn count(layer_of: &[u32]) -> u32 {
    1 + layer_of.iter().copied().max().unwrap_or(0)
}

/// The network with its routes in layers.
///
/// # Errors
/// More channels or entries than there may be.
pub fn mended(routed: &Routed, traffic: &Traffic, found: &Layers) -> Result<Routed, AuditError> {
    let mut mended = routed.with_own_channels(found.layers as usize)?;
    let channels = routed.channels.len() as u32;
    let mut of_injection = Vec::new();
    for class in 0..traffic.class_count() {
        let mut tables = Vec::new();
        for switch in 0..routed.switches.len() as u32 {
            let table = routed.injection(class, switch);
            tables.push(mended.tables.copy(table)?);
        }
        of_injection.push(tables);
    }
    for (route, layer) in &found.routes {
        if let Some(first) = route.path.first() {
            let table = of_injection[route.class as usize][route.switch as usize];
            mended.tables.set(table, route.destination, &[layer * channels + first]);
        }
    }
    mended.of_injection = of_injection;
    Ok(mended)
}

/// Every route; `None` for more than [`MOST_STEPS`].
fn routes(routed: &Routed, traffic: &Traffic) -> Option<Vec<Route>> {
    let classes = traffic.class_count() as u32;
    let sink_of = |terminal: u32, class: u32| {
        routed.channels.len() as u32 * MOST_LAYERS + terminal * classes + class
    };
    let mut all: Vec<Route> = Vec::new();
    let mut at_switch: FxHashMap<(u32, u32, u32), usize> = FxHashMap::default();
    let mut steps = 0;
    for class in 0..classes {
        for destination in 0..routed.terminals.len() as u32 {
            let Some(sink) = routed.terminals[destination as usize].sink else { continue };
            for source in traffic.sources(routed, class as usize, destination) {
                let Some(switch) = routed.terminals[source as usize].source else { continue };
                let after = traffic.classes.get(class as usize).map_or(&[][..], |own| &own.after);
                let held = after.iter().map(|&before| sink_of(source, before as u32));
                let key = (class, switch, destination);
                if let Some(&at) = at_switch.get(&key) {
                    all[at].held.extend(held);
                    continue;
                }
                let mut path = Vec::new();
                let (mut at, mut table) = (switch, routed.injection(class as usize, switch));
                while at != sink {
                    let &next = routed.tables.next(table, destination).first()?;
                    path.push(next);
                    at = routed.channels[next as usize].to;
                    table = routed.of_channel[next as usize];
                    steps += 1;
                    if steps > MOST_STEPS {
                        return None;
                    }
                }
                at_switch.insert(key, all.len());
                all.push(Route { class, switch, destination, path, held: held.collect() });
            }
        }
    }
    Some(all)
}

/// A search for layers.
struct Search<'a> {
    routed: &'a Routed,
    traffic: &'a Traffic,
    routes: Vec<Route>,
}

impl Search<'_> {
    fn nodes(&self) -> u32 {
        let (classes, terminals) = (self.traffic.class_count(), self.routed.terminals.len());
        self.routed.channels.len() as u32 * MOST_LAYERS + (terminals * classes) as u32
    }

    /// Waits along a route in a layer.
    fn waits(&self, route: &Route, layer: u32, mut each: impl FnMut(u32, u32)) {
        let channels = self.routed.channels.len() as u32;
        let sink = channels * MOST_LAYERS
            + route.destination * self.traffic.class_count() as u32
            + route.class;
        let in_layer = |channel: &u32| layer * channels + channel;
        let first = route.path.first().map_or(sink, in_layer);
        route.held.iter().for_each(|&held| each(held, first));
        for pair in route.path.windows(2) {
            each(in_layer(&pair[0]), in_layer(&pair[1]));
        }
        if let Some(last) = route.path.last() {
            each(in_layer(last), sink);
        }
    }

    /// Breaks one cycle after the other: the routes of the wait of a cycle that fewest routes have go
    /// to the next layer (as Domke, Hoefler and Nagel, "Deadlock-free oblivious routing for arbitrary
    /// topologies", 2011).
    fn greedy(&self, mut layer_of: Vec<u32>) -> Option<Vec<u32>> {
        let steps: usize = self.routes.iter().map(|route| 1 + route.path.len()).sum();
        for _ in 0..ROUNDS.min(1 + MOST_WORK / steps.max(1)) {
            let mut uses: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (route, &layer) in self.routes.iter().zip(&layer_of) {
                self.waits(route, layer, |from, to| *uses.entry((from, to)).or_default() += 1);
            }
            let mut edges: Vec<(u32, u32)> = uses.keys().copied().collect();
            edges.sort_unstable();
            let cycles = Graph::new(self.nodes(), edges.iter().copied()).several(CYCLES);
            if cycles.is_empty() {
                return Some(layer_of);
            }
            let mut broken: FxHashSet<(u32, u32)> = FxHashSet::default();
            for cycle in cycles {
                let waits: Vec<(u32, u32)> =
                    cycle.iter().map(|&edge| edges[edge as usize]).collect();
                if !waits.iter().any(|wait| broken.contains(wait)) {
                    broken.extend(waits.iter().min_by_key(|wait| uses[*wait]).copied());
                }
            }
            for (route, layer) in self.routes.iter().zip(&mut layer_of) {
                let mut is_broken = false;
                self.waits(route, *layer, |from, to| is_broken |= broken.contains(&(from, to)));
                *layer += u32::from(is_broken);
                if *layer == MOST_LAYERS {
                    return None;
                }
            }
        }
        None
    }

    /// Layers, so many of them, by the solver; `Some(None)` where there are none, `None` where that is
    /// not known.
    fn solve(&self, layers: u32) -> Option<Option<Vec<u32>>> {
        let steps: usize = self.routes.iter().map(|route| route.path.len()).sum();
        if steps * layers as usize > MOST_SOLVED {
            return None;
        }
        let mut formula = Formula::new(MOST_CONFLICTS);
        let mut waits: FxHashMap<(u32, u32), Literal> = FxHashMap::default();
        let mut in_layer: Vec<Vec<Literal>> = Vec::new();
        for route in &self.routes {
            let all: Vec<Literal> = (0..layers).map(|_| formula.fresh()).collect();
            formula.clause(all.iter().copied());
            for (layer, &lit) in (0..).zip(&all) {
                self.waits(route, layer, |from, to| {
                    let wait = *waits.entry((from, to)).or_insert_with(|| formula.fresh());
                    formula.implies(&[lit], wait);
                });
            }
            in_layer.push(all);
        }
        for _ in 0..ROUNDS {
            match formula.solve(&[]) {
                Satisfiability::Unsatisfiable => return Some(None),
                Satisfiability::Stopped => return None,
                Satisfiability::Satisfiable => {}
            }
            let layer = |all: &Vec<Literal>| all.iter().position(|&lit| formula.holds(lit));
            let layer_of: Vec<u32> =
                in_layer.iter().map(|all| layer(all).unwrap_or(0) as u32).collect();
            let mut edges: FxHashSet<(u32, u32)> = FxHashSet::default();
            for (route, &layer) in self.routes.iter().zip(&layer_of) {
                self.waits(route, layer, |from, to| {
                    edges.insert((from, to));
                });
            }
            let mut edges: Vec<(u32, u32)> = edges.into_iter().collect();
            edges.sort_unstable();
            let cycles = Graph::new(self.nodes(), edges.iter().copied()).several(CYCLES);
            if cycles.is_empty() {
                return Some(Some(layer_of));
            }
            for cycle in cycles {
                let cycle: Vec<Literal> =
                    cycle.iter().map(|&edge| !waits[&edges[edge as usize]]).collect();
                formula.clause(cycle);
            }
        }
        None
    }
}
