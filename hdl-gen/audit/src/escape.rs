//! Escape channels: where packets choose, in wormholes.
//!
//! Duato's condition: wherever a packet is, it may take an escape channel; and the escape channels that
//! are next from one, or next after others that are none, have greater numbers (Duato, "A new theory of
//! deadlock-free adaptive routing in wormhole networks", 1993). Queues hold flits of one packet at a
//! time.

use crate::model::Routed;
use crate::traffic::Traffic;
use crate::waits::Waits;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// Sets of escape channels that are tried at most.
const MOST_TRIED: usize = 64;
/// Steps of a search for what is next after channels that are no escape channels.
const MOST_STEPS: usize = 200_000_000;

/// Escape channels, marked, and numbers of all resources, as Duato's condition asks; `None` where none
/// are found.
pub fn escape(routed: &Routed, traffic: &Traffic, waits: &Waits) -> Option<(Vec<bool>, Vec<u32>)> {
    let mut steps = 0;
    candidates(routed).into_iter().take(MOST_TRIED).find_map(|escape| {
        let waits = Extended::new(routed, traffic, waits, &escape, &mut steps)?;
        Some((escape, waits.numbers()?))
    })
}

/// Sets of channels that may be escape channels: those of some virtual channels of each link, few first.
fn candidates(routed: &Routed) -> Vec<Vec<bool>> {
    let vcs = 1 + routed.channels.iter().map(|channel| channel.vc).max().unwrap_or(0);
    let vcs = vcs.min(16);
    let mut sets: Vec<u32> = (1..(1u32 << vcs) - 1).collect();
    sets.sort_by_key(|set| (set.count_ones(), *set));
    let of =
        |set: u32| routed.channels.iter().map(|c| c.vc < vcs && set >> c.vc & 1 == 1).collect();
    sets.into_iter().map(of).collect()
}

/// Waits of escape channels for escape channels.
struct Extended {
    resources: u32,
    edges: FxHashSet<(u32, u32)>,
}

impl Extended {
    /// The waits where each packet has an escape channel next; `None` where one has none, or it takes
    /// too long.
    fn new(
        routed: &Routed,
        traffic: &Traffic,
        waits: &Waits,
        escape: &[bool],
        steps: &mut usize,
    ) -> Option<Self> {
        let mut this = Self { resources: waits.resources, edges: FxHashSet::default() };
        let can = |next: &[u32]| next.iter().any(|&next| escape[next as usize]);
        let mut seen = vec![0u32; routed.channels.len()];
        let mut met = vec![0u32; routed.channels.len()];
        let (mut walk, mut search) = (0, 0);
        for class in 0..traffic.class_count() {
            for (destination, terminal) in (0..).zip(&routed.terminals) {
                let Some(sink) = terminal.sink else { continue };
                walk += 1;
                let own_sink = waits.sink(destination, class as u32);
                let waits_there = waits.waits_at(destination, class as u32);
                let mut open = Vec::new();
                let mut held: Vec<(u32, &[u32])> = Vec::new();
                for source in traffic.sources(routed, class, destination) {
                    let Some(switch) = routed.terminals[source as usize].source else { continue };
                    let next = routed.tables.next(routed.injection(class, switch), destination);
                    let before = traffic.classes.get(class).map_or(&[][..], |class| &class.after);
                    for &before in before {
                        let from = waits.sink(source, before as u32);
                        match switch == sink {
                            true if waits_there => drop(this.edges.insert((from, own_sink))),
                            true => {}
                            false => held.push((from, next)),
                        }
                    }
                    if switch != sink {
                        if !can(next) {
                            return None;
                        }
                        open.extend(next);
                    }
                }
                while let Some(channel) = open.pop() {
                    if std::mem::replace(&mut seen[channel as usize], walk) == walk {
                        continue;
                    }
                    if routed.channels[channel as usize].to == sink {
                        if escape[channel as usize] && waits_there {
                            this.edges.insert((channel, own_sink));
                        }
                        continue;
                    }
                    let table = routed.of_channel[channel as usize];
                    let next = routed.tables.next(table, destination);
                    if !can(next) {
                        return None;
                    }
                    open.extend(next);
                    if escape[channel as usize] {
                        held.push((channel, next));
                    }
                }
                for (from, next) in held {
                    search += 1;
                    let mut open = next.to_vec();
                    while let Some(channel) = open.pop() {
                        if std::mem::replace(&mut met[channel as usize], search) == search {
                            continue;
                        }
                        *steps += 1;
                        if *steps > MOST_STEPS {
                            return None;
                        }
                        if escape[channel as usize] {
                            this.edges.insert((from, channel));
                        } else if routed.channels[channel as usize].to == sink {
                            if waits_there {
                                this.edges.insert((from, own_sink));
                            }
                        } else {
                            let table = routed.of_channel[channel as usize];
                            open.extend(routed.tables.next(table, destination));
                        }
                    }
                }
            }
        }
        Some(this)
    }

    /// Numbers in which all waits ascend; `None` where they close a cycle.
    fn numbers(&self) -> Option<Vec<u32>> {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..self.resources {
            graph.add_node(());
        }
        for &(from, to) in &self.edges {
            graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), ());
        }
        let order = toposort(&graph, None).ok()?;
        let mut numbers = vec![0; self.resources as usize];
        (0..).zip(order).for_each(|(number, node)| numbers[node.index()] = number);
        Some(numbers)
    }
}
