//! Up*/down*: from a root by breadth-first search, every route goes up, towards the root, and then
//! down, and never up again (Schroeder et al., Autonet, IEEE J. Selected Areas in Communications
//! 9(8), 1991). So it is free of deadlock with one VC on any network whose links go both ways.
//!
//! A switch looks the destination up. It sends a packet down where a way down is there, on a
//! shortest one, and up otherwise, where the whole way is shortest. What it does is the same
//! whichever way the packet came.

use super::hop_by_hop::HopByHop;
use super::{Build, Built, Output, RelationKind, RoutingError};
use crate::topology::{Node, Port, Structure, Terminal, Topology};
use std::collections::{BTreeSet, VecDeque};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "up-down",
    routes: |network| matches!(network, Structure::Grid(_) | Structure::Given),
    summary: "up to a root and down again, by table at each switch; links go both ways",
    source: "Schroeder et al., Autonet, IEEE J. Selected Areas in Communications 9(8), 1991",
    build: Build::Fixed(build),
};

/// Channels looked at in search of a root, at most; the first root is looked at in any case.
const MOST_WORK: u64 = 100_000_000;
/// Entries of the tables of all switches, an address each, at most.
const MOST_ENTRIES: u64 = 1 << 24;

fn build(topology: &dyn Topology) -> Built {
    let entries = u64::from(topology.nodes()) << topology.address_bits();
    if entries > MOST_ENTRIES {
        let (name, most) = (KIND.name.to_owned(), MOST_ENTRIES);
        return Err(RoutingError::Entries { name, entries, most });
    }
    let links = Links::new(topology)?;
    let ways = links.best();
    let way = |node: Node, destination: Terminal| {
        let (sink, _) = topology.sink(destination)?;
        match sink == node {
            true => Output::of(topology, destination).map(|(_, output)| output),
            false => ways.port(node, sink).map(Output::Network),
        }
    };
    let relation = HopByHop::by_address(topology, KIND.name, false, way);
    Ok(relation.expect("from every switch there is a way to every terminal"))
}

/// The ends of a channel without one back; `None` where all links go both ways.
pub(super) fn one_way(topology: &dyn Topology) -> Option<[Node; 2]> {
    let ends = |from| {
        let ends = (0..topology.ports()).filter_map(move |port| topology.channel(from, Port(port)));
        ends.map(move |(to, _)| (from, to))
    };
    let pairs: BTreeSet<(Node, Node)> = topology.all_nodes().flat_map(ends).collect();
    let one = pairs.iter().find(|&&(from, to)| !pairs.contains(&(to, from)));
    one.map(|&(from, to)| [from, to])
}

/// The links of a network, by node: ports and where they lead.
struct Links {
    out: Vec<Vec<(Port, usize)>>,
    /// Nodes where packets leave, with how many terminals take packets there.
    sinks: Vec<(usize, u64)>,
    /// Terminals that send, by node.
    senders: Vec<u64>,
}

/// Hops under one root: by destination node and node, the port; `None` where no packet comes.
struct Ways {
    nodes: usize,
    ports: Vec<Option<Port>>,
    /// Channels of all routes together.
    cost: u64,
}

impl Ways {
    fn port(&self, node: Node, sink: Node) -> Option<Port> {
        self.ports[sink.0 as usize * self.nodes + node.0 as usize]
    }
}

impl Links {
    /// # Errors
    /// [`RoutingError::OneWay`] for a channel without one back, [`RoutingError::Disconnected`] for
    /// terminals without a path.
    fn new(topology: &dyn Topology) -> Result<Self, RoutingError> {
        let ports = || (0..topology.ports()).map(Port);
        let end = |from, port| topology.channel(from, port).map(|(to, _)| (port, to.0 as usize));
        let out: Vec<Vec<(Port, usize)>> = topology
            .all_nodes()
            .map(|from| ports().filter_map(|port| end(from, port)).collect())
            .collect();
        if let Some(nodes) = one_way(topology) {
            let [from, to] = nodes.map(|node| topology.label(node));
            return Err(RoutingError::OneWay { name: KIND.name, from, to });
        }
        let mut senders = vec![0; out.len()];
        let mut sinks = vec![0; out.len()];
        let places = topology.sources().filter_map(|terminal| topology.source(terminal));
        places.for_each(|(node, _)| senders[node.0 as usize] += 1);
        let places = topology.sinks().filter_map(|terminal| topology.sink(terminal));
        places.for_each(|(node, _)| sinks[node.0 as usize] += 1);
        let sinks = sinks.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
        let links = Self { out, sinks, senders };
        links.connected(topology)?;
        Ok(links)
    }

