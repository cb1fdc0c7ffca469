//! Split&hash networks: leveled networks of busses whose funnels are hashed (Meyer auf der Heide,
//! Schröder and Schwarze, Routing on networks of optical crossbars, 1996, section 2).
//!
//! N = k^d nodes stand on each of the levels d to 0. On level i they are k^(d-i) groups of k^i. From
//! a group of level i + 1, i at least 1, funnels lead to its k parts on level i: function j of a_i =
//! ceil(a d / i) takes each node of the group to one place, the same in every part. From a group of
//! level 1 each node reaches each of its k sinks. A packet's destination says the parts that it goes
//! through, its digits to the base k from the highest on.
//!
//! The paper's formulas need two corrections to make networks that work: see docs/errata.md.

use turnpike_base::range::{self, OutOfRange};

/// Name of the topology.
pub const SPLIT_HASH: &str = "split-hash";
/// The most nodes of a level.
pub const MOST_NODES: u64 = 1 << 20;
pub const MOST_LEVELS: u32 = 20;

/// Rule by which the functions of a funnel are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hashing {
    /// Each from a permutation of its own.
    Own,
    /// All from one, as the paper has it.
    One,
}

/// A split&hash network's shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitHash {
    side: u32,
    levels: u32,
    factor: u32,
}

/// Reason that a split&hash network cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SplitHashError {
    /// A number out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// A funnel of more functions than places.
    #[error(
        "the funnels to level 1 have {functions} functions, each with places of its own, of {side} \
         places; use a side of at least {functions}, fewer levels or a smaller factor"
    )]
    Side {
        /// Nodes of a group of level 1.
        side: u32,
        functions: u32,
    },
    /// More nodes than there may be.
    #[error("{side}^{levels} nodes on each level are more than {MOST_NODES}")]
    Nodes { side: u32, levels: u32 },
}

impl SplitHash {
    /// The network of side k, d levels and factor a.
    ///
    /// # Errors
    /// Numbers out of range; k below a d, where the funnels to level 1 have fewer places than
    /// functions; a factor of 1 with one function at the top, which repeats every collision.
    pub fn new(side: u32, levels: u32, factor: u32) -> Result<Self, SplitHashError> {
        range::check("side", side, 2, 1 << 20)?;
        range::check("number of levels", levels, 2, MOST_LEVELS)?;
        range::check("factor", factor, 2, 1 << 10)?;
        let nodes = u64::from(side).checked_pow(levels).filter(|&nodes| nodes <= MOST_NODES);
        if nodes.is_none() {
            return Err(SplitHashError::Nodes { side, levels });
        }
        let network = Self { side, levels, factor };
        let functions = network.functions(1);
        if functions > side {
            return Err(SplitHashError::Side { side, functions });
        }
        Ok(network)
    }

    /// k: the sinks of a group of level 1.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// d: the levels, sinks not counted.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// a: functions of a funnel from the top are a d / (d - 1), rounded up.
    pub fn factor(&self) -> u32 {
        self.factor
    }

    /// Nodes of a level.
    pub fn nodes(&self) -> u32 {
        self.side.pow(self.levels)
    }

    /// Nodes of a group of level i.
    pub fn group(&self, level: u32) -> u32 {
        self.side.pow(level)
    }

    /// a_i: functions of the funnels to level i, 1 or more.
    pub fn functions(&self, level: u32) -> u32 {
        (self.factor * self.levels).div_ceil(level)
    }

    /// The places of function j of the funnels to level i: blocks of one size, one for each
    /// function; places beyond them are not used. (The paper's blocks begin one place further each,
    /// and the last ends beyond the level.)
    pub fn block(&self, level: u32, function: u32) -> std::ops::Range<u32> {
        let size = self.group(level) / self.functions(level);
        function * size..(function + 1) * size
    }

    /// Places of all functions of the funnels to level i: the first of each group.
    pub fn places(&self, level: u32) -> u32 {
        self.block(level, self.functions(level) - 1).end
    }

    /// Senders of the longest bus, at most.
    pub fn most_senders(&self) -> u32 {
        (0..self.levels).map(|level| self.bus(level).0).max().unwrap_or(0)
    }

