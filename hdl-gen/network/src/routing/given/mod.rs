//! A relation that a user gives in a file: hop by hop (at which node, for which destination, by which
//! port), or as a route for each pair. The format is described in `docs/relations.md`.

mod alike;
mod error;
mod hops;
mod parse;
mod relation;
mod routes;

pub use error::{Fault, GivenError};
pub use relation::relation;
pub use routes::{Route, Routes};

use super::RELATIONS;
use crate::description::Description;
use crate::topology::failed::Failed;
use crate::topology::wired::Wired;
use crate::topology::{self, Node, Port, Size, Structure, Terminal, Topology};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use turnpike_base::names;

/// First line of a relation file: the name and the version of the format.
pub const FIRST_LINE: &str = "turnpike-relation 1";
/// The ending of a relation file's name.
pub const ENDING: &str = "relation";
/// Largest relation file in bytes.
pub const MOST_BYTES: usize = 64 << 20;
/// Longest name of a given relation: leaves room for a fabric's name about it.
pub const MOST_NAME: usize = 32;

/// A relation that a user gives hop by hop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Name of the relation, a Verilog identifier of at most [`MOST_NAME`] characters, not that of
    /// a relation that Turnpike has.
    pub name: String,
    /// The network that it is for, before nodes failed.
    pub on: On,
    /// Labels of the nodes that failed, in the order of the nodes, each once.
    pub failed: Vec<String>,
    /// Comments, a line each, without blanks around them.
    pub remarks: Vec<String>,
    /// Hops of packets.
    pub hops: Hops,
}

/// The network that a given relation is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum On {
    /// A topology that Turnpike has, by name and size.
    Named(&'static str, Size),
    /// A network of a user's own.
    Described(Arc<Description>),
}

impl On {
    /// Topology of the network.
    ///
    /// # Errors
    /// A size out of range, a description that makes no network.
    pub fn build(&self) -> Result<Box<dyn Topology>, Fault> {
        match self {
            Self::Named(name, size) => Ok(topology::find(name)?.build(*size)?),
            Self::Described(description) => Ok(Box::new(Wired::new(description)?)),
        }
    }

    /// Name of the network: that of its topology on the command line, or the one that its file
    /// gives.
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name, _) => name,
            Self::Described(description) => &description.name,
        }
    }
}

/// Hops of packets under a given relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hops {
    /// At a node, for a destination: the port.
    ByPair(BTreeMap<(Node, Terminal), Port>),
    /// On the hypercube, the same at every node: by node XOR destination, which is not 0.
    ByDifference(BTreeMap<u64, Port>),
    /// Routes of pairs of terminals, looked up at the source.
    ByRoute(Routes),
}

impl Given {
    /// Reads a relation file, and checks that it names what there is. Whether there is a hop for each
    /// pair that has packets, and whether the routes arrive, is found by walking them ([`relation`]).
    ///
    /// # Errors
    /// [`GivenError`] with the line, where one line is at fault.
    pub fn parse(text: &str) -> Result<Self, GivenError> {
        parse::parse(text, None)
    }

    /// Reads a relation for a network of a user's own.
    ///
    /// # Errors
    /// As [`Given::parse`]; one for another network.
    pub fn parse_for(text: &str, description: &Arc<Description>) -> Result<Self, GivenError> {
        parse::parse(text, Some(description))
    }

