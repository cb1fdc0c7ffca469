//! Chuck Thacker's routing on the 4-cube (SRC Technical Note 2000-001, first diagram, with
//! that diagram's labels; the second diagram, there called the complement, is its bit
//! reversal).

use super::cube::{CubeInjection, CubeScheme, cube_relation, upward_after};
use super::{Build, Built, RelationKind, RoutingError};
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "thacker",
    routes: |network| matches!(network, Structure::Cube),
    summary: "Thacker's original scheme for the 4-cube",
    source: "Broder, Manasse, Saxe, SRC Technical Note 2000-001, first diagram",
    build: Build::Fixed(build),
};

/// The only dimension it is defined for.
const DIMENSION: u32 = 4;

/// The diagram, as the dimension to cross first on the way from 0000 to each label.
const FIRST: [u32; 16] = [
    u32::MAX, // 0000: there already
    0,        // 0001
    1,        // 0010
    0,        // 0011 by 0001
    2,        // 0100
    2,        // 0101 by 0100
    1,        // 0110 by 0010
    0,        // 0111 by 0001, 0011
    3,        // 1000
    3,        // 1001 by 1000
    3,        // 1010 by 1000
    3,        // 1011 by 1000, 1001
    2,        // 1100 by 0100
    2,        // 1101 by 0100, 1100
    1,        // 1110 by 0010, 0110
    0,        // 1111 by 0001, 0011, 0111
];

fn build(topology: &dyn Topology) -> Built {
    match topology.size().dim() {
        DIMENSION => Ok(cube_relation(Thacker, DIMENSION)),
        dimension => Err(RoutingError::Dimension { name: KIND.name, only: DIMENSION, dimension }),
    }
}

/// Thacker's routing.
#[derive(Debug)]
pub struct Thacker;

impl CubeScheme for Thacker {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn next(&self, _dimension: u32, difference: u64) -> u32 {
        FIRST[difference as usize]
    }
    /// Bits upward and around.
    fn order(&self, dimension: u32, crossed: u32) -> Vec<u32> {
        upward_after(dimension, crossed)
    }
    /// Four address bits are one look-up table: no register is needed.
    fn injection(&self) -> CubeInjection {
        CubeInjection::Table { registered: false }
    }
    fn travel(&self, dimension: u32) -> Vec<u32> {
        (0..dimension).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::cube::forms_agree;
    use crate::routing::rotation::Rotation;

    #[test]
    fn both_forms_agree() {
        assert_eq!(forms_agree(&Thacker, DIMENSION), Ok(()));
    }

    /// The note: against the complement of Thacker's scheme, minimal rotation "changes ...
    /// only for the path to 0101". The complement is the bit reversal.
    #[test]
    fn differs_from_minimal_rotation_in_one_label_only() {
        let reverse = |d: u64| (d.reverse_bits() >> 60) & 15;
        let differing: Vec<u64> =
            (1..16).filter(|&d| 3 - FIRST[reverse(d) as usize] != Rotation.next(4, d)).collect();
        assert_eq!(differing, [0b0101]);
    }
}
