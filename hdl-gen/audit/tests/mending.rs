//! Traces that stop, and mending: against brute force, and in drawn networks with planted cycles.

use crate::brute::{circle, traffic};
use crate::common::{network, shortest};
use turnpike_audit::mend::{layers, moves};
use turnpike_audit::model::Routed;
use turnpike_audit::trace::trace;
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Rule, Switching, Verdict, of_waits, verdict};
use turnpike_audit::waits::Waits;
use turnpike_base::random::Random;

/// A strongly connected network: a directed ring of all switches, and edges that are drawn.
fn drawn(random: &mut Random, switches: usize, more: usize) -> Routed {
    let mut order: Vec<usize> = (0..switches).collect();
    for at in (1..switches).rev() {
        order.swap(at, random.below(at as u32 + 1) as usize);
    }
    let mut edges: Vec<(usize, usize)> =
        (0..switches).map(|at| (order[at], order[(at + 1) % switches])).collect();
    for _ in 0..more {
        let [a, b] = [0, 1].map(|_| random.below(switches as u32) as usize);
        if a != b && !edges.contains(&(a, b)) {
            edges.push((a, b));
        }
    }
    network(switches, &edges, 1)
}

/// Shortest ways, drawn where there are several.
fn fill(random: &mut Random, routed: &mut Routed) {
    for (at, row) in (0..).zip(shortest(routed)) {
        for (to, next) in (0..).zip(row) {
            if !next.is_empty() {
                let next = next[random.below(next.len() as u32) as usize];
                routed.tables.set(at, to, &[next]);
            }
        }
    }
}

/// Whether some tables with so many entries changed are without a circle: by trying all.
fn mended_by(routed: &Routed, count: usize, from: usize) -> bool {
    if count == 0 {
        return Waits::of(routed, &traffic()).is_ok() && !circle(routed);
    }
    let switches = routed.switches.len();
    (from..switches * switches).any(|entry| {
        let (at, to) = ((entry / switches) as u32, (entry % switches) as u32);
        let out = (0..).zip(&routed.channels).filter(|(_, channel)| channel.from == at && at != to);
        out.map(|(channel, _)| channel).any(|channel: u32| {
            if routed.tables.next(at, to) == [channel] {
                return false;
            }
            let mut changed = routed.clone();
            changed.tables.set(at, to, &[channel]);
            mended_by(&changed, count - 1, entry + 1)
        })
    })
}

/// Fewest layers of routes without a circle: by trying all.
fn fewest_layers(routed: &Routed) -> u32 {
    let switches = routed.switches.len() as u32;
    let mut routes = Vec::new();
    for from in 0..switches {
        for to in (0..switches).filter(|&to| to != from) {
            let (mut at, mut route) = (from, Vec::new());
            while at != to {
                let next = routed.tables.next(at, to)[0];
                route.push(next);
                at = routed.channels[next as usize].to;
            }
            routes.push(route);
        }
    }
    routes.retain(|route| route.len() > 1);
    let count = routed.channels.len();
    let is_free = |layer: &[&Vec<u32>]| {
        let mut after = vec![0u64; count];
        for pair in layer.iter().flat_map(|route| route.windows(2)) {
            after[pair[0] as usize] |= 1 << pair[1];
        }
        for _ in 0..count {
            for at in 0..count {
                let more = (0..count).filter(|&next| after[at] >> next & 1 == 1);
                after[at] |= more.fold(0, |all, next| all | after[next]);
            }
        }
        (0..count).all(|at| after[at] >> at & 1 == 0)
    };
    // Two layers: each set of routes, and the rest.
    assert!(routes.len() <= 16, "{} routes are too many sets", routes.len());
    let two = (0u32..1 << routes.len()).any(|set| {
        let part = |chosen: u32| -> Vec<&Vec<u32>> {
            let is_in = |at: &usize| set >> at & 1 == chosen;
            (0..routes.len()).filter(is_in).map(|at| &routes[at]).collect()
        };
        is_free(&part(0)) && is_free(&part(1))
    });
    if is_free(&routes.iter().collect::<Vec<_>>()) { 1 } else { 3 - u32::from(two) }
}

