//! A shortest path per pair, drawn evenly from all of them when the network is built, and
//! carried in the header (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 2:
//! complete path generation with static routing). The memo picks a path in advance for each pair,
//! or draws one on demand, for each message; this is the former: what is drawn stays in the
//! table. Nodes that translations make equal draw alike.

use super::source::source_routed;
use super::{Build, Built, RelationKind, RoutingError};
use crate::topology::paths::Paths;
use crate::topology::{Structure, Terminal, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "random-static",
    routes: |network| {
        matches!(
            network,
            Structure::Cube | Structure::DirectedCube(_) | Structure::Cycles(_) | Structure::Given
        )
    },
    summary: "a shortest path per pair, drawn from all by a seed, by table at the source",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 2: complete path generation",
    build: Build::Drawn(random_static),
};

/// The relation on any topology, its routes drawn from `seed`.
///
/// # Errors
/// [`RoutingError::Disconnected`] names two terminals without a path; those of
/// [`source_routed`].
pub fn random_static(topology: &dyn Topology, seed: u64) -> Built {
    let mut paths = Paths::new(topology);
    let relation = source_routed(topology, KIND.name, |source, destination| {
        let mut draws = Draws::new(seed, source, destination);
        let between = paths.between(source, destination);
        let path = between.and_then(|(from, to)| from.drawn(to, |below| draws.below(below)));
        path.ok_or_else(|| RoutingError::disconnected(topology, source, destination))
    })?;
    Ok(relation.with_route_seed(Some(seed)))
}

/// SplitMix64 (Steele, Lea, Flood 2014), a stream per pair.
struct Draws(u64);

impl Draws {
    fn new(seed: u64, source: Terminal, destination: Terminal) -> Self {
        let pair = u64::from(source.0) << 32 | u64::from(destination.0);
        let mut draws = Self(seed);
        Self(draws.next() ^ pair.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, which is not 0; the bias is below 2^-32 for the counts here.
    fn below(&mut self, bound: u128) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) % bound
    }
}
