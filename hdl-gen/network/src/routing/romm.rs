//! ROMM on the hypercube: two phases over a terminal drawn from those between source and
//! destination, so that every route is a shortest path (Nesson and Johnsson, ROMM routing on mesh and
//! torus networks, SPAA 1995). Of the bits in which the two differ, those that are set in the draw are
//! corrected first.

use super::phases::{can_be_phase, phases};
use super::{Build, Built, Intermediate, Relation, RelationKind, RoutingError, Via, ecube};
use crate::topology::{Topology, hypercube};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "romm",
    topologies: &[hypercube::KIND.name],
    any: false,
    summary: "over a terminal drawn from those between, by shortest paths",
    source: "Nesson and Johnsson, ROMM routing on mesh and torus networks, SPAA 1995",
    build: Build::Phases { default: |_| ecube::KIND.name, of: build },
};

fn build(topology: &dyn Topology, relations: [Relation; 2], intermediate: &Intermediate) -> Built {
    let name = KIND.name;
    intermediate.none_for(name)?;
    if let Some(phase) =
        relations.iter().find(|phase| !can_be_phase(topology, phase, &Via::Between))
    {
        let phase = phase.name().to_owned();
        return Err(RoutingError::Phase { name, phase });
    }
    phases(name, topology, relations, (Via::Between, topology.size().dim()), intermediate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{self, Draw};
    use crate::topology::hypercube::Hypercube;
    use std::collections::BTreeMap;

    /// Every terminal between is as likely as any other, and no route is longer than the distance.
    #[test]
    fn terminals_between_are_drawn_alike() {
        let cube = Hypercube::new(4).unwrap();
        let relation = routing::build(KIND.name, &cube).unwrap();
        for (source, destination) in cube.sources().flat_map(|s| cube.sinks().map(move |d| (s, d)))
        {
            let distance = (source.0 ^ destination.0).count_ones();
            let mut between: BTreeMap<u32, u32> = BTreeMap::new();
            for draw in relation.draws() {
                let via = Via::Between.terminal(source, destination, draw);
                *between.entry(via.0).or_default() += 1;
                let steps = route(&cube, &relation, source, destination, Draw(draw.0)).unwrap();
                assert_eq!(steps.len() as u32 - 1, distance);
                assert!(steps.iter().any(|step| step.node.0 == via.0));
            }
            assert_eq!(between.len(), 1 << distance);
            assert!(between.values().all(|&n| n == 16 >> distance));
        }
    }
}
