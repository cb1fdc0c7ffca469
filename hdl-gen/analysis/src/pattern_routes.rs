//! The routes of a pattern as lists of channels, those by which words enter and leave among them.

use crate::pattern_load::Message;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use turnpike_network::routing::walk::{RouteError, walk};
use turnpike_network::routing::{Draw, Output, Relation};
use turnpike_network::topology::{Node, Port, Terminal, Topology};

/// A channel that carries words, one in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// From a terminal into its switch.
    Inject(Terminal),
    /// Between switches: the one that it leaves, and by which port.
    Link(Node, Port),
    /// From a switch to its terminal.
    Eject(Terminal),
}

impl Channel {
    /// Start of the channel, for reports: a terminal or a switch.
    pub fn from(self, topology: &dyn Topology) -> String {
        match self {
            Self::Inject(terminal) => topology.terminal_label(terminal),
            Self::Link(node, _) => topology.label(node),
            Self::Eject(terminal) => {
                topology.sink(terminal).map_or_else(String::new, |(node, _)| topology.label(node))
            }
        }
    }

    /// Port of the channel: `inject`, or the switch's output.
    pub fn port(self, topology: &dyn Topology) -> String {
        match self {
            Self::Inject(_) => "inject".to_owned(),
            Self::Link(_, port) => topology.port_name(port),
            Self::Eject(terminal) => Output::of(topology, terminal)
                .map_or_else(String::new, |(node, output)| output.name(topology, node)),
        }
    }
}

/// The words of a pair, and their way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairRoute {
    /// Source of the words.
    pub source: Terminal,
    /// Destination of the words.
    pub destination: Terminal,
    /// Number of words, those of all messages of the pair added up.
    pub words: u32,
    /// The channels in order, by their places in [`PatternRoutes::channels`].
    pub route: Vec<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternRoutes {
    /// The channels that some word takes.
    pub channels: Vec<Channel>,
    /// The pairs, by ascending source and destination.
    pub pairs: Vec<PairRoute>,
}

/// The channels of a route in order, from `inject` to `eject`, of a relation that draws nothing.
///
/// # Errors
/// [`RouteError`] for a route that does not arrive.
pub fn channels(
    topology: &dyn Topology,
    relation: &Relation,
    source: Terminal,
    destination: Terminal,
) -> Result<Vec<Channel>, RouteError> {
    let mut channels = vec![Channel::Inject(source)];
    walk(topology, relation, source, destination, Draw::NONE, |step| {
        channels.push(match step.hop.output {
            Output::Network(port) => Channel::Link(step.node, port),
            Output::Eject(_) => Channel::Eject(destination),
        });
    })?;
    Ok(channels)
}

/// The routes of these messages, under a relation without choices.
///
/// # Errors
/// [`RouteError`] for a route that does not arrive.
pub fn routes(
    topology: &dyn Topology,
    relation: &Relation,
    messages: &[Message],
) -> Result<PatternRoutes, RouteError> {
    let mut words: BTreeMap<(Terminal, Terminal), u32> = BTreeMap::new();
    for message in messages {
        *words.entry((message.source, message.destination)).or_default() += message.words;
    }
    let mut numbers: FxHashMap<Channel, u32> = FxHashMap::default();
    let mut routes = PatternRoutes { channels: Vec::new(), pairs: Vec::with_capacity(words.len()) };
    for ((source, destination), words) in words {
        let mut number = |channel| {
            *numbers.entry(channel).or_insert_with(|| {
                routes.channels.push(channel);
                routes.channels.len() as u32 - 1
            })
        };
        let way = channels(topology, relation, source, destination)?;
        let route = way.into_iter().map(&mut number).collect();
        routes.pairs.push(PairRoute { source, destination, words, route });
    }
    Ok(routes)
}
