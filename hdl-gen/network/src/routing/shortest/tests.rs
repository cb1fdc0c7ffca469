use super::*;
use crate::description::read;
use crate::routing::walk::route;
use crate::routing::{Draw, Output, Relation};
use crate::topology::wired::Wired;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::BTreeMap;
use turnpike_base::hash::shuffle;

/// A network: nodes with their terminals, and links, each a line of a file.
#[derive(Clone, Debug)]
struct Network {
    terminals: Vec<usize>,
    links: Vec<(usize, usize)>,
    /// Whether links go one way.
    one_way: bool,
}

impl Network {
    /// The network as a file, the nodes renamed and the lines in an order that follow from `seed`;
    /// as it is for 0.
    fn wired(&self, seed: u64) -> Wired {
        let mut names: Vec<usize> = (0..self.terminals.len()).collect();
        let mut nodes = names.clone();
        let mut lines: Vec<[usize; 2]> = self.links.iter().map(|&(a, b)| [a, b]).collect();
        let at = |&node: &usize| std::iter::repeat_n(node, self.terminals[node]);
        let mut terminals: Vec<usize> = nodes.iter().flat_map(at).collect();
        if seed > 0 {
            let mut state = seed;
            shuffle(&mut names, &mut state);
            shuffle(&mut nodes, &mut state);
            shuffle(&mut terminals, &mut state);
            shuffle(&mut lines, &mut state);
            if !self.one_way {
                lines.iter_mut().for_each(|ends| shuffle(ends, &mut state));
            }
        }
        let name = |node: &usize| format!("n{}", names[*node]);
        let mut text = "turnpike-topology 1\n".to_owned();
        let mut line = |words: &[String]| text.extend([words.join(" "), "\n".to_owned()]);
        line(&nodes.iter().map(name).fold(vec!["node".to_owned()], |mut words, node| {
            words.push(node);
            words
        }));
        for (number, node) in terminals.iter().enumerate() {
            line(&["terminal".to_owned(), format!("t{number}"), name(node)]);
        }
        let word = if self.one_way { "channel" } else { "link" };
        for [from, to] in &lines {
            line(&[word.to_owned(), name(from), name(to)]);
        }
        Wired::new(&read("test.topology", text.as_bytes()).unwrap()).unwrap()
    }

    /// The flattened butterfly of a square: nodes that share a row or a column are linked.
    fn flattened_butterfly(side: usize, terminals: usize) -> Self {
        let all = || (0..side * side).flat_map(|one| (0..one).map(move |other| (other, one)));
        let links = all().filter(|&(a, b)| a / side == b / side || a % side == b % side);
        Self { terminals: vec![terminals; side * side], links: links.collect(), one_way: false }
    }
}

/// Figures of a relation: the loads of the channels, ascending; virtual channels; bits of a header;
/// routes by length.
type Figures = (Vec<u64>, u8, u32, BTreeMap<usize, u64>);

fn figures(topology: &Wired, relation: &Relation) -> Figures {
    let (mut loads, mut lengths) = (BTreeMap::new(), BTreeMap::new());
    for source in topology.sources() {
        let distances = topology.distances(topology.source(source).unwrap().0);
        for destination in topology.sinks() {
            let steps = route(topology, relation, source, destination, Draw::NONE).unwrap();
            assert_eq!(steps.len() as u32 - 1, distances[steps.last().unwrap().node.0 as usize]);
            *lengths.entry(steps.len() - 1).or_default() += 1;
            for step in steps.iter().filter(|step| !step.hop.output.is_eject()) {
                let Output::Network(port) = step.hop.output else { continue };
                *loads.entry((step.node, port)).or_default() += 1;
            }
        }
    }
    let mut loads: Vec<u64> = loads.into_values().collect();
    loads.sort_unstable();
    (loads, relation.vcs(), relation.header_bits(crate::routing::Input::INJECT), lengths)
}

fn most_loaded(network: &Wired) -> u64 {
    *figures(network, &shortest(network).unwrap()).0.last().unwrap()
}

