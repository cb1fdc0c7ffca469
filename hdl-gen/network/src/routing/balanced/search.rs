//! The search for paths: loads, and the cheapest path of a pair.

use super::layers::Layers;
use super::{Cost, Pair, Path};
use crate::routing::MAX_VCS;
use crate::topology::canonical::Canonical;
use crate::topology::entering::Entering;
use crate::topology::{Node, Port, Topology};
use std::collections::HashMap;

/// Most paths of a pair that are all looked at.
const MOST_PATHS: usize = 64;
/// Steps from channel to channel after which routes are not improved any more: some seconds.
const MOST_WORK: u64 = 1 << 29;

/// A channel that ends at a node.
#[derive(Clone, Copy, Debug)]
struct Last {
    from: Node,
    /// The channel's number, by node and port.
    channel: usize,
}

/// State of the search for routes.
#[derive(Debug)]
pub(super) struct Search<'a> {
    topology: &'a dyn Topology,
    /// By node, the channels that end there, in the canonical order.
    last: Vec<Vec<Last>>,
    /// By source node: how far each node is.
    distances: HashMap<Node, Vec<u32>>,
    /// By channel: how many routes use it; and the same by virtual channel.
    loads: Vec<u64>,
    by_layer: Vec<[u64; MAX_VCS as usize]>,
    layers: Layers,
    /// By node: whether it is on a shortest path of the pair that is looked at.
    is_on: Vec<bool>,
    /// By channel, on such paths: what the cheapest path that ends with it costs, and the channel before
    /// it.
    best: Vec<Option<(Cost, Option<usize>)>>,
    work: u64,
}

impl<'a> Search<'a> {
    /// No routes yet.
    pub fn new(topology: &'a dyn Topology, order: &Canonical) -> Self {
        let entering = Entering::of(topology);
        let ports = usize::from(topology.ports());
        let last = |node| {
            let mut channels = entering.channels(node).to_vec();
            channels.sort_by_key(|channel| (order.place(channel.from), channel.output));
            let number = |node: Node, port: Port| node.0 as usize * ports + usize::from(port.0);
            let channels = channels.into_iter();
            channels
                .map(|c| Last { from: c.from, channel: number(c.from, c.output) })
                .collect::<Vec<Last>>()
        };
        let nodes = topology.nodes() as usize;
        Self {
            topology,
            last: topology.all_nodes().map(last).collect(),
            distances: HashMap::new(),
            loads: vec![0; nodes * ports],
            by_layer: vec![[0; MAX_VCS as usize]; nodes * ports],
            layers: Layers::new(nodes * ports, ports),
            is_on: vec![false; nodes],
            best: vec![None; nodes * ports],
            work: 0,
        }
    }

    /// Whether there is a path.
    pub fn is_reached(&mut self, from: Node, to: Node) -> bool {
        let topology = self.topology;
        let distances = self.distances.entry(from).or_insert_with(|| topology.distances(from));
        distances[to.0 as usize] != u32::MAX
    }

    /// The channels of a route.
    pub fn walk(&self, from: Node, route: &[Port]) -> Vec<usize> {
        let mut at = from;
        let channel = |&port: &Port| {
            let channel = at.0 as usize * usize::from(self.topology.ports()) + usize::from(port.0);
            at = self.topology.channel(at, port).map_or(at, |(to, _)| to);
            channel
        };
        route.iter().map(channel).collect()
    }

