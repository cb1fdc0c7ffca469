//! Random shortest path: the source draws one of the shortest paths of its pair for each packet,
//! and the header carries it (Heller, Directed Cube Networks, CSG Memo 253, 1985, section 2: the
//! memo's second way, a path on demand for each message). On the hypercube this is bit fixing in a
//! random order of the bits.
//!
//! A draw has 2^b values, b such that each path of a pair has as nearly the same odds as may be: of
//! n paths a draw d takes number floor(d n / 2^b). So one path has at most one value more than
//! another. Where every pair has a power of two of paths all have the same; elsewhere b has three
//! bits more than count the paths, and no path's odds are off by more than an eighth.

use super::source::source_drawn;
use super::{Build, Built, Draw, RelationKind, RoutingError, random_hop};
use crate::topology::paths::Paths;
use crate::topology::{Structure, Topology};

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "random-path",
    routes: |network| match network {
        Structure::Grid(grid) => !grid.is_ring(),
        Structure::Cube | Structure::DirectedCube(_) => true,
        Structure::Cycles(_) | Structure::Given => true,
        _ => false,
    },
    summary: "a shortest path drawn from all, for each packet, by table at the source",
    source: "Heller, Directed Cube Networks, CSG Memo 253, section 2: complete path generation",
    build: Build::Fixed(random_path),
};

/// The most paths of a pair.
const MOST_PATHS: u128 = 128;

fn random_path(topology: &dyn Topology) -> Built {
    let (mut most, mut even) = (1, true);
    let mut paths = Paths::new(topology);
    // Where nodes are alike one stands for all.
    let standing = topology.sources().filter(|&source| topology.standing_source(source) == source);
    for source in standing {
        for destination in topology.destinations(source) {
            let Some((from, to)) = paths.between(source, destination) else { continue };
            let count = from.count(to);
            if count > MOST_PATHS {
                let (name, instead) = (KIND.name, random_hop::KIND.name);
                let instead = random_hop::takes(topology).then_some(instead);
                return Err(RoutingError::Paths { name, paths: count, most: MOST_PATHS, instead });
            }
            most = most.max(count);
            even &= count.is_power_of_two();
        }
    }
    let bits = match most {
        1 => {
            let (name, instead) = (KIND.name, RoutingError::default_of(topology));
            return Err(RoutingError::OnePath { name, instead });
        }
        most => Draw::bits_for(most as u32, even),
    };
    source_drawn(topology, KIND.name, bits, |source, destination, draw| {
        let path = paths
            .between(source, destination)
            .and_then(|(from, to)| from.numbered(to, draw.pick(from.count(to), bits)));
        path.ok_or_else(|| RoutingError::disconnected(topology, source, destination))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{self, Output};
    use crate::topology::{Port, Shape, find};
    use std::collections::BTreeMap;

    fn networks() -> Vec<Box<dyn Topology>> {
        let mut all: Vec<Box<dyn Topology>> = [
            ("hypercube", 2),
            ("hypercube", 3),
            ("hypercube", 4),
            ("directed-cube", 3),
            ("directed-cube", 4),
            ("ccc", 3),
        ]
        .map(|(name, dim): (&str, u32)| find(name).unwrap().build(dim).unwrap())
        .into();
        for (name, shape) in [("mesh", "3x3"), ("torus", "4x3")] {
            let shape: Shape = shape.parse().unwrap();
            all.push(find(name).unwrap().build(shape).unwrap());
        }
        all
    }

    /// Every shortest path of every pair is drawn, one at most once more often than another, and
    /// within an eighth of the same odds; the injector makes its header.
    #[test]
    fn every_shortest_path_has_its_odds() {
        for topology in networks() {
            let relation = routing::build(KIND.name, &*topology).unwrap();
            let mut paths = Paths::new(&*topology);
            for source in topology.sources() {
                let injection = relation.injection(source);
                for destination in topology.sinks() {
                    let (from, to) = paths.between(source, destination).unwrap();
                    let all = from.all(to, usize::MAX);
                    let mut drawn: BTreeMap<Vec<Port>, u32> = BTreeMap::new();
                    for draw in relation.draws() {
                        let header = relation.inject(source, destination, draw);
                        assert_eq!(injection.header(source, destination, draw), header);
                        let steps =
                            route(&*topology, &relation, source, destination, draw).unwrap();
                        let ports = steps.iter().filter_map(|step| match step.hop.output {
                            Output::Network(port) => Some(port),
                            Output::Eject(_) => None,
                        });
                        *drawn.entry(ports.collect()).or_default() += 1;
                    }
                    assert_eq!(drawn.keys().cloned().collect::<Vec<_>>(), all);
                    let (least, most) =
                        (*drawn.values().min().unwrap(), *drawn.values().max().unwrap());
                    assert!(most - least <= 1);
                    let even = f64::from(relation.draw_count()) / all.len() as f64;
                    assert!((f64::from(most) - even).abs() / even <= 0.125);
                    assert!((even - f64::from(least)).abs() / even <= 0.125);
                }
            }
        }
    }

    #[test]
    fn too_many_paths_and_one_alone_are_refused() {
        let cube = find("hypercube").unwrap().build(6).unwrap();
        let error = routing::build(KIND.name, &*cube).unwrap_err().to_string();
        assert!(error.contains("at most 128 shortest paths, and some pair has 720"), "{error}");
        assert!(error.ends_with("use a smaller network, or 'random-hop'"), "{error}");
        let (name, most, paths) = (KIND.name, MOST_PATHS, u128::MAX);
        let error = RoutingError::Paths { name, paths, most, instead: None }.to_string();
        assert!(error.ends_with("has 2^128 or more; use a smaller network"), "{error}");
        let row = find("mesh").unwrap().build("5".parse::<Shape>().unwrap()).unwrap();
        let error = routing::build(KIND.name, &*row).unwrap_err().to_string();
        assert!(error.contains("one path for each pair; use 'dimension-order'"), "{error}");
    }
}
