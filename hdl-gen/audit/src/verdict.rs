//! Verdict on a network: numbers that no packets wait against, packets that wait for each other for
//! ever, or neither.
//!
//! What is decided, and by which theorem, is in `docs/audit.md`.

use crate::AuditError;
use crate::deadlock::{self, Held};
use crate::escape::escape;
use crate::model::Routed;
use crate::traffic::Traffic;
use crate::waits::{State, Waits};
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

/// Switching: how a queue takes packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switching {
    /// Flit by flit: a packet may stand in several queues at once.
    #[default]
    Wormhole,
    /// Packet by packet: a queue takes a packet only when it has room for all of it.
    Packets,
}

/// Rule of a certificate: what its numbers promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Each next channel has a greater number: Dally and Seitz. Holds on either switching.
    All,
    /// Some next channel has a greater number, or the packet leaves: Verbeek and Schmaltz. Holds
    /// where queues take whole packets.
    Some,
    /// An escape channel is next, and the next escape channels of one have greater numbers: Duato.
    /// Holds where a queue holds flits of one packet at a time.
    Escape,
}

/// Numbers of the resources of a deadlock-free network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Rule: what the numbers promise.
    pub rule: Rule,
    /// Number of each resource.
    pub numbers: Vec<u32>,
    /// By channel, whether it is an escape channel; of that rule alone.
    pub escape: Vec<bool>,
}

impl Proof {
    /// Condition under which all packets arrive.
    pub fn condition(&self, traffic: &Traffic) -> String {
        let own = match self.rule {
            Rule::All => "",
            Rule::Some => ", and a queue takes a packet only when it has room for all of it",
            Rule::Escape => ", and a queue holds flits of one packet at a time",
        };
        format!("{}{own}", traffic.condition())
    }
}

/// Verdict on a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No packets wait for each other for ever.
    Free(Proof),
    /// Packets that wait for each other for ever.
    Deadlock(Vec<Held>),
    /// Neither was shown.
    Undecided,
}

/// Verdict on a network under its traffic.
///
/// # Errors
/// Tables that do not lead every packet to its destination.
pub fn verdict(
    routed: &Routed,
    traffic: &Traffic,
    switching: Switching,
) -> Result<Verdict, AuditError> {
    let waits = Waits::of(routed, traffic)?;
    Ok(of_waits(routed, traffic, &waits, switching))
}

/// Verdict on waits.
pub fn of_waits(
    routed: &Routed,
    traffic: &Traffic,
    waits: &Waits,
    switching: Switching,
) -> Verdict {
    if let Some(numbers) = in_order(waits) {
        return Verdict::Free(Proof { rule: Rule::All, numbers, escape: Vec::new() });
    }
    let (numbers, stuck) = emptied(waits);
    if stuck.iter().any(|&stuck| stuck) {
        return Verdict::Deadlock(deadlock::held(routed, traffic, waits, &stuck));
    }
    match switching {
        Switching::Packets => {
            Verdict::Free(Proof { rule: Rule::Some, numbers, escape: Vec::new() })
        }
        Switching::Wormhole => match escape(routed, traffic, waits) {
            Some((escape, numbers)) => Verdict::Free(Proof { rule: Rule::Escape, numbers, escape }),
            None => Verdict::Undecided,
        },
    }
}

/// Numbers in which each wait ascends; `None` where waits close a cycle.
fn in_order(waits: &Waits) -> Option<Vec<u32>> {
    let edges = waits.states.iter().flat_map(|state| {
        let from = state.resource;
        state.next.iter().map(move |&to| (from, to))
    });
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(waits.resources as usize, 0);
    for _ in 0..waits.resources {
        graph.add_node(());
    }
    for (from, to) in edges {
        graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), ());
    }
    let order = toposort(&graph, None).ok()?;
    let mut numbers = vec![0; waits.resources as usize];
    (0..).zip(order).for_each(|(number, node)| numbers[node.index()] = number);
    Some(numbers)
}

/// Empties what can be emptied: a resource that is full does not stay so where each packet that may
/// be at its head has a next resource that does not stay full, or leaves. Gives the resources
/// numbers, each state of one a next with a greater one, and marks those that stay full: the
/// greatest set in which each can hold a packet that wants none but these.
fn emptied(waits: &Waits) -> (Vec<u32>, Vec<bool>) {
    let count = waits.resources as usize;
    // Heads of each resource that keep it full, and the states that wait for each resource.
    let mut heads = vec![0u32; count];
    let mut wanted_by: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (at, State { resource, next, .. }) in (0..).zip(&waits.states) {
        heads[*resource as usize] += 1;
        next.iter().for_each(|&next| wanted_by[next as usize].push(at));
    }
    let mut moves = vec![false; waits.states.len()];
    let mut numbers = vec![0; count];
    let mut number = waits.resources;
    let mut empty: Vec<u32> =
        (0..waits.resources).filter(|&resource| heads[resource as usize] == 0).collect();
    while let Some(resource) = empty.pop() {
        number -= 1;
        numbers[resource as usize] = number;
        for &state in &wanted_by[resource as usize] {
            if std::mem::replace(&mut moves[state as usize], true) {
                continue;
            }
            let from = waits.states[state as usize].resource;
            heads[from as usize] -= 1;
            if heads[from as usize] == 0 {
                empty.push(from);
            }
        }
    }
    (numbers, heads.iter().map(|&heads| heads > 0).collect())
}
