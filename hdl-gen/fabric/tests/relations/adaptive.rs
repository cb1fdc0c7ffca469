//! Adaptive relations: every shortest path and no other, with the escape channels of the
//! deterministic relation alone.

use std::collections::BTreeMap;
use turnpike_analysis::network::Network;
use turnpike_network::routing::choice::{ADAPTIVE_VC, Choices};
use turnpike_network::routing::{Header, Input, Output};
use turnpike_network::topology::paths::Paths;
use turnpike_network::topology::{Node, Port, Terminal};

fn network(topology: &str, dimension: u32) -> Network {
    Network::new(topology, dimension, Some("adaptive"), None).unwrap()
}

const SMALL: [(&str, u32); 2] = [("hypercube", 1), ("directed-cube", 2)];

/// Ways from `node` with so much to correct, by the relation's choices.
fn by_choice(
    choices: &dyn Choices,
    known: &mut BTreeMap<(Node, Header), u128>,
    node: Node,
    header: Header,
) -> u128 {
    if header == 0 {
        return 1;
    }
    if let Some(&ways) = known.get(&(node, header)) {
        return ways;
    }
    let hops = choices.hops(node, Input::INJECT, header);
    let ways = hops.iter().map(|hop| {
        let Output::Network(Port(d)) = hop.output else { return 0 };
        by_choice(choices, known, Node(node.0 ^ 1 << d), hop.header)
    });
    let ways = ways.sum();
    known.insert((node, header), ways);
    ways
}

#[test]
fn every_shortest_path_and_no_other() {
    for (name, least) in SMALL {
        for n in least..=7 {
            let network = network(name, n);
            let topology = network.topology();
            let choices = network.relation().adaptive().unwrap();
            let mut paths = Paths::new(topology);
            for source in [Node(0), Node(1)] {
                let wanted = paths.from(source);
                let mut known = BTreeMap::new();
                for destination in topology.all_nodes() {
                    let ends = [source, destination].map(|node| Terminal(node.0));
                    let header = network.relation().inject(ends[0], ends[1]);
                    let found = by_choice(choices, &mut known, source, header);
                    let wanted = wanted.count(destination);
                    assert_eq!(found, wanted, "{name} {n}: {source:?} {destination:?}");
                }
            }
        }
    }
}

/// For every node, input and header, wanted or not.
#[test]
fn definition_and_hardware_agree() {
    for (name, least) in SMALL {
        for n in least..=8 {
            let relation = network(name, n);
            let (topology, relation) = (relation.topology(), relation.relation());
            let choices = relation.adaptive().unwrap();
            let ports = (0..topology.ports()).map(|p| Input::Network(Port(p)));
            for input in ports.chain([Input::INJECT]) {
                for node in [Node(0), Node(1)] {
                    let choice = choices.choice(node, input);
                    for header in 0..1 << n {
                        let hops = choices.hops(node, input, header);
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
}

#[test]
fn sizes_and_vcs_that_do_not_go_are_refused() {
    let error = Network::new("hypercube", 15, Some("adaptive"), None).unwrap_err();
    assert_eq!(error.to_string(), "routing 'adaptive' goes up to dimension 14, not 15");
    let error = Network::new("hypercube", 4, Some("adaptive"), Some(1)).unwrap_err();
    assert!(error.to_string().contains("beside its escape channels"), "{error}");
}
