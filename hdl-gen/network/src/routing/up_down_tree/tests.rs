use super::*;
use crate::routing::walk::{Step, route};
use crate::topology::Size;
use crate::topology::parameter::{ARITY, LEVELS};
use crate::topology::tree::{FAT_TREE, TREE};
use std::collections::HashSet;

fn trees() -> impl Iterator<Item = Tree> {
    let sizes = [(2, 2), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2), (4, 3)];
    sizes.into_iter().flat_map(|(arity, levels)| {
        [TREE, FAT_TREE].map(|kind| {
            Tree::of_topology(&*kind.build(Size::of([(&ARITY, arity), (&LEVELS, levels)])).unwrap())
                .unwrap()
        })
    })
}

/// Every route is a shortest path, its ports are the destination's digits, and the route logic
/// and the injector do what the definition says.
#[test]
fn routes_are_shortest_and_by_the_destinations_digits() {
    for tree in trees() {
        let relation = super::build(&tree).unwrap();
        for source in tree.sources() {
            let distances = tree.distances(tree.source(source).unwrap().0);
            let injection = relation.injection(source);
            for destination in tree.sinks() {
                let header = relation.inject(source, destination, Draw::NONE);
                assert_eq!(injection.header(source, destination, Draw::NONE), header);
                let steps = route(&tree, &relation, source, destination, Draw::NONE).unwrap();
                let last = steps.last().unwrap();
                assert_eq!(steps.len() as u32 - 1, distances[last.node.0 as usize]);
                for Step { node, input, vc, header, hop } in &steps {
                    let logic = relation.select(*node, *input, *vc);
                    assert_eq!(logic.output(*header), hop.output, "{tree:?}");
                    if let Output::Network(port) = hop.output {
                        let carried =
                            relation.carry(*node, *input, *vc, (port, hop.vc)).apply(*header);
                        assert_eq!(carried, hop.header);
                    }
                    let Output::Network(port) = hop.output else { continue };
                    let digit = tree.digit(destination.0, tree.place(*node).0);
                    match tree.number_up(port) {
                        None => assert_eq!(u32::from(port.0), digit),
                        Some(number) if tree.is_fat() => assert_eq!(number, digit),
                        Some(number) => assert_eq!(number, 0),
                    }
                }
            }
        }
    }
}

/// Zahavi's theorem: where each terminal sends to the one so many addresses on, no two packets
/// share a channel of a fat tree. In a tree they do.
#[test]
fn shifts_are_free_of_contention_on_a_fat_tree() {
    for tree in trees() {
        let relation = super::build(&tree).unwrap();
        let terminals = tree.terminals();
        let shared = (1..terminals).filter(|shift| {
            let mut used = HashSet::new();
            tree.sources().any(|source| {
                let to = Terminal((source.0 + shift) % terminals);
                let steps = route(&tree, &relation, source, to, Draw::NONE).unwrap();
                steps.iter().any(|step| !used.insert((step.node, step.hop.output)))
            })
        });
        let shared = shared.count();
        assert_eq!(shared == 0, tree.is_fat(), "{tree:?}: {shared} shifts");
    }
}
