//! Adaptive relations: every shortest path and no other, with the escape channels of the
//! deterministic relation alone.

use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::routing::Draw;
use turnpike_network::routing::choice::ADAPTIVE_VC;
use turnpike_network::routing::walk::Step;
use turnpike_network::routing::{Header, Input, Output};
use turnpike_network::topology::paths::Paths;
use turnpike_network::topology::{Node, Port, Shape, Size, Terminal};

fn network(topology: &str, size: impl Into<Size>) -> Network {
    Network::new(topology, size, Some("adaptive"), None).unwrap()
}

fn shape(text: &str) -> Size {
    text.parse::<Shape>().unwrap().into()
}

const SMALL: [(&str, u32); 2] = [("hypercube", 1), ("directed-cube", 2)];

/// Meshes, and tori in whose rings one way around is the shorter.
fn grids() -> impl Iterator<Item = (&'static str, Size)> {
    let meshes = ["2", "4x4", "5x3", "2x3x4"].map(|sides| ("mesh", shape(sides)));
    let tori = ["3x5", "5x2x3", "2x7"].map(|sides| ("torus", shape(sides)));
    meshes.into_iter().chain(tori)
}

/// Ways from `node` with this header, by the relation's choices.
fn by_choice(
    network: &Network,
    known: &mut BTreeMap<(Node, Header), u128>,
    node: Node,
    header: Header,
) -> u128 {
    if let Some(&ways) = known.get(&(node, header)) {
        return ways;
    }
    let choices = network.relation().choices().unwrap();
    let hops = choices.hops(node, Input::INJECT, ADAPTIVE_VC, header);
    let ways = match hops.is_empty() {
        true => 1,
        false => {
            let ways = hops.iter().map(|hop| {
                let Output::Network(port) = hop.output else { return 0 };
                let (next, _) = network.topology().channel(node, port).unwrap();
                by_choice(network, known, next, hop.header)
            });
            ways.sum()
        }
    };
    known.insert((node, header), ways);
    ways
}

#[test]
fn every_shortest_path_and_no_other() {
    let cubes = SMALL.into_iter();
    let cubes = cubes.flat_map(|(name, least)| (least..=7).map(move |n| (name, Size::of_dim(n))));
    for (name, size) in cubes.chain(grids()) {
        let network = network(name, size);
        let topology = network.topology();
        let mut paths = Paths::new(topology);
        for source in [Node(0), Node(1)] {
            let wanted = paths.from(source);
            let mut known = BTreeMap::new();
            for destination in topology.all_nodes() {
                let ends = [source, destination].map(|node| Terminal(node.0));
                let header = network.relation().inject(ends[0], ends[1], Draw::NONE);
                let found = by_choice(&network, &mut known, source, header);
                let wanted = wanted.count(destination);
                assert_eq!(found, wanted, "{name} {size}: {source:?} {destination:?}");
            }
        }
    }
}

/// Where both ways around a ring are as short, upward alone.
#[test]
fn halfway_around_a_ring_packets_go_upward() {
    let torus = network("torus", shape("4x3"));
    let mut known = BTreeMap::new();
    let halfway = torus.relation().inject(Terminal(0), Terminal(2), Draw::NONE);
    assert_eq!(by_choice(&torus, &mut known, Node(0), halfway), 1);
    assert_eq!(Paths::new(torus.topology()).from(Node(0)).count(Node(2)), 2);
}

/// In any state that a packet can come to.
#[test]
fn definition_and_hardware_agree_on_grids() {
    for (name, size) in grids() {
        let network = network(name, size);
        let choices = network.relation().choices().unwrap();
        let mut seen = 0;
        let visit = |step: &Step| {
            let Step { node, input, vc, header, .. } = *step;
            if vc == ADAPTIVE_VC {
                let hops = choices.hops(node, input, ADAPTIVE_VC, header);
                let defined: Vec<Output> = hops.iter().map(|hop| hop.output).collect();
                let choice = choices.choice(node, input, ADAPTIVE_VC);
                let built: Vec<Output> = choice.ports(header).map(Output::Network).collect();
                assert_eq!(defined, built, "{name} {size} {node:?} {input:?} {header:b}");
                seen += 1;
            }
        };
        network.each_step(visit).unwrap();
        assert!(seen > 0);
    }
}

/// For every node, input and header, wanted or not.
#[test]
fn definition_and_hardware_agree() {
    for (name, least) in SMALL {
        for n in least..=8 {
            let relation = network(name, n);
            let (topology, relation) = (relation.topology(), relation.relation());
            let choices = relation.choices().unwrap();
            let ports = (0..topology.ports()).map(|p| Input::Network(Port(p)));
            for input in ports.chain([Input::INJECT]) {
                for node in [Node(0), Node(1)] {
                    let choice = choices.choice(node, input, ADAPTIVE_VC);
                    for header in 0..1 << n {
                        let hops = choices.hops(node, input, ADAPTIVE_VC, header);
                        let defined: Vec<Output> = hops.iter().map(|hop| hop.output).collect();
                        let built: Vec<Output> =
                            choice.ports(header).map(Output::Network).collect();
                        assert_eq!(defined, built, "{name} {n} {node:?} {header:b}");
                    }
                }
            }
        }
    }
}

/// As many escape channels as the escape relation needs alone, and one VC more.
#[test]
fn certificates_are_those_of_the_escape_relation() {
    for n in 2..=8 {
        for (name, escape) in [("hypercube", "ecube"), ("directed-cube", "static")] {
            let adaptive = network(name, n);
            let alone = Network::new(name, n, Some(escape), None).unwrap();
            assert_eq!(adaptive.relation().vcs(), 1 + alone.relation().vcs(), "{name} {n}");
            let (found, wanted) = (adaptive.certificate().unwrap(), alone.certificate().unwrap());
            assert_eq!(found.numbers.len(), wanted.numbers.len(), "{name} {n}");
            assert!(found.numbers.iter().all(|number| number.vc > ADAPTIVE_VC));
        }
    }
    for (name, size) in grids() {
        let adaptive = network(name, size);
        let alone = Network::new(name, size, Some("dimension-order"), None).unwrap();
        assert_eq!(adaptive.relation().vcs(), 1 + alone.relation().vcs(), "{name} {size}");
        let certificate = adaptive.certificate().unwrap();
        assert!(certificate.numbers.iter().all(|number| number.vc > ADAPTIVE_VC));
    }
}

#[test]
fn sizes_and_vcs_that_do_not_go_are_refused() {
    let error = Network::new("hypercube", 15, Some("adaptive"), None).unwrap_err();
    assert_eq!(error.to_string(), "routing 'adaptive' goes up to dimension 14, not 15");
    let error = Network::new("mesh", shape("33x32"), Some("adaptive"), None).unwrap_err();
    assert!(error.to_string().contains("checked for up to 1024 nodes, not 1056"), "{error}");
    for (name, size) in [("hypercube", Size::of_dim(4)), ("mesh", shape("3x3"))] {
        let error = Network::new(name, size, Some("adaptive"), Some(1)).unwrap_err();
        assert!(error.to_string().contains("beside its escape channels"), "{error}");
    }
}