    /// Reads a relation from the bytes of a file, for a network of a user's own where there is one.
    ///
    /// # Errors
    /// As [`Given::parse`] and [`Given::parse_for`].
    pub fn from_bytes(bytes: &[u8], own: Option<&Arc<Description>>) -> Result<Self, GivenError> {
        if bytes.len() > MOST_BYTES {
            return Err(Fault::Large(bytes.len()).into());
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            GivenError::at(1 + before.iter().filter(|&&b| b == b'\n').count(), Fault::Binary)
        })?;
        parse::parse(text, own)
    }

    /// The file's text in its canonical form, which [`Given::parse`] reads back.
    pub fn text(&self) -> String {
        let topology = self.intact();
        let label = |node: Node| topology.as_ref().map_or(node.0.to_string(), |t| t.label(node));
        let terminal = |t: Terminal| match &topology {
            Ok(topology) => topology.terminal_label(t),
            Err(_) => t.0.to_string(),
        };
        let port = |port: Port| topology.as_ref().map_or(port.0.to_string(), |t| t.port_name(port));
        let mut text = String::new();
        let mut line = |words: String| {
            writeln!(text, "{}", words.trim_end()).expect("a string takes any text");
        };
        line(FIRST_LINE.into());
        let remarks = self.remarks.iter().flat_map(|remark| remark.split('\n'));
        remarks.for_each(|remark| line(format!("# {}", remark.trim())));
        line(format!("name {}", self.name));
        line(format!("topology {}", self.on.name()));
        if let On::Named(_, size) = self.on {
            size.keys().into_iter().for_each(|(key, value)| line(format!("{key} {value}")));
        }
        self.failed.iter().for_each(|node| line(format!("failed {node}")));
        match &self.hops {
            Hops::ByPair(hops) => hops.iter().for_each(|(&(node, destination), &by)| {
                line(format!("{} {} {}", label(node), terminal(destination), port(by)));
            }),
            Hops::ByDifference(hops) => {
                line("by difference".into());
                for (&difference, &by) in hops {
                    line(format!("{} {}", label(Node(difference as u32)), port(by)));
                }
            }
            Hops::ByRoute(routes) => {
                line("by route".into());
                for (&(source, destination), route) in routes {
                    let (source, destination) = (terminal(source), terminal(destination));
                    line(format!("{source} {destination} {}", route.words(port)));
                }
            }
        }
        text
    }

    /// The name of its file in a fabric's folder.
    pub fn file_name(&self) -> String {
        format!("{}.{ENDING}", self.name)
    }

    /// The topology, failed nodes and all.
    fn intact(&self) -> Result<Box<dyn Topology>, GivenError> {
        Ok(self.on.build()?)
    }

    /// The topology, without the nodes that failed.
    ///
    /// # Errors
    /// [`GivenError`]: no such topology, size or nodes; no terminal left.
    pub fn network(&self) -> Result<Box<dyn Topology>, GivenError> {
        let intact = self.intact()?;
        if self.failed.is_empty() {
            return Ok(intact);
        }
        Ok(Box::new(Failed::new(intact, &self.failed)?))
    }

    /// Checks the name and every hop, on [`Given::network`]. What a program gives is checked as a file
    /// is.
    ///
    /// # Errors
    /// [`GivenError`], without a line.
    pub fn check(&self) -> Result<(), GivenError> {
        check_name(&self.name)?;
        let topology = self.network()?;
        match &self.hops {
            Hops::ByPair(hops) => {
                for (&(node, destination), &port) in hops {
                    check_pair(&*topology, node, destination, port)?;
                }
            }
            Hops::ByDifference(hops) => {
                check_by_difference(&*topology, &topology.failed_nodes())?;
                for (&difference, &port) in hops {
                    let node = Node(difference as u32);
                    if difference > u64::from(u32::MAX) || node.0 >= topology.nodes() {
                        let label = format!("{difference:b}");
                        topology.node(&label)?;
                    }
                    check_pair(&*topology, Node(0), Terminal(node.0), port)?;
                }
            }
            Hops::ByRoute(all) => {
                for (&pair, route) in all {
                    routes::check(&*topology, pair, route)?;
                }
                routes::check_vcs(&*topology, all)?;
            }
        }
        Ok(())
    }

    /// Checks that there is a hop for every pair of terminals that has packets, at the switch where
    /// they enter, or a route. Other switches need a hop where a route comes by.
    fn complete(&self, topology: &dyn Topology) -> Result<(), GivenError> {
        let apart = topology.pairs().filter_map(|(source, destination)| {
            let ((node, _), (end, _)) = (topology.source(source)?, topology.sink(destination)?);
            (node != end).then_some((source, node, destination))
        });
        if let Hops::ByRoute(routes) = &self.hops {
            let mut none = apart.filter(|&(source, _, to)| !routes.contains_key(&(source, to)));
            let Some((source, _, to)) = none.next() else { return Ok(()) };
            let [source, to] = [source, to].map(|end| topology.terminal_label(end));
            let (first, more) = (format!("{source} {to}"), none.count() as u64);
            return Err(Fault::NoRoute { first, more }.into());
        }
        let starts = apart.map(|(_, node, destination)| (node, destination));
        let (first, missing) = match &self.hops {
            Hops::ByPair(hops) => {
                let none: BTreeSet<_> = starts.filter(|pair| !hops.contains_key(pair)).collect();
                let Some(&(node, to)) = none.first() else { return Ok(()) };
                (format!("{} {}", topology.label(node), topology.terminal_label(to)), none.len())
            }
            Hops::ByDifference(hops) => {
                let differences = starts.map(|(node, to)| u64::from(node.0 ^ to.0));
                let none: BTreeSet<_> = differences.filter(|by| !hops.contains_key(by)).collect();
                let Some(&first) = none.first() else { return Ok(()) };
                (format!("difference {}", topology.label(Node(first as u32))), none.len())
            }
            Hops::ByRoute(_) => return Ok(()),
        };
        Err(Fault::Missing { first, more: missing as u64 - 1 }.into())
    }
}

