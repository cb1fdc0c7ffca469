//! Routing relations: where a packet goes next. One file each.
//!
//! A relation is written once. Its hardware is *data* read from the same place: which header
//! bits an input queue looks at, in which order ([`Select`]), what becomes of the header on a
//! turn ([`Carry`]), and how injection makes it ([`Injection`]).

pub mod adaptive;
pub mod around;
pub mod avoiding;
pub mod choice;
pub mod concentrating;
pub mod cube;
pub mod dateline;
/// The example of `docs/architecture.md`: compiled and tested, not in the list.
#[cfg(test)]
#[path = "../../../../docs/examples/descending.rs"]
mod descending;
pub mod dimension_order;
pub mod direct;
pub mod directed_static;
pub mod ecube;
mod error;
pub mod given;
pub mod grid_header;
mod header;
pub mod hop_by_hop;
mod injection;
pub mod invariant;
pub mod layers;
mod mykkeltveit;
mod port;
pub mod random_static;
pub mod rotation;
mod select;
pub mod shift;
pub mod shortest;
pub mod source;
pub mod thacker;
pub mod turn_model;
#[cfg(any(test, feature = "testing"))]
pub mod twisted;
pub mod two_stage;
pub mod up_down;
pub mod up_down_tree;
pub mod walk;
pub mod walker;

pub use error::RoutingError;
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
/// says by [`Relation::adaptive`] what else a packet may do; its hop is then the escape hop, or
/// where it has no escape channels the hop that is liked best.
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
    /// Whether there are escape channels beside an adaptive one.
    fn has_escape(&self) -> bool {
        self.adaptive().is_some_and(Choices::has_escape)
    }
    /// The first virtual channel that a certificate numbers: of those with escape channels, theirs.
    fn first_numbered_vc(&self) -> Vc {
        if self.has_escape() { self.first_escape_vc() } else { Vc(0) }
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
    turn_model::west_first::KIND,
    turn_model::north_last::KIND,
    turn_model::negative_first::KIND,
    turn_model::odd_even::KIND,
    direct::KIND,
    around::KIND,
    up_down::KIND,
    up_down_tree::KIND,
    shift::KIND,
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
