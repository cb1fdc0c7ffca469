//! Routing relations: where a packet goes next. One file each.
//!
//! A relation is written once. Its hardware is *data* read from the same place: which header
//! bits an input queue looks at, in which order ([`Select`]), what becomes of the header on a
//! turn ([`HeaderUpdate`]), and how injection makes it ([`Injection`]).

pub mod adaptive;
pub mod around;
pub mod avoiding;
pub mod balanced;
pub mod by_class;
pub mod by_digit;
mod by_offsets;
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
mod draw;
pub mod ecube;
mod error;
pub mod given;
pub mod grid_header;
mod header;
pub mod hop_by_hop;
pub mod hyperx;
mod injection;
mod intermediate;
pub mod invariant;
pub mod layers;
pub mod minimal;
mod mykkeltveit;
pub mod o1turn;
pub mod phases;
mod phases_by_table;
mod port;
pub mod random_hop;
pub mod random_path;
pub mod random_static;
pub mod random_up;
mod relation;
pub mod romm;
pub mod rotation;
pub mod rows;
mod select;
pub mod several_vcs;
pub mod shift;
pub mod shortest;
pub mod source;
pub mod thacker;
pub mod turn_model;
pub mod twisted;
pub mod two_phase;
pub mod two_stage;
mod unlike_draws;
pub mod up_down;
pub mod up_down_tree;
pub mod walk;
pub mod walker;

pub use draw::Draw;
pub use error::RoutingError;
pub use header::{Carried, Header, HeaderUpdate};
pub use injection::{DestinationEncoding, Drawn, FieldTable, Injection};
pub use intermediate::{Coordinate, Intermediate, IntermediateError, Via};
pub use port::{Input, Output};
pub use relation::{ChannelOrder, Relation, RouteLogic, RoutingFunction};
pub use select::{Condition, EjectNumber, RouteDecision, Rule, Select};
pub use turnpike_base::bits::{bits_of, low_bits};
pub use unlike_draws::drawn_routes;

use crate::topology::{Structure, Topology, TopologyKind};
use serde::Serialize;
use turnpike_base::nearest::Nearest;

/// Most virtual channels that a relation may use.
pub const MAX_VCS: u8 = 8;

/// A virtual channel, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Vc(pub u8);

/// One decision of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Output by which the packet leaves the switch.
    pub output: Output,
    /// The virtual channel it leaves on (0 at `eject`).
    pub vc: Vc,
    /// Header of the packet behind the switch.
    pub header: Header,
}

/// One entry of the list of relations.
pub struct RelationKind {
    /// The name on the command line.
    pub name: &'static str,
    /// Whether it routes networks of this structure.
    pub routes: fn(&Structure) -> bool,
    /// One line on what it is.
    pub summary: &'static str,
    /// Source of the definition.
    pub source: &'static str,
    /// Builder of the relation.
    pub build: Build,
}

/// Builds a relation for a network, with one virtual channel.
#[derive(Clone, Copy)]
pub enum Build {
    /// The network says all.
    Fixed(fn(&dyn Topology) -> Built),
    /// Routes are drawn, from this seed.
    Drawn(fn(&dyn Topology, u64) -> Built),
    /// Builds a relation of two relations, one for each phase ([`phases`]).
    Phases {
        /// The name of the relation of each where none is asked for.
        default: fn(&dyn Topology) -> &'static str,
        /// The whole, over these terminals.
        of: fn(&dyn Topology, [Relation; 2], &Intermediate) -> Built,
    },
}

/// A relation, where there is one.
pub type Built = Result<Relation, RoutingError>;

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
    random_path::KIND,
    random_hop::KIND,
    adaptive::KIND,
    dimension_order::KIND,
    minimal::KIND,
    turn_model::west_first::KIND,
    turn_model::north_last::KIND,
    turn_model::negative_first::KIND,
    turn_model::odd_even::KIND,
    direct::KIND,
    around::KIND,
    up_down::KIND,
    up_down_tree::KIND,
    random_up::KIND,
    shift::KIND,
    by_digit::GREEDY,
    by_digit::SHORTEST,
    two_phase::KIND,
    romm::KIND,
    o1turn::KIND,
    by_digit::TWO_PHASE,
];

/// The relations that route networks of this structure.
pub fn of_structure(structure: Structure) -> impl Iterator<Item = &'static RelationKind> {
    RELATIONS.iter().filter(move |kind| (kind.routes)(&structure))
}

/// The relations that route networks of this topology.
pub fn of_kind(kind: &TopologyKind) -> impl Iterator<Item = &'static RelationKind> + use<> {
    of_structure(kind.structure())
}

/// The relation of that name for this network, with one virtual channel.
///
/// # Errors
/// [`RoutingError`] where there is none.
pub fn build(name: &str, topology: &dyn Topology) -> Built {
    build_with(name, topology, None)
}

/// Builds a relation by name; one that draws its routes draws them from `seed`, or
/// [`DEFAULT_SEED`].
///
/// # Errors
/// As [`build`]; [`RoutingError::Seed`] for a seed that the relation does not use.
pub fn build_with(name: &str, topology: &dyn Topology, seed: Option<u64>) -> Built {
    let kind = kind(name, topology)?;
    match (kind.build, seed) {
        (Build::Phases { default, of }, None) => {
            let phase = build(default(topology), topology)?;
            of(topology, [phase.clone(), phase], &Intermediate::All)
        }
        (Build::Drawn(build), seed) => build(topology, seed.unwrap_or(DEFAULT_SEED)),
        (Build::Fixed(build), None) => build(topology),
        (Build::Fixed(_) | Build::Phases { .. }, Some(_)) => {
            Err(RoutingError::seed(kind.name, topology))
        }
    }
}

/// The entry of the relation of that name for this network.
///
/// # Errors
/// [`RoutingError::Unknown`] where there is none.
pub fn kind(name: &str, topology: &dyn Topology) -> Result<&'static RelationKind, RoutingError> {
    let fitting = || of_structure(topology.structure());
    fitting().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = fitting().map(|kind| kind.name).collect();
        RoutingError::Unknown {
            topology: topology.name(),
            name: name.to_owned(),
            nearest: Nearest::of(name, names.iter().copied()),
            known: names.join(", "),
        }
    })
}

#[cfg(test)]
mod tests;
