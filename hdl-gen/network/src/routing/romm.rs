//! ROMM on hypercubes and meshes: two phases over a terminal drawn from those between source and
//! destination, so that every route is a shortest path (Nesson and Johnsson, ROMM routing on mesh and
//! torus networks, SPAA 1995). On the hypercube, of the bits in which the two differ those that are set
//! in the draw are corrected first. On a mesh the terminal is one of the box that the two span.

use super::phases::{can_be_phase, phases};
use super::phases_by_table::phases_by_table;
use super::{
    Build, Built, Coordinate, Draw, Intermediate, Relation, RelationKind, RoutingError, Via,
    dimension_order, ecube,
};
use crate::topology::grid::Grid;
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "romm",
    routes: |network| matches!(network, Structure::Cube) || network.is_mesh(),
    summary: "over a terminal drawn from those between, by shortest paths",
    source: "Nesson and Johnsson, ROMM routing on mesh and torus networks, SPAA 1995",
    build: Build::Phases { default: default_phase, of: build },
};

/// The relation of each phase where none is named.
fn default_phase(topology: &dyn Topology) -> &'static str {
    if topology.structure().is_mesh() { dimension_order::KIND.name } else { ecube::KIND.name }
}

fn build(topology: &dyn Topology, relations: [Relation; 2], intermediate: &Intermediate) -> Built {
    let name = KIND.name;
    intermediate.none_for(name)?;
    let grid = Grid::of_topology(topology);
    let via = match &grid {
        Some(grid) => within(grid),
        None => (Via::Between, topology.size().dim()),
    };
    let other = relations.iter().find(|phase| !can_be_phase(topology, phase, &via.0));
    match other {
        None => phases(name, topology, relations, via, intermediate),
        Some(_) if grid.is_some() => phases_by_table(name, topology, relations, via, intermediate),
        Some(phase) => Err(RoutingError::Phase { name, phase: phase.name().to_owned() }),
    }
}

/// A terminal of the box that source and destination span, and the bits of a draw.
fn within(grid: &Grid) -> (Via, u32) {
    let coordinate = |&side: &u32| Coordinate { side, drawn: Draw::bits_for(side, side == 2) };
    let coordinates: Vec<Coordinate> = grid.sides().iter().map(coordinate).collect();
    let bits = coordinates.iter().map(|coordinate| coordinate.drawn).sum();
    (Via::Within(coordinates), bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{self, Draw};
    use crate::topology::grid::MESH;
    use crate::topology::hypercube::Hypercube;
    use crate::topology::{Node, Terminal};
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

    /// On a mesh every terminal of the box is drawn, each coordinate's odds within an eighth of the
    /// same; no route is longer than the distance.
    #[test]
    fn terminals_of_the_box_are_drawn_nearly_alike() {
        for shape in ["4x4", "3x4", "2x2x2", "5"] {
            let mesh = MESH.build(shape.parse::<crate::topology::Shape>().unwrap()).unwrap();
            let grid = Grid::of_topology(&*mesh).unwrap();
            let relation = routing::build(KIND.name, &*mesh).unwrap();
            let (via, bits) = within(&grid);
            assert_eq!(relation.draw_count(), 1 << bits);
            for (source, destination) in
                mesh.sources().flat_map(|s| mesh.sinks().map(move |d| (s, d)))
            {
                let ends = [source, destination].map(|end| grid.coordinates(Node(end.0)));
                let spans: Vec<_> = ends[0]
                    .iter()
                    .zip(&ends[1])
                    .map(|(&from, &to)| from.min(to)..=from.max(to))
                    .collect();
                let size: u32 = spans.iter().map(|span| span.clone().count() as u32).product();
                let distance: u32 = spans.iter().map(|span| span.end() - span.start()).sum();
                let mut drawn: BTreeMap<u32, u32> = BTreeMap::new();
                for draw in relation.draws() {
                    let between = via.terminal(source, destination, draw);
                    *drawn.entry(between.0).or_default() += 1;
                    let at = grid.coordinates(Node(between.0));
                    assert!(at.iter().zip(&spans).all(|(at, span)| span.contains(at)));
                    let steps = route(&*mesh, &relation, source, destination, draw).unwrap();
                    assert_eq!(steps.len() as u32 - 1, distance);
                    assert!(steps.iter().any(|step| step.node.0 == between.0));
                }
                assert_eq!(drawn.len() as u32, size, "{shape}: {source:?} {destination:?}");
                let share = f64::from(1u32 << bits) / f64::from(size);
                // Of each dimension an eighth at most.
                let most = 1.125f64.powi(spans.len() as i32);
                for &times in drawn.values() {
                    let times = f64::from(times) / share;
                    assert!((2.0 - most..=most).contains(&times), "{shape}: {times}");
                }
            }
        }
    }

    /// The injector makes the header that the definition has.
    #[test]
    fn injectors_make_the_header() {
        for shape in ["4x2", "3x4", "3x2x3"] {
            let mesh = MESH.build(shape.parse::<crate::topology::Shape>().unwrap()).unwrap();
            let relation = routing::build(KIND.name, &*mesh).unwrap();
            let common = relation.injection(Terminal(0));
            for source in mesh.sources() {
                let injection = relation.injection(source);
                assert_eq!(injection, common, "{shape}");
                for (destination, draw) in
                    mesh.sinks().flat_map(|d| relation.draws().map(move |draw| (d, draw)))
                {
                    let header = relation.inject(source, destination, draw);
                    assert_eq!(injection.header(source, destination, draw), header);
                }
            }
        }
    }
}
