//! North last: a packet goes north when nothing else is left, so no turn leads out of north.

use super::{EAST, Forbidden, NORTH, Turn, WEST};
use crate::routing::{Build, RelationKind};
use crate::topology::Structure;

const TURNS: &[Turn] = &[(NORTH, WEST), (NORTH, EAST)];

/// The turns that it forbids.
pub const FORBIDDEN: Forbidden = Forbidden { even: TURNS, odd: TURNS };

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "north-last",
    routes: Structure::is_mesh,
    summary: "a turn model: no turn leads out of north",
    source: "Glass and Ni, The Turn Model for Adaptive Routing, Journal of the ACM 41(5), 1994",
    build: Build::Fixed(|topology| super::turn_model(KIND.name, FORBIDDEN, topology)),
};
