//! Every step that some packet can take, whatever it chooses on its way.

use crate::symmetry::Symmetry;
use rustc_hash::{FxHashMap, FxHashSet};
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::walk::{RouteError, Step, place};
use turnpike_network::routing::walker::{State, Walker};
use turnpike_network::routing::{Draw, Hop, Input, Output, Relation};
use turnpike_network::topology::{Node, Terminal, Topology, by_destination};

/// A packet, and a state that it comes to.
#[derive(Clone, Copy)]
struct Reached {
    state: State,
    source: Terminal,
    destination: Terminal,
    draw: Draw,
}

/// Visits every step of every route from the sites of `symmetry`, with source, destination and draw:
/// those of a deterministic relation route by route, those that routes share with one before them
/// left out where many join; those whose packets choose once for each
/// state that a packet can be in at a site, as many as it has hops there. Gives the channels on the
/// longest route of a deterministic relation.
///
/// # Errors
/// [`RouteError`] where some route does not arrive, or some choice brings a packet no nearer.
pub fn every_step(
    topology: &dyn Topology,
    relation: &Relation,
    symmetry: &Symmetry,
    mut visit: impl FnMut(Terminal, Terminal, Draw, &Step),
) -> Result<Option<u32>, RouteError> {
    let sources = symmetry.sources(topology);
    if relation.choices().is_none() {
        let mut walker = Walker::new(topology, relation, !symmetry.is_by_translation());
        let mut longest = 0;
        let pairs = by_destination(topology, &sources);
        for ((source, destination), draw) in relation.with_each_route(pairs) {
            let visit = |step: &Step| visit(source, destination, draw, step);
            longest = longest.max(walker.walk(source, destination, draw, visit)?);
        }
        return Ok(Some(longest));
    }
    let pairs = sources.iter().flat_map(|&s| topology.destinations(s).map(move |d| (s, d)));
    let mut known = FxHashSet::default();
    let mut escape = EscapeWays::default();
    let mut open: Vec<Reached> = Vec::new();
    for ((source, destination), draw) in relation.with_each_route(pairs) {
        let header = relation.inject(source, destination, draw);
        let Some((node, input)) = Input::of(topology, source) else { continue };
        let state = State { node, input, vc: ADAPTIVE_VC, header };
        known.insert(state);
        open.push(Reached { state, source, destination, draw });
    }
    // By level, so that the witness of a turn is a route that comes to it soon.
    while !open.is_empty() {
        let mut next = Vec::new();
        for reached in open {
            let Reached { state, source, destination, draw } = reached;
            let State { node, input, vc, header } = state;
            for hop in hops(topology, relation, &reached, &mut escape)? {
                visit(source, destination, draw, &Step { node, input, vc, header, hop });
                let Some(state) = follow(topology, node, hop) else { continue };
                let site = State { node: symmetry.site(topology, state.node), ..state };
                if known.insert(site) {
                    next.push(Reached { state, ..reached });
                }
            }
        }
        open = next;
    }
    Ok(None)
}

/// The state after a hop; `None` where it ejects, or there is no channel.
fn follow(topology: &dyn Topology, node: Node, hop: Hop) -> Option<State> {
    let Output::Network(port) = hop.output else { return None };
    let (node, input) = topology.channel(node, port)?;
    Some(State { node, input: Input::Network(input), vc: hop.vc, header: hop.header })
}

/// All that a packet can do, what the relation's own hop says last. Each hop brings it nearer:
/// the way by the relation's own hops gets shorter.
fn hops(
    topology: &dyn Topology,
    relation: &Relation,
    reached: &Reached,
    known: &mut EscapeWays,
) -> Result<Vec<Hop>, RouteError> {
    let &Reached { state, source, destination, .. } = reached;
    let State { node, input, vc, header } = state;
    let mut hops = match relation.choices_of(input, vc) {
        Some(choices) => choices.hops(node, input, vc, header),
        None => Vec::new(),
    };
    let length = escape_length(topology, relation, reached, state, known)?;
    for hop in &hops {
        let port = hop.output.name(topology, node);
        let nearer = match follow(topology, node, *hop) {
            None => false,
            Some(next) => escape_length(topology, relation, reached, next, known)? < length,
        };
        if !nearer {
            return Err(RouteError::Astray {
                relation: relation.name().to_owned(),
                from: topology.terminal_label(source),
                to: topology.terminal_label(destination),
                at: topology.label(node),
                port,
            });
        }
    }
    let own = relation.hop(node, input, vc, header);
    if !hops.contains(&own) {
        hops.push(own);
    }
    Ok(hops)
}

/// Ways by [`Relation::hop`] alone, by the escape channels where there are any: of each state that one comes
/// through its length in channels, and the output where it ends. They join, so that most are walked once.
type EscapeWays = FxHashMap<State, (u32, (Node, Output))>;

/// Channels from a state to the destination on its escape way.
fn escape_length(
    topology: &dyn Topology,
    relation: &Relation,
    &Reached { source, destination, .. }: &Reached,
    mut state: State,
    known: &mut EscapeWays,
) -> Result<u32, RouteError> {
    let labels = || {
        (
            relation.name().to_owned(),
            topology.terminal_label(source),
            topology.terminal_label(destination),
        )
    };
    let mut way = Vec::new();
    let (rest, end) = loop {
        if let Some(&found) = known.get(&state) {
            break found;
        }
        if way.len() > relation.most_switches(topology.nodes()) as usize {
            let (relation, from, to) = labels();
            return Err(RouteError::Endless { relation, from, to });
        }
        let State { node, input, vc, header } = state;
        let hop = relation.hop(node, input, vc, header);
        match hop.output {
            output @ Output::Eject(_) => {
                let end = (0, (node, output));
                known.insert(state, end);
                break end;
            }
            Output::Network(port) => {
                let Some(next) = follow(topology, node, hop) else {
                    let ((relation, from, to), at) = (labels(), topology.label(node));
                    let port = topology.port_name(port);
                    return Err(RouteError::NoChannel { relation, from, to, at, port });
                };
                way.push(state);
                state = next;
            }
        }
    };
    let mut length = rest;
    for state in way.into_iter().rev() {
        length += 1;
        known.insert(state, (length, end));
    }
    if Some(end) != Output::of(topology, destination) {
        let ((relation, from, to), at) = (labels(), place(topology, end.0, end.1));
        return Err(RouteError::Misrouted { relation, from, to, at });
    }
    Ok(length)
}
