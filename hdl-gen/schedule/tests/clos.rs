//! Clos networks: rearranged, and in turn.

use crate::common::{below, partial, partial_permutations, permutations, rng};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::{HashSet, VecDeque};
use turnpike_schedule::check::{CheckError, check};
use turnpike_schedule::clos::{ClosError, FirstFit, FirstFitError, in_turn, rearrange};
use turnpike_schedule::network::Network;
use turnpike_schedule::permutation::{Connection, PartialPermutation};

fn connections(permutation: &PartialPermutation) -> Vec<Connection> {
    permutation.connections().collect()
}

#[test]
fn every_permutation_of_small_networks_has_settings() {
    let sizes = [(1, 1, 4), (2, 2, 1), (2, 2, 2), (3, 2, 2), (3, 2, 3), (3, 3, 2), (4, 4, 1)];
    for (m, n, r) in sizes.into_iter().chain([(2, 2, 4), (3, 2, 4), (4, 4, 2), (5, 4, 2)]) {
        let network = Network::clos(m, n, r).unwrap();
        for sinks in permutations(network.terminals()) {
            let permutation = PartialPermutation::whole(&sinks).unwrap();
            let settings = rearrange(&network, &permutation).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()), "{m} {n} {r} {sinks:?}");
        }
    }
}

#[test]
fn every_partial_permutation_of_4_has_settings() {
    for (m, n, r) in [(2, 2, 2), (3, 2, 2), (4, 4, 1), (1, 1, 4)] {
        let network = Network::clos(m, n, r).unwrap();
        for permutation in partial_permutations(4) {
            let settings = rearrange(&network, &permutation).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()));
        }
    }
}

#[test]
fn too_few_middle_switches_are_refused_with_what_they_block() {
    let network = Network::clos(2, 3, 2).unwrap();
    let identity = PartialPermutation::whole(&[0, 1, 2, 3, 4, 5]).unwrap();
    let ClosError::TooFewMiddles(few) = rearrange(&network, &identity).unwrap_err() else {
        panic!("another error");
    };
    let text = "2 middle switches are fewer than the 3 terminals of a first switch; blocked are, for \
                example, the connections of terminals 0 to 2 to themselves: 3 through the 2 outputs \
                of first switch 0";
    assert_eq!(few.to_string(), text);
    assert_eq!(few.blocked.len(), 3);
    // No order of those connections can be set.
    for order in permutations(3) {
        let order = order.into_iter().map(|t| Connection { source: t, sink: t });
        let error = in_turn(&network, order).unwrap_err();
        assert!(matches!(error, FirstFitError::Blocked(_)), "{error}");
    }
}

/// All sets of connections, with their middle switches, that setting and removing lead to. Returns
/// how many, and how many of them block a connection between free terminals.
fn reachable(network: &Network) -> (usize, usize) {
    let terminals = network.terminals();
    let state = |fit: &FirstFit| fit.connections().collect::<Vec<_>>();
    let start = FirstFit::new(network).unwrap();
    let mut seen = HashSet::from([state(&start)]);
    let mut queue = VecDeque::from([start]);
    let mut blocking = 0;
    while let Some(fit) = queue.pop_front() {
        let mut blocks = false;
        for source in 0..terminals {
            let mut next = Vec::new();
            let mut fewer = fit.clone();
            if fewer.disconnect(source).is_ok() {
                next.push(fewer);
            }
            for sink in 0..terminals {
                let mut more = fit.clone();
                match more.connect(Connection { source, sink }) {
                    Ok(_) => next.push(more),
                    Err(FirstFitError::Blocked(blocked)) => {
                        assert_eq!(state(&more), state(&fit), "nothing changes");
                        let some = |t: &turnpike_schedule::clos::Taken| {
                            t.before.is_some() || t.after.is_some()
                        };
                        assert!(blocked.middles.iter().all(some));
                        blocks = true;
                    }
                    Err(_) => {}
                }
            }
            queue.extend(next.into_iter().filter(|fit| seen.insert(state(fit))));
        }
        blocking += usize::from(blocks);
    }
    (seen.len(), blocking)
}

#[test]
fn no_state_of_a_strictly_nonblocking_network_blocks() {
    let count = |m, n, r| reachable(&Network::clos(m, n, r).unwrap());
    let (states, blocking) = count(3, 2, 2);
    assert!(states > 209 && blocking == 0, "{states} {blocking}");
    assert!(count(2, 2, 2).1 > 0);
    assert_eq!(count(1, 1, 4), (209, 0));
}