/// One flattened butterfly, its lines in two orders: row by row, and by how far apart nodes are.
/// Of the two the first port of each path gave either 64 routes on the most loaded channel or 112.
#[test]
fn a_flattened_butterfly_is_evenly_loaded_whatever_its_lines() {
    let rows = Network::flattened_butterfly(4, 4);
    let mut far = rows.clone();
    far.links.sort_by_key(|&(a, b)| (b - a, a));
    // 64 terminals send as many routes over each channel at best: 4096 pairs, 1.5 channels each,
    // and 96 channels.
    for network in [rows, far] {
        let most = most_loaded(&network.wired(0));
        assert!((64..=65).contains(&most), "{most}");
    }
}

/// Networks whose nodes look alike, where no name tells one from another: the loads are as even as
/// can be, but for a route or two. (The waits that virtual channels allow keep some paths out.)
#[test]
fn loads_of_networks_with_symmetry_are_even() {
    let torus = |side: usize| {
        let next = |v: usize| v / side * side + (v % side + 1) % side;
        let below = |v: usize| (v + side) % (side * side);
        let links = (0..side * side).flat_map(|v| [(v, next(v)), (v, below(v))]);
        Network { terminals: vec![1; side * side], links: links.collect(), one_way: false }
    };
    let cube = |bits: usize| {
        let of = move |v: usize| (0..bits).map(move |bit| (v, v ^ 1 << bit));
        let links = (0..1 << bits).flat_map(of).filter(|(a, b)| a < b);
        Network { terminals: vec![1; 1 << bits], links: links.collect(), one_way: false }
    };
    for (network, even) in [(torus(4), 8), (torus(5), 15), (cube(3), 4), (cube(4), 8)] {
        let most = most_loaded(&network.wired(0));
        assert!((even..=even + 2).contains(&most), "{even}: {most}");
    }
}

/// A mesh of 6 by 6: 54 routes on its busiest channels at best, as under dimension order. Routes keep to
/// few virtual channels.
#[test]
fn a_mesh_is_loaded_as_by_dimension_order() {
    let side = 6;
    let across = (0..side * side).filter(|v| v % side + 1 < side).map(|v| (v, v + 1));
    let down = (0..side * (side - 1)).map(|v| (v, v + side));
    let links = across.chain(down).collect();
    let mesh = Network { terminals: vec![1; side * side], links, one_way: false };
    let network = mesh.wired(0);
    let relation = shortest(&network).unwrap();
    let (loads, vcs, ..) = figures(&network, &relation);
    println!("{:?} routes, {vcs} virtual channels", loads.last());
    assert!((54..=55).contains(loads.last().unwrap()) && vcs <= 5, "{loads:?} {vcs}");
}

/// A connected network with some terminals at each node.
fn networks() -> impl Strategy<Value = Network> {
    let of_size = |nodes: usize| {
        let terminals = prop::collection::vec(0..3usize, nodes);
        let links = prop::collection::vec((0..nodes, 1..nodes), 0..2 * nodes);
        (terminals, links, any::<bool>()).prop_map(move |(mut terminals, links, one_way)| {
            (terminals[0], terminals[nodes - 1]) = (1, 1);
            // A ring, so that there are paths both ways.
            let ring = (0..nodes).map(|node| (node, (node + 1) % nodes));
            let others = links.into_iter().map(|(from, by)| (from, (from + by) % nodes));
            Network { terminals, links: ring.chain(others).collect(), one_way }
        })
    };
    let drawn = (3..10usize).prop_flat_map(of_size);
    let alike = (2..4usize, 1..3usize)
        .prop_map(|(side, terminals)| Network::flattened_butterfly(side, terminals));
    prop_oneof![4 => drawn, 1 => alike]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 128,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// Figures are the same whatever the nodes are called, in whichever order the lines stand, and
    /// whichever end of a link is named first.
    #[test]
    fn figures_do_not_depend_on_names_and_lines(network in networks(), seed in 1..u64::MAX) {
        let plain = network.wired(0);
        prop_assert!(plain.canonical().unwrap().is_exact());
        let wired = network.wired(seed);
        match (shortest(&plain), shortest(&wired)) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!(figures(&wired, &other), figures(&plain, &one));
            }
            (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
        }
    }
}
