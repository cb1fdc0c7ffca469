use super::*;
use turnpike_bus::Grid;

fn words(network: &SplitHash, workload: Workload, seed: u64) -> Vec<Word> {
    workload.words(&Grid::new(&[network.nodes()]).unwrap(), seed).unwrap()
}

fn routed(network: &SplitHash, workload: Workload, rules: Rules, seed: u64) -> FunnelRun {
    run(network, workload, &words(network, workload, seed), rules, seed).unwrap()
}

/// Rules on the busses of the network, with functions drawn so.
pub(super) fn rules(batches: u32, hashing: Hashing, on_livelock: OnLivelock) -> Rules {
    Rules { batches, hashing, medium: Medium::Own, on_livelock }
}

#[test]
fn permutations_arrive() {
    for (side, levels, factor) in [(8, 2, 2), (16, 2, 3), (12, 3, 2)] {
        let network = SplitHash::new(side, levels, factor).unwrap();
        let batches = 2 * factor * levels;
        let mut least = u64::from(batches) * u64::from(levels);
        for seed in 1..5 {
            let rules = rules(batches, Hashing::Own, OnLivelock::Rehash);
            let run = routed(&network, Workload::Permutation, rules, seed);
            least = least.min(run.slots.unwrap());
            assert_eq!((run.livelock, run.last_step), (run.livelocks > 0, None));
            for level in &run.levels {
                assert!(level.mean_rounds.is_none_or(|mean| mean >= 1.0), "{level:?}");
                assert!(level.first_round > 0.5, "{level:?}");
                assert_eq!(level.left_by_thinning, None);
            }
        }
        // A step of each level for each batch, at least.
        assert_eq!(least, least.max(u64::from(batches) * u64::from(levels)));
    }
}

/// All functions of one permutation collide alike: as soon as two packets of a group meet under
/// one they meet under all.
#[test]
fn functions_of_one_permutation_livelock() {
    let network = SplitHash::new(16, 2, 2).unwrap();
    let livelocks = |hashing| {
        let rules = rules(8, hashing, OnLivelock::Stop);
        let runs = (1..20).map(|seed| routed(&network, Workload::Permutation, rules, seed));
        runs.filter(|run| run.livelock).count()
    };
    assert_eq!(livelocks(Hashing::One), 19);
    assert!(livelocks(Hashing::Own) < 19);
}

/// Six functions of a place each: the one place of a function is all packets' of its funnel. No two
/// packets of a permutation pass it; a time table takes them, and nodes that are silent at times
/// let each other through.
#[test]
fn funnels_of_one_place_for_each_function() {
    let network = SplitHash::new(8, 3, 2).unwrap();
    let of = |workload, batches, on_livelock| {
        routed(&network, workload, rules(batches, Hashing::Own, on_livelock), 1)
    };
    let given_up = of(Workload::Permutation, 2, OnLivelock::Rehash);
    assert_eq!((given_up.slots, given_up.livelock, given_up.by_table), (None, true, 0));
    assert!(given_up.livelocks > MOST_HASHES);
    let table = of(Workload::Permutation, 2, OnLivelock::Table);
    assert!(table.by_table > 0 && table.table_slots >= 2, "{table:?}");
    assert!(table.slots.unwrap() > table.table_slots);
    let thinned = of(Workload::HRelation(1), 12, OnLivelock::Stop);
    assert!(thinned.slots.is_some() && !thinned.livelock, "{thinned:?}");
}

#[test]
fn a_batch_of_one_packet_takes_a_step_of_each_level() {
    let network = SplitHash::new(8, 2, 2).unwrap();
    let rules = rules(64, Hashing::Own, OnLivelock::Stop);
    let run = routed(&network, Workload::Permutation, rules, 1);
    assert_eq!((run.slots, run.livelocks), (Some(2 * 64), 0));
    assert_eq!((run.levels[0].most_rounds, run.levels[0].first_round), (1, 1.0));
}

