//! Routing relations: where a packet goes next. One file each.
//!
//! A relation is written once. Its hardware is *data* read from the same place: which header
//! bits an input queue looks at, in which order ([`Select`]), what becomes of the header on a
//! turn ([`Carry`]), and how injection makes it ([`Injection`]).

pub mod adaptive;
pub mod avoiding;
pub mod choice;
pub mod cube;
pub mod dateline;
/// The example of `docs/architecture.md`: compiled and tested, not in the list.
#[cfg(test)]
#[path = "../../../../docs/examples/descending.rs"]
mod descending;
pub mod dimension_order;
pub mod directed_static;
pub mod ecube;
pub mod given;
pub mod grid_header;
mod header;
pub mod hop_by_hop;
mod injection;
pub mod invariant;
pub mod layers;
mod port;
pub mod random_static;
pub mod rotation;
mod select;
pub mod shortest;
pub mod source;
pub mod thacker;
#[cfg(any(test, feature = "testing"))]
pub mod twisted;
pub mod two_stage;
pub mod up_down;
pub mod walk;
pub mod walker;

pub use header::{Carried, Carry, Header};
pub use injection::{FieldTable, Injection, View};
pub use port::{Input, Output};
pub use select::{Condition, Rule, Select, Way};
pub use turnpike_base::bits::{bits_of, low_bits};

use crate::topology::{Node, Port, Terminal, Topology, wired};
use choice::{ADAPTIVE_VC, Choices};
use serde::Serialize;
use std::fmt;

/// Most virtual channels that a relation may use.
pub const MAX_VCS: u8 = 8;

/// A virtual channel, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Vc(pub u8);

/// One decision of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Where the packet leaves the switch.
    pub output: Output,
    /// The virtual channel it leaves on (0 at `eject`).
    pub vc: Vc,
    /// Its header from there on.
    pub header: Header,
}

/// A routing relation. Deterministic: one hop for each (node, input, VC, header). An adaptive one
/// says by [`Relation::adaptive`] what else a packet may do; its hop is then the escape hop.
pub trait Relation: Send + Sync + fmt::Debug {
    /// The name on the command line.
    fn name(&self) -> &str;
    /// The seed that its routes were drawn from; `None` where none were drawn.
    fn route_seed(&self) -> Option<u64> {
        None
    }
    /// How many virtual channels its packets use.
    fn vcs(&self) -> u8 {
        1
    }
    /// The header of a new packet, from a terminal that sends to one that takes packets.
    fn inject(&self, source: Terminal, destination: Terminal) -> Header;
    /// Width of the header in a queue of this input, at most 64.
    fn header_bits(&self, input: Input) -> u32;
    /// Where a packet goes next.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop;
    /// The virtual channel that a packet leaves on, where the turn alone says it and not the
    /// route logic ([`Way`]).
    fn output_vc(&self, _node: Node, _input: Input, _vc: Vc, _output: Output) -> Vc {
        Vc(0)
    }
    /// The choices of an adaptive relation ([`choice`]); `None` for a deterministic one.
    fn adaptive(&self) -> Option<&dyn Choices> {
        None
    }
    /// The first virtual channel whose packets have no choice: those below are adaptive.
    fn first_escape_vc(&self) -> Vc {
        Vc(if self.adaptive().is_some() { ADAPTIVE_VC.0 + 1 } else { 0 })
    }
    /// The choices of packets in a queue; `None` where they have none.
    fn choices_of(&self, vc: Vc) -> Option<&dyn Choices> {
        self.adaptive().filter(|_| vc < self.first_escape_vc())
    }
    /// How the side of a terminal, one that sends, makes the header.
    fn injection(&self, source: Terminal) -> Injection;
    /// The route logic at the head of a queue of this input and VC, at this node.
    fn select(&self, node: Node, input: Input, vc: Vc) -> Select;
    /// What becomes of the header of a packet that goes from `input` to `output` at this node.
    fn carry(&self, node: Node, input: Input, output: Port) -> Carry;
    /// What the header bits mean, a line or more, for readers of the Verilog.
    fn header_legend(&self) -> Vec<String>;
    /// The output at a node by the header's low bits alone, whatever the input: the relation's
    /// definition, which [`Relation::select`] reduces for each input. `None` where the
    /// relation needs the input port.
    fn oblivious_select(&self, node: Node) -> Option<Select>;
    /// Whether queues of one input store the same header bits at all switches, and channels carry
    /// them, though at some switches some are never set. Then switches that differ in nothing else
    /// are one module.
    fn has_uniform_headers(&self) -> bool {
        false
    }
    /// Ports in the order in which a dateline counts: a turn that does not ascend in it moves
    /// the packet to the next virtual channel. Best the direction in which routes travel.
    fn dateline_order(&self) -> Vec<Port>;
    /// The same for channels, where no order of the ports does: the place of each, by node and
    /// port (node number times ports, plus port). Only for relations that no translation keeps.
    fn dateline_places(&self) -> Option<&[u32]> {
        None
    }
}

