//! What a randomised relation draws.
//!
//! A randomised relation is a deterministic one of source, destination and draw: a source draws once
//! for each packet, from a finite set of draws of equal odds ([`super::Relation::draws`]). So
//! whatever is said of all routes is said over all draws, and a mean over them is exact.

use serde::Serialize;

/// What a source drew for a packet, counted from 0: which of the relation's draws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Draw(pub u32);

impl Draw {
    /// The one draw of a relation that draws nothing.
    pub const NONE: Self = Self(0);
}
