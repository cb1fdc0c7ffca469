//! Every small network, held to brute force.

use crate::brute::{self, circle, full_queues, reached, worms};
use crate::common::{network, shortest};
use turnpike_audit::certificate;
use turnpike_audit::model::Routed;
use turnpike_audit::verdict::{Rule, Switching, Verdict, of_waits};
use turnpike_audit::waits::Waits;

/// Calls `each` with every digraph of so many switches in which there is a way from each to each.
fn digraphs(switches: usize, mut each: impl FnMut(&[(usize, usize)])) {
    let pairs: Vec<(usize, usize)> = (0..switches)
        .flat_map(|a| (0..switches).filter(move |&b| b != a).map(move |b| (a, b)))
        .collect();
    for set in 0..1u32 << pairs.len() {
        let edges: Vec<(usize, usize)> =
            (0..).zip(&pairs).filter(|(at, _)| set >> at & 1 == 1).map(|(_, &pair)| pair).collect();
        let distances = crate::common::distances(switches, &edges);
        if distances.iter().flatten().all(Option::is_some) {
            each(&edges);
        }
    }
}

/// Calls `each` with every table of shortest ways, one next channel each.
fn tables(routed: &Routed, mut each: impl FnMut(&Routed)) {
    let options = shortest(routed);
    let places: Vec<(u32, u32)> = (0..options.len() as u32)
        .flat_map(|at| (0..options.len() as u32).map(move |to| (at, to)))
        .filter(|&(at, to)| at != to)
        .collect();
    let mut chosen = vec![0; places.len()];
    let mut routed = routed.clone();
    loop {
        for (&(at, to), &choice) in places.iter().zip(&chosen) {
            let next = options[at as usize][to as usize][choice];
            routed.tables.set(at, to, &[next]);
        }
        each(&routed);
        let more = |place: usize| {
            let (at, to) = places[place];
            chosen[place] + 1 < options[at as usize][to as usize].len()
        };
        let Some(last) = (0..places.len()).rfind(|&place| more(place)) else { return };
        chosen[last] += 1;
        chosen[last + 1..].fill(0);
    }
}

/// All verdicts on a network with its certificates checked: in wormholes, then of whole packets.
fn verdicts(routed: &Routed) -> [Verdict; 2] {
    let traffic = brute::traffic();
    let waits = Waits::of(routed, &traffic).unwrap();
    [Switching::Wormhole, Switching::Packets].map(|switching| {
        let verdict = of_waits(routed, &traffic, &waits, switching);
        if let Verdict::Free(proof) = &verdict {
            let text = certificate::write(routed, &traffic, &waits, switching, proof);
            certificate::check(&text).unwrap_or_else(|flaw| panic!("{flaw}\n{text}"));
        }
        verdict
    })
}

/// Verdicts on tables of one next channel, against every set of queues and the circles of channels.
fn one_next_channel(switches: usize, least: [u32; 2]) {
    let (mut free, mut stuck) = (0, 0);
    digraphs(switches, |edges| {
        tables(&network(switches, edges, 1), |routed| {
            let [wormhole, packets] = verdicts(routed);
            assert_eq!(wormhole, packets, "{edges:?}");
            let expected = circle(routed);
            // Beyond that many channels there are too many sets to try in a test.
            if edges.len() <= 12 {
                assert_eq!(expected, full_queues(routed), "{edges:?}");
            }
            match wormhole {
                Verdict::Free(proof) => {
                    assert!(!expected, "{edges:?}");
                    assert_eq!(proof.rule, Rule::All);
                    free += 1;
                }
                Verdict::Deadlock(held) => {
                    assert!(expected, "{edges:?}");
                    for (at, own) in held.iter().enumerate() {
                        assert_eq!(own.next, [held[(at + 1) % held.len()].resource]);
                        assert_eq!(own.way.last(), Some(&own.resource));
                    }
                    stuck += 1;
                }
                Verdict::Undecided => panic!("{edges:?}"),
            }
        });
    });
    println!("{switches} switches: {free} free, {stuck} with a deadlock");
    assert!(free >= least[0] && stuck >= least[1], "{free} {stuck}");
}

#[test]
fn every_table_of_up_to_four_switches() {
    one_next_channel(2, [1, 0]);
    one_next_channel(3, [10, 2]);
    one_next_channel(4, [2500, 400]);
}

#[test]
#[ignore = "565,080 digraphs: minutes"]
fn every_table_of_five_switches() {
    one_next_channel(5, [500_000, 100_000]);
}

/// Packets that choose among all shortest ways, against every set of queues and every set of worms; and
/// where there are few states, against every state that packets come to.
#[test]
fn every_network_of_up_to_four_switches_whose_packets_choose() {
    let mut seen = [0; 5];
    for switches in 2..=4 {
        digraphs(switches, |edges| {
            let mut routed = network(switches, edges, 1);
            let options = shortest(&routed);
            for (at, row) in (0..).zip(&options) {
                for (to, next) in (0..).zip(row) {
                    routed.tables.set(at, to, next);
                }
            }
            let [wormhole, packets] = verdicts(&routed);
            let expected = full_queues(&routed);
            match packets {
                Verdict::Free(_) => assert!(!expected, "{edges:?}"),
                Verdict::Deadlock(_) => assert!(expected, "{edges:?}"),
                Verdict::Undecided => {
                    panic!("queues of whole packets are always decided: {edges:?}")
                }
            }
            match wormhole {
                Verdict::Free(_) => {
                    assert!(!worms(&routed, 12), "{edges:?}");
                    seen[0] += 1;
                }
                Verdict::Deadlock(_) => {
                    assert!(worms(&routed, 1), "{edges:?}");
                    seen[1] += 1;
                }
                Verdict::Undecided => seen[2] += 1,
            }
            if edges.len() <= 6
                && let Some(reached) = reached(&routed, 20_000)
            {
                assert_eq!(reached, expected, "{edges:?}");
                seen[3 + usize::from(reached)] += 1;
            }
        });
    }
    println!("free, deadlock, undecided, states without, states with: {seen:?}");
    assert!(seen[0] > 1000 && seen[1] > 400 && seen[3] > 100 && seen[4] > 100, "{seen:?}");
}