/// A relation that does not exist, or not for this network.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RoutingError {
    /// No relation of this name on this topology.
    #[error(
        "unknown routing '{name}' for {topology}; did you mean '{nearest}'? (there are: {known})"
    )]
    Unknown {
        /// The topology.
        topology: &'static str,
        /// What was asked for.
        name: String,
        /// The closest name there is.
        nearest: String,
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
             {bits} bits, more than {most}; use a smaller dimension"
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
             more than {most}; use a smaller dimension"
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
        /// How many.
        vcs: u32,
        /// The most there may be.
        most: u8,
        /// What may take fewer.
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
    #[error("routing '{name}' draws no routes: leave --route-seed out{instead}")]
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
        /// How many there are.
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
        let others = of_topology(topology.name()).filter(|kind| kind.name != name);
        let others: Vec<&str> = others.map(|kind| kind.name).collect();
        let remedy = match others.is_empty() {
            true => "a smaller dimension".to_owned(),
            false => format!("a smaller dimension or another routing ({})", others.join(", ")),
        };
        Self::Vcs { name: name.to_owned(), vcs, most, remedy }
    }

    /// A seed for the relation `name` of a topology, which draws nothing.
    pub fn seed(name: &str, topology: &str) -> Self {
        let drawn = of_topology(topology).filter(|kind| matches!(kind.build, Build::Drawn(_)));
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

    /// The same by the labels of two terminals or nodes.
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

/// One entry of the list of relations.
pub struct RelationKind {
    /// The name on the command line.
    pub name: &'static str,
    /// The topologies that it routes.
    pub topologies: &'static [&'static str],
    /// Whether it routes networks of a user's own as well.
    pub any: bool,
    /// One line on what it is.
    pub summary: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// How it is built.
    pub build: Build,
}

/// Builds a relation for a network, with one virtual channel.
#[derive(Clone, Copy)]
pub enum Build {
    /// The network says all.
    Fixed(fn(&dyn Topology) -> Built),
    /// Routes are drawn, from this seed.
    Drawn(fn(&dyn Topology, u64) -> Built),
}

/// A relation, where there is one.
pub type Built = Result<Box<dyn Relation>, RoutingError>;

/// The seed of relations that draw, where none is given.
pub const DEFAULT_SEED: u64 = 1;

/// Every relation there is. A new one is one file and one line here.
pub const RELATIONS: &[RelationKind] = &[
    ecube::KIND,
    rotation::KIND,
    thacker::KIND,
    directed_static::KIND,
    two_stage::KIND,
    shortest::KIND,
    random_static::KIND,
    adaptive::KIND,
    dimension_order::KIND,
    up_down::KIND,
];

/// The relations of the topology of this name, or [`wired::NAME`].
pub fn of_topology(topology: &str) -> impl Iterator<Item = &'static RelationKind> {
    let routes = move |kind: &&RelationKind| {
        kind.topologies.contains(&topology) || (kind.any && topology == wired::NAME)
    };
    RELATIONS.iter().filter(routes)
}

/// The relation of that name for this network, with one virtual channel.
///
/// # Errors
/// [`RoutingError`] where there is none.
pub fn build(name: &str, topology: &dyn Topology) -> Result<Box<dyn Relation>, RoutingError> {
    build_with(name, topology, None)
}

/// The same; one that draws its routes draws them from `seed`, or [`DEFAULT_SEED`].
///
/// # Errors
/// As [`build`]; [`RoutingError::Seed`] for a seed that the relation does not use.
pub fn build_with(
    name: &str,
    topology: &dyn Topology,
    seed: Option<u64>,
) -> Result<Box<dyn Relation>, RoutingError> {
    let fitting = || of_topology(topology.name());
    let Some(kind) = fitting().find(|r| r.name == name) else {
        let names: Vec<_> = fitting().map(|kind| kind.name).collect();
        return Err(RoutingError::Unknown {
            topology: topology.name(),
            name: name.to_owned(),
            nearest: turnpike_base::names::nearest(name, &names).to_owned(),
            known: names.join(", "),
        });
    };
    match (kind.build, seed) {
        (Build::Drawn(build), seed) => build(topology, seed.unwrap_or(DEFAULT_SEED)),
        (Build::Fixed(build), None) => build(topology),
        (Build::Fixed(_), Some(_)) => Err(RoutingError::seed(kind.name, topology.name())),
    }
}
