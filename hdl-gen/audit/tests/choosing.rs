//! Packets that choose, on two virtual channels of each link, and message classes: against brute force.

use crate::brute::{full_queues, traffic, worms};
use crate::common::{network, shortest};
use turnpike_audit::certificate;
use turnpike_audit::mend::layers;
use turnpike_audit::model::Routed;
use turnpike_audit::trace::trace;
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Rule, Switching, Verdict, of_waits, verdict};
use turnpike_audit::waits::Waits;
use turnpike_base::random::Random;
use turnpike_network::flows::MessageClass;

/// Three switches in a line, and links that are drawn, on two virtual channels: the first along the line, but
/// for a hop that is missing now and then; the second to anywhere. In some networks packets stay on the first.
fn drawn(random: &mut Random) -> Routed {
    let mut edges = vec![(0, 1), (1, 0), (1, 2), (2, 1)];
    for edge in [(0, 2), (2, 0)] {
        if random.below(2) > 0 {
            edges.push(edge);
        }
    }
    let mut routed = network(3, &edges, 2);
    let stays = random.below(2) > 0;
    let channels = routed.channels.clone();
    if stays {
        for (at, channel) in (0..).zip(&channels) {
            let at: usize = at;
            if channel.vc == 0 {
                routed.of_channel[at] = routed.tables.copy(channel.to).unwrap();
            }
        }
    }
    let mut places: Vec<(u32, u32, bool)> = (0..3).map(|switch| (switch, switch, false)).collect();
    let of_first = (0..channels.len()).filter(|at| stays && channels[*at].vc == 0);
    places.extend(of_first.map(|at| (routed.of_channel[at], channels[at].to, true)));
    for (table, at, is_first) in places {
        for to in (0..3).filter(|&to| to != at) {
            let step = if to > at { at + 1 } else { at - 1 };
            let mut next: Vec<u32> = Vec::new();
            for (number, own) in (0..).zip(&channels) {
                let first = own.vc == 0 && own.to == step && random.below(40) > 0;
                let second = own.vc == 1 && !is_first && random.below(2) > 0;
                if own.from == at && (first || second) {
                    next.push(number);
                }
            }
            routed.tables.set(table, to, &next);
        }
    }
    routed
}

/// No worms stand for ever where an escape is certified, and some do where a deadlock is reported.
#[test]
fn escape_channels_against_every_set_of_worms() {
    let mut seen = [0; 4];
    for seed in 0..1000 {
        let routed = drawn(&mut Random::new(seed));
        let all = traffic();
        // A hop that is missing may leave packets without a way.
        let Ok(waits) = Waits::of(&routed, &all) else { continue };
        match of_waits(&routed, &all, &waits, Switching::Wormhole) {
            Verdict::Free(proof) => {
                let text = certificate::write(&routed, &all, &waits, Switching::Wormhole, &proof);
                certificate::check(&text).unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
                assert!(!full_queues(&routed), "seed {seed}");
                if proof.rule == Rule::All {
                    seen[0] += 1;
                } else {
                    assert!(!worms(&routed, 12), "seed {seed}");
                    seen[1] += 1;
                }
            }
            Verdict::Deadlock(_) => {
                assert!(full_queues(&routed), "seed {seed}");
                seen[2] += 1;
            }
            Verdict::Undecided => {
                assert!(!full_queues(&routed), "seed {seed}");
                seen[3] += 1;
            }
        }
    }
    println!("ascending, escape, deadlock, undecided: {seen:?}");
    assert!(seen[0] > 50 && seen[1] > 50 && seen[2] + seen[3] > 5, "{seen:?}");
}

/// A line of three switches, of which the ends ask each other: requests and replies on the same channels
/// stop at the terminals, with virtual channels of their own they do not, and one more mends it.
#[test]
fn classes_that_share_channels_wait_through_terminals() {
    let mut routed = network(3, &[(0, 1), (1, 2), (2, 1), (1, 0)], 1);
    for (at, row) in (0..).zip(shortest(&routed)) {
        for (to, next) in (0..).zip(row) {
            routed.tables.set(at, to, &next);
        }
    }
    let class = |name: &str, after: Vec<usize>, rank| MessageClass {
        name: name.to_owned(),
        after,
        rank,
        priority: 0,
    };
    let classes = vec![class("request", vec![], 0), class("reply", vec![0], 1)];
    let flows = vec![(0, 2, 0), (0, 0, 2), (1, 2, 0), (1, 0, 2)];
    let all = Traffic::new(classes.clone(), flows.clone());
    let waits = Waits::of(&routed, &all).unwrap();
    let Verdict::Deadlock(held) = of_waits(&routed, &all, &waits, Switching::Wormhole) else {
        panic!("requests and replies share channels")
    };
    assert!(held.iter().any(|held| waits.terminal(held.resource).is_some()), "{held:?}");
    assert!(trace(&routed, &all, &waits, &held).is_some());
    let found = layers::layers(&routed, &all).unwrap();
    assert_eq!((found.layers, found.proven), (2, true));
    let is_free = |routed: &Routed, all: &Traffic| {
        matches!(verdict(routed, all, Switching::Wormhole), Ok(Verdict::Free(_)))
    };
    assert!(is_free(&layers::mended(&routed, &all, &found).unwrap(), &all));
    assert!(is_free(&routed.with_own_channels(2).unwrap(), &all));
    // Without an order of the classes nothing waits at terminals.
    let free = Traffic::new(vec![class("request", vec![], 0), class("reply", vec![], 0)], flows);
    assert!(is_free(&routed, &free));
}
