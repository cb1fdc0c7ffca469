//! The worst case against every permutation, one after another.

use super::*;
use crate::pattern_load::{Message, load};
use crate::wanted::Wanted;
use num_rational::Ratio;
use turnpike_base::random::Random;
use turnpike_network::flows::FlowList;
use turnpike_network::routing::{self, RELATIONS};
use turnpike_network::topology::{Shape, Size, TOPOLOGIES};

/// Most terminals whose permutations are all tried: 40,320 of them.
const ALL: usize = 8;

fn built(topology: &str, size: Size, routing: &str) -> Option<(Box<dyn Topology>, Relation)> {
    let wanted = Wanted { routing: Some(routing), ..Wanted::new(topology, size) };
    wanted.build().ok().filter(|(_, relation)| relation.choices().is_none())
}

/// Uses of each channel by each pair over all draws, walked one by one: by source, sink and
/// channel.
fn weights(topology: &dyn Topology, relation: &Relation) -> Vec<Vec<Vec<u64>>> {
    let ports = usize::from(topology.ports());
    let of = |source, destination| {
        let mut uses = vec![0; topology.nodes() as usize * ports];
        for draw in relation.draws() {
            let steps =
                routing::walk::route(topology, relation, source, destination, draw).unwrap();
            for step in steps {
                if let routing::Output::Network(port) = step.hop.output {
                    uses[step.node.0 as usize * ports + usize::from(port.0)] += 1;
                }
            }
        }
        uses
    };
    topology.sources().map(|s| topology.sinks().map(|t| of(s, t)).collect()).collect()
}

/// The most of any channel under any permutation of the sinks from `at` on, with `loads` before.
fn by_trial(weights: &[Vec<Vec<u64>>], at: usize, sinks: &mut [usize], loads: &[u64]) -> u64 {
    if at == weights.len() {
        return loads.iter().copied().max().unwrap_or(0);
    }
    let mut most = 0;
    for next in at..sinks.len() {
        sinks.swap(at, next);
        let more = &weights[at][sinks[at]];
        let loads: Vec<u64> = loads.iter().zip(more).map(|(load, more)| load + more).collect();
        most = most.max(by_trial(weights, at + 1, sinks, &loads));
        sinks.swap(at, next);
    }
    most
}

/// Greatest load of the permutation on a channel, as patterns are counted. Asserts that it is a
/// permutation.
fn loaded(topology: &dyn Topology, relation: &Relation, worst: &WorstCase) -> Expected {
    let sources: BTreeSet<Terminal> = worst.permutation.iter().map(|pair| pair.0).collect();
    let sinks: BTreeSet<Terminal> = worst.permutation.iter().map(|pair| pair.1).collect();
    let count = topology.sources().count().min(topology.sinks().count());
    assert_eq!((sources.len(), sinks.len(), worst.permutation.len()), (count, count, count));
    let message = |&(source, destination)| Message { source, destination, words: 1 };
    let messages: Vec<Message> = worst.permutation.iter().map(message).collect();
    load(topology, relation, &messages).unwrap().links.most
}

/// Every relation on every network of few terminals that it routes: no permutation has more, and that
/// which is found has as much. Without the symmetry the same comes out.
#[test]
fn no_permutation_loads_a_channel_more() {
    let mut tried: BTreeSet<&str> = BTreeSet::new();
    for kind in TOPOLOGIES {
        let sizes = kind.sizes.small().into_iter().chain((1..=4).map(Size::of_dim));
        let sizes: BTreeSet<Size> = sizes.filter(|&size| kind.sizes.takes(size)).collect();
        for (size, relation) in
            sizes.iter().flat_map(|s| routing::of_kind(kind).map(move |r| (s, r.name)))
        {
            let Some((topology, by)) = built(kind.name, *size, relation) else { continue };
            let (sources, sinks) = (topology.sources().count(), topology.sinks().count());
            if sources > 64 || sinks > 64 {
                continue;
            }
            let at = format!("{} {size} {relation}", kind.name);
            let (same, again) = built(kind.name, *size, relation).unwrap();
            let worst = WorstCase::of(same, again).unwrap();
            let alone = WorstCase::by_symmetry(&*topology, &by, &Symmetry::none(&*topology));
            let alone = alone.unwrap();
            assert_eq!((worst.load, worst.uniform), (alone.load, alone.uniform), "{at}");
            assert_eq!(loaded(&*topology, &by, &worst), worst.load, "{at}");
            assert_eq!(loaded(&*topology, &by, &alone), worst.load, "{at}");
            let messages: Vec<Message> = topology
                .sources()
                .flat_map(|source| topology.sinks().map(move |sink| (source, sink)))
                .map(|(source, destination)| Message { source, destination, words: 1 })
                .collect();
            let all = load(&*topology, &by, &messages).unwrap().links.most.ratio();
            assert_eq!(worst.uniform.unwrap().ratio(), all / sinks as u64, "{at}");
            if sources <= ALL && sources == sinks {
                let weights = weights(&*topology, &by);
                let none = vec![0; topology.nodes() as usize * usize::from(topology.ports())];
                let most = by_trial(&weights, 0, &mut (0..sinks).collect::<Vec<_>>(), &none);
                assert_eq!(worst.load, Expected::over(most, by.draw_count().into()), "{at}");
                tried.insert(relation);
            }
        }
    }
    // Thacker's table is of 16 terminals, cube-connected cycles have 24 and more; the others' packets choose.
    let few = ["thacker", "two-stage"];
    let choose = ["adaptive", "west-first", "north-last", "negative-first", "odd-even"];
    let others = [&few[..], &choose].concat();
    let untried = RELATIONS.iter().map(|r| r.name).filter(|name| !tried.contains(name));
    assert_eq!(untried.collect::<Vec<_>>(), others);
}

