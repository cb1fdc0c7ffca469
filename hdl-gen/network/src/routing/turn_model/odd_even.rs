//! Odd-even: no turn leads out of east in an even column, and none leads west in an odd one
//! (Chiu, The Odd-Even Turn Model for Adaptive Routing, IEEE Transactions on Parallel and Distributed
//! Systems 11(7), 2000, rules 1 and 2). The routes are those of its algorithm ROUTE.

use super::{EAST, Forbidden, NORTH, SOUTH, WEST};
use crate::routing::{Build, RelationKind};
use crate::topology::Structure;

/// The turns that it forbids.
pub const FORBIDDEN: Forbidden =
    Forbidden { even: &[(EAST, NORTH), (EAST, SOUTH)], odd: &[(NORTH, WEST), (SOUTH, WEST)] };

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "odd-even",
    routes: Structure::is_mesh,
    summary: "a turn model: no turn out of east in even columns, none to west in odd ones",
    source: "Chiu, The Odd-Even Turn Model for Adaptive Routing, IEEE TPDS 11(7), 2000",
    build: Build::Fixed(|topology| super::turn_model(KIND.name, FORBIDDEN, topology)),
};
