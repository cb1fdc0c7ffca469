//! What docs/errata.md says of two lectures' notes, counted: Lecture 5 (butterflies) and CS174
//! Lecture 11 (routing in a parallel computer).

use turnpike_analysis::network::Network;
use turnpike_analysis::pattern_load::{Message, load};
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{Draw, Output};
use turnpike_network::topology::parameter::{ARITY, DIM, RADIX};
use turnpike_network::topology::{Node, Port, Size, Terminal};

/// The channels of a route by bit fixing, in order.
fn channels(cube: &Network, from: u32, to: u32) -> Vec<(Node, Port)> {
    let ends = (Terminal(from), Terminal(to));
    let steps = route(cube.topology(), cube.relation(), ends.0, ends.1, Draw::NONE).unwrap();
    let channel = |step: &turnpike_network::routing::walk::Step| match step.hop.output {
        Output::Network(port) => Some((step.node, port)),
        Output::Eject(_) => None,
    };
    steps.iter().filter_map(channel).collect()
}

fn cube(n: u32) -> Network {
    Network::new("hypercube", n, Some("ecube"), None).unwrap()
}

/// Two routes share one run of channels or none, whatever their destinations; where these are one, the
/// run goes on to the end.
#[test]
fn routes_meet_once() {
    for n in 1..=4 {
        let (cube, nodes) = (cube(n), 0..1u32 << n);
        let pairs = nodes.clone().flat_map(|from| nodes.clone().map(move |to| (from, to)));
        let routes: Vec<_> =
            pairs.map(|(from, to)| (from, to, channels(&cube, from, to))).collect();
        let mut met_to_the_end = 0;
        for (from, to, one) in &routes {
            for (source, destination, other) in routes.iter().filter(|other| other.0 != *from) {
                let places = |of: &[(Node, Port)], with: &[(Node, Port)]| -> Vec<usize> {
                    (0..of.len()).filter(|&at| with.contains(&of[at])).collect()
                };
                let [mine, theirs] = [places(one, other), places(other, one)];
                for run in [&mine, &theirs] {
                    let is_one_run = run.windows(2).all(|pair| pair[1] == pair[0] + 1);
                    assert!(is_one_run, "{from} to {to}, {source} to {destination}");
                }
                if to == destination && !mine.is_empty() {
                    assert_eq!(mine.last(), Some(&(one.len() - 1)));
                    met_to_the_end += 1;
                }
            }
        }
        assert!(met_to_the_end > 0 || n == 1);
    }
}

/// Of N packets, each for a destination of its own draw, the others on an edge of a route that sets
/// the m-th bit are 1/2 - 2^-m in the mean.
#[test]
fn others_on_an_edge_are_less_than_half() {
    for n in 1..=6u32 {
        let (cube, nodes) = (cube(n), 1u32 << n);
        // For each channel, how many destinations of each source lead over it.
        let mut over = vec![vec![0u64; nodes as usize]; (nodes * n) as usize];
        let number = |(node, port): (Node, Port)| (node.0 * n + u32::from(port.0)) as usize;
        for from in 0..nodes {
            for to in 0..nodes {
                for channel in channels(&cube, from, to) {
                    over[number(channel)][from as usize] += 1;
                }
            }
        }
        for from in 0..nodes {
            for to in 0..nodes {
                for channel in channels(&cube, from, to) {
                    let by_source = &over[number(channel)];
                    let all: u64 = by_source.iter().sum();
                    let others = all - by_source[from as usize];
                    // Bit m of n, from 1, is dimension m - 1. N times the means.
                    let m = u32::from(channel.1.0) + 1;
                    assert_eq!(all, u64::from(nodes / 2));
                    assert_eq!(others, u64::from(nodes / 2 - (nodes >> m)), "bit {m} of {n}");
                }
            }
        }
    }
}

/// Messages of no common edge, which come to one node.
#[test]
fn messages_without_a_common_edge_share_a_node() {
    let size = Size::of([(&DIM, 2), (&RADIX, 2)]);
    let network = Network::new("butterfly", size, None, None).unwrap();
    let message = |(source, destination)| Message {
        source: Terminal(source),
        destination: Terminal(destination),
        words: 1,
    };
    let messages = [(0, 0), (2, 1)].map(message);
    let load = load(network.topology(), network.relation(), &messages).unwrap();
    assert_eq!((load.edges.most, load.links.most), (1.into(), 2.into()));
}

/// Within D of a node of degree n there are at most 1 + n + ... + n^D nodes: for 2^n of them D is
/// log N / log log N, rounded up, where n is a power of two.
#[test]
fn the_least_diameter_has_the_degree_as_its_base() {
    for log_log in 1..=6u32 {
        let n = 1u32 << log_log;
        let within = |least: u32| (0..=least).map(|i| u128::from(n).pow(i)).sum::<u128>();
        let least = (0..).find(|&least| within(least) >= 1 << n).unwrap();
        assert_eq!(least, n.div_ceil(log_log), "{n}");
    }
}

/// The degree is D, the diameter K, and the nodes are more than D^K.
#[test]
fn kautz_networks_are_below_the_logarithm() {
    for (arity, length) in [(2, 2), (2, 5), (3, 3), (4, 2)] {
        let size = Size::of([(&ARITY, arity), (&DIM, length)]);
        let network = Network::new("kautz", size, None, None).unwrap();
        let topology = network.topology();
        assert_eq!(u32::from(topology.ports()), arity);
        let farthest = topology
            .all_nodes()
            .map(|from| topology.distances(from).into_iter().max().expect("a network has nodes"));
        assert_eq!(farthest.max(), Some(length));
        assert!(topology.nodes() > arity.pow(length));
    }
}
