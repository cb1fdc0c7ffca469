//! The looping algorithm on Beneš networks, whole and reduced.

use crate::common::{
    any_settings, flip, partial, partial_permutations, permutations, rng, shuffled, two_by_two,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::HashSet;
use turnpike_schedule::check::{CheckError, check, sources_by_sink};
use turnpike_schedule::looping::{LoopingError, route};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{OtherTerminals, PartialPermutation};

fn both(dim: u32) -> [Network; 2] {
    [Network::benes(dim).unwrap(), Network::reduced_benes(dim).unwrap()]
}

#[test]
fn every_permutation_of_2_4_and_8_has_settings() {
    for network in [1, 2, 3].into_iter().flat_map(both) {
        for sinks in permutations(network.terminals()) {
            let permutation = PartialPermutation::whole(&sinks).unwrap();
            let settings = route(&network, &permutation).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()), "{sinks:?}");
        }
    }
}

#[test]
fn every_partial_permutation_of_2_and_4_has_settings() {
    for network in [1, 2].into_iter().flat_map(both) {
        let all = partial_permutations(network.terminals());
        assert_eq!(all.len(), if network.terminals() == 2 { 7 } else { 209 });
        for permutation in all {
            let settings = route(&network, &permutation).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()));
            let taken = (0..network.switches(0)).flat_map(|s| settings.switch(0, s)).flatten();
            assert_eq!(taken.count() as u32, permutation.len(), "what is not asked for is idle");
        }
    }
}

/// The number of permutations that all settings of the switches give. Each gives one.
fn distinct(network: &Network, switches: u32) -> usize {
    let mut seen = HashSet::new();
    let mut settings = two_by_two(network, |_| false);
    let all = (0..network.stages()).flat_map(|s| (0..network.switches(s)).map(move |w| (s, w)));
    let all: Vec<(u32, u32)> = all.filter(|&(s, w)| !network.is_wire(s, w)).collect();
    assert_eq!(all.len() as u32, switches);
    for count in 1..=1_u64 << switches {
        let sources = sources_by_sink(network, &settings).unwrap();
        assert!(sources.iter().all(Option::is_some));
        let packed = sources.iter().flatten().fold(0, |packed: u64, &s| packed << 4 | u64::from(s));
        seen.insert(packed);
        // In this order (Gray's) one switch changes at a time.
        let (stage, switch) = all[count.trailing_zeros().min(switches - 1) as usize];
        flip(&mut settings, stage, switch);
    }
    seen.len()
}

#[test]
fn the_settings_of_4_give_24_permutations() {
    assert_eq!(both(2).map(|network| network.removed().len()), [0, 1]);
    assert_eq!((distinct(&both(2)[0], 6), distinct(&both(2)[1], 5)), (24, 24));
}

#[test]
fn the_settings_of_8_give_40320_permutations() {
    assert_eq!(distinct(&both(3)[0], 20), 40_320);
    assert_eq!(distinct(&both(3)[1], 17), 40_320);
}

#[test]
fn a_flipped_switch_is_found() {
    for network in [1, 2, 3, 5].into_iter().flat_map(both) {
        let sinks = shuffled(network.terminals(), &mut rng(1));
        let permutation = PartialPermutation::whole(&sinks).unwrap();
        let settings = route(&network, &permutation).unwrap();
        for stage in 0..network.stages() {
            for switch in 0..network.switches(stage) {
                let mut mutant = settings.clone();
                flip(&mut mutant, stage, switch);
                let error = check(&network, &mutant, &permutation).unwrap_err();
                let wire = matches!(error, CheckError::Wire { .. });
                let misled = matches!(error, CheckError::Misled { .. });
                assert!(if network.is_wire(stage, switch) { wire } else { misled }, "{error}");
            }
        }
    }
}

#[test]
fn other_networks_and_terminals_are_refused() {
    let permutation = PartialPermutation::whole(&[0, 1, 2, 3]).unwrap();
    for network in [Network::butterfly(2, 2), Network::double_butterfly(2, 2)] {
        assert_eq!(route(&network.unwrap(), &permutation), Err(LoopingError::NotBenes));
    }
    let clos = Network::clos(2, 2, 2).unwrap();
    assert_eq!(route(&clos, &permutation), Err(LoopingError::NotBenes));
    let other = OtherTerminals { network: 8, demand: 4 };
    assert_eq!(route(&both(3)[0], &permutation), Err(LoopingError::Terminals(other)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn larger_partial_permutations_have_settings(dim in 3..11_u32, eighths in 0..9_u32, seed: u64) {
        let permutation = partial(1 << dim, eighths, &mut rng(seed));
        for network in both(dim) {
            let settings = route(&network, &permutation).unwrap();
            prop_assert_eq!(check(&network, &settings, &permutation), Ok(()));
        }
    }

    #[test]
    fn any_settings_of_2_by_2_switches_are_a_permutation(dim in 1..7_u32, seed: u64) {
        let double = Network::double_butterfly(2, dim).unwrap();
        for network in both(dim).into_iter().chain([double]) {
            let settings = any_settings(&network, &mut rng(seed));
            let sources = sources_by_sink(&network, &settings).unwrap();
            let sources: Vec<u32> = sources.into_iter().flatten().collect();
            prop_assert!(PartialPermutation::whole(&sources).unwrap().is_whole());
            prop_assert_eq!(sources.len() as u32, network.terminals());
        }
    }
}

#[test]
fn the_largest_network_has_settings() {
    for network in both(16) {
        for seed in 0..2 {
            let sinks = shuffled(1 << 16, &mut rng(seed));
            let permutation = PartialPermutation::whole(&sinks).unwrap();
            let settings = route(&network, &permutation).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()));
        }
    }
}
