//! Up a fat tree by ports that the source draws for each packet, one for each level, and down by the
//! destination's digits ([`super::up_down_tree`]): whatever the pattern, the ways up are evenly loaded.
//!
//! Where the arity is a power of two each port has the same odds. Elsewhere three bits more are drawn
//! than count the ports, and no port's odds are off by more than an eighth.

use super::{Build, RelationKind, up_down_tree};
use crate::topology::Structure;
use crate::topology::tree::Tree;

/// The entry in the list of relations.
pub const KIND: RelationKind = RelationKind {
    name: "random-up",
    routes: |network| matches!(network, Structure::Tree(tree) if tree.is_fat()),
    summary: "up as far as needed by ports drawn for each packet, and down",
    source: "Greenberg and Leiserson, Randomized routing on fat-trees, FOCS 1985",
    build: Build::Fixed(|topology| {
        let tree = Tree::of_topology(topology).expect("the relation is of fat trees");
        up_down_tree::drawn(KIND.name, tree)
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::walk::route;
    use crate::routing::{Output, build};
    use crate::topology::parameter::{ARITY, LEVELS};
    use crate::topology::tree::FAT_TREE;
    use crate::topology::{Size, Topology};
    use std::collections::BTreeMap;

    fn trees() -> impl Iterator<Item = Tree> {
        let sizes = [(2, 2), (2, 4), (3, 2), (3, 3), (4, 3), (5, 2)];
        sizes.into_iter().map(|(arity, levels)| {
            let tree = FAT_TREE.build(Size::of([(&ARITY, arity), (&LEVELS, levels)])).unwrap();
            Tree::of_topology(&*tree).unwrap()
        })
    }

    /// Every route is a shortest path, each way up has its odds, and the route logic and the injector
    /// do what the definition says.
    #[test]
    fn every_way_up_is_drawn_with_its_odds() {
        for tree in trees() {
            let relation = build(KIND.name, &tree).unwrap();
            let arity = f64::from(tree.arity());
            for source in tree.sources() {
                let distances = tree.distances(tree.source(source).unwrap().0);
                let injection = relation.injection(source);
                for destination in tree.sinks() {
                    let mut drawn: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
                    for draw in relation.draws() {
                        let header = relation.inject(source, destination, draw);
                        assert_eq!(injection.header(source, destination, draw), header);
                        let steps = route(&tree, &relation, source, destination, draw).unwrap();
                        let last = steps.last().unwrap();
                        assert_eq!(steps.len() as u32 - 1, distances[last.node.0 as usize]);
                        let mut ups = Vec::new();
                        for step in &steps {
                            let logic = relation.select(step.node, step.input, step.vc);
                            assert_eq!(logic.output(step.header), step.hop.output);
                            let Output::Network(port) = step.hop.output else { continue };
                            let to = (port, step.hop.vc);
                            let carry = relation.carry(step.node, step.input, step.vc, to);
                            assert_eq!(carry.apply(step.header), step.hop.header);
                            ups.extend(tree.number_up(port));
                        }
                        *drawn.entry(ups).or_default() += 1;
                    }
                    let levels = drawn.keys().next().unwrap().len() as i32;
                    assert_eq!(drawn.len() as u32, tree.arity().pow(levels as u32));
                    let even = f64::from(relation.draw_count()) / arity.powi(levels);
                    let most = if tree.arity().is_power_of_two() { 0.0 } else { 0.125 };
                    for &times in drawn.values() {
                        let off = (f64::from(times) / even).ln().abs();
                        // Of each level by an eighth at most.
                        assert!(
                            off <= f64::from(levels) * -(1.0f64 - most).ln() + 1e-9,
                            "{tree:?}"
                        );
                    }
                }
            }
        }
    }
}
