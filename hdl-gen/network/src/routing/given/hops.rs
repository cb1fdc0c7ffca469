//! Reads the hops or routes of a relation file, a line at a time.

use super::parse::unknown_key;
use super::{Fault, Given, GivenError, Hops, Route, check_pair, routes};
use crate::topology::{self, Node, Port, Terminal, Topology, TopologyError};
use std::collections::BTreeMap;
use turnpike_base::nearest::Nearest;

/// Reads hops.
pub(super) struct HopReader {
    pub(super) given: Given,
    network: Box<dyn Topology>,
    /// The line of each hop.
    lines: BTreeMap<(Node, Terminal), usize>,
    /// The line of each route.
    route_lines: BTreeMap<(Terminal, Terminal), usize>,
}

impl HopReader {
    /// Reader of the hops of a relation that has none yet.
    pub(super) fn new(given: Given) -> Result<Self, GivenError> {
        let network = given.network()?;
        Ok(Self { given, network, lines: BTreeMap::new(), route_lines: BTreeMap::new() })
    }

    /// Whether a line of a hop or route may begin with this word.
    pub(super) fn is_first(&self, word: &str) -> bool {
        let by_route = matches!(self.given.hops, Hops::ByRoute(_));
        self.network.node(word).is_ok() || by_route && self.network.terminal(word).is_ok()
    }

    /// Reads a route: its two ends, if wanted its virtual channel, and its ports.
    fn route(&mut self, number: usize, words: &[&str]) -> Result<(), Fault> {
        let network = &*self.network;
        let &[source, destination, ref rest @ ..] = words else {
            return Err(self.wants(&self.given.hops));
        };
        let source = network.terminal(source)?;
        let destination = destination_of(network, destination)?;
        let (vc, ports) = Route::split(rest)?;
        if ports.is_empty() {
            return Err(self.wants(&self.given.hops));
        }
        let ports = ports.iter().map(|port| port_of(network, port)).collect::<Result<_, _>>()?;
        let route = Route { ports, vc };
        routes::check(network, (source, destination), &route)?;
        if let Some(before) = self.route_lines.insert((source, destination), number) {
            return Err(Fault::RouteTwice { pair: format!("{} {}", words[0], words[1]), before });
        }
        if let Hops::ByRoute(routes) = &mut self.given.hops {
            routes.insert((source, destination), route);
        }
        Ok(())
    }

    /// Reads a line, by its number.
    pub(super) fn line(&mut self, number: usize, words: &[&str]) -> Result<(), Fault> {
        let by_route = matches!(self.given.hops, Hops::ByRoute(_));
        if by_route && (words.len() > 2 || self.is_first(words[0])) {
            return self.route(number, words);
        }
        let network = &*self.network;
        let (node, destination, port) = match (&self.given.hops, words) {
            (Hops::ByPair(_), &[node, destination, port]) => {
                (network.node(node)?, destination_of(network, destination)?, port)
            }
            (Hops::ByDifference(_), &[difference, port]) => {
                (Node(0), Terminal(network.node(difference)?.0), port)
            }
            (hops, _) => {
                // A key that is none, rather than a hop with a word too few.
                if !self.is_first(words[0]) {
                    return Err(unknown_key(words[0]));
                }
                return Err(self.wants(hops));
            }
        };
        let port = port_of(network, port)?;
        check_pair(network, node, destination, port)?;
        if let Some(before) = self.lines.insert((node, destination), number) {
            let what = match self.given.hops {
                Hops::ByPair(_) => format!("{} {}", words[0], words[1]),
                Hops::ByDifference(_) | Hops::ByRoute(_) => words[0].to_owned(),
            };
            return Err(Fault::Twice { what, before });
        }
        match &mut self.given.hops {
            Hops::ByPair(hops) => hops.insert((node, destination), port),
            Hops::ByDifference(hops) => hops.insert(destination.0.into(), port),
            Hops::ByRoute(_) => unreachable!("routes are read elsewhere"),
        };
        Ok(())
    }

    /// Fault of a line that is no hop, with an example.
    fn wants(&self, hops: &Hops) -> Fault {
        let node = self.network.label(Node(0));
        let last = self.network.sinks().last().map(|t| self.network.terminal_label(t));
        let last = last.unwrap_or_default();
        let any = (0..self.network.ports()).map(Port).next();
        let port = any.map_or("PORT".to_owned(), |port| self.network.port_name(port));
        match hops {
            Hops::ByPair(_) => {
                Fault::Words("NODE DESTINATION PORT", format!("{node} {last} {port}"))
            }
            Hops::ByDifference(_) => Fault::Words("XOR PORT", format!("{last} {port}")),
            Hops::ByRoute(_) => {
                let first = self.network.sources().next();
                let first = first.map(|source| self.network.terminal_label(source));
                let first = first.unwrap_or_default();
                Fault::Words("SOURCE DESTINATION PORT ...", format!("{first} {last} {port}"))
            }
        }
    }
}

/// The terminal of a label, which takes packets.
fn destination_of(topology: &dyn Topology, label: &str) -> Result<Terminal, Fault> {
    match topology.terminal(label) {
        Ok(terminal) => Ok(terminal),
        Err(TopologyError::Failed(label)) => Err(Fault::Failed(label)),
        Err(TopologyError::NoTerminal { label, .. }) => match sinks_of(topology, &label) {
            terminals if terminals.is_empty() => Err(Fault::NoTerminal(label)),
            terminals => Err(Fault::NodeForTerminal { node: label, terminals }),
        },
        Err(error) => Err(error.into()),
    }
}

/// The terminals that take packets at a node, comma-separated.
fn sinks_of(topology: &dyn Topology, node: &str) -> String {
    let Ok(node) = topology.node(node) else { return String::new() };
    let terminals = topology::sinks_at(topology, node);
    let labels: Vec<String> = terminals.map(|t| topology.terminal_label(t)).collect();
    labels.join(", ")
}

fn port_of(topology: &dyn Topology, name: &str) -> Result<Port, Fault> {
    let ports = (0..topology.ports()).map(Port);
    let known: Vec<String> = ports.map(|port| topology.port_name(port)).collect();
    if let Some(at) = known.iter().position(|known| known == name) {
        return Ok(Port(at as u8));
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let nearest = Nearest::of(name, names);
    Err(Fault::Port { port: name.to_owned(), nearest, known: known.join(", ") })
}
