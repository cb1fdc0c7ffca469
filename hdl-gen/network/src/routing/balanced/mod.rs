//! A shortest path for each pair of terminals, and the virtual channel that it keeps to, such that the
//! channel that most routes use has few: greedily, and then by improvement, until no route that is taken
//! alone can do better (as Domke, Hoefler and Nagel, Deadlock-free oblivious routing for arbitrary
//! topologies, IPDPS 2011, who choose the paths first and the virtual channels afterwards).
//!
//! On one virtual channel routes close no cycle of waits ([`layers`]): a path that fits into one is
//! taken before a cheaper one that does not, so that there are few.
//!
//! All goes by the canonical order of the network, so that the routes are the same, up to an
//! isomorphism, whatever the names of the nodes and the order in which a file lists them.

mod layers;
mod search;

use crate::topology::canonical::Canonical;
use crate::topology::{Node, Port, Terminal, Topology};
use search::Search;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Most times that all routes are gone through for the sake of few squares of loads. Some 5 do.
const MOST_ROUNDS: usize = 16;
/// More than all channels of a path.
const OVER: u64 = 1 << 32;

/// A route: its ports, and its virtual channel where it keeps to one.
pub type Kept = (Vec<Port>, Option<u32>);

/// Routes of all pairs.
#[derive(Debug)]
pub struct Routes {
    of: HashMap<(Terminal, Terminal), Kept>,
}

/// Cost of a path: channels that would be as loaded as the most loaded one, the increase of the
/// squares of the loads, and the increase of those on its virtual channel.
type Cost = (u64, u64, u64);

/// A pair of terminals, and the switches where they are.
struct Pair {
    source: Terminal,
    sink: Terminal,
    from: Node,
    to: Node,
}

/// A path as channels, and its virtual channel.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Path {
    channels: Vec<usize>,
    layer: usize,
}

impl Routes {
    /// The route of a pair; `None` where there is no path.
    pub fn between(&self, source: Terminal, sink: Terminal) -> Option<&Kept> {
        self.of.get(&(source, sink))
    }

    /// The routes of a network of this order. Those that are `kept` load their channels, and stay as
    /// they are. Where they would take more virtual channels than there may be, each is the first path in
    /// order, looked at from its end, and keeps to no virtual channel.
    pub fn new(
        topology: &dyn Topology,
        order: &Canonical,
        mut kept: impl FnMut(Terminal, Terminal) -> Option<Vec<Port>>,
    ) -> Self {
        let mut search = Search::new(topology, order);
        let in_order = |mut all: Vec<Terminal>| {
            all.sort_by_key(|&terminal| order.terminal(terminal));
            all
        };
        let sinks = in_order(topology.sinks().collect());
        let (mut pairs, mut fixed) = (Vec::new(), Vec::new());
        for source in in_order(topology.sources().collect()) {
            for &sink in &sinks {
                if let (Some((from, _)), Some((to, _))) =
                    (topology.source(source), topology.sink(sink))
                    && topology.sends_to(source, sink)
                    && search.is_reached(from, to)
                {
                    let pair = Pair { source, sink, from, to };
                    match kept(source, sink) {
                        Some(ports) => fixed.push((pair, search.walk(from, &ports))),
                        None => pairs.push(pair),
                    }
                }
            }
        }
        let ports = usize::from(topology.ports());
        let port = |channel: usize| Port((channel % ports) as u8);
        let route = |channels: &[usize]| -> Vec<Port> {
            channels.iter().map(|&channel| port(channel)).collect()
        };
        let stay: Option<Vec<Path>> =
            fixed.iter().map(|(_, channels)| search.place(vec![channels.clone()])).collect();
        let chosen = stay.and_then(|stay| Some((stay, search.balanced(&pairs)?)));
        let mut of = HashMap::new();
        let mut put = |pair: &Pair, kept: Kept| of.insert((pair.source, pair.sink), kept);
        match chosen {
            Some((stay, paths)) => {
                let all = fixed.iter().map(|(pair, _)| pair).zip(&stay);
                for (pair, path) in all.chain(pairs.iter().zip(&paths)) {
                    put(pair, (route(&path.channels), Some(path.layer as u32)));
                }
            }
            None => {
                for pair in &pairs {
                    put(pair, (route(&search.first(pair)), None));
                }
                for (pair, channels) in &fixed {
                    put(pair, (route(channels), None));
                }
            }
        }
        Self { of }
    }
}

impl Search<'_> {
    /// A path for each pair; `None` where they would take too many virtual channels.
    fn balanced(&mut self, pairs: &[Pair]) -> Option<Vec<Path>> {
        let mut paths = Vec::new();
        for pair in pairs {
            let candidates = self.candidates(pair);
            paths.push(self.place(candidates)?);
        }
        self.improve(pairs, &mut paths);
        Some(paths)
    }

    /// Gives one route after another a cheaper path, as long as that helps: first for few squares of
    /// loads, which evens them out, and then for few channels of the largest load.
    fn improve(&mut self, pairs: &[Pair], paths: &mut [Path]) {
        for _ in 0..MOST_ROUNDS {
            if !self.round(pairs, paths, |_| true, |load| (0, 2 * load + 1), |cost| cost) {
                break;
            }
        }
        loop {
            let most = self.most_load();
            // None may become the new largest.
            let of = |load: u64| match (load + 1).cmp(&most) {
                Ordering::Less => (0, 2 * load + 1),
                Ordering::Equal => (1, 2 * load + 1),
                Ordering::Greater => (OVER, 2 * load + 1),
            };
            // Each change leaves fewer channels of that load, so this ends.
            if !self.round(pairs, paths, |load| load >= most, of, |cost| (cost.0, 0, 0)) {
                break;
            }
        }
    }

    /// Looks once for a cheaper path for each route over a channel of a load that `concerns`; says whether
    /// some route got one. A channel costs what `of` says of its load; cheaper is what `counts` of the
    /// cost is.
    fn round(
        &mut self,
        pairs: &[Pair],
        paths: &mut [Path],
        concerns: impl Fn(u64) -> bool,
        of: impl Fn(u64) -> (u64, u64),
        counts: impl Fn(Cost) -> Cost,
    ) -> bool {
        let mut changed = false;
        for (pair, path) in pairs.iter().zip(paths) {
            if self.is_worn_out() {
                return false;
            }
            if !path.channels.iter().any(|&channel| concerns(self.load(channel))) {
                continue;
            }
            self.take(path);
            let mut least = self.cost(path, &of);
            for layer in 0..self.layer_count() {
                if let Some(other) = self.cheapest_in(pair, layer, &of) {
                    let cost = self.cost(&other, &of);
                    if counts(cost) < counts(least) {
                        (*path, least, changed) = (other, cost, true);
                    }
                }
            }
            self.put(path);
        }
        changed
    }
}