/// All packets come to level 1, and their sinks get them there.
#[test]
fn random_functions_and_relations_arrive() {
    for (side, levels, factor) in [(16, 2, 2), (12, 3, 2)] {
        let network = SplitHash::new(side, levels, factor).unwrap();
        let batches = 2 * factor * levels;
        for workload in [
            Workload::RandomFunction,
            Workload::HRelation(1),
            Workload::HRelation(3),
            Workload::HRelation(8),
        ] {
            for on_livelock in [OnLivelock::Rehash, OnLivelock::Table] {
                let words = words(&network, workload, 4);
                let rules = rules(batches, Hashing::Own, on_livelock);
                let run = run(&network, workload, &words, rules, 4).unwrap();
                let last = run.last_step.unwrap();
                let mut wanted = vec![0; network.nodes() as usize];
                words.iter().for_each(|word| wanted[word.destination as usize] += 1);
                let most = wanted.into_iter().max().unwrap();
                assert!(run.by_table > 0 || last.most_wanted == most, "{workload:?} {last:?}");
                assert!(last.slots.unwrap() >= most.into() || run.by_table > 0);
                let above = u64::from(batches) * u64::from(levels - 1);
                let least = above + last.slots.unwrap() + run.table_slots;
                assert!(run.slots.unwrap() >= least, "{workload:?}: {run:?}");
                for level in &run.levels {
                    let thinned = level.left_by_thinning;
                    assert_eq!(thinned.is_some(), matches!(workload, Workload::HRelation(_)));
                    assert!(thinned.is_none_or(|left| left < 0.5), "{level:?}");
                }
            }
        }
    }
}

/// A livelock is reported where packets are shut out: there are as many as places, and no more than
/// one to a place, so some find all of theirs full.
#[test]
fn packets_that_are_shut_out_are_a_livelock() {
    let network = SplitHash::new(16, 2, 2).unwrap();
    let of = |seed, on_livelock| {
        let rules = rules(1, Hashing::Own, on_livelock);
        routed(&network, Workload::HRelation(1), rules, seed)
    };
    let stopped = (0..20).map(|seed| of(seed, OnLivelock::Stop)).filter(|run| run.livelock);
    assert!(stopped.inspect(|run| assert_eq!(run.slots, None)).count() > 0);
    for seed in 0..20 {
        let run = of(seed, OnLivelock::Table);
        assert_eq!(run.livelock, run.by_table > 0);
        assert!(run.slots.is_some(), "{run:?}");
    }
}

#[test]
fn too_many_packets_of_a_node_are_refused() {
    let network = SplitHash::new(4, 2, 2).unwrap();
    let rules = rules(1, Hashing::Own, OnLivelock::Stop);
    let error = run(&network, Workload::HRelation(MOST_H + 1), &[], rules, 1).unwrap_err();
    assert!(error.to_string().contains("1025 words of each node are out of range; use 1 to 1024"));
}

/// 257^2 nodes are more than a time table has: only where one is needed they are refused.
#[test]
fn networks_beyond_time_tables() {
    let network = SplitHash::new(257, 2, 2).unwrap();
    let own = rules(16, Hashing::Own, OnLivelock::Rehash);
    assert!(routed(&network, Workload::Permutation, own, 1).slots.is_some());
    for other in
        [Rules { medium: Medium::Mesh, ..own }, Rules { on_livelock: OnLivelock::Table, ..own }]
    {
        let error = run(&network, Workload::Permutation, &[], other, 1).unwrap_err();
        assert!(error.to_string().contains("take up to 65536 nodes, not 66049"), "{error}");
    }
}

/// On a mesh, as on busses of the network's own, all arrive; a step takes more slots.
#[test]
fn everything_arrives_on_a_mesh() {
    for (side, levels, slots_of_a_step) in [(16, 2, 2 * 4 * 4), (8, 3, 2 * 4 * 6)] {
        let network = SplitHash::new(side, levels, 2).unwrap();
        for workload in [Workload::Permutation, Workload::RandomFunction, Workload::HRelation(2)] {
            let of = |medium| {
                let rules = Rules { medium, ..rules(8, Hashing::Own, OnLivelock::Table) };
                routed(&network, workload, rules, 3).slots.unwrap()
            };
            let (own, mesh) = (of(Medium::Own), of(Medium::Mesh));
            assert!(mesh >= 8 * slots_of_a_step && mesh > own, "{workload:?}: {own} {mesh}");
        }
    }
}
