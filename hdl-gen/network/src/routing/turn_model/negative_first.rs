//! Negative first: a packet goes west and south before it goes east or north, so no turn leads from
//! east or north to west or south.

use super::{EAST, Forbidden, NORTH, SOUTH, Turn, WEST};
use crate::routing::{Build, RelationKind};
use crate::topology::Structure;

const TURNS: &[Turn] = &[(NORTH, WEST), (EAST, SOUTH)];

/// The turns that it forbids.
pub const FORBIDDEN: Forbidden = Forbidden { even: TURNS, odd: TURNS };

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "negative-first",
    routes: Structure::is_mesh,
    summary: "a turn model: no turn leads from a positive direction to a negative one",
    source: "Glass and Ni, The Turn Model for Adaptive Routing, Journal of the ACM 41(5), 1994",
    build: Build::Fixed(|topology| super::turn_model(KIND.name, FORBIDDEN, topology)),
};
