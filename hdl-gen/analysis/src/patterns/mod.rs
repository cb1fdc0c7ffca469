//! Permutations of terminals that have a name: as traffic, as workloads, and as what a network is asked
//! to carry. A new one is a function and a line in the list.

mod bits;
mod coordinates;

use turnpike_base::numbers::sides_in_words;
use turnpike_network::topology::Topology;

/// One entry of the list.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    /// The name on the command line.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    map: Map,
}

#[derive(Clone, Copy, Debug)]
enum Map {
    /// Map of an address of so many bits, at most 31.
    Bits(fn(u32, u32) -> u32),
    /// Map of a coordinate on a side of so many, at least 1; each by itself.
    Coordinates(fn(u32, u32) -> u32),
}

/// Every one there is.
pub const PERMUTATIONS: &[Permutation] =
    &[TRANSPOSE, BIT_COMPLEMENT, BIT_REVERSAL, ROTATION, SHUFFLE, TORNADO, NEIGHBOUR];

/// x m y to y m x.
pub const TRANSPOSE: Permutation = Permutation {
    name: "transpose",
    summary: "the halves of the address swapped; of an odd number of bits the middle one stays",
    map: Map::Bits(bits::transpose),
};
/// Every bit inverted.
const BIT_COMPLEMENT: Permutation = Permutation {
    name: "bit-complement",
    summary: "every address bit inverted",
    map: Map::Bits(bits::complement),
};
/// The bits from the other end.
const BIT_REVERSAL: Permutation = Permutation {
    name: "bit-reversal",
    summary: "the address bits in reverse order",
    map: Map::Bits(bits::reverse),
};
/// By half its bits.
const ROTATION: Permutation = Permutation {
    name: "rotation",
    summary: "the address rotated by half its bits (rounded down)",
    map: Map::Bits(|address, bits| bits::rotate_left(address, bits / 2, bits)),
};
/// By one bit.
const SHUFFLE: Permutation = Permutation {
    name: "shuffle",
    summary: "the address rotated by one bit to the left (perfect shuffle)",
    map: Map::Bits(|address, bits| bits::rotate_left(address, 1, bits)),
};
/// Just short of half way around.
const TORNADO: Permutation = Permutation {
    name: "tornado",
    summary: "in each dimension just short of half way around (half the side, rounded up, less 1)",
    map: Map::Coordinates(coordinates::tornado),
};
/// The next one.
const NEIGHBOUR: Permutation = Permutation {
    name: "neighbour",
    summary: "in each dimension the next one (the coordinate and 1)",
    map: Map::Coordinates(coordinates::neighbour),
};

/// The entry of that name.
pub fn find(name: &str) -> Option<&'static Permutation> {
    PERMUTATIONS.iter().find(|permutation| permutation.name == name)
}

/// Places of the terminals of a network that send, and of as many that take packets: each counted
/// from 0, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Number of terminals.
    pub terminals: u32,
    /// The sides of the grid that they stand on, X first and fastest in their numbers; of another
    /// network one side, along which they follow one another.
    pub sides: Vec<u32>,
    /// Terminals at each point of the grid, which follow one another in their numbers; at least 1.
    pub concentration: u32,
}

impl Places {
    /// Places of so many terminals in a row.
    pub fn row(terminals: u32) -> Self {
        Self { terminals, sides: vec![terminals], concentration: 1 }
    }

    /// Places of so many terminals of a network: those that are left, where nodes failed.
    pub fn of(topology: &dyn Topology, terminals: u32) -> Self {
        let concentration = topology.concentration();
        let sides = match topology.structure().sides() {
            Some(sides) => sides.to_vec(),
            None => vec![terminals / concentration],
        };
        Self { terminals, sides, concentration }
    }
}

/// Terminals that have no such permutation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// One on address bits, where terminals are not all the values of some bits.
    #[error(
        "pattern '{pattern}' needs a power of two of terminals, not {terminals}; use permutation for \
         one of any number"
    )]
    NotPowerOfTwo {
        pattern: &'static str,
        /// The terminals that send, and as many that take packets.
        terminals: u32,
    },
    /// One on coordinates, where some point of the grid has no terminal.
    #[error(
        "pattern '{pattern}' goes by the coordinates of every point of a grid of {sides}, not of \
         {terminals} terminals; use permutation for one of any number"
    )]
    NotWhole {
        pattern: &'static str,
        /// The sides of the grid, X first.
        sides: String,
        /// The terminals that send, and as many that take packets.
        terminals: u32,
    },
}

impl Permutation {
    /// Destination of each terminal, by their places.
    ///
    /// # Errors
    /// [`PatternError`] where they have no such permutation.
    pub fn of(&self, places: &Places) -> Result<Vec<u32>, PatternError> {
        let (pattern, terminals) = (self.name, places.terminals);
        match self.map {
            Map::Bits(map) if terminals.is_power_of_two() => {
                Ok((0..terminals).map(|address| map(address, terminals.ilog2())).collect())
            }
            Map::Bits(_) => Err(PatternError::NotPowerOfTwo { pattern, terminals }),
            Map::Coordinates(map) => coordinates::each(places, map).ok_or_else(|| {
                let sides = sides_in_words(&places.sides);
                PatternError::NotWhole { pattern, sides, terminals }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over the list, in rows of all lengths and on grids: each is a permutation where it is one at all.
    #[test]
    fn each_is_a_permutation() {
        for permutation in PERMUTATIONS {
            assert_eq!(find(permutation.name).unwrap().summary, permutation.summary);
            let mut defined = 0;
            let grid = |sides: &[u32], concentration| Places {
                terminals: sides.iter().product::<u32>() * concentration,
                sides: sides.to_vec(),
                concentration,
            };
            let grids = [grid(&[4, 3], 1), grid(&[2, 8], 2), grid(&[1, 1], 1), grid(&[3, 2, 2], 4)];
            for places in (0..=70).map(Places::row).chain(grids) {
                let is_bits = matches!(permutation.map, Map::Bits(_));
                let Ok(mut to) = permutation.of(&places) else {
                    assert!(is_bits && !places.terminals.is_power_of_two(), "{places:?}");
                    continue;
                };
                to.sort_unstable();
                assert!(
                    to.into_iter().eq(0..places.terminals),
                    "{} of {places:?}",
                    permutation.name
                );
                defined += 1;
            }
            assert!(defined >= 9, "{}", permutation.name);
        }
    }
}