/// The most of any channel under any flows, from source `at` on, of which no two share a sink.
fn by_trial_of_flows(
    weights: &[Vec<(u32, Vec<u64>)>],
    at: usize,
    taken: u32,
    loads: &[u64],
) -> u64 {
    let Some(own) = weights.get(at) else { return loads.iter().copied().max().unwrap_or(0) };
    let free = own.iter().filter(|(sink, _)| taken >> sink & 1 == 0);
    let with = free.map(|(sink, more)| {
        let loads: Vec<u64> = loads.iter().zip(more).map(|(load, more)| load + more).collect();
        by_trial_of_flows(weights, at + 1, taken | 1 << sink, &loads)
    });
    with.max().unwrap_or(0).max(by_trial_of_flows(weights, at + 1, taken, loads))
}

/// Networks for flows: of all flows that can go beside each other no others load a channel more, those
/// that are found are flows with that load, and no further flow fits among them. Flows from all to all
/// have what a network without flows has.
#[test]
fn no_flows_beside_each_other_load_a_channel_more() {
    let mut random = Random::new(37);
    let mesh: Shape = "4x2".parse().unwrap();
    for (name, size, routing) in [
        ("mesh", Size::from(mesh), "dimension-order"),
        ("mesh", Size::from(mesh), "o1turn"),
        ("hypercube", 3.into(), "rotation"),
        ("hypercube", 3.into(), "two-phase"),
    ] {
        let wanted = Wanted { routing: Some(routing), ..Wanted::new(name, size) };
        let (whole, relation) = wanted.build().unwrap();
        let all: Vec<_> = whole.pairs().collect();
        let labels = |pairs: &[(Terminal, Terminal)], at: usize| {
            let label = |terminal| whole.terminal_label(terminal);
            let (from, to) = pairs[at];
            format!("{},{}\n", label(from), label(to))
        };
        let of = |pairs: &[(Terminal, Terminal)]| {
            let lines: String = (0..pairs.len()).map(|at| labels(pairs, at)).collect();
            let list = FlowList::parse(&format!("source,destination\n{lines}")).unwrap();
            let (topology, relation) = Wanted { flows: Some(&list), ..wanted }.build().unwrap();
            WorstCase::of(topology, relation).unwrap()
        };
        let (every, plain) =
            (of(&all), WorstCase::of(wanted.build().unwrap().0, relation).unwrap());
        assert_eq!((every.load, every.uniform), (plain.load, plain.uniform), "{name} {routing}");
        for count in [1, 3, 9, 20] {
            let mut few = all.clone();
            random.shuffle(&mut few);
            few.truncate(count);
            let (topology, relation) = wanted.build().unwrap();
            let uses = weights(&*topology, &relation);
            let sinks: Vec<Terminal> = topology.sinks().collect();
            let place = |of: Terminal| sinks.iter().position(|&sink| sink == of).unwrap();
            let sources = topology.sources().enumerate();
            let own: Vec<Vec<(u32, Vec<u64>)>> = sources
                .map(|(at, source)| {
                    let to = few.iter().filter(|pair| pair.0 == source).map(|pair| place(pair.1));
                    to.map(|sink| (sink as u32, uses[at][sink].clone())).collect()
                })
                .collect();
            let none = vec![0; topology.nodes() as usize * usize::from(topology.ports())];
            let most = by_trial_of_flows(&own, 0, 0, &none);
            let worst = of(&few);
            let at = format!("{name} {routing} {few:?}");
            let draws = u64::from(relation.draw_count());
            assert_eq!(worst.load, Expected::over(most, draws), "{at}");
            let message = |&(source, destination): &_| Message { source, destination, words: 1 };
            let messages: Vec<Message> = worst.permutation.iter().map(message).collect();
            let found = load(&*topology, &relation, &messages).unwrap().links.most;
            assert_eq!(found, worst.load, "{at}");
            let meets = |one: &(Terminal, Terminal), other: &(Terminal, Terminal)| {
                one.0 == other.0 || one.1 == other.1
            };
            assert!(worst.permutation.iter().all(|pair| few.contains(pair)), "{at}");
            for pair in &few {
                let met = worst.permutation.iter().filter(|other| meets(pair, other)).count();
                let alone = usize::from(worst.permutation.contains(pair));
                assert!(if alone == 1 { met == 1 } else { met > 0 }, "{at}");
            }
            // Uniform traffic by its definition, channel by channel.
            let degree = |own: &[(u32, Vec<u64>)]| own.len().max(1) as u64;
            let share = |channel: usize| -> Ratio<u64> {
                own.iter()
                    .flat_map(|own| own.iter().map(move |(_, uses)| (uses[channel], degree(own))))
                    .map(|(uses, of)| Ratio::new(uses, of * draws))
                    .sum()
            };
            let uniform = (0..none.len()).map(share).max().unwrap();
            assert_eq!(worst.uniform.unwrap().ratio(), uniform, "{at}");
        }
    }
}

