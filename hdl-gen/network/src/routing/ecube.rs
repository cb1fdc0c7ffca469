//! E-cube routing, or bit fixing: correct the bits in ascending order. Lecture notes on routing in
//! a parallel computer fix them from the left, the mirror image. Deadlock-free with one VC.

use super::cube::{CubeInjection, CubeScheme, cube_relation};
use super::{Build, Built, RelationKind};
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "ecube",
    routes: |network| matches!(network, Structure::Cube),
    summary: "bit fixing, bit 0 upward",
    source: "Routing in a Parallel Computer, section Bit Fixing (there from the left)",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let k = topology.size().dim();
    Ok(cube_relation(Ecube { dimension: k }, k))
}

/// Bit fixing, bit 0 upward.
#[derive(Debug)]
pub struct Ecube {
    /// The cube's dimension.
    pub dimension: u32,
}

impl CubeScheme for Ecube {
    fn name(&self) -> &'static str {
        KIND.name
    }
    fn next(&self, _dimension: u32, difference: u64) -> u32 {
        difference.trailing_zeros()
    }
    fn order(&self, dimension: u32, _crossed: u32) -> Vec<u32> {
        (0..dimension).collect()
    }
    fn injection(&self) -> CubeInjection {
        CubeInjection::Order((0..self.dimension).collect())
    }
    fn travel(&self, dimension: u32) -> Vec<u32> {
        (0..dimension).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::cube::forms_agree;

    #[test]
    fn both_forms_agree() {
        for k in 1..=12 {
            assert_eq!(forms_agree(&Ecube { dimension: k }, k), Ok(()));
        }
    }
}
