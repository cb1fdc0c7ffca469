//! A relation that is not shown a node does not depend on it.

use std::sync::Arc;
use turnpike_analysis::symmetry::Symmetry;
use turnpike_network::routing::Draw;
use turnpike_network::routing::invariant::invariant;
use turnpike_network::routing::twisted::Twisted;
use turnpike_network::routing::{HeaderUpdate, Hop, Input, Output, Relation, Vc};
use turnpike_network::routing::{RELATIONS, build};
use turnpike_network::topology::TOPOLOGIES;
use turnpike_network::topology::{Node, Port, Topology};

/// Whatever it is put around.
#[test]
fn what_is_not_shown_does_not_matter() {
    let cube: Arc<dyn Topology> =
        Arc::from(turnpike_network::topology::find("hypercube").unwrap().build(6).unwrap());
    // Node 5 alone goes down its bits, which no translation keeps.
    let peculiar = || {
        let mut relation = Twisted::new(build("ecube", &*cube).unwrap());
        relation.hop = |node, _, _, header, hop| match header.checked_ilog2() {
            Some(bit) if node == Node(5) => {
                let output = Output::Network(Port(bit as u8));
                Hop { output, header: header ^ 1 << bit, ..hop }
            }
            _ => hop,
        };
        relation.relation()
    };
    assert!(!Symmetry::of(&*cube, &peculiar()).unwrap().is_by_translation());
    let behind = invariant(peculiar(), Arc::clone(&cube));
    assert!(Symmetry::of(&*cube, &behind).unwrap().is_by_translation());
}

/// At every node, input and VC; every pair of a source and a destination.
#[test]
fn no_relation_of_the_list_is_changed_by_it() {
    let mut tried = 0;
    for kind in TOPOLOGIES {
        for size in kind.sizes.small() {
            for name in RELATIONS.iter().map(|relation| relation.name) {
                let mut topology = Some(kind.build(size).unwrap());
                while let Some(now) = topology.take() {
                    let Ok(relation) = build(name, &*now) else { break };
                    if !Symmetry::of(&*now, &relation).unwrap().is_by_translation() {
                        topology = now.with_fewer_translations();
                        continue;
                    }
                    let now: Arc<dyn Topology> = Arc::from(now);
                    let plain = build(name, &*now).unwrap();
                    same(&plain, &invariant(relation, Arc::clone(&now)), &*now);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

fn same(plain: &Relation, invariant: &Relation, topology: &dyn Topology) {
    let name = format!("{} on {} {}", plain.name(), topology.name(), topology.size());
    let inputs = || {
        let ports = (0..topology.ports()).map(|port| Input::Network(Port(port)));
        [Input::INJECT].into_iter().chain(ports)
    };
    for source in topology.sources() {
        assert_eq!(plain.injection(source), invariant.injection(source), "{name}");
        for destination in topology.sinks() {
            let headers = [plain, invariant].map(|r| r.inject(source, destination, Draw::NONE));
            assert_eq!(headers[0], headers[1], "{name}: {source:?} to {destination:?}");
        }
    }
    for node in topology.all_nodes() {
        assert_eq!(plain.oblivious_select(node), invariant.oblivious_select(node), "{name}");
        for input in inputs() {
            for vc in (0..plain.vcs()).map(Vc) {
                let logic = [plain, invariant].map(|r| r.select(node, input, vc));
                assert_eq!(logic[0], logic[1], "{name}: {node:?} {input:?} {vc:?}");
            }
            let carries = |r: &Relation| -> Vec<HeaderUpdate> {
                (0..topology.ports())
                    .map(|port| r.carry(node, input, Vc(0), (Port(port), Vc(0))))
                    .collect()
            };
            assert_eq!(carries(plain), carries(invariant), "{name}: {node:?} {input:?}");
            if let (Some(one), Some(other)) = (plain.choices(), invariant.choices()) {
                assert_eq!(one.choice(node, input, Vc(0)), other.choice(node, input, Vc(0)));
            }
        }
    }
}