/// Uneven weights on a network where nodes stand for themselves, and relations whose draws differ: the
/// pairs of a channel fill a matrix.
#[test]
fn draws_are_averaged_exactly() {
    let shape: Shape = "4x2".parse().unwrap();
    let (mesh, two_phase) = built("mesh", shape.into(), "two-phase").unwrap();
    let weights = weights(&*mesh, &two_phase);
    let none = vec![0; mesh.nodes() as usize * usize::from(mesh.ports())];
    let most = by_trial(&weights, 0, &mut (0..8).collect::<Vec<_>>(), &none);
    let worst = WorstCase::of(mesh, two_phase).unwrap();
    assert_eq!(worst.load, Expected::over(most, 8));
    assert_eq!(worst.throughput().ratio(), worst.load.ratio().recip());
}

/// Two phases load channels under every permutation as uniform traffic does, twice.
#[test]
fn two_phases_have_no_worst_permutation() {
    for k in 1..=6 {
        let (cube, two_phase) = built("hypercube", k.into(), "two-phase").unwrap();
        let worst = WorstCase::of(cube, two_phase).unwrap();
        assert_eq!((worst.load, worst.uniform), (1.into(), Some(1.into())));
        assert_eq!(worst.throughput(), 1);
    }
}

/// Worst load of ecube is 2^((k-1)/2), rounded down: a channel of dimension i has 2^i sources,
/// which go on to 2^(k-1-i) sinks each, in all pairs.
#[test]
fn ecube_has_the_square_root_of_half_the_nodes() {
    for k in 1..=12u32 {
        let (cube, ecube) = built("hypercube", k.into(), "ecube").unwrap();
        let worst = WorstCase::of(cube, ecube).unwrap();
        assert_eq!(worst.load, 1u64 << ((k - 1) / 2), "{k}");
        assert_eq!(worst.standing, k as usize);
    }
}

#[test]
fn what_does_not_go_says_so() {
    let of = |topology, size: Size, routing| {
        let wanted = Wanted { routing: Some(routing), ..Wanted::new(topology, size) };
        let (topology, relation) = wanted.build().unwrap();
        WorstCase::of(topology, relation).unwrap_err().to_string()
    };
    let error = of("hypercube", 3.into(), "adaptive");
    assert!(error.contains("choose their way under 'adaptive'"), "{error}");
    let alone = |k: u32| {
        let (cube, ecube) = built("hypercube", k.into(), "ecube").unwrap();
        let none = Symmetry::none(&*cube);
        WorstCase::by_symmetry(&*cube, &ecube, &none).unwrap_err().to_string()
    };
    let (ports, routes) = (alone(12), alone(15));
    assert!(ports.contains("49152 output ports of switches and 4096 terminals"), "{ports}");
    assert!(routes.contains("from 32768 sources to 32768 sinks with 1 draws"), "{routes}");
}
