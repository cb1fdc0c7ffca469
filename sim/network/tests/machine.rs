//! The machine of steps against one that shares no code with it, and against what is known of any.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::patterns::{self, Places};
use turnpike_network::routing::walk::route;
use turnpike_network::routing::{self, Draw, Output, Relation};
use turnpike_network::topology::{Node, Port, Size, Terminal, Topology, find};
use turnpike_sim_network::machine::{
    Drawn, Machine, MachineError, Packet, Queueing, Routes, Rules, Run, meetings,
};

const RULES: [Queueing; 2] = [Queueing::FirstCome, Queueing::FarthestFirst];

fn network(topology: &str, size: impl Into<Size>, routing: &str) -> (Box<dyn Topology>, Relation) {
    let topology = find(topology).unwrap().build(size).unwrap();
    let relation = routing::build(routing, &*topology).unwrap();
    (topology, relation)
}

fn packets(pairs: &[(u32, u32)]) -> Vec<Packet> {
    let packet = |&(from, to)| Packet { source: Terminal(from), destination: Terminal(to) };
    pairs.iter().map(packet).collect()
}

fn run_of(
    (topology, relation): &(Box<dyn Topology>, Relation),
    rules: Rules,
    packets: &[Packet],
    seed: u64,
) -> Run {
    Machine::new(&**topology, relation, rules).unwrap().run(packets, seed).unwrap()
}

/// Two packets want one channel in one step: the one of the lower number goes first, and the other's delay
/// is 1, the number of routes that meet its own.
#[test]
fn two_packets_meet_on_a_channel() {
    let cube = network("hypercube", 3, "ecube");
    // Both fix bit 0 first: 000 to 111 over 001, 011; 010 to 011 alone; 001 to 111 over 011.
    let pairs = packets(&[(0b000, 0b111), (0b001, 0b111), (0b010, 0b010)]);
    let run = run_of(&cube, Rules::default(), &pairs, 1);
    // 001 is at 011 in step 1, 111 in step 2; 000 is at 001, 011, 111 in steps 1, 2, 3: never together.
    assert_eq!(run.arrivals, [3, 2, 0]);
    assert_eq!(
        (run.report.max_delay, run.report.longest_queue, run.report.max_link_load),
        (0, 1, 2)
    );
    // Two from one place by the same channel.
    let pairs = packets(&[(0, 1), (0, 1), (0, 1), (0, 2)]);
    let run = run_of(&cube, Rules::default(), &pairs, 1);
    assert_eq!(run.arrivals, [1, 2, 3, 1]);
    let r = &run.report;
    assert_eq!(
        (r.steps, r.longest_queue, r.max_link_load, r.max_delay, r.max_meeting),
        (3, 3, 3, 2, 2)
    );
    assert_eq!((r.routes, r.routes_in_one_run, r.violations), (4, 4, 0));
    assert_eq!(r.mean_link_load, 4.0 / 24.0);
    // The one with more to go goes first where that is the rule, and only there.
    let pairs = packets(&[(0, 1), (0, 3), (0, 7)]);
    let farthest = Rules { queueing: Queueing::FarthestFirst, ..Rules::default() };
    assert_eq!(run_of(&cube, Rules::default(), &pairs, 1).arrivals, [1, 3, 5]);
    assert_eq!(run_of(&cube, farthest, &pairs, 1).arrivals, [3, 3, 3]);
}

/// A packet per channel and step, whoever it is: packets by number, where they are, since when.
fn naive(parts: &[Vec<Vec<(u32, u8)>>], queueing: Queueing) -> (Vec<u32>, u32) {
    let mut arrivals = vec![0; parts[0].len()];
    let (mut clock, mut longest) = (0, 0);
    for routes in parts {
        // What is left of each route, and since when the packet waits.
        let mut left: BTreeMap<usize, (Vec<(u32, u8)>, u32)> =
            routes.iter().cloned().enumerate().map(|(p, r)| (p, (r, clock))).collect();
        loop {
            left.retain(|_, (route, _)| !route.is_empty());
            if left.is_empty() {
                break;
            }
            let links: BTreeSet<(u32, u8)> = left.values().map(|(route, _)| route[0]).collect();
            clock += 1;
            let mut winners = Vec::new();
            for link in links {
                let waits = || left.iter().filter(|(_, (route, _))| route[0] == link);
                longest = longest.max(waits().count() as u32);
                let first = match queueing {
                    Queueing::FirstCome => waits().min_by_key(|&(&p, &(_, since))| (since, p)),
                    Queueing::FarthestFirst => waits().min_by_key(|&(&p, (route, since))| {
                        (std::cmp::Reverse(route.len()), *since, p)
                    }),
                };
                winners.push(*first.unwrap().0);
            }
            for packet in winners {
                let (route, since) = left.get_mut(&packet).unwrap();
                route.remove(0);
                *since = clock;
                arrivals[packet] = clock;
            }
        }
    }
    (arrivals, longest)
}

