//! Orbits of the nodes of the hypercube.

use crate::parities::parities;
use std::collections::BTreeSet;

/// Orbit representative of each node: translations that keep the relation take each node of an orbit
/// to the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbits(Vec<u32>);

impl Orbits {
    /// Each node of the k-cube for itself.
    pub fn each(k: u32) -> Self {
        Self((0..1 << k).collect())
    }

    /// Node 0 for all.
    pub fn one(k: u32) -> Self {
        Self(vec![0; 1 << k])
    }

    /// The first node of the same parities for each, independent ones of the bits under `masks`.
    pub fn by_parities(k: u32, masks: &[u32]) -> Self {
        let mut first = vec![None; 1 << masks.len()];
        let representative = |node| *first[parities(masks, node) as usize].get_or_insert(node);
        Self((0..1 << k).map(representative).collect())
    }

    /// Representative of the orbit of `node`.
    pub fn of(&self, node: u32) -> u32 {
        self.0[node as usize]
    }

    /// Representatives of all orbits, ascending.
    pub fn all(&self) -> BTreeSet<u32> {
        self.0.iter().copied().collect()
    }

    /// A node and another as seen from the representative of the first.
    pub fn pair(&self, at: u32, to: u32) -> (u32, u32) {
        let representative = self.of(at);
        (representative, representative ^ at ^ to)
    }

    /// Whether one node stands for all.
    pub fn is_one(&self) -> bool {
        self.0.iter().all(|&representative| representative == 0)
    }

    /// Whether each node stands for itself.
    pub fn is_each(&self) -> bool {
        (0..).zip(&self.0).all(|(node, &representative)| node == representative)
    }
}
