//! Packets that wait for each other for ever: as few as are found.

use crate::cycles::Graph;
use crate::model::Routed;
use crate::traffic::Traffic;
use crate::waits::{State, Waits, way_to};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A packet of a deadlock, in the queue of a channel; or a terminal that took a message, and waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Resource that is full.
    pub resource: u32,
    /// Resources of which the packet takes one next, all of them full.
    pub next: Vec<u32>,
    /// Message class of the packet, or of what the terminal sends.
    pub class: u32,
    /// Source of the packet, or the terminal.
    pub source: u32,
    /// Destination of the packet, or of what the terminal sends.
    pub destination: u32,
    /// Channels by which the packet comes to the resource, that one included; none at a terminal.
    pub way: Vec<u32>,
}

/// A deadlock among the resources that stay full: a cycle where packets have one next channel each.
pub fn held(routed: &Routed, traffic: &Traffic, waits: &Waits, stuck: &[bool]) -> Vec<Held> {
    let is_stuck = |resource: &u32| stuck[*resource as usize];
    let blocked = |state: &&State| is_stuck(&state.resource) && state.next.iter().all(is_stuck);
    let blocked: Vec<&State> = waits.states.iter().filter(blocked).collect();
    let simple: Vec<&State> =
        blocked.iter().copied().filter(|state| state.next.len() == 1).collect();
    let edges = simple.iter().map(|state| (state.resource, state.next[0]));
    let chosen = match Graph::new(waits.resources, edges).shortest() {
        Some(cycle) => cycle.into_iter().map(|at| simple[at as usize]).collect(),
        None => closed(&blocked, waits.resources),
    };
    chosen.into_iter().map(|state| in_words(routed, traffic, waits, state)).collect()
}

fn in_words(routed: &Routed, traffic: &Traffic, waits: &Waits, state: &State) -> Held {
    let State { resource, ref next, class, destination } = *state;
    let (source, way) = match waits.terminal(resource) {
        Some((terminal, _)) => (terminal, Vec::new()),
        // A state was met on the way of a packet.
        None => way_to(routed, traffic, class, destination, resource).unwrap_or_default(),
    };
    Held { resource, next: next.to_vec(), class, source, destination, way }
}

/// A set of states, one for each resource in it, whose next resources are all in it: the smallest of
/// those that are found with a state of fewest next resources for each.
fn closed<'a>(states: &[&'a State], resources: u32) -> Vec<&'a State> {
    let mut fewest: Vec<Option<&State>> = vec![None; resources as usize];
    for &state in states {
        let own = &mut fewest[state.resource as usize];
        if own.is_none_or(|own| state.next.len() < own.next.len()) {
            *own = Some(state);
        }
    }
    let chosen: Vec<&State> = fewest.iter().copied().flatten().collect();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..resources {
        graph.add_node(());
    }
    for state in &chosen {
        for &next in &state.next {
            let [from, to] = [state.resource, next].map(|at| NodeIndex::new(at as usize));
            graph.add_edge(from, to, ());
        }
    }
    let mut component = vec![0; resources as usize];
    let parts = kosaraju_scc(&graph);
    for (number, part) in (0..).zip(&parts) {
        part.iter().for_each(|node| component[node.index()] = number);
    }
    let is_closed = |part: &&Vec<NodeIndex>| {
        let leads_on = |node: &NodeIndex| {
            let own = fewest[node.index()];
            own.is_some_and(|own| {
                let inside = |&next: &u32| component[next as usize] == component[node.index()];
                own.next.iter().all(inside)
            })
        };
        part.iter().all(leads_on)
    };
    let smallest = parts.iter().filter(is_closed).min_by_key(|part| part.len());
    let mut part: Vec<usize> = smallest.into_iter().flatten().map(|node| node.index()).collect();
    part.sort_unstable();
    part.into_iter().filter_map(|at| fewest[at]).collect()
}