fn is_free(routed: &Routed, traffic: &Traffic) -> bool {
    let found = verdict(routed, traffic, Switching::Wormhole);
    matches!(found, Ok(Verdict::Free(proof)) if proof.rule == Rule::All)
}

/// A thousand drawn networks, a directed ring in each: what circles there are is found, stops in
/// simulation, and is mended; in small ones by as little as brute force finds.
#[test]
fn drawn_networks() {
    let (mut stuck, mut traces, mut moved, mut unmended, mut small) = (0, 0, [0; 6], 0, 0);
    let mut added = [0; 4];
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let switches = 4 + random.below(5) as usize;
        let more = random.below(2 * switches as u32) as usize;
        let mut routed = drawn(&mut random, switches, more);
        fill(&mut random, &mut routed);
        let all = traffic();
        let waits = Waits::of(&routed, &all).unwrap();
        let expected = circle(&routed);
        let held = match of_waits(&routed, &all, &waits, Switching::Wormhole) {
            Verdict::Free(_) => {
                assert!(!expected, "seed {seed}");
                continue;
            }
            Verdict::Deadlock(held) => held,
            Verdict::Undecided => panic!("seed {seed}"),
        };
        assert!(expected, "seed {seed}");
        stuck += 1;
        traces += u32::from(trace(&routed, &all, &waits, &held).is_some());
        let by_layers = layers::layers(&routed, &all).unwrap();
        assert!(by_layers.proven, "seed {seed}");
        let mended = layers::mended(&routed, &all, &by_layers).unwrap();
        assert!(is_free(&mended, &all), "seed {seed}");
        added[by_layers.layers as usize - 1] += 1;
        match moves::moves(&routed, &all) {
            moves::Moved::By(found) => {
                assert!(is_free(&moves::mended(&routed, &found.moves), &all), "seed {seed}");
                assert!(found.proven, "seed {seed}");
                let count = found.moves.len();
                moved[count.min(5)] += 1;
                if switches <= 5 && count <= 3 {
                    small += 1;
                    assert!((0..count).all(|fewer| !mended_by(&routed, fewer, 0)), "seed {seed}");
                    assert!(mended_by(&routed, count, 0), "seed {seed}");
                }
            }
            moves::Moved::Never => unmended += 1,
            moves::Moved::Unknown => panic!("seed {seed}: not known"),
        }
        if switches == 4 {
            assert_eq!(fewest_layers(&routed), by_layers.layers, "seed {seed}");
        }
    }
    println!(
        "{stuck} stop, {traces} in simulation; moves {moved:?}, never {unmended}, {small} held"
    );
    println!("layers {added:?}");
    assert!(stuck > 500 && traces == stuck && small > 50 && unmended > 10);
}

/// A ring of six routers, each with a terminal, as a table generator routes it: by the shorter way, and
/// clockwise where both are as long.
#[test]
fn the_ring_of_six_takes_few_moves_or_one_virtual_channel() {
    let edges: Vec<(usize, usize)> =
        (0..6).flat_map(|at| [(at, (at + 1) % 6), ((at + 1) % 6, at)]).collect();
    let mut routed = network(6, &edges, 1);
    for at in 0..6 {
        for to in (0..6).filter(|&to| to != at) {
            let step = if (to + 6 - at) % 6 <= 3 { 1 } else { 5 };
            let end = |c: &turnpike_audit::model::Channel| (c.from, c.to) == (at, (at + step) % 6);
            let next = routed.channels.iter().position(end).unwrap() as u32;
            routed.tables.set(at, to, &[next]);
        }
    }
    let all = traffic();
    let by_layers = layers::layers(&routed, &all).unwrap();
    assert_eq!((by_layers.layers, by_layers.proven), (2, true));
    let moves::Moved::By(found) = moves::moves(&routed, &all) else { panic!("it can be mended") };
    println!("{found:?}");
    assert!(found.proven);
}