    /// Whether enough was done.
    pub fn is_worn_out(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Number of virtual channels.
    pub fn layer_count(&self) -> usize {
        self.layers.count()
    }

    /// Number of routes that use a channel.
    pub fn load(&self, channel: usize) -> u64 {
        self.loads[channel]
    }

    /// Greatest load of a channel, in routes.
    pub fn most_load(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// Loads the channels of a path.
    pub fn put(&mut self, path: &Path) {
        for &channel in &path.channels {
            self.loads[channel] += 1;
            self.by_layer[channel][path.layer] += 1;
        }
    }

    /// Takes a path's load away.
    pub fn take(&mut self, path: &Path) {
        for &channel in &path.channels {
            self.loads[channel] -= 1;
            self.by_layer[channel][path.layer] -= 1;
        }
    }

    /// Cost of a channel on a virtual channel.
    fn channel_cost(&self, channel: usize, layer: usize, of: impl Fn(u64) -> (u64, u64)) -> Cost {
        let (over, squares) = of(self.loads[channel]);
        (over, squares, 2 * self.by_layer[channel][layer] + 1)
    }

    /// Cost of a path whose channels cost what `of` gives for their loads.
    pub fn cost(&self, path: &Path, of: impl Fn(u64) -> (u64, u64)) -> Cost {
        let costs = path.channels.iter().map(|&c| self.channel_cost(c, path.layer, &of));
        costs.fold((0, 0, 0), plus)
    }

    /// Takes the first of these paths that fits into some virtual channel, the least used one first;
    /// else the first of all into a new one. `None` where there would be too many of them. There is
    /// one path or more.
    pub fn place(&mut self, candidates: Vec<Vec<usize>>) -> Option<Path> {
        let mut first = None;
        for channels in candidates {
            let used = |layer: &usize| -> u64 {
                channels.iter().map(|&channel| self.by_layer[channel][*layer]).sum()
            };
            let mut order: Vec<usize> = (0..self.layers.count()).collect();
            order.sort_by_key(used);
            if let Some(layer) = order.into_iter().find(|&l| self.layers.add(l, &channels)) {
                let path = Path { channels, layer };
                self.put(&path);
                return Some(path);
            }
            first.get_or_insert(channels);
        }
        let channels = first.filter(|_| self.layers.open())?;
        let layer = self.layers.count() - 1;
        self.layers.add(layer, &channels);
        let path = Path { channels, layer };
        self.put(&path);
        Some(path)
    }

    /// Paths of a pair, the cheapest first: all of them where they are few, else the cheapest of all and
    /// the cheapest that each virtual channel has without another wait.
    pub fn candidates(&mut self, pair: &Pair) -> Vec<Vec<usize>> {
        let squares = |load: u64| (0, 2 * load + 1);
        let mut paths = match self.all(pair) {
            Some(all) => all,
            None => {
                let mut some = vec![self.cheapest(pair, 0, squares, |_, _| true)];
                for layer in 0..self.layers.count() {
                    some.push(self.cheapest_in(pair, layer, squares).map(|path| path.channels));
                }
                some.into_iter().flatten().collect()
            }
        };
        paths.sort_by_cached_key(|channels| {
            channels.iter().map(|&channel| squares(self.loads[channel]).1).sum::<u64>()
        });
        paths
    }

    /// The first path of a pair in the canonical order, looked at from its end.
    pub fn first(&mut self, pair: &Pair) -> Vec<usize> {
        self.cheapest(pair, 0, |_| (0, 0), |_, _| true).unwrap_or_default()
    }

    /// The cheapest path of a pair that adds no wait to a virtual channel.
    pub fn cheapest_in(
        &mut self,
        pair: &Pair,
        layer: usize,
        of: impl Fn(u64) -> (u64, u64),
    ) -> Option<Path> {
        let may_follow = |layers: &Layers, wait: [usize; 2]| layers.waits(layer, wait[0], wait[1]);
        let channels = self.cheapest(pair, layer, of, may_follow)?;
        Some(Path { channels, layer })
    }

    /// The channels of a pair's shortest paths that end at a node; none at the source.
    fn last(&self, pair: &Pair, node: Node) -> impl Iterator<Item = Last> + '_ {
        let distances = &self.distances[&pair.from];
        let before = distances[node.0 as usize].checked_sub(1);
        let last = self.last[node.0 as usize].iter().copied();
        last.filter(move |last| Some(distances[last.from.0 as usize]) == before)
    }

    /// The cheapest shortest path of a pair whose channels may follow each other, as channels; of several
    /// the first in order, looked at from its end.
    fn cheapest(
        &mut self,
        pair: &Pair,
        layer: usize,
        of: impl Fn(u64) -> (u64, u64),
        may_follow: impl Fn(&Layers, [usize; 2]) -> bool,
    ) -> Option<Vec<usize>> {
        if pair.from == pair.to {
            return Some(Vec::new());
        }
        // The nodes on shortest paths, the farthest from the source first.
        let mut nodes = vec![pair.to];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            for last in self.last(pair, node).collect::<Vec<_>>() {
                if !std::mem::replace(&mut self.is_on[last.from.0 as usize], true) {
                    nodes.push(last.from);
                }
            }
        }
        let mut reached = Vec::new();
        for &node in nodes.iter().rev() {
            for Last { from, channel } in self.last(pair, node).collect::<Vec<_>>() {
                let own = self.channel_cost(channel, layer, &of);
                let mut best = (from == pair.from).then_some((own, None));
                for before in self.last(pair, from).collect::<Vec<_>>() {
                    self.work += 1;
                    let Some((cost, _)) = self.best[before.channel] else { continue };
                    let cost = plus(cost, own);
                    if best.is_none_or(|(least, _)| cost < least)
                        && may_follow(&self.layers, [before.channel, channel])
                    {
                        best = Some((cost, Some(before.channel)));
                    }
                }
                self.best[channel] = best;
                reached.push(channel);
            }
        }
        let ends = self.last(pair, pair.to);
        let ends = ends.filter_map(|last| Some((self.best[last.channel]?.0, last.channel)));
        let mut least: Option<(Cost, usize)> = None;
        for end in ends {
            if least.is_none_or(|(cost, _)| end.0 < cost) {
                least = Some(end);
            }
        }
        let mut path: Vec<usize> = Vec::new();
        let mut at = least.map(|(_, channel)| channel);
        while let Some(channel) = at {
            path.push(channel);
            at = self.best[channel].and_then(|(_, before)| before);
        }
        path.reverse();
        reached.into_iter().for_each(|channel| self.best[channel] = None);
        nodes.into_iter().for_each(|node| self.is_on[node.0 as usize] = false);
        least.map(|_| path)
    }

    /// All shortest paths of a pair, in the canonical order; `None` where there are too many.
    fn all(&self, pair: &Pair) -> Option<Vec<Vec<usize>>> {
        let mut open = vec![(pair.to, Vec::new())];
        let mut found = Vec::new();
        while let Some((node, after)) = open.pop() {
            if node == pair.from {
                found.push(after.iter().rev().copied().collect());
                if found.len() > MOST_PATHS {
                    return None;
                }
                continue;
            }
            let before = self.last(pair, node).map(|last| {
                let mut channels: Vec<usize> = after.clone();
                channels.push(last.channel);
                (last.from, channels)
            });
            open.extend(before.collect::<Vec<_>>());
        }
        Some(found)
    }
}

fn plus(one: Cost, other: Cost) -> Cost {
    (one.0 + other.0, one.1 + other.1, one.2 + other.2)
}
