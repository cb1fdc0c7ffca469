//! Two phases over a random intermediate terminal: each packet goes to one drawn from all, and from
//! there to its destination (Valiant and Brebner, Universal schemes for parallel communication, STOC
//! 1981; Routing in a Parallel Computer, section Two-Phase Routing). Whatever the pattern, each phase
//! loads the channels as uniform traffic does.

use super::phases::phases;
use super::{Build, Built, Relation, RelationKind, RoutingError, Via, dimension_order, ecube};
use crate::topology::grid::{Grid, MESH, TORUS};
use crate::topology::{Topology, hypercube};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "two-phase",
    topologies: &[hypercube::KIND.name, MESH.name, TORUS.name],
    any: false,
    summary: "to a terminal drawn from all, then to the destination",
    source: "Valiant and Brebner, Universal schemes for parallel communication, STOC 1981",
    build: Build::Phases { default: default_phase, of: build },
};

/// The relation of each phase where none is named.
fn default_phase(topology: &dyn Topology) -> &'static str {
    match Grid::of_topology(topology) {
        Some(_) => dimension_order::KIND.name,
        None => ecube::KIND.name,
    }
}

fn build(topology: &dyn Topology, relations: [Relation; 2]) -> Built {
    let grid = Grid::of_topology(topology);
    if let Some(side) = grid
        .as_ref()
        .and_then(|grid| grid.sides().iter().copied().find(|side| !side.is_power_of_two()))
    {
        return Err(RoutingError::PhaseSide { name: KIND.name, side });
    }
    let terminals = topology.terminals();
    // Where addresses are told apart by XOR all sources then draw alike.
    let via = if grid.is_some() { Via::Address } else { Via::Difference };
    phases(KIND.name, topology, relations, via, terminals.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{self, Draw, Output};
    use crate::topology::find;
    use std::collections::BTreeSet;

    /// Every route is one of the first relation to the intermediate terminal and one of the second from
    /// there, whichever is drawn; all are drawn; the injector makes its header.
    #[test]
    fn routes_are_those_of_the_phases() {
        for (name, size) in [("hypercube", "3"), ("mesh", "4x2"), ("torus", "2x4")] {
            let size: crate::topology::Size = match size.parse::<u32>() {
                Ok(dim) => dim.into(),
                Err(_) => size.parse::<crate::topology::Shape>().unwrap().into(),
            };
            let topology = find(name).unwrap().build(size).unwrap();
            let relation = routing::build(KIND.name, &*topology).unwrap();
            let phase = routing::build(default_phase(&*topology), &*topology).unwrap();
            let by_phase = |from, to| -> Vec<_> {
                let steps = route(&*topology, &phase, from, to, Draw::NONE).unwrap();
                steps.iter().map(|step| (step.node, step.hop.output, step.hop.vc)).collect()
            };
            for (source, destination) in
                topology.sources().flat_map(|s| topology.sinks().map(move |d| (s, d)))
            {
                let injection = relation.injection(source);
                let mut between = BTreeSet::new();
                for draw in relation.draws() {
                    let via = match Grid::of_topology(&*topology) {
                        Some(_) => crate::topology::Terminal(draw.0),
                        None => crate::topology::Terminal(source.0 ^ draw.0),
                    };
                    between.insert(via);
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                    let mut wanted = by_phase(source, via);
                    // It does not leave there.
                    assert!(wanted.pop().unwrap().1.is_eject());
                    let later = by_phase(via, destination).into_iter().map(|(node, output, vc)| {
                        let later = routing::Vc(vc.0 + phase.vcs());
                        (node, output, if output.is_eject() { vc } else { later })
                    });
                    wanted.extend(later);
                    let steps = route(&*topology, &relation, source, destination, draw).unwrap();
                    for step in &steps {
                        let way = relation.select(step.node, step.input, step.vc).way(step.header);
                        let vc = (!way.output.is_eject()).then_some(step.hop.vc);
                        assert_eq!(way.output, step.hop.output);
                        assert_eq!(way.vc.filter(|_| vc.is_some()), vc);
                        if let Output::Network(port) = step.hop.output {
                            let to = (port, step.hop.vc);
                            let carry = relation.carry(step.node, step.input, step.vc, to);
                            assert_eq!(carry.apply(step.header), step.hop.header);
                        }
                    }
                    let found: Vec<_> =
                        steps.iter().map(|s| (s.node, s.hop.output, s.hop.vc)).collect();
                    assert_eq!(found, wanted, "{name}: {source:?} {via:?} {destination:?}");
                }
                assert_eq!(between.len() as u32, topology.terminals());
            }
        }
    }

    /// What it does not go on says so.
    #[test]
    fn other_networks_are_refused() {
        let mesh = find("mesh").unwrap();
        let refused = |shape: &str| {
            let shape: crate::topology::Shape = shape.parse().unwrap();
            routing::build(KIND.name, &*mesh.build(shape).unwrap()).unwrap_err().to_string()
        };
        assert!(refused("4x3").contains("a side of 3"), "{}", refused("4x3"));
        let cube = find("hypercube").unwrap().build(3).unwrap();
        let adaptive = routing::build("adaptive", &*cube).unwrap();
        let error = build(&*cube, [adaptive.clone(), adaptive]).unwrap_err().to_string();
        assert!(error.contains("cannot go by 'adaptive'"), "{error}");
    }
}