/// Checks that a relation can have this name.
pub fn check_name(name: &str) -> Result<(), Fault> {
    if name.len() > MOST_NAME {
        return Err(Fault::LongName(name.chars().take(MOST_NAME).collect::<String>() + "..."));
    }
    names::check_identifier(name)?;
    // The modules of a fabric are named after its relation, `-` as `_`.
    if RELATIONS.iter().any(|relation| relation.name.replace('-', "_") == name) {
        return Err(Fault::BuiltIn(name.to_owned()));
    }
    Ok(())
}

/// Checks that hops can be the same at every node.
fn check_by_difference(topology: &dyn Topology, failed: &[Node]) -> Result<(), Fault> {
    match topology.structure() {
        Structure::Cube if failed.is_empty() => Ok(()),
        Structure::Cube => Err(Fault::FailedDifference),
        _ => Err(Fault::NoDifference(topology.name())),
    }
}

/// Checks one hop.
fn check_pair(
    topology: &dyn Topology,
    node: Node,
    destination: Terminal,
    port: Port,
) -> Result<(), Fault> {
    let label = |node: Node| topology.label(node);
    if node.0 >= topology.nodes() {
        topology.node(&node.0.to_string())?;
    }
    if topology.failed_nodes().contains(&node) {
        return Err(Fault::Failed(label(node)));
    }
    let Some((end, _)) = topology.sink(destination) else {
        let before = topology.intact().and_then(|intact| intact.sink(destination));
        return Err(match before {
            Some(_) => Fault::Failed(topology.terminal_label(destination)),
            None => Fault::NoTerminal(destination.0.to_string()),
        });
    };
    if node == end {
        return Err(Fault::There(label(node)));
    }
    match topology.channel(node, port) {
        Some(_) => Ok(()),
        None => Err(no_channel(topology, node, destination, port)),
    }
}

/// Fault of a packet that is to leave by a port without a channel.
fn no_channel(topology: &dyn Topology, node: Node, destination: Terminal, port: Port) -> Fault {
    let label = |node: Node| topology.label(node);
    let ports = (0..topology.ports()).map(Port);
    let known: Vec<String> = ports
        .filter(|&port| topology.channel(node, port).is_some())
        .map(|port| topology.port_name(port))
        .collect();
    let before = topology.intact().and_then(|intact| intact.channel(node, port));
    let failed = before.map(|(to, _)| format!(" ({} failed)", label(to))).unwrap_or_default();
    Fault::NoChannel {
        node: label(node),
        destination: topology.terminal_label(destination),
        port: topology.port_name(port) + &failed,
        known: known.join(", "),
    }
}

#[cfg(test)]
mod tests;
