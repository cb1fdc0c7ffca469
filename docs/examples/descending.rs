//! Bit fixing from the left, as the textbooks have it: the mirror image of `ecube`.

use super::cube::{CubeInjection, CubeScheme, cube_relation};
use super::{Build, Built, RelationKind};
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "descending",
    routes: |network| matches!(network, Structure::Cube),
    summary: "bit fixing, the highest bit first",
    source: "textbook bit fixing",
    build: Build::Fixed(build),
};

fn build(topology: &dyn Topology) -> Built {
    let k = topology.size().dim();
    Ok(cube_relation(Descending { dimension: k }, k))
}

/// Bit fixing, the highest bit first.
#[derive(Debug)]
pub struct Descending {
    /// The cube's dimension.
    pub dimension: u32,
}

impl CubeScheme for Descending {
    fn name(&self) -> &'static str {
        KIND.name
    }
    /// The definition.
    fn next(&self, _dimension: u32, difference: u64) -> u32 {
        difference.ilog2()
    }
    /// What the hardware of an input port does: the order in which it looks for a set bit.
    fn order(&self, dimension: u32, _crossed: u32) -> Vec<u32> {
        (0..dimension).rev().collect()
    }
    /// What the hardware of `inject` does.
    fn injection(&self) -> CubeInjection {
        CubeInjection::Order((0..self.dimension).rev().collect())
    }
    /// The direction of travel, along which a dateline would count.
    fn travel(&self, dimension: u32) -> Vec<u32> {
        (0..dimension).rev().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::cube::forms_agree;

    #[test]
    fn both_forms_agree() {
        for k in 1..=12 {
            assert_eq!(forms_agree(&Descending { dimension: k }, k), Ok(()));
        }
    }
}
