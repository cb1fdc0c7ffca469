//! Deadlock freedom: the channel dependency graph, and either a numbering of the channels in
//! which every route ascends or a concrete cycle.
//!
//! What makes the numbering enough for the hardware as built (wormhole switching, queues that
//! may hold flits of several packets, packets longer than a queue):
//! - a packet holds an (output, VC) from its first flit to its last, and waits for nothing but
//!   the next (output, VC) on its route: that is an edge of the graph;
//! - VCs share a link flit by flit, so no VC waits for another VC of the same link;
//! - `eject` is held by whole packets, and waits for the sink alone, which drains.
//!
//! Message classes ([`turnpike_network::flows::classes`]) have channels of their own. The numbers of a
//! class are above those of the classes that it comes after: so a packet that waits at a terminal for
//! one of a later class to be sent waits for higher numbers, too.
//!
//! Of an adaptive relation the escape channels are numbered. That is enough because beside the
//! above
//! - a packet on an adaptive VC or at injection may take its escape channel as well, and of the
//!   cycles in which any channel that it may take is free and has room it is given one within a
//!   bounded number; from an escape channel it never comes back: so the occupied escape channel
//!   with the highest number moves on, or else, where all are empty and stay so, any packet at
//!   the head of a queue is given its own or another;
//! - the head of a waiting packet is at the head of its queue: adaptive queues hold flits of one
//!   packet only (their `ready` says so).
//!
//! Of an adaptive relation without escape channels all channels are numbered, and each hop that a
//! packet may choose is an edge. A packet waits for any of several channels then, all of higher
//! numbers than the one it holds, so the occupied channel with the highest number moves on.

use crate::symmetry::Symmetry;
use crate::turns::{Turns, Witness};
use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use serde::Serialize;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use turnpike_network::routing::{Draw, Input, Output, Vc};
use turnpike_network::topology::entering::Entering;
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// Numbers for channels such that every route ascends. The independent checker is in
/// [`crate::certificate`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Certificate {
    /// Whether a number holds at every node of the orbit of its own (the quotient by
    /// translations: a cycle of the quotient lifts to a cycle of the network, so nothing is
    /// lost).
    pub by_translation: bool,
    /// Whether a number holds at every node whose coordinate in the dimension of the port is that of
    /// its own: the numbers are those of one row per dimension ([`crate::rows`]).
    pub by_row: bool,
    pub numbers: Vec<ChannelNumber>,
}

impl Certificate {
    /// Whether a number holds for its port at every node: one node stands for all.
    pub fn every_node(&self) -> bool {
        self.by_translation && self.numbers.windows(2).all(|pair| pair[0].from == pair[1].from)
    }
}

/// One line of a [`Certificate`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChannelNumber {
    /// The node that the channel leaves, or the one that stands for it.
    pub from: Node,
    /// The output port it leaves by.
    pub output: Port,
    /// The virtual channel.
    pub vc: Vc,
    /// Place of the channel in the order.
    pub number: u32,
}

/// A cycle of channels, each waiting for the next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cycle {
    /// The channels in order; the last waits for the first.
    pub channels: Vec<WaitingChannel>,
}

/// One channel of a [`Cycle`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitingChannel {
    /// The node that the channel leaves.
    pub from: Node,
    /// The output port it leaves by.
    pub output: Port,
    /// The virtual channel.
    pub vc: Vc,
    /// A packet that holds this channel and waits for the next one.
    pub source: Terminal,
    /// Destination of the packet.
    pub destination: Terminal,
    /// Draw of the packet's source.
    pub draw: Draw,
}

/// Verdict of the dependency graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadlockVerdict {
    /// No cycle.
    Free(Certificate),
    Cyclic(Cycle),
}

type Channel = (Node, Port, Vc);

/// The dependency graph over (channel, VC), or its quotient by translations.
struct Dependencies {
    graph: DiGraph<Channel, Witness>,
    /// By vertex: the rank of the message class that uses the channel; 0 where there are no classes.
    ranks: Vec<u32>,
}

impl Dependencies {
    fn build(
        topology: &dyn Topology,
        entering: &Entering,
        turns: &Turns,
        symmetry: &Symmetry,
        numbered: impl Fn(Vc) -> bool,
    ) -> Self {
        let mut graph = DiGraph::new();
        let mut ranks = Vec::new();
        let flows = topology.flows().filter(|flows| !flows.classes().is_empty());
        let rank_of = |(from, ..): Channel, witness: &Witness| {
            let Some(flows) = flows else { return 0 };
            let classes = flows.classes();
            // A witness is of any switch that is built like this one, in a network beside it, too.
            let class = match flows.are_separate() {
                true => (from.0 / (topology.nodes() / classes.len() as u32)) as usize,
                false => flows.class_of(witness.source),
            };
            classes[class].rank
        };
        let mut index: BTreeMap<Channel, NodeIndex> = BTreeMap::new();
        for &at in symmetry.sites() {
            for (turn, witness) in &turns.classes[turns.class_of(at)].turns {
                let Output::Network(output) = turn.output else { continue };
                if !numbered(turn.output_vc) {
                    continue;
                }
                let mut vertex = |c| {
                    *index.entry(c).or_insert_with(|| {
                        ranks.push(rank_of(c, witness));
                        graph.add_node(c)
                    })
                };
                let to = vertex((at, output, turn.output_vc));
                let Input::Network(input) = turn.input else { continue };
                if !numbered(turn.input_vc) {
                    continue;
                }
                let channel = entering.channel(at, input);
                let (from, port) = channel.expect("packets come by a channel");
                let from = vertex((symmetry.site(topology, from), port, turn.input_vc));
                graph.add_edge(from, to, *witness);
            }
        }
        Self { graph, ranks }
    }

