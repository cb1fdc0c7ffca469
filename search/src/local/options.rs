//! The hops that a packet may make on a shortest path.

use crate::cube::dimensions;
use std::collections::BTreeSet;

/// By node and destination, the dimensions that lead on: a bit each.
#[derive(Debug)]
pub struct Options {
    k: u32,
    of: Vec<u16>,
    /// Pairs with more than one.
    pub free: Vec<(u32, u32)>,
}

impl Options {
    /// Options of the cube without failed nodes; `None` where two nodes that are alive have no
    /// shortest path.
    pub fn new(k: u32, failed: &BTreeSet<u32>) -> Option<Self> {
        let mut options = Self { k, of: vec![0; 1 << (2 * k)], free: Vec::new() };
        let alive = |node: &u32| !failed.contains(node);
        for at in (0..1 << k).filter(alive) {
            for to in (0..1 << k).filter(alive).filter(|&to| to != at) {
                // Each leads to a node that has one in its turn: a pair without any ends this.
                let leads = |p: &u32| alive(&(at ^ 1 << p));
                let bits: u16 = dimensions(at ^ to).filter(leads).map(|p| 1 << p).sum();
                match bits.count_ones() {
                    0 => return None,
                    1 => {}
                    _ => options.free.push((at, to)),
                }
                options.of[(at << k | to) as usize] = bits;
            }
        }
        Some(options)
    }

    /// Dimension of the cube.
    pub fn dimension(&self) -> u32 {
        self.k
    }

    /// Nodes of the cube, those that failed among them.
    pub fn nodes(&self) -> u32 {
        1 << self.k
    }

    /// Options of a pair; none where a node failed.
    pub fn of(&self, at: u32, to: u32) -> u32 {
        self.of[(at << self.k | to) as usize].into()
    }

    /// Every pair that has a hop: node, destination.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pairs = (0u32..).zip(&self.of).filter(|(_, bits)| **bits != 0);
        pairs.map(|(pair, _)| (pair >> self.k, pair & ((1 << self.k) - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_paths_around_failed_nodes() {
        let options = Options::new(3, &BTreeSet::from([0b011])).unwrap();
        assert_eq!(options.of(0b000, 0b111), 0b111);
        assert_eq!(options.of(0b001, 0b111), 0b100);
        assert_eq!(options.of(0b011, 0b000), 0);
        assert!(Options::new(2, &BTreeSet::from([1, 2])).is_none());
        let whole = Options::new(3, &BTreeSet::new()).unwrap();
        assert_eq!((whole.pairs().count(), whole.free.len()), (56, 32));
    }
}
