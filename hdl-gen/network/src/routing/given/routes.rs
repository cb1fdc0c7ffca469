//! Routes of a given relation, each from a source to a destination with all of its ports.

use super::{Fault, Given, GivenError};
use crate::routing::source::{Draws, Legs, source_legs};
use crate::routing::{MAX_VCS, Relation, RoutingError, layers};
use crate::topology::{Node, Port, Terminal, Topology};
use std::collections::BTreeMap;

/// Word before the number of a route's virtual channel.
const VC: &str = "vc=";

/// Routes by source and destination.
pub type Routes = BTreeMap<(Terminal, Terminal), Route>;

/// A route.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    /// The ports by which it leaves the switches, in order: 1 or more.
    pub ports: Vec<Port>,
    /// The virtual channel that it keeps to, below [`MAX_VCS`]; `None` where virtual channels are found
    /// against deadlock. All routes of a relation say one, or none does.
    pub vc: Option<u8>,
}

impl Route {
    /// The virtual channel and the rest of the words of a line behind the two terminals.
    pub(super) fn split<'a, 'b>(
        words: &'a [&'b str],
    ) -> Result<(Option<u8>, &'a [&'b str]), Fault> {
        let Some(number) = words.first().and_then(|word| word.strip_prefix(VC)) else {
            return Ok((None, words));
        };
        match number.parse() {
            Ok(vc) if vc < MAX_VCS => Ok((Some(vc), &words[1..])),
            _ => Err(Fault::Vc(number.to_owned())),
        }
    }

    /// The words of its line behind the two terminals.
    pub(super) fn words(&self, name: impl Fn(Port) -> String) -> String {
        let vc = self.vc.map(|vc| format!("{VC}{vc}"));
        let ports = self.ports.iter().map(|&port| name(port));
        vc.into_iter().chain(ports).collect::<Vec<_>>().join(" ")
    }
}

/// Checks one route: each of its channels is there, it comes to no switch twice, and it ends where its
/// destination is.
pub(super) fn check(
    topology: &dyn Topology,
    (source, destination): (Terminal, Terminal),
    route: &Route,
) -> Result<(), Fault> {
    let label = |terminal| topology.terminal_label(terminal);
    let (from, to) = (label(source), label(destination));
    let Some((first, _)) = topology.source(source) else { return Err(Fault::NoSource(from)) };
    let Some((last, _)) = topology.sink(destination) else { return Err(Fault::NoTerminal(to)) };
    if first == last {
        return Err(Fault::There(topology.label(first)));
    }
    let mut visited: Vec<Node> = vec![first];
    let mut at = first;
    for &port in &route.ports {
        let Some((next, _)) = topology.channel(at, port) else {
            return Err(super::no_channel(topology, at, destination, port));
        };
        if visited.contains(&next) {
            return Err(Fault::ComesBack { from, to, at: topology.label(next) });
        }
        visited.push(next);
        at = next;
    }
    if at != last {
        return Err(Fault::Ends { from, to, at: topology.label(at) });
    }
    match route.vc {
        Some(vc) if vc >= MAX_VCS => Err(Fault::Vc(vc.to_string())),
        _ => Ok(()),
    }
}

/// Checks that all routes say their virtual channel, or none does.
pub(super) fn check_vcs(topology: &dyn Topology, routes: &Routes) -> Result<(), Fault> {
    let with = |says: bool| routes.iter().find(|(_, route)| route.vc.is_some() == says);
    let (Some((with, _)), Some((without, _))) = (with(true), with(false)) else { return Ok(()) };
    let pair = |&(source, destination): &(Terminal, Terminal)| {
        format!("{} {}", topology.terminal_label(source), topology.terminal_label(destination))
    };
    Err(Fault::SomeVcs { with: pair(with), without: pair(without) })
}

/// Checks that on each virtual channel that routes say they wait in no circle: those of the pairs that have
/// packets.
fn check_waits(topology: &dyn Topology, routes: &Routes) -> Result<(), Fault> {
    let mut by_vc: BTreeMap<u8, Vec<Vec<layers::Channel>>> = BTreeMap::new();
    for (source, destination) in topology.pairs() {
        let Some(route) = routes.get(&(source, destination)) else { continue };
        let (Some(vc), Some((mut at, _))) = (route.vc, topology.source(source)) else { continue };
        let channel = |port: &Port| {
            let channel = at.0 as usize * usize::from(topology.ports()) + usize::from(port.0);
            at = topology.channel(at, *port).map_or(at, |(to, _)| to);
            channel
        };
        by_vc.entry(vc).or_default().push(route.ports.iter().map(channel).collect());
    }
    // What takes one virtual channel more than its own closes a circle.
    let closes = |routes: &Vec<Vec<layers::Channel>>| {
        layers::assign(routes.iter().map(Vec::as_slice)).iter().flatten().any(|&vc| vc > 0)
    };
    match by_vc.iter().find(|(_, routes)| closes(routes)) {
        Some((&vc, _)) => Err(Fault::Circle(vc)),
        None => Ok(()),
    }
}

/// The relation: tables at the sources, and headers that carry the ports.
pub(super) fn relation(
    given: &Given,
    routes: &Routes,
    topology: &dyn Topology,
) -> Result<Relation, GivenError> {
    let draws = Draws { bits: 0, alike: false };
    check_waits(topology, routes)?;
    // Of pairs at one switch nothing is said, and no channel taken.
    let nowhere = Route { ports: Vec::new(), vc: routes.values().find_map(|route| route.vc) };
    let legs = |source, destination, _| {
        let route = routes.get(&(source, destination)).unwrap_or(&nowhere);
        Ok(Legs { ports: [route.ports.clone(), Vec::new()], vc: route.vc.map(u32::from) })
    };
    let relation = source_legs(topology, &given.name, draws, legs);
    Ok(relation.map_err(|error: RoutingError| Fault::Routing(Box::new(error)))?.0)
}