    /// Numbers of the channels; `None` where there is a cycle.
    fn certificate(&self, symmetry: &Symmetry) -> Option<Certificate> {
        let mut order = toposort(&self.graph, None).ok()?;
        // No edge leads from class to class: each keeps its order. A terminal that waits to send
        // a message of a class holds up those of classes before it, with lower numbers.
        order.sort_by_key(|vertex| self.ranks[vertex.index()]);
        let mut numbers: Vec<_> = order
            .iter()
            .enumerate()
            .map(|(number, &v)| {
                let (from, output, vc) = self.graph[v];
                ChannelNumber { from, output, vc, number: number as u32 }
            })
            .collect();
        numbers.sort_unstable_by_key(|n| (n.from, n.output, n.vc));
        let by_translation = symmetry.is_by_translation();
        Some(Certificate { by_translation, by_row: false, numbers })
    }
}

/// A shortest cycle of the smallest component that has one, as vertices in order.
pub(crate) fn shortest_cycle<N, E>(graph: &DiGraph<N, E>) -> Option<Vec<NodeIndex>> {
    let component = tarjan_scc(graph)
        .into_iter()
        .filter(|c| c.len() > 1 || graph.contains_edge(c[0], c[0]))
        .min_by_key(Vec::len)?;
    component.iter().filter_map(|&start| shortest_return(graph, start)).min_by_key(Vec::len)
}

fn shortest_return<N, E>(graph: &DiGraph<N, E>, start: NodeIndex) -> Option<Vec<NodeIndex>> {
    let mut before: HashMap<NodeIndex, NodeIndex> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        let mut next: Vec<_> = graph.neighbors(at).collect();
        next.sort_unstable();
        for to in next {
            if to == start {
                let mut path = vec![at];
                while path[path.len() - 1] != start {
                    path.push(before[&path[path.len() - 1]]);
                }
                path.reverse();
                return Some(path);
            }
            if let Entry::Vacant(entry) = before.entry(to) {
                entry.insert(at);
                queue.push_back(to);
            }
        }
    }
    None
}

/// Builds the dependency graph of `turns` and decides. The graph is the quotient by the
/// translations of `symmetry`: as many vertices as its sites have (port, VC)s. Channels of VCs
/// that are not `numbered` are adaptive and left out ([`turnpike_network::routing::choice`]): the turns from them
/// enter the escape channels as injection does.
pub fn decide(
    topology: &dyn Topology,
    entering: &Entering,
    turns: &Turns,
    symmetry: &Symmetry,
    numbered: impl Fn(Vc) -> bool,
) -> DeadlockVerdict {
    let dependencies = Dependencies::build(topology, entering, turns, symmetry, numbered);
    match dependencies.certificate(symmetry) {
        Some(certificate) => DeadlockVerdict::Free(certificate),
        None => {
            let cycle = shortest_cycle(&dependencies.graph);
            let cycle = cycle.expect("a graph without an order has a cycle");
            DeadlockVerdict::Cyclic(lift(topology, &dependencies, &cycle, symmetry))
        }
    }
}

/// The certificate of [`decide`]; `None` where there is a cycle, which is not looked for.
pub(crate) fn certify(
    topology: &dyn Topology,
    entering: &Entering,
    turns: &Turns,
    symmetry: &Symmetry,
    numbered: impl Fn(Vc) -> bool,
) -> Option<Certificate> {
    Dependencies::build(topology, entering, turns, symmetry, numbered).certificate(symmetry)
}

/// The cycle in the network itself. Going round the quotient's cycle once may end at another
/// node; translations have finite order, so going round again closes it.
fn lift(
    topology: &dyn Topology,
    dependencies: &Dependencies,
    cycle: &[NodeIndex],
    symmetry: &Symmetry,
) -> Cycle {
    let graph = &dependencies.graph;
    let start = graph[cycle[0]].0;
    let mut at = start;
    let mut channels = Vec::new();
    loop {
        for (i, &vertex) in cycle.iter().enumerate() {
            let next = cycle[(i + 1) % cycle.len()];
            let edge = graph.find_edge(vertex, next).expect("neighbours on a cycle are joined");
            let witness = graph[edge];
            let (_, output, vc) = graph[vertex];
            let from = at;
            let (to, _) = topology.channel(from, output).expect("dependencies are of channels");
            // The witness takes the turn at `witness.at`; move it so that it is `to`.
            let moved = |end| symmetry.moved_terminal(topology, end, witness.at, to);
            channels.push(WaitingChannel {
                from,
                output,
                vc,
                source: moved(witness.source),
                destination: moved(witness.destination),
                draw: witness.draw,
            });
            at = to;
        }
        if at == start {
            return Cycle { channels };
        }
    }
}