    /// Channels from a node to every other.
    fn levels(&self, root: usize) -> Vec<Option<u32>> {
        let mut levels = vec![None; self.out.len()];
        levels[root] = Some(0);
        let mut open = VecDeque::from([(root, 0)]);
        while let Some((node, level)) = open.pop_front() {
            for &(_, to) in &self.out[node] {
                if levels[to].is_none() {
                    levels[to] = Some(level + 1);
                    open.push_back((to, level + 1));
                }
            }
        }
        levels
    }

    fn connected(&self, topology: &dyn Topology) -> Result<(), RoutingError> {
        let first =
            topology.sources().next().and_then(|first| Some((first, topology.source(first)?)));
        let Some((first, (node, _))) = first else { return Ok(()) };
        let levels = self.levels(node.0 as usize);
        let apart = |terminal: &Terminal| {
            let place = topology.sink(*terminal).or(topology.source(*terminal));
            place.is_some_and(|(node, _)| levels[node.0 as usize].is_none())
        };
        match topology.all_terminals().find(apart) {
            None => Ok(()),
            Some(other) => Err(RoutingError::disconnected(topology, first, other)),
        }
    }

    /// The ways under the root whose routes are shortest in all, of those that are tried: the nodes
    /// nearest to all others first, as many as [`MOST_WORK`] allows.
    fn best(&self) -> Ways {
        let total = |levels: &[Option<u32>]| -> u64 {
            let reached = levels.iter().zip(&self.senders);
            let far = |(level, &senders): (&Option<u32>, &u64)| {
                level.map_or(0, |level| u64::from(level) * senders.max(1))
            };
            reached.map(far).sum()
        };
        // A node of a part of the network without terminals is no root.
        let live =
            |levels: &[Option<u32>]| self.sinks.iter().all(|&(sink, _)| levels[sink].is_some());
        let near = |root: usize| {
            let levels = self.levels(root);
            live(&levels).then(|| (total(&levels), root))
        };
        let mut roots: Vec<(u64, usize)> = (0..self.out.len()).filter_map(near).collect();
        roots.sort_unstable();
        let channels: usize = self.out.iter().map(Vec::len).sum();
        let each = (channels * self.sinks.len()).max(1) as u64;
        let tried = (MOST_WORK / each).max(1) as usize;
        let ways = roots.into_iter().take(tried).map(|(_, root)| self.ways(&self.levels(root)));
        ways.min_by_key(|ways| ways.cost).expect("terminals reach each other: each is at a root")
    }

    /// The ways under a root, whose levels these are.
    fn ways(&self, levels: &[Option<u32>]) -> Ways {
        let nodes = self.out.len();
        let up = |from: usize, to: usize| (levels[to], to) < (levels[from], from);
        // From the root outwards: nodes above come before those below.
        let mut order: Vec<usize> = (0..nodes).filter(|&node| levels[node].is_some()).collect();
        order.sort_by_key(|&node| (levels[node], node));
        let mut found = Ways { nodes, ports: vec![None; nodes * nodes], cost: 0 };
        for &(sink, takers) in &self.sinks {
            // Channels to go, and whether all lead down.
            let mut left: Vec<Option<(u32, bool)>> = vec![None; nodes];
            left[sink] = Some((0, true));
            let mut go = |node: usize, left: &mut Vec<Option<(u32, bool)>>, upward: bool| {
                let ends = self.out[node].iter().filter(|&&(_, to)| up(node, to) == upward);
                let hops = ends.filter_map(|&(port, to)| {
                    let (length, down) = left[to]?;
                    (upward || down).then_some((length + 1, port))
                });
                if let Some((length, port)) = hops.min() {
                    left[node] = Some((length, !upward));
                    found.ports[sink * nodes + node] = Some(port);
                }
            };
            for &node in order.iter().rev().filter(|&&node| node != sink) {
                go(node, &mut left, false);
            }
            for &node in &order {
                if left[node].is_none() {
                    go(node, &mut left, true);
                }
            }
            let length = |node: usize| left[node].map_or(0, |(length, _)| u64::from(length));
            let lengths = (0..nodes).map(|node| length(node) * self.senders[node]);
            found.cost += lengths.sum::<u64>() * takers;
        }
        found
    }
}
