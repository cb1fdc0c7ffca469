//! Reasons that a relation cannot be built.

use super::{
    Build, IntermediateError, RelationKind, of_structure, random_path, shortest, two_phase,
};
use crate::topology::{Terminal, Topology, find};
use turnpike_base::nearest::Nearest;

/// A relation that does not exist, or not for this network.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RoutingError {
    /// No relation of this name on this topology.
    #[error("unknown routing '{name}' for {topology}{nearest} (there are: {known})")]
    Unknown {
        /// The topology.
        topology: &'static str,
        /// Name that was asked for.
        name: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// A pair without a path.
    #[error("there is no path from {from} to {to} in this {topology}{without}")]
    Disconnected {
        /// The topology.
        topology: &'static str,
        /// Source label.
        from: String,
        /// Destination label.
        to: String,
        /// ` without X, Y`: the failed nodes, where there are any.
        without: String,
    },
    /// A route that does not fit into a header.
    #[error(
        "routing '{name}' carries the route in the header: routes of up to {longest} channels take \
             {bits} bits, more than {most}; use a smaller network"
    )]
    Header {
        /// The relation.
        name: String,
        /// Channels of the longest route.
        longest: u32,
        /// Bits of a header.
        bits: u32,
        /// The most there may be.
        most: u32,
    },
    /// A phase that is not a deterministic relation with one injector for all sources.
    #[error(
        "routing '{name}' cannot go by '{phase}': a phase is a relation whose packets neither choose \
             nor draw, whose sources make headers alike, and whose route logic is rules over channels alone"
    )]
    Phase {
        /// The relation.
        name: &'static str,
        /// The relation of the phase.
        phase: String,
    },
    /// Terminals that packets cannot go to first.
    #[error(transparent)]
    Intermediate(#[from] IntermediateError),
    /// Middle switches that no number of bits counts.
    #[error(
        "routing '{name}' draws a middle switch as bits of its number, and there are {count}; use a \
             power of two"
    )]
    MiddleSwitches {
        /// The relation.
        name: &'static str,
        /// Number of middle switches.
        count: u32,
    },
    /// A pair with more shortest paths than a draw tells apart.
    #[error(
        "routing '{name}' draws one of at most {most} shortest paths, and some pair has {}; use a \
             smaller network{}",
        counted(*.paths),
        instead.map(|instead| format!(", or '{instead}'")).unwrap_or_default()
    )]
    Paths {
        /// The relation.
        name: &'static str,
        /// Number of paths of the pair; `u128::MAX` where they are more.
        paths: u128,
        /// The most.
        most: u128,
        /// A relation that draws from all shortest paths of the network, where there is one.
        instead: Option<&'static str>,
    },
    /// A network with routes of too many hops that choose.
    #[error(
        "routing '{name}' draws bits for each hop that may have a choice, {drawn} of them here, and at \
             most {most}; use a smaller network, or '{instead}', which draws none"
    )]
    Hops {
        /// The relation.
        name: &'static str,
        /// Bits of a draw.
        drawn: u32,
        /// The most.
        most: u32,
        /// A relation that draws nothing.
        instead: &'static str,
    },
    /// A network with one path for each pair.
    #[error(
        "routing '{name}' has nothing to draw on this network, which has one path for each pair; use \
             '{instead}'"
    )]
    OnePath {
        /// The relation.
        name: &'static str,
        /// A relation that draws nothing.
        instead: &'static str,
    },
    /// Two headers that do not fit into one.
    #[error(
        "routing '{name}' carries the headers of both phases: {bits} bits, more than {most}; use a \
             smaller network"
    )]
    PhaseHeaders {
        /// The relation.
        name: &'static str,
        /// Bits of both.
        bits: u32,
        /// The most there may be.
        most: u32,
    },
    /// A header with no room left for the number of a terminal at its switch.
    #[error(
        "routing '{name}' has a header of {bits} bits; {more} more for the terminal at its switch \
         are more than {most} in all; use fewer terminals at each switch"
    )]
    NoRoom {
        /// The relation.
        name: String,
        /// Bits of its header.
        bits: u32,
        /// Bits of the number.
        more: u32,
        /// The most there may be.
        most: u32,
    },
    /// Tables at switches beyond reason.
    #[error(
        "routing '{name}' looks addresses up at each switch: the tables would have {entries} \
         entries, more than {most}; use fewer switches or terminals"
    )]
    Entries {
        /// The relation.
        name: String,
        /// Entries of all tables.
        entries: u64,
        /// The most there may be.
        most: u64,
    },
    /// Tables beyond reason.
    #[error(
        "routing '{name}' looks routes up at the source: the tables would have {bits} bits, \
             more than {most}; use a smaller network"
    )]
    Tables {
        /// The relation.
        name: String,
        /// Bits of all tables.
        bits: u64,
        /// The most there may be.
        most: u64,
    },
    /// Routes that need too many virtual channels.
    #[error(
        "routing '{name}' takes {vcs} virtual channels to be free of deadlock, more than {most}; \
             use {remedy}"
    )]
    Vcs {
        /// The relation.
        name: String,
        /// Number of virtual channels.
        vcs: u32,
        /// The most there may be.
        most: u8,
        /// Relation or option that may take fewer.
        remedy: String,
    },
    /// The relation is defined for other dimensions only.
    #[error("routing '{name}' is defined for dimension {only} only, not {dimension}")]
    Dimension {
        /// The relation.
        name: &'static str,
        /// The dimension it has.
        only: u32,
        /// The dimension asked for.
        dimension: u32,
    },
    /// The relation is defined for grids of other dimensions only.
    #[error(
        "routing '{name}' is for a {topology} of {only} dimensions, not {dimensions}; use another, \
             such as '{instead}'"
    )]
    Dimensions {
        /// The relation.
        name: &'static str,
        /// The topology.
        topology: &'static str,
        /// Number of dimensions that the relation is for.
        only: usize,
        /// Number of dimensions of the topology.
        dimensions: usize,
        /// A relation for any number: the topology's default.
        instead: &'static str,
    },
    /// A channel without one back, where the relation needs both.
    #[error(
        "routing '{name}' needs links that go both ways, and there is no channel from {to} back to \
         {from}; use another, such as 'shortest'"
    )]
    OneWay {
        /// The relation.
        name: &'static str,
        /// Label of the node that a channel leaves.
        from: String,
        /// Label of the node where it ends.
        to: String,
    },
    /// A seed for a relation that draws nothing.
    #[error("routing '{name}' draws no routes: leave the seed out{instead}")]
    Seed {
        /// The relation.
        name: String,
        /// `, or use X, Y`: the relations of the topology that draw, where there are any.
        instead: String,
    },
    /// The relation is for networks of few nodes only.
    #[error("routing '{name}' goes up to {most} nodes, not {nodes}")]
    Nodes {
        /// The relation.
        name: &'static str,
        /// The most nodes there may be.
        most: u32,
        /// Number of nodes.
        nodes: u32,
    },
    /// The relation is for small networks only.
    #[error("routing '{name}' goes up to dimension {most}, not {dimension}")]
    Large {
        /// The relation.
        name: &'static str,
        /// The largest dimension it has.
        most: u32,
        /// The dimension asked for.
        dimension: u32,
    },
}

