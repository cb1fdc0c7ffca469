//! The worst case against every permutation, one after another.

use super::*;
use crate::pattern_load::{Message, load};
use crate::wanted::Wanted;
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
            assert_eq!(worst.uniform.ratio(), all / sinks as u64, "{at}");
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
        assert_eq!((worst.load, worst.uniform), (1.into(), 1.into()));
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