/// The channels of a packet over all draws, each with its phases apart.
fn drawn_routes(
    (topology, relation): &(Box<dyn Topology>, Relation),
    packet: Packet,
) -> Vec<[Vec<(u32, u8)>; 2]> {
    let (from, to) = (packet.source, packet.destination);
    let of = |draw: Draw| {
        let steps = route(&**topology, relation, from, to, draw).unwrap();
        let later = relation.second_phase();
        let mut parts = [Vec::new(), Vec::new()];
        for step in steps {
            if let Output::Network(port) = step.hop.output {
                let second = later.is_some_and(|vc| step.hop.vc >= vc);
                parts[usize::from(second)].push((step.node.0, port.0));
            }
        }
        parts
    };
    relation.draws().map(of).collect()
}

/// A run's routes as channels; each is one of those that may be drawn.
fn channels_of(
    network: &(Box<dyn Topology>, Relation),
    run: &Run,
    list: &[Packet],
) -> Vec<[Vec<(u32, u8)>; 2]> {
    let ports = u32::from(network.0.ports());
    let named = |links: &[u32]| -> Vec<(u32, u8)> {
        links.iter().map(|link| (link / ports, (link % ports) as u8)).collect()
    };
    let of = |(at, &packet): (usize, &Packet)| {
        let found = [run.routes.first().of(at), run.routes.second().of(at)].map(named);
        assert!(drawn_routes(network, packet).contains(&found), "{packet:?} {found:?}");
        found
    };
    list.iter().enumerate().map(of).collect()
}

const NETWORKS: [(&str, &str, &str); 7] = [
    ("hypercube", "3", "ecube"),
    ("hypercube", "4", "rotation"),
    ("hypercube", "3", "two-phase"),
    ("hypercube", "4", "romm"),
    ("mesh", "4x3", "dimension-order"),
    ("mesh", "4x2", "two-phase"),
    ("torus", "4x4", "two-phase"),
];