#[test]
fn what_blocks_is_named() {
    let network = Network::clos(2, 2, 2).unwrap();
    let mut fit = FirstFit::new(&network).unwrap();
    let connection = |source, sink| Connection { source, sink };
    assert_eq!(fit.connect(connection(3, 1)), Ok(0));
    assert_eq!(fit.connect(connection(2, 0)), Ok(1));
    assert_eq!(fit.disconnect(3), Ok(connection(3, 1)));
    assert_eq!(fit.connect(connection(0, 2)), Ok(0));
    let blocked = "connection 1 to 1 is blocked; middle switch 0 has 0 to 2 from the first \
                   switch; middle switch 1 has 2 to 0 to the last switch";
    assert_eq!(fit.connect(connection(1, 1)).unwrap_err().to_string(), blocked);
    let set = PartialPermutation::new(4, [connection(0, 2), connection(2, 0)]).unwrap();
    assert_eq!(check(&network, &fit.settings(), &set), Ok(()));

    let text = |fit: &mut FirstFit, c| fit.connect(c).unwrap_err().to_string();
    let busy = "connection 0 to 1: the source has connection 0 to 2";
    assert_eq!(text(&mut fit, connection(0, 1)), busy);
    let busy = "connection 1 to 2: the sink has connection 0 to 2";
    assert_eq!(text(&mut fit, connection(1, 2)), busy);
    assert_eq!(text(&mut fit, connection(4, 0)), "connection 4 to 0: terminals are 0 to 3");
    assert_eq!(text(&mut fit, connection(0, 4)), "connection 0 to 4: terminals are 0 to 3");
    assert_eq!(fit.disconnect(1), Err(FirstFitError::NotSet(1)));
    assert_eq!(fit.disconnect(u32::MAX), Err(FirstFitError::NotSet(u32::MAX)));
    let benes = Network::benes(2).unwrap();
    assert_eq!(FirstFit::new(&benes).unwrap_err(), FirstFitError::NotClos);
    assert_eq!(rearrange(&benes, &set), Err(ClosError::NotClos));
}

#[test]
fn long_messages_are_cut() {
    let network = Network::clos(20, 21, 2).unwrap();
    let same = (0..21).map(|t| Connection { source: t, sink: t });
    let text = in_turn(&network, same).unwrap_err().to_string();
    assert!(text.ends_with("; and 12 more") && text.len() < 800, "{text}");
}

#[test]
fn in_turn_every_order_passes_a_strictly_nonblocking_network() {
    let network = Network::clos(3, 2, 2).unwrap();
    for sinks in permutations(4) {
        let permutation = PartialPermutation::whole(&sinks).unwrap();
        for order in permutations(4) {
            let order = order.iter().map(|&source| connections(&permutation)[source as usize]);
            let settings = in_turn(&network, order).unwrap();
            assert_eq!(check(&network, &settings, &permutation), Ok(()));
        }
    }
}

#[test]
fn a_changed_output_is_found() {
    let network = Network::clos(3, 2, 3).unwrap();
    let permutation = partial(6, 8, &mut rng(3));
    let settings = rearrange(&network, &permutation).unwrap();
    for stage in 0..3 {
        for switch in 0..network.switches(stage) {
            for output in 0..network.outputs(stage) {
                let taken = settings.input(stage, switch, output);
                let inputs = 0..network.inputs(stage) as u16;
                for input in inputs.map(Some).chain([None]).filter(|&input| input != taken) {
                    let mut mutant = settings.clone();
                    mutant.set(stage, switch, output, input).unwrap();
                    let found = check(&network, &mutant, &permutation);
                    // An idle output may take an input that is free.
                    let harmless = taken.is_none()
                        && settings.switch(stage, switch).all(|other| other != input);
                    assert_eq!(found.is_ok(), harmless, "{stage} {switch} {output} {input:?}");
                }
            }
        }
    }
}

#[test]
fn settings_of_another_network_are_refused() {
    let settings = |m, n, r| {
        let network = Network::clos(m, n, r).unwrap();
        turnpike_schedule::settings::Settings::idle(&network)
    };
    let none = PartialPermutation::new(4, []).unwrap();
    let network = Network::clos(2, 2, 2).unwrap();
    let error = check(&network, &settings(3, 2, 2), &none).unwrap_err().to_string();
    let sizes = "stage 0 has 2, 2, 2 switches, inputs and outputs";
    assert_eq!(error, format!("{sizes}, but the settings are for 2, 2, 3"));
    let butterfly = Network::butterfly(2, 2).unwrap();
    let stages = CheckError::Stages { network: 2, settings: 3 };
    assert_eq!(check(&butterfly, &settings(2, 2, 2), &none), Err(stages));
    let network = Network::clos(2, 2, 4).unwrap();
    let terminals = CheckError::Terminals { network: 8, permutation: 4 };
    assert_eq!(check(&network, &settings(2, 2, 4), &none), Err(terminals));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn larger_networks_are_rearranged(
        n in 1..20_u32, r in 1..20_u32, more in 0..4_u32, eighths in 0..9_u32, seed: u64,
    ) {
        let network = Network::clos(n + more, n, r).unwrap();
        let permutation = partial(n * r, eighths, &mut rng(seed));
        let settings = rearrange(&network, &permutation).unwrap();
        prop_assert_eq!(check(&network, &settings, &permutation), Ok(()));
    }

    #[test]
    fn strictly_nonblocking_networks_never_block(n in 1..6_u32, r in 1..6_u32, seed: u64) {
        let network = Network::clos(2 * n - 1, n, r).unwrap();
        let (mut rng, mut fit) = (rng(seed), FirstFit::new(&network).unwrap());
        for _ in 0..500 {
            let [source, sink] = [below(&mut rng, n * r), below(&mut rng, n * r)];
            match fit.connect(Connection { source, sink }) {
                Err(FirstFitError::Blocked(blocked)) => prop_assert!(false, "{}", blocked),
                Err(FirstFitError::Source { .. }) => {
                    fit.disconnect(source).unwrap();
                }
                _ => {}
            }
        }
        let set = fit.connections().map(|(connection, _)| connection);
        let permutation = PartialPermutation::new(n * r, set).unwrap();
        prop_assert_eq!(check(&network, &fit.settings(), &permutation), Ok(()));
    }
}
