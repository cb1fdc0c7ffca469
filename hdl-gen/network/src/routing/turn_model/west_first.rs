//! West first: a packet goes west before it goes anywhere else, so no turn leads west.

use super::{Forbidden, NORTH, SOUTH, Turn, WEST};
use crate::routing::{Build, RelationKind};
use crate::topology::Structure;

const TURNS: &[Turn] = &[(NORTH, WEST), (SOUTH, WEST)];

/// The turns that it forbids.
pub const FORBIDDEN: Forbidden = Forbidden { even: TURNS, odd: TURNS };

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "west-first",
    routes: Structure::is_mesh,
    summary: "a turn model: no turn leads west",
    source: "Glass and Ni, The Turn Model for Adaptive Routing, Journal of the ACM 41(5), 1994",
    build: Build::Fixed(|topology| super::turn_model(KIND.name, FORBIDDEN, topology)),
};