fn listed(at: usize) -> (Box<dyn Topology>, Relation) {
    let (topology, size, routing) = NETWORKS[at];
    match size.parse::<u32>() {
        Ok(dim) => network(topology, dim, routing),
        Err(_) => {
            network(topology, size.parse::<turnpike_network::topology::Shape>().unwrap(), routing)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// The same arrivals and queues as a machine that looks at all packets in every step; everybody
    /// arrives, no sooner than its distance, and all no sooner than the busiest channel lets them; no delay
    /// is against the theorem. The same seed gives the same run.
    #[test]
    fn equals_a_naive_machine(
        at in 0..NETWORKS.len(),
        pairs in prop::collection::vec((any::<u32>(), any::<u32>()), 0..60),
        farthest in any::<bool>(),
        barrier in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let network = listed(at);
        let terminals = network.0.terminals();
        let pairs: Vec<_> = pairs.iter().map(|(s, d)| (s % terminals, d % terminals)).collect();
        let list = packets(&pairs);
        let queueing = RULES[usize::from(farthest)];
        let barrier = barrier && network.1.second_phase().is_some();
        let rules = Rules { queueing, barrier, ..Rules::default() };
        let mut machine = Machine::new(&*network.0, &network.1, rules).unwrap();
        let run = machine.run(&list, seed).unwrap();
        // Its queues are empty again.
        prop_assert_eq!(&machine.run(&list, seed).unwrap(), &run);
        let routes = channels_of(&network, &run, &list);
        let lengths: Vec<u32> =
            routes.iter().map(|[first, second]| (first.len() + second.len()) as u32).collect();
        let parts: Vec<Vec<_>> = match barrier {
            true => (0..2).map(|part| routes.iter().map(|r| r[part].clone()).collect()).collect(),
            false => vec![routes.iter().map(|r| r.concat()).collect()],
        };
        let (arrivals, longest) = naive(&parts, queueing);
        prop_assert_eq!(&run.arrivals, &arrivals);
        let r = &run.report;
        prop_assert_eq!(r.longest_queue, longest);
        prop_assert_eq!(r.steps, arrivals.iter().copied().max().unwrap_or(0));
        prop_assert!(arrivals.iter().zip(&lengths).all(|(arrival, length)| arrival >= length));
        prop_assert!(r.steps >= r.max_link_load);
        prop_assert_eq!(r.violations, 0);
        if let Some(first) = r.first_phase_steps {
            // The whole of it, or what the machine of the first phases alone takes.
            prop_assert!(first <= r.steps);
            let seconds = r.second_phase_steps.map(|second| first + second);
            prop_assert_eq!(seconds, barrier.then_some(r.steps));
            if barrier {
                let (alone, _) = naive(&parts[..1], queueing);
                prop_assert_eq!(first, alone.iter().copied().max().unwrap_or(0));
            }
        }
        // Whom each route meets, pair by pair.
        let found = meetings(run.routes.whole(), usize::from(network.0.ports()) * network.0.nodes() as usize);
        let whole: Vec<Vec<_>> = routes.iter().map(|r| r.concat()).collect();
        for (packet, own) in whole.iter().enumerate() {
            let others = whole.iter().enumerate().filter(|&(other, route)| {
                other != packet && route.iter().any(|link| own.contains(link))
            });
            prop_assert_eq!(found.others[packet] as usize, others.count());
        }
    }

    /// Routes of bit fixing meet once, and so do those of each phase: the theorem is of every packet, whatever
    /// the pattern and the queueing.
    #[test]
    fn bit_fixing_never_delays_beyond_the_routes_that_meet(
        dim in 1..=6u32,
        pairs in prop::collection::vec((any::<u32>(), any::<u32>()), 0..200),
        farthest in any::<bool>(),
        phases in any::<bool>(),
    ) {
        let network = network("hypercube", dim, if phases { "two-phase" } else { "ecube" });
        let pairs: Vec<_> = pairs.iter().map(|(s, d)| (s % (1 << dim), d % (1 << dim))).collect();
        let queueing = RULES[usize::from(farthest)];
        let rules = Rules { queueing, barrier: phases, ..Rules::default() };
        let report = run_of(&network, rules, &packets(&pairs), 7).report;
        prop_assert_eq!(report.routes_in_one_run, report.routes);
        prop_assert_eq!(report.routes, pairs.len() as u64 * (1 + u64::from(phases)));
        prop_assert_eq!(report.violations, 0);
    }
}

/// Routes that part and meet again are none that the theorem speaks of: on a torus with two phases, some.
#[test]
fn routes_that_meet_twice_are_found() {
    let network = listed(6);
    let pairs: Vec<(u32, u32)> = (0..16).map(|from| (from, 15 - from)).collect();
    let report = run_of(&network, Rules::default(), &packets(&pairs), 3).report;
    assert!(report.routes_in_one_run < report.routes, "{report:?}");
}

/// Another seed draws other routes; where nothing is drawn there is one run.
#[test]
fn routes_are_drawn_from_the_seed() {
    let pairs: Vec<(u32, u32)> = (0..16).map(|from| (from, from)).collect();
    let routes = |routing: &str, seed| -> Routes {
        run_of(&network("hypercube", 4, routing), Rules::default(), &packets(&pairs), seed).routes
    };
    assert_eq!(routes("two-phase", 1), routes("two-phase", 1));
    assert_ne!(routes("two-phase", 1), routes("two-phase", 2));
    assert_eq!(routes("ecube", 1), routes("ecube", 2));
    // All draws are drawn alike: intermediate terminals, told by the length of a round trip.
    let lengths: u64 = (0..400).map(|seed| routes("two-phase", seed).whole().hops()).sum();
    let mean = lengths as f64 / (400.0 * 16.0);
    assert!((mean - 4.0).abs() < 0.1, "{mean}");
}

/// Terminals at which packets end their first phase.
fn between(
    (topology, _): &(Box<dyn Topology>, Relation),
    run: &Run,
    list: &[Packet],
) -> Vec<Terminal> {
    let ports = u32::from(topology.ports());
    let of = |(at, packet): (usize, &Packet)| {
        let end = run.routes.first().of(at).last().map(|link| {
            let (node, port) = (Node(link / ports), Port((link % ports) as u8));
            topology.channel(node, port).unwrap().0
        });
        let node = end.unwrap_or_else(|| topology.source(packet.source).unwrap().0);
        topology.sources().find(|&t| topology.source(t).unwrap().0 == node).unwrap()
    };
    list.iter().enumerate().map(of).collect()
}

const PERMUTED: Rules =
    Rules { queueing: Queueing::FirstCome, barrier: true, drawn: Drawn::Permutation };

/// The lecture's step 1: the intermediate terminals of the first packets of all sources are a
/// permutation, and so are those of the second packets, by rules and by table; the routes are such as
/// each packet may draw by itself. Independent draws are none.
#[test]
fn intermediate_terminals_are_a_permutation() {
    let mut networks = vec![listed(2), listed(5), listed(6)];
    for (topology, shape) in [("mesh", "3x3"), ("torus", "5"), ("mesh", "3x2")] {
        let shape: turnpike_network::topology::Shape = shape.parse().unwrap();
        networks.push(network(topology, shape, "two-phase"));
    }
    for network in &networks {
        let terminals = network.0.terminals();
        // Two packets of each source, to anywhere.
        let pairs: Vec<_> = (0..2 * terminals).map(|n| (n / 2, n * 7 % terminals)).collect();
        let list = packets(&pairs);
        let all: Vec<Terminal> = network.0.sources().collect();
        let mut independent = 0;
        for seed in 0..50 {
            let run = run_of(network, PERMUTED, &list, seed);
            channels_of(network, &run, &list);
            let ends = between(network, &run, &list);
            let of = |ends: &[Terminal], round| {
                let mut to: Vec<Terminal> = ends.iter().copied().skip(round).step_by(2).collect();
                to.sort();
                to
            };
            assert_eq!([0, 1].map(|round| of(&ends, round)), [all.clone(), all.clone()]);
            let plain =
                run_of(network, Rules { drawn: Drawn::Independent, ..PERMUTED }, &list, seed);
            let ends = between(network, &plain, &list);
            independent += u32::from(of(&ends, 0) == all);
        }
        assert!(independent < 10, "{independent} of 50 runs");
    }
}

/// Every permutation is drawn, as often as another: chi-square below its 99.99 % point.
#[test]
fn permutations_are_drawn_alike() {
    let square = network("hypercube", 2, "two-phase");
    let list = packets(&[(0, 0), (1, 1), (2, 2), (3, 3)]);
    let mut drawn = BTreeMap::new();
    let (runs, all) = (4800, 24);
    for seed in 0..runs {
        let run = run_of(&square, PERMUTED, &list, seed);
        *drawn.entry(between(&square, &run, &list)).or_insert(0u32) += 1;
    }
    assert_eq!(drawn.len(), all);
    let mean = runs as f64 / all as f64;
    let chi: f64 = drawn.values().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
    // 23 degrees of freedom.
    assert!(chi < 54.0, "{chi}");
}

#[test]
fn what_it_does_not_run_is_refused() {
    for (routing, size) in [("ecube", 3), ("romm", 3), ("random-path", 3)] {
        let (cube, relation) = network("hypercube", size, routing);
        let refused = Machine::new(&*cube, &relation, Rules { barrier: false, ..PERMUTED }).err();
        assert_eq!(refused, Some(MachineError::NoPermutation(routing.to_owned())));
    }
    let rules = Rules { barrier: true, ..Rules::default() };
    let (cube, ecube) = network("hypercube", 3, "ecube");
    let refused = Machine::new(&*cube, &ecube, rules).err();
    assert_eq!(refused, Some(MachineError::NoPhases("ecube".to_owned())));
    let (cube, adaptive) = network("hypercube", 3, "adaptive");
    let refused = Machine::new(&*cube, &adaptive, Rules::default()).err();
    assert_eq!(refused, Some(MachineError::Choices("adaptive".to_owned())));
}

/// E[T(e)] of the lecture, exactly: over all draws each phase puts half a packet on every channel, whatever the
/// permutation; the mean over runs is that of a sample.
#[test]
fn each_phase_loads_every_channel_with_half_a_packet() {
    for dim in 2..=6 {
        let network = network("hypercube", dim, "two-phase");
        let (topology, relation) = (&*network.0, &network.1);
        for name in ["transpose", "bit-reversal", "bit-complement"] {
            let to = patterns::find(name).unwrap().of(&Places::row(1 << dim)).unwrap();
            let pairs: Vec<_> = (0..).zip(to).collect();
            let list = packets(&pairs);
            let mut load = [BTreeMap::new(), BTreeMap::new()];
            for (phase, link) in list
                .iter()
                .flat_map(|&packet| {
                    let drawn = drawn_routes(&network, packet).into_iter();
                    drawn.flat_map(|parts| (0..).zip(parts).collect::<Vec<(usize, _)>>())
                })
                .flat_map(|(phase, links)| links.into_iter().map(move |link| (phase, link)))
            {
                *load[phase].entry(link).or_insert(0) += 1;
            }
            for phase in load {
                assert_eq!(phase.len() as u64, topology.channels());
                assert!(phase.values().all(|&packets| 2 * packets == relation.draw_count()));
            }
        }
    }
}
