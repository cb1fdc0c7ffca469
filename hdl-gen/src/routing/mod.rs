//! Routing relations: where a packet goes next. One file each.
//!
//! A relation is written once. Its hardware is *data* read from the same place: which header
//! bits an input queue looks at, in which order ([`Select`]), which bits go on
//! ([`Relation::keeps`]), and how injection makes the header ([`Injection`]).

pub mod cube;
pub mod dateline;
pub mod ecube;
pub mod rotation;
pub mod thacker;
pub mod walk;

use crate::topology::{Node, Port, Topology};
use serde::Serialize;
use std::fmt;

/// A virtual channel, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Vc(pub u8);

/// Where packets enter a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// From the terminal at this node.
    Inject,
    /// From a channel.
    Network(Port),
}

/// Where packets leave a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// To a channel.
    Network(Port),
    /// To the terminal at this node.
    Eject,
}

/// What a packet carries for routing: bit j is header bit j. At most 64 bits; what the bits
/// mean is the relation's affair.
pub type Header = u64;

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

/// Which output the packet at the head of a queue takes, as hardware.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Select {
    /// The output of the first header bit that is set, in this order; `eject` where none is.
    FirstSet {
        /// Header bit and output port, first to look at first.
        order: Vec<(u32, Port)>,
        /// At most one of these bits is ever set, so that the order is of no account.
        one_hot: bool,
    },
    /// The output by the value of the header's low `bits` bits.
    Table {
        /// Width of the index.
        bits: u32,
        /// 2^bits outputs.
        outputs: Vec<Output>,
    },
}

impl Select {
    /// The output for a header.
    pub fn output(&self, header: Header) -> Output {
        match self {
            Self::FirstSet { order, .. } => order
                .iter()
                .find(|(bit, _)| header >> bit & 1 == 1)
                .map_or(Output::Eject, |&(_, port)| Output::Network(port)),
            Self::Table { bits, outputs } => outputs[(header & low_bits(*bits)) as usize],
        }
    }
}

/// How the terminal's side makes a header, as hardware.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Injection {
    /// The header's low bits are source XOR destination, this many.
    pub difference_bits: u32,
    /// A one-hot field above them, by table from the difference: row d holds the field's
    /// value for difference d. `None` where the head of the queue decides from the
    /// difference itself.
    pub first_port: Option<FirstPort>,
}

/// The precomputed first port of a packet (see [`Injection`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstPort {
    /// Width of the one-hot field.
    pub bits: u32,
    /// 2^difference_bits values.
    pub rows: Vec<u64>,
    /// Whether a register stands between the terminal and the table, so that the table never
    /// shares a clock cycle with the user's logic. Costs one cycle of latency.
    pub registered: bool,
}

/// A routing relation. Deterministic: one hop for each (node, input, VC, header).
pub trait Relation: Send + Sync + fmt::Debug {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// How many virtual channels its packets use.
    fn vcs(&self) -> u8 {
        1
    }
    /// The header of a new packet.
    fn inject(&self, source: Node, destination: Node) -> Header;
    /// Width of the header in a queue of this input, at most 64.
    fn header_bits(&self, input: Input) -> u32;
    /// Where a packet goes next.
    fn hop(&self, node: Node, input: Input, vc: Vc, header: Header) -> Hop;
    /// The virtual channel that a packet leaves on: it follows from the turn alone.
    fn output_vc(&self, _input: Input, _vc: Vc, _output: Output) -> Vc {
        Vc(0)
    }
    /// How the terminal's side makes the header.
    fn injection(&self) -> Injection;
    /// The route logic at the head of a queue of this input.
    fn select(&self, input: Input) -> Select;
    /// Header bits that a packet keeps when it goes from `input` to `output`; the others are
    /// cleared. No bit changes its place.
    fn keeps(&self, input: Input, output: Port) -> Header;
    /// The output by the header's low bits alone, whatever the input: the relation's
    /// definition, which [`Relation::select`] reduces for each input. `None` where the
    /// relation needs the input port.
    fn oblivious_select(&self) -> Option<Select>;
    /// Ports in the order in which a dateline counts: a turn that does not ascend in it moves
    /// the packet to the next virtual channel. Best the direction in which routes travel.
    fn dateline_order(&self) -> Vec<Port>;
}

/// A mask of the low `bits` bits.
pub fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
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
}

/// One entry of the list of relations.
pub struct RelationKind {
    /// The name on the command line.
    pub name: &'static str,
    /// The topology that it routes.
    pub topology: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// Builds it, with one virtual channel.
    pub build: Build,
}

/// Builds a relation for a network.
pub type Build = fn(&dyn Topology) -> Result<Box<dyn Relation>, RoutingError>;

/// Every relation there is. A new one is one file and one line here.
pub const RELATIONS: &[RelationKind] = &[ecube::KIND, rotation::KIND, thacker::KIND];

/// The relation of that name for this network, with one virtual channel.
///
/// # Errors
/// [`RoutingError`] where there is none.
pub fn build(name: &str, topology: &dyn Topology) -> Result<Box<dyn Relation>, RoutingError> {
    let fitting = || RELATIONS.iter().filter(|r| r.topology == topology.name());
    let Some(kind) = fitting().find(|r| r.name == name) else {
        let names: Vec<_> = fitting().map(|r| r.name).collect();
        return Err(RoutingError::Unknown {
            topology: topology.name(),
            name: name.to_owned(),
            nearest: crate::names::nearest(name, &names).to_owned(),
            known: names.join(", "),
        });
    };
    (kind.build)(topology)
}
