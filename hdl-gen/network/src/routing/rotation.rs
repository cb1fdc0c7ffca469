//! Minimal-rotation routing (Broder, Manasse, Saxe, "Hypercube routing with limited
//! interconnections", SRC Technical Note 2000-001): of the rotations of source XOR
//! destination take the least; cross the dimension of its leftmost 1. Every input port then
//! feeds at most ⌈(k-1)/2⌉ outputs.

use super::cube::{CubeInjection, CubeScheme, cube_relation, downward_after};
use super::{Build, Built, RelationKind};
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "rotation",
    routes: |network| matches!(network, Structure::Cube),
    summary: "minimal rotation: at most ceil((k-1)/2) crosspoints per port",
    source: "Broder, Manasse, Saxe, SRC Technical Note 2000-001",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    Ok(cube_relation(Rotation, topology.size().dim()))
}

/// A value of `dimension` bits turned left by `by` places, fewer than that.
pub fn rotated(dimension: u32, value: u64, by: u32) -> u64 {
    (value << by | value >> (dimension - by)) & ((1 << dimension) - 1)
}

/// The least rotation of a value of `dimension` bits (1 or more), and the shortest turn to the
/// left that makes it.
pub fn least_rotation(dimension: u32, value: u64) -> (u64, u32) {
    (0..dimension)
        .map(|by| (rotated(dimension, value, by), by))
        .min()
        .expect("a cube has at least one dimension")
}

/// Minimal-rotation routing.
#[derive(Debug)]
pub struct Rotation;

impl CubeScheme for Rotation {
    fn name(&self) -> &'static str {
        KIND.name
    }

    /// The shortest leftward rotation to the least value breaks ties.
    fn next(&self, dimension: u32, difference: u64) -> u32 {
        let (value, by) = least_rotation(dimension, difference);
        // Rotating left by `by` took bit i to bit i + by.
        (value.ilog2() + dimension - by) % dimension
    }

    /// Left to right, wrapping around (the Lemma): downward in bit numbers.
    fn order(&self, dimension: u32, crossed: u32) -> Vec<u32> {
        downward_after(dimension, crossed)
    }

    /// A comparison of k rotations is too slow to stand before the arbiters, so the first
    /// dimension is found at the terminal, by table, behind a register of its own, and
    /// travels one-hot through the injection queue.
    fn injection(&self) -> CubeInjection {
        CubeInjection::Table { registered: true }
    }

    fn travel(&self, dimension: u32) -> Vec<u32> {
        (0..dimension).rev().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::cube::forms_agree;

    /// The note's third diagram: "Our routing scheme viewed from the origin", arrow by arrow.
    #[test]
    fn dimension_4_is_the_notes_diagram() {
        let mut diagram = vec![
            (0b0001, 0b1001),
            (0b1001, 0b1101),
            (0b0100, 0b0101),
            (0b0000, 0b0001),
            (0b0000, 0b0100),
            (0b0000, 0b1000),
            (0b1000, 0b1100),
            (0b0100, 0b0110),
            (0b0000, 0b0010),
            (0b1100, 0b1110),
            (0b0010, 0b1010),
            (0b0110, 0b0111),
            (0b0010, 0b0011),
            (0b1110, 0b1111),
            (0b0011, 0b1011),
        ];
        let mut ours: Vec<(u64, u64)> = Vec::new();
        for destination in 1..16u64 {
            let mut left = destination;
            while left != 0 {
                let bit = 1 << Rotation.next(4, left);
                ours.push((destination ^ left, destination ^ left ^ bit));
                left ^= bit;
            }
        }
        ours.sort_unstable();
        ours.dedup();
        diagram.sort_unstable();
        assert_eq!(ours, diagram);
    }

    #[test]
    fn rotations() {
        assert_eq!(rotated(4, 0b0011, 1), 0b0110);
        assert_eq!(rotated(4, 0b1001, 1), 0b0011);
        assert_eq!(least_rotation(4, 0b1001), (0b0011, 1));
        assert_eq!(least_rotation(4, 0b1010), (0b0101, 1));
    }

    #[test]
    fn both_forms_agree_up_to_dimension_12() {
        for k in 1..=12 {
            assert_eq!(forms_agree(&Rotation, k), Ok(()), "dimension {k}");
        }
    }
}
