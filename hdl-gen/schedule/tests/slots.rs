//! Schedules of h-relations.

use crate::common::{below, rng, shuffled};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use turnpike_schedule::check::check;
use turnpike_schedule::demand::{Demand, Transfer};
use turnpike_schedule::network::Network;
use turnpike_schedule::rearrange::{RearrangeError, rearrange};
use turnpike_schedule::slots::{Schedule, SlotsError};

/// Checks the slots: h of them, all words in them, and each with settings that are right.
fn check_schedule(network: &Network, demand: &Demand) {
    let schedule = Schedule::new(network, demand).unwrap();
    assert_eq!(schedule.slots(), demand.h());
    let mut sent = Vec::new();
    for slot in 0..schedule.slots() {
        let permutation = schedule.permutation(slot).unwrap();
        assert!(permutation.connections().eq(schedule.connections(slot)));
        assert_eq!(check(network, &schedule.settings(slot).unwrap(), &permutation), Ok(()));
        sent.extend(schedule.connections(slot));
    }
    let words = sent.into_iter().map(|c| Transfer { source: c.source, sink: c.sink, words: 1 });
    assert_eq!(&Demand::new(demand.terminals(), words).unwrap(), demand);
}

fn networks(dim: u32) -> Vec<Network> {
    let half = dim / 2;
    let clos = Network::clos(1 << half, 1 << half, 1 << (dim - half));
    let all = [Network::benes(dim), Network::reduced_benes(dim), clos];
    all.into_iter().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn demands_take_h_slots(
        dim in 1..6_u32,
        transfers in prop::collection::vec((any::<u32>(), any::<u32>(), 1..5_u32), 0..100),
    ) {
        let within = |x: u32| x % (1 << dim);
        let transfer = |(source, sink, words)| {
            Transfer { source: within(source), sink: within(sink), words }
        };
        let demand = Demand::new(1 << dim, transfers.into_iter().map(transfer)).unwrap();
        for network in networks(dim) {
            check_schedule(&network, &demand);
        }
    }
}

#[test]
fn all_to_all_takes_as_many_slots_as_terminals() {
    let all = (0..256).map(|x| Transfer { source: x / 16, sink: x % 16, words: 1 });
    let demand = Demand::new(16, all).unwrap();
    for network in networks(4) {
        check_schedule(&network, &demand);
    }
}

#[test]
fn one_word_each_is_one_slot() {
    let mut rng = rng(5);
    let pairs = (0..).zip(shuffled(1 << 12, &mut rng));
    let words = pairs.map(|(source, sink)| Transfer { source, sink, words: 1 });
    let demand = Demand::new(1 << 12, words).unwrap();
    for network in networks(12) {
        check_schedule(&network, &demand);
    }
}

#[test]
fn an_odd_relation_of_1024_takes_its_slots() {
    let mut rng = rng(6);
    let words = (0..1024 * 13).map(|x| Transfer {
        source: x % 1024,
        sink: below(&mut rng, 1024),
        words: 1 + below(&mut rng, 2),
    });
    check_schedule(&networks(10)[0], &Demand::new(1024, words).unwrap());
}

#[test]
fn what_is_not_there_is_refused() {
    let demand =
        |terminals| Demand::new(terminals, [Transfer { source: 0, sink: 1, words: 3 }]).unwrap();
    let network = Network::benes(2).unwrap();
    let schedule = Schedule::new(&network, &demand(4)).unwrap();
    assert_eq!((schedule.slots(), schedule.connections(3).count()), (3, 0));
    let error = SlotsError::Slot { slot: 3, slots: 3 };
    assert_eq!(schedule.settings(3), Err(error.clone()));
    assert_eq!(schedule.permutation(3), Err(error));
    let text = Schedule::new(&network, &demand(8)).unwrap_err().to_string();
    assert_eq!(text, "the network has 4 terminals, but the demand is between 8");
    let other = Network::double_butterfly(2, 2).unwrap();
    let error = Schedule::new(&other, &demand(4)).unwrap_err();
    assert_eq!(error, SlotsError::Rearrange(RearrangeError::NotRearrangeable));
    let permutation = schedule.permutation(0).unwrap();
    assert_eq!(rearrange(&other, &permutation), Err(RearrangeError::NotRearrangeable));
    let few = Schedule::new(&Network::clos(1, 2, 2).unwrap(), &demand(4)).unwrap_err();
    assert!(few.to_string().starts_with("1 middle switches are fewer"), "{few}");
    let none = Schedule::new(&network, &Demand::new(4, []).unwrap()).unwrap();
    assert_eq!(none.slots(), 0);
}