impl RoutingError {
    /// Routes of `name` that need `vcs` virtual channels, more than `most`.
    pub fn too_many_vcs(topology: &dyn Topology, name: &str, vcs: u32, most: u8) -> Self {
        // One that takes all shortest paths needs no fewer than one that takes some, and two phases need
        // no fewer than one.
        let more = [name, random_path::KIND.name, two_phase::KIND.name];
        let other = |kind: &&RelationKind| !more.contains(&kind.name);
        let others = of_structure(topology.structure()).filter(other);
        let others: Vec<&str> = others.map(|kind| kind.name).collect();
        let remedy = match others.is_empty() {
            true => "a smaller network".to_owned(),
            false => format!("a smaller network or another routing ({})", others.join(", ")),
        };
        Self::Vcs { name: name.to_owned(), vcs, most, remedy }
    }

    /// The default relation of a topology, for messages: it draws nothing.
    pub(super) fn default_of(topology: &dyn Topology) -> &'static str {
        find(topology.name()).map_or(shortest::KIND.name, |kind| kind.default_routing)
    }

    /// A seed for the relation `name` of a topology, which draws nothing.
    pub fn seed(name: &str, topology: &dyn Topology) -> Self {
        let drawn =
            of_structure(topology.structure()).filter(|kind| matches!(kind.build, Build::Drawn(_)));
        let instead = match &drawn.map(|kind| kind.name).collect::<Vec<_>>()[..] {
            [] => String::new(),
            drawn => format!(", or use routing '{}'", drawn.join("', '")),
        };
        Self::Seed { name: name.to_owned(), instead }
    }

    /// A pair without a path.
    pub fn disconnected(topology: &dyn Topology, from: Terminal, to: Terminal) -> Self {
        let label = |terminal| topology.terminal_label(terminal);
        Self::no_path(topology, label(from), label(to))
    }

    /// Error for a pair without a path, by the labels of two terminals or nodes.
    pub fn no_path(topology: &dyn Topology, from: String, to: String) -> Self {
        let failed = topology.failed_nodes().into_iter().map(|node| topology.label(node));
        let failed: Vec<String> = failed.collect();
        let without = match failed.is_empty() {
            true => String::new(),
            false => format!(" without {}", failed.join(", ")),
        };
        Self::Disconnected { topology: topology.name(), from, to, without }
    }
}

/// A count that ends at `u128::MAX`.
fn counted(paths: u128) -> String {
    if paths == u128::MAX { "2^128 or more".to_owned() } else { paths.to_string() }
}
