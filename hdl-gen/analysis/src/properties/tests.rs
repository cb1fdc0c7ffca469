//! The note's claims, each computed in a second way; and relations that break them.

use super::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_network::routing::source::source_routed;
use turnpike_network::routing::{
    self, DestinationEncoding, Header, HeaderUpdate, Hop, Injection, Input, Output, Relation,
    RouteLogic, RoutingFunction, Select, Vc, ecube, rotation,
};
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::paths::Paths;
use turnpike_network::topology::{self, Port, Size, Topology, TopologyError};

fn network(routing: &str, k: u32) -> Network {
    Network::new("hypercube", k, Some(routing), None).unwrap()
}

fn properties(routing: &str, k: u32) -> Properties {
    Properties::of(&network(routing, k)).0
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

#[test]
fn rotation_has_properties_1_to_3_in_every_dimension() {
    for k in 1..=14 {
        let p = properties("rotation", k);
        assert!(p.shortest_path.holds && p.oblivious.holds, "k={k}");
        assert!(p.port_bound.holds && p.port_bound.fan_in_holds, "k={k}");
        assert_eq!(p.port_bound.bound, (k - 1).div_ceil(2));
        assert_eq!(p.port_bound.max_fan_in, p.port_bound.bound);
        assert_eq!(p.port_bound.max_fan_out, p.port_bound.bound);
    }
}

#[test]
fn thacker_has_properties_1_to_3() {
    let p = properties("thacker", 4);
    assert!(p.shortest_path.holds && p.port_bound.holds && p.oblivious.holds);
    assert_eq!((p.port_bound.max_fan_in, p.port_bound.max_fan_out), (2, 2));
}

#[test]
fn ecube_breaks_the_bound_alone_and_the_counterexample_shows_it() {
    let p = properties("ecube", 5);
    assert!(p.shortest_path.holds && p.oblivious.holds && p.balance.holds);
    assert!(!p.port_bound.holds);
    assert!(!p.port_bound.fan_in_holds);
    // dim1 leads to dim2 to dim4, and dim3 is fed by dim0 to dim2: the least excess over ceil(4/2).
    let busy = [p.port_bound.counterexample, p.port_bound.fan_in_counterexample];
    for (busy, port) in busy.into_iter().zip(["dim1", "dim3"]) {
        let busy = busy.unwrap();
        assert_eq!((&*busy.port, busy.crosspoints.len()), (port, 3));
        for crosspoint in busy.crosspoints {
            let end = if port == "dim1" { &crosspoint.input } else { &crosspoint.output };
            assert_eq!(end, port);
            let route = crosspoint.route;
            let at = route.nodes.iter().position(|n| *n == crosspoint.at).unwrap();
            assert_eq!(route.ports[at - 1], crosspoint.input);
            assert_eq!(route.ports[at], crosspoint.output);
        }
    }
}

/// The note: "the total load for every edge is balanced"; 2^(k-1) packets, for half of the
/// differences have any one bit set.
#[test]
fn the_total_load_is_balanced_in_every_dimension() {
    for k in 1..=12 {
        for routing in ["ecube", "rotation"] {
            let balance = properties(routing, k).balance;
            assert!(balance.holds, "{routing} k={k}");
            assert_eq!(balance.total.most.packets, 1 << (k - 1));
        }
    }
    assert!(properties("thacker", 4).balance.holds);
}

/// The note: "perfectly balanced on every routing step, if we ignore the messages which have
/// to traverse every edge", for prime k. Step j then carries the differences of weight j to
/// k - 1, a k-th of them on each port.
#[test]
fn each_step_is_balanced_for_prime_dimensions_but_for_the_farthest_pairs() {
    for k in [2, 3, 5, 7, 11, 13] {
        let balance = properties("rotation", k).balance;
        assert!(balance.per_step_holds_without_farthest, "k={k}");
        assert!(!balance.per_step_holds, "k={k}: 1^k is crossed in one order");
        for step in &balance.per_step {
            let others: u64 = (u64::from(step.step)..u64::from(k))
                .map(|weight| choose(u64::from(k), weight))
                .sum();
            assert_eq!(others % u64::from(k), 0);
            assert_eq!(step.load.least.packets, others / u64::from(k), "k={k}");
            // "adding a slight imbalance on a per-step basis": one packet.
            assert_eq!(step.load.most.packets, others / u64::from(k) + 1, "k={k}");
        }
    }
}

/// Steps are unbalanced for composite k, where periodic differences other than 1^k exist.
#[test]
fn each_step_is_unbalanced_for_composite_dimensions() {
    for k in [4, 6, 8, 9, 10, 12] {
        let balance = properties("rotation", k).balance;
        assert!(!balance.per_step_holds && !balance.per_step_holds_without_farthest, "k={k}");
    }
}

/// The note: "Even without primality ... the aperiodic traversals are perfectly balanced per
/// step". Walked here by the scheme itself, without the code under test.
#[test]
fn aperiodic_differences_are_balanced_per_step_in_every_dimension() {
    use turnpike_network::routing::cube::CubeScheme;
    for k in 2..=12u32 {
        let mask = (1u64 << k) - 1;
        let rotate = |d: u64, by: u32| (d << by | d >> (k - by)) & mask;
        let mut loads = vec![vec![0u64; k as usize]; k as usize];
        for difference in (1..=mask).filter(|&d| (1..k).all(|by| rotate(d, by) != d)) {
            let mut left = difference;
            for step in &mut loads {
                if left == 0 {
                    break;
                }
                let crossed = rotation::Rotation.next(k, left);
                step[crossed as usize] += 1;
                left &= !(1 << crossed);
            }
        }
        for (step, load) in loads.iter().enumerate() {
            assert!(load.iter().all(|n| *n == load[0]), "k={k} step {step}: {load:?}");
        }
    }
}

/// On shortest paths a pair at distance d passes d - 1 switches, so every relation loses
/// k·2^(k-1) - (2^k - 1) pairs to any one failed switch.
#[test]
fn a_failed_switch_costs_every_shortest_path_relation_the_same() {
    for k in 1..=10u64 {
        for routing in ["ecube", "rotation"] {
            let failure = properties(routing, k as u32).failure;
            assert_eq!(failure.lost_most, k * (1 << (k - 1)) - ((1 << k) - 1), "{routing} k={k}");
            assert_eq!(failure.lost_most, failure.lost_least);
            assert_eq!(failure.holds, k == 1);
        }
    }
    let failure = properties("thacker", 4).failure;
    assert_eq!((failure.lost_most, failure.pairs), (17.into(), 210));
    assert_eq!(failure.counterexample.unwrap().route.nodes.len(), 3);
}

#[test]
fn lengths_of_the_cube() {
    let (_, lengths) = Properties::of(&network("rotation", 7));
    assert_eq!(lengths.average_distance, 3.5);
    assert_eq!(lengths.average_route_length, 3.5);
    assert_eq!((lengths.diameter, lengths.longest_route), (7, 7));
}

/// The cube with its translations hidden: everything goes by exhaustion.
#[derive(Debug)]
struct Opaque(Hypercube);

impl Topology for Opaque {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn size(&self) -> Size {
        self.0.size()
    }
    fn nodes(&self) -> u32 {
        self.0.nodes()
    }
    fn address_bits(&self) -> u32 {
        self.0.address_bits()
    }
    fn label(&self, node: Node) -> String {
        self.0.label(node)
    }
    fn node(&self, label: &str) -> Result<Node, TopologyError> {
        self.0.node(label)
    }
    fn ports(&self) -> u8 {
        self.0.ports()
    }
    fn port_name(&self, port: Port) -> String {
        self.0.port_name(port)
    }
    fn channel(&self, from: Node, output: Port) -> Option<(Node, Port)> {
        self.0.channel(from, output)
    }
}

#[test]
fn exhaustion_agrees_with_symmetry() {
    for k in 1..=6 {
        for kind in routing::RELATIONS {
            let cube = Hypercube::new(k).unwrap();
            let Ok(relation) = routing::build(kind.name, &cube) else { continue };
            // More routes than are walked in a moment.
            if relation.draw_count() > 1 << 10 {
                continue;
            }
            let opaque = Network::of(Box::new(Opaque(cube)), relation, None).unwrap();
            assert!(!opaque.symmetry().is_by_translation());
            let (mut by_exhaustion, lengths) = Properties::of(&opaque);
            let (by_symmetry, expected) = Properties::of(&network(kind.name, k));
            // The witness of a crosspoint is the first route found, which depends on the walk.
            let symmetric = &by_symmetry.port_bound;
            let exhausted = &mut by_exhaustion.port_bound;
            exhausted.counterexample = symmetric.counterexample.clone();
            exhausted.fan_in_counterexample = symmetric.fan_in_counterexample.clone();
            assert_eq!(by_exhaustion, by_symmetry, "{} k={k}", kind.name);
            assert_eq!(lengths, expected);
        }
    }
}

/// E-cube for even sources; odd sources first cross dimension 0 there and back again.
#[derive(Debug)]
struct Wandering {
    k: u32,
}

impl Wandering {
    /// Header bits above the difference: how many of the two crossings are still to come.
    fn detour(&self, header: Header) -> u64 {
        header >> self.k
    }
}

impl RoutingFunction for Wandering {
    fn inject(&self, source: Terminal, destination: Terminal, _draw: Draw) -> Header {
        u64::from(source.0 ^ destination.0) | u64::from(source.0 & 1) << (self.k + 1)
    }
    fn hop(&self, _node: Node, _input: Input, _vc: Vc, header: Header) -> Hop {
        let left = header & routing::low_bits(self.k);
        if self.detour(header) > 0 {
            let header = (left ^ 1) | (self.detour(header) - 1) << self.k;
            return Hop { output: Output::Network(Port(0)), vc: Vc(0), header };
        }
        match left {
            0 => Hop { output: Output::EJECT, vc: Vc(0), header: 0 },
            _ => {
                let port = left.trailing_zeros();
                let output = Output::Network(Port(port as u8));
                Hop { output, vc: Vc(0), header: left & !(1 << port) }
            }
        }
    }
}

impl RouteLogic for Wandering {
    fn header_bits(&self, _input: Input) -> u32 {
        self.k + 2
    }
    fn injection(&self, _source: Terminal) -> Injection {
        Injection::plain(DestinationEncoding::difference(self.k))
    }
    fn select(&self, _node: Node, _input: Input, _vc: Vc) -> Select {
        Select::first_set([])
    }
    fn carry(&self, _node: Node, _input: Input, _vc: Vc, _to: (Port, Vc)) -> HeaderUpdate {
        HeaderUpdate::default()
    }
}

/// The relation on the `k`-cube.
fn wandering(k: u32) -> Relation {
    let order = routing::build(ecube::KIND.name, &Hypercube::new(k).unwrap());
    let order = order.unwrap().order().clone();
    Relation::new("wandering", order, Vec::new(), Arc::new(Wandering { k }))
}

#[test]
fn a_relation_that_wanders_fails_with_the_smallest_counterexamples() {
    let cube = Hypercube::new(3).unwrap();
    let network = Network::of(Box::new(cube), wandering(3), Some(1)).unwrap();
    assert!(!network.symmetry().is_by_translation());
    let (p, lengths) = Properties::of(&network);

    assert!(!p.shortest_path.holds);
    // 4 of 8 sources, all destinations, two channels too many.
    assert_eq!((p.shortest_path.longer_pairs, p.shortest_path.largest_excess), (32.into(), 2));
    let detour = p.shortest_path.counterexample.unwrap();
    assert_eq!((detour.distance, &*detour.route.nodes.join(" ")), (0, "001 000 001"));
    assert_eq!(lengths.average_route_length, 1.5 + 1.0);

    assert!(!p.oblivious.holds);
    let parting = p.oblivious.counterexample.unwrap();
    assert_eq!((&*parting.at, &*parting.destination), ("001", "001"));
    assert_eq!(parting.passing.nodes, ["000", "001"]);
    assert_eq!(parting.starting.nodes, ["001", "000", "001"]);
    assert_eq!(p.oblivious.output_port_by, Dependence::History);

    assert!(!p.balance.holds);
    assert!(p.balance.total.least.packets < p.balance.total.most.packets);
    assert!(p.balance.total.most_by_mean > 1.0);
    assert!(p.failure.lost_least < p.failure.lost_most);
}

/// The last of the shortest paths from every third source, the first from the others.
fn mixed(topology: &dyn Topology) -> Relation {
    let mut from = Paths::new(topology);
    let path = |source: Terminal, destination| {
        let (from, to) = from.between(source, destination).unwrap();
        let mut paths = from.all(to, 100);
        let last = paths.len() - 1;
        Ok(paths.swap_remove(if source.0.is_multiple_of(3) { last } else { 0 }))
    };
    source_routed(topology, "mixed", path).unwrap()
}

/// Every packet of every pair, by the definition: at switches with and without a terminal.
#[test]
fn oblivious_by_all_packets() {
    let mut without_terminal = 0;
    for (topology, n) in [("arc-cube", 2), ("arc-cube", 3), ("arc-cube-2", 2), ("dccc", 3)] {
        let build = || topology::find(topology).unwrap().build(n).unwrap();
        let shortest = routing::build("shortest", &*build()).unwrap();
        let mixed = mixed(&*build());
        for relation in [shortest, mixed] {
            let network = Network::of(build(), relation, None).unwrap();
            let (topology, relation) = (network.topology(), network.relation());
            let mut outputs = BTreeMap::new();
            let mut agree = true;
            for destination in topology.sinks() {
                for source in topology.sources() {
                    for step in
                        walk::route(topology, relation, source, destination, Draw::NONE).unwrap()
                    {
                        let output = step.hop.output;
                        let known = outputs.entry((step.node, destination)).or_insert(output);
                        agree &= *known == output;
                    }
                }
            }
            let oblivious = Oblivious::of(&network);
            assert_eq!(oblivious.holds, agree, "{} {n} {}", topology.name(), relation.name());
            let Some(parting) = oblivious.counterexample else { continue };
            let leaves = |route: &LabelledRoute| {
                let at = route.nodes.iter().position(|node| *node == parting.at).unwrap();
                assert_eq!(route.nodes.last(), Some(&parting.destination));
                route.ports.get(at).cloned()
            };
            assert_ne!(leaves(&parting.passing), leaves(&parting.starting));
            let at = topology.node(&parting.at).unwrap();
            without_terminal += u32::from(topology::sources_at(topology, at).next().is_none());
        }
    }
    assert!(without_terminal > 0, "no packets part at a switch without a terminal");
}