    /// Draws the functions of the funnels from a group of level `level` + 1: by function, the place
    /// of each node of the group. `shuffle` puts the nodes in a random order.
    pub fn draw(
        &self,
        level: u32,
        hashing: Hashing,
        mut shuffle: impl FnMut(&mut [u32]),
    ) -> Vec<Vec<u32>> {
        let mut order: Vec<u32> = (0..self.group(level + 1)).collect();
        shuffle(&mut order);
        let function = |function| {
            if function > 0 && hashing == Hashing::Own {
                shuffle(&mut order);
            }
            let block = self.block(level, function);
            let size = block.len() as u32;
            order.iter().map(|&at| block.start + at % size).collect()
        };
        (0..self.functions(level)).map(function).collect()
    }

    /// Bus lengths of the crossbars between levels i + 1 and i: most senders, and receivers. Senders
    /// are k a_i where the blocks fill the level, as in the paper.
    pub fn bus(&self, level: u32) -> (u32, u32) {
        match level {
            0 => (self.side, self.side),
            _ => {
                let block = self.block(level, 0).len() as u32;
                (self.group(level + 1).div_ceil(block), self.side)
            }
        }
    }

    /// Busses at a node of a level: those that it sends on, and the one that it hears.
    pub fn degree(&self, level: u32) -> u32 {
        let sends = match level {
            0 => 0,
            1 => 1,
            level => self.functions(level - 1),
        };
        sends + u32::from(level < self.levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn blocks_are_apart_and_inside() {
        for (side, levels, factor) in [(4, 2, 2), (16, 2, 3), (9, 3, 3), (32, 3, 2)] {
            let network = SplitHash::new(side, levels, factor).unwrap();
            for level in 1..levels {
                let mut end = 0;
                for function in 0..network.functions(level) {
                    let block = network.block(level, function);
                    assert_eq!(block.start, end);
                    assert!(!block.is_empty());
                    end = block.end;
                }
                assert!(end <= network.group(level));
            }
        }
        let network = SplitHash::new(16, 2, 2).unwrap();
        assert_eq!((network.functions(1), network.bus(1), network.bus(0)), (4, (64, 16), (16, 16)));
        assert_eq!([2, 1, 0].map(|level| network.degree(level)), [4, 2, 1]);
    }

    /// A packet for sink t goes from group t / k^(i+1) of level i + 1 to part t / k^i mod k: a funnel
    /// each.
    #[test]
    fn a_level_has_as_many_funnels_as_groups() {
        for (side, levels, factor) in [(16, 2, 3), (9, 3, 3), (8, 4, 2)] {
            let network = SplitHash::new(side, levels, factor).unwrap();
            let mut all = 0;
            for level in 1..levels {
                let funnel =
                    |sink| (sink / network.group(level + 1), sink / network.group(level) % side);
                let funnels: BTreeSet<_> = (0..network.nodes()).map(funnel).collect();
                assert_eq!(funnels.len() as u32, side.pow(levels - level));
                all += funnels.len() as u32;
            }
            // The paper counts k^i of level i: as many in all.
            assert_eq!(all, (1..levels).map(|level| side.pow(level)).sum::<u32>());
            // A funnel to level d would have more sources than there are nodes.
            assert!(network.group(levels + 1) > network.nodes());
        }
    }

    #[test]
    fn the_longest_bus_grows_with_the_levels() {
        for (levels, length) in [(2, 120), (3, 168), (4, 216)] {
            let network = SplitHash::new(24, levels, 2).unwrap();
            let lengths = (0..levels).map(|level| network.bus(level)).map(|bus| bus.0 + bus.1);
            assert_eq!(lengths.max(), Some(length));
            assert_eq!(length, 24 * (1 + 2 * levels));
        }
    }

    #[test]
    fn networks_that_are_none_are_refused() {
        for (side, levels, factor, text) in [
            (5, 3, 2, "6 functions, each with places of its own, of 5"),
            (8, 2, 1, "factor 1 is out of range; use 2 to"),
            (1, 2, 2, "side 1 is out of range"),
            (8, 1, 2, "number of levels 1"),
            (1 << 11, 2, 2, "nodes on each level are more"),
        ] {
            let error = SplitHash::new(side, levels, factor).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
