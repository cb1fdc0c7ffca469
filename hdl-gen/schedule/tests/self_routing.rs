//! Self-routing, and how many permutations pass.

use crate::common::{any_settings, partial_permutations, permutations, rng, shuffled, two_by_two};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::HashSet;
use turnpike_schedule::check::{check, sources_by_sink};
use turnpike_schedule::count::{self, butterfly};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};
use turnpike_schedule::self_routing::{Conflict, SelfRoutingError, greedy, nassimi_sahni};

fn of(sinks: impl IntoIterator<Item = u32>) -> PartialPermutation {
    PartialPermutation::whole(&sinks.into_iter().collect::<Vec<_>>()).unwrap()
}

/// Whether it passes. The settings are then checked.
fn passes_greedily(network: &Network, permutation: &PartialPermutation) -> bool {
    let found = greedy(network, permutation);
    found.is_ok_and(|settings| check(network, &settings, permutation) == Ok(()))
}

/// Whether it passes. The settings are then checked.
fn passes(network: &Network, permutation: &PartialPermutation) -> bool {
    match nassimi_sahni(network, permutation) {
        Ok(settings) => {
            assert_eq!(check(network, &settings, permutation), Ok(()));
            true
        }
        Err(SelfRoutingError::Conflict(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

/// All permutations that settings of the butterfly give: the omega permutations.
fn omega(dim: u32) -> Vec<Vec<u32>> {
    let network = Network::butterfly(2, dim).unwrap();
    let switches = dim << (dim - 1);
    let sinks = |crossed: u32| {
        let settings = two_by_two(&network, |index| crossed >> index & 1 == 1);
        let sources = sources_by_sink(&network, &settings).unwrap();
        inverse(&sources.into_iter().flatten().collect::<Vec<_>>())
    };
    (0..1 << switches).map(sinks).collect()
}

fn inverse(sinks: &[u32]) -> Vec<u32> {
    let mut sources = vec![0; sinks.len()];
    (0..).zip(sinks).for_each(|(source, &sink)| sources[sink as usize] = source);
    sources
}

fn bit_reversal(x: u32, dim: u32) -> u32 {
    x.reverse_bits() >> (32 - dim)
}

#[test]
fn butterflies_pass_as_many_as_they_have_settings() {
    for dim in 1..=3 {
        let network = Network::butterfly(2, dim).unwrap();
        let all = permutations(1 << dim).into_iter().map(of);
        let passing = all.filter(|permutation| passes_greedily(&network, permutation)).count();
        let counted = butterfly(&network).unwrap();
        assert_eq!(counted.exact(), Some(passing as u128));
        let distinct: HashSet<Vec<u32>> = omega(dim).into_iter().collect();
        assert_eq!(distinct.len(), passing);
        assert!(distinct.into_iter().all(|sinks| passes_greedily(&network, &of(sinks))));
    }
    // Radix 3, 9 terminals: 3!^6 of 9! pass. They are too many to go through; one does not.
    let network = Network::butterfly(3, 2).unwrap();
    assert!(passes_greedily(&network, &of((0..9).map(|x| (x + 4) % 9))));
    assert!(!passes_greedily(&network, &of((0..9).map(|x| x % 3 * 3 + x / 3))));
    assert_eq!(butterfly(&Network::benes(2).unwrap()), None);
    assert_eq!(butterfly(&Network::clos(2, 2, 2).unwrap()), None);
}

#[test]
fn nassimi_and_sahni_pass_as_many_as_are_counted() {
    for (dim, count) in [(1, 2), (2, 20), (3, 11_632)] {
        let network = Network::benes(dim).unwrap();
        let all = permutations(1 << dim).into_iter().map(of);
        assert_eq!(all.filter(|permutation| passes(&network, permutation)).count(), count);
        assert_eq!(count::nassimi_sahni(dim), Some(count as u64));
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes long unoptimised")]
fn nassimi_and_sahni_pass_these_of_16() {
    assert_eq!(count::nassimi_sahni(4), Some(133_488_540_928));
}

#[test]
fn bit_permute_complement_permutations_pass() {
    for dim in 1..=4_u32 {
        let network = Network::benes(dim).unwrap();
        for bits in permutations(dim) {
            for complement in 0..1 << dim {
                let permuted =
                    |x: u32| (0..).zip(&bits).map(|(from, &to)| (x >> from & 1) << to).sum::<u32>();
                let sinks = (0..1 << dim).map(|x| permuted(x) ^ complement);
                assert!(passes(&network, &of(sinks)), "{bits:?} {complement}");
            }
        }
    }
}

#[test]
fn well_known_permutations_pass() {
    for dim in 1..=10 {
        let (network, size) = (Network::benes(dim).unwrap(), 1 << dim);
        assert!(passes(&network, &of(0..size)), "identity");
        assert!(passes(&network, &of((0..size).rev())), "reversal");
        assert!(passes(&network, &of((0..size).map(|x| bit_reversal(x, dim)))), "bit reversal");
        let shuffle = |x| (x << 1 | x >> (dim - 1)) & (size - 1);
        assert!(passes(&network, &of((0..size).map(shuffle))), "perfect shuffle");
        assert!(passes(&network, &of(inverse(&(0..size).map(shuffle).collect::<Vec<_>>()))));
        for by in (0..size).step_by(size as usize / size.min(64) as usize) {
            assert!(passes(&network, &of((0..size).map(|x| (x + by) % size))), "shift by {by}");
        }
    }
}

#[test]
fn all_omega_permutations_pass_but_not_all_inverse_ones() {
    for dim in 1..=3 {
        let network = Network::benes(dim).unwrap();
        let omega = omega(dim);
        assert!(omega.iter().all(|sinks| passes(&network, &of(sinks.iter().copied()))));
        let inverses = omega.iter().map(|sinks| of(inverse(sinks)));
        let refused = inverses.filter(|permutation| !passes(&network, permutation)).count();
        assert_eq!(refused == 0, dim == 1);
        // Between bit-reversed rows it is the other way round, as in the paper.
        for sinks in &omega {
            let inverse = inverse(sinks);
            let reversed = |x| bit_reversal(inverse[bit_reversal(x, dim) as usize], dim);
            assert!(passes(&network, &of((0..1 << dim).map(reversed))));
        }
    }
}

#[test]
fn the_first_conflict_is_named() {
    let packet = |source, sink| Connection { source, sink };
    let network = Network::butterfly(2, 3).unwrap();
    let sinks = of([0, 4, 2, 6, 1, 5, 3, 7]);
    let packets = [packet(0, 0), packet(4, 1)];
    let conflict = Conflict { stage: 0, switch: 0, output: 0, packets };
    let error = greedy(&network, &sinks).unwrap_err();
    assert_eq!(error, SelfRoutingError::Conflict(conflict));
    let text = "stage 0, switch 0: packets 0 to 0 and 4 to 1 both need output 0";
    assert_eq!(error.to_string(), text);
    let network = Network::benes(2).unwrap();
    let all = permutations(4).into_iter().map(of);
    let conflicts = all.filter_map(|sinks| match nassimi_sahni(&network, &sinks) {
        Err(SelfRoutingError::Conflict(conflict)) => Some((sinks, conflict)),
        _ => None,
    });
    for (sinks, conflict) in conflicts {
        assert!(conflict.stage >= 1);
        let bit = network_digit(&network, conflict.stage);
        for packet in conflict.packets {
            assert_eq!(sinks.sink(packet.source), Some(packet.sink));
            assert_eq!(packet.sink >> bit & 1, conflict.output);
        }
    }
}

fn network_digit(network: &Network, stage: u32) -> u32 {
    match network {
        Network::Rows(rows) => rows.digits()[stage as usize],
        Network::Clos(_) => panic!("a network on rows"),
    }
}

#[test]
fn partial_permutations_pass_where_a_whole_one_does() {
    let (butterfly, benes) = (Network::butterfly(2, 2).unwrap(), Network::benes(2).unwrap());
    for permutation in partial_permutations(4) {
        let few = permutation.len() <= 1;
        assert!(!few || passes_greedily(&butterfly, &permutation));
        assert!(!few || passes(&benes, &permutation));
        if let Ok(settings) = greedy(&butterfly, &permutation) {
            assert_eq!(check(&butterfly, &settings, &permutation), Ok(()));
        }
    }
}

#[test]
fn other_networks_are_refused() {
    let four = of(0..4);
    let text = |found: Result<_, SelfRoutingError>| found.map(|_| ()).unwrap_err().to_string();
    let rows = "self-routing is for networks on rows with all switches and a stage for each digit; \
                this is another";
    for network in [Network::clos(2, 2, 2), Network::reduced_benes(2), Network::rows(2, 2, vec![1])]
    {
        let network = network.unwrap();
        assert_eq!(text(greedy(&network, &four)), rows);
        let benes = "self-routing is for Beneš networks with all switches; this is another";
        assert_eq!(text(nassimi_sahni(&network, &four)), benes);
    }
    let other = "the network has 8 terminals, but the demand is between 4";
    assert_eq!(text(greedy(&Network::butterfly(2, 3).unwrap(), &four)), other);
    assert_eq!(text(nassimi_sahni(&Network::benes(3).unwrap(), &four)), other);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_settings_of_a_butterfly_give_passes(
        radix in 2..6_u32, dim in 1..5_u32, seed: u64,
    ) {
        let network = Network::butterfly(radix, dim).unwrap();
        let settings = any_settings(&network, &mut rng(seed));
        let sources = sources_by_sink(&network, &settings).unwrap();
        let permutation = of(inverse(&sources.into_iter().flatten().collect::<Vec<_>>()));
        prop_assert_eq!(greedy(&network, &permutation), Ok(settings));
        let double = Network::double_butterfly(radix, dim).unwrap();
        prop_assert!(passes_greedily(&double, &permutation));
        prop_assert!(radix > 2 || passes(&Network::benes(dim).unwrap(), &permutation));
    }

    #[test]
    fn what_is_refused_has_a_conflict(dim in 1..7_u32, seed: u64) {
        let permutation = of(shuffled(1 << dim, &mut rng(seed)));
        let network = Network::benes(dim).unwrap();
        if let Err(SelfRoutingError::Conflict(conflict)) = nassimi_sahni(&network, &permutation) {
            prop_assert!(conflict.stage >= dim - 1);
        }
    }
}
