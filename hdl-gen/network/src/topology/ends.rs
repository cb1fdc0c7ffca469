//! Terminals at the ends of routes: those of a switch, and pairs of a source and a destination.

use super::{Local, Node, Terminal, Topology};

/// The pairs of these sources and the destinations of their packets, by ascending destination: on
/// their way there routes join.
pub fn by_destination<'a>(
    topology: &'a dyn Topology,
    sources: &'a [Terminal],
) -> Box<dyn Iterator<Item = (Terminal, Terminal)> + 'a> {
    let Some(_) = topology.flows() else {
        let to = |to| sources.iter().map(move |&source| (source, to));
        return Box::new(topology.sinks().flat_map(to));
    };
    let of = |&source| topology.destinations(source).map(move |to| (source, to));
    let mut pairs: Vec<(Terminal, Terminal)> = sources.iter().flat_map(of).collect();
    pairs.sort_by_key(|&(_, to)| to);
    Box::new(pairs.into_iter())
}

/// The terminals that send packets at a switch, in the order of its inject ports.
pub fn sources_at(topology: &dyn Topology, node: Node) -> impl Iterator<Item = Terminal> + '_ {
    let all = topology.for_all_pairs().unwrap_or(topology);
    let there = (0..=u8::MAX).map_while(move |local| all.source_at(node, Local(local)));
    there.filter(|&terminal| topology.source(terminal).is_some())
}

/// The terminals that take packets at a switch, in the order of its eject ports.
pub fn sinks_at(topology: &dyn Topology, node: Node) -> impl Iterator<Item = Terminal> + '_ {
    let all = topology.for_all_pairs().unwrap_or(topology);
    let there = (0..=u8::MAX).map_while(move |local| all.sink_at(node, Local(local)));
    there.filter(|&terminal| topology.sink(terminal).is_some())
}
