//! Places of terminals: the least cost is that of going through all placements, whatever the network, what
//! terminals may be where, and how far flows may go.

use crate::task_graphs::{TASK_GRAPHS, channels};
use proptest::prelude::*;
use std::time::{Duration, Instant};
use turnpike_search::placing::question::{Flow, MOST_PLACES, PlacingError, Question};
use turnpike_search::placing::search::{Outcome, Partial, Placement, place};
use turnpike_search::solver::Limits;

/// Networks of few places: some with many symmetries, with few, and directed ones.
fn networks() -> Vec<Vec<Vec<u32>>> {
    let of = [
        ("mesh", &["3x2"][..]),
        ("ring", &["6"]),
        ("star", &["5"]),
        ("directed-cube", &["2"]),
        ("hypercube", &["2"]),
        ("butterfly", &["2", "2"]),
        ("fat-tree", &["2", "2"]),
    ];
    let mut all: Vec<_> = of.iter().map(|(name, size)| channels(name, size)).collect();
    // One way round, with two places that nothing leads to.
    let one_way = |from: u32, to: u32| if to > 2 { u32::MAX } else { (3 + to - from % 3) % 3 };
    all.push((0..5).map(|from| (0..5).map(|to| one_way(from, to)).collect()).collect());
    all
}

/// Least cost over all placements; `None` where none will do.
fn by_trial(question: &Question) -> Option<u64> {
    fn go(question: &Question, places: &mut Vec<usize>) -> Option<u64> {
        if places.len() == question.terminals() {
            return question.cost(places);
        }
        let mut least = None;
        for place in 0..question.places() {
            if !places.contains(&place) {
                places.push(place);
                let found = go(question, places);
                least = [least, found].into_iter().flatten().min();
                places.pop();
            }
        }
        least
    }
    go(question, &mut Vec::new())
}

/// Terminals at these places, the first of them.
fn begun(question: &Question, known: &[usize]) -> Partial {
    (0..question.terminals()).map(|at| known.get(at).map(|&place| place as u16)).collect()
}

fn found(question: &Question, known: &[usize], limits: &Limits) -> Placement {
    let known = begun(question, known);
    match place(question, &known, limits, |_, _| {}) {
        Outcome::Found(placement) => placement,
        other => panic!("{other:?}"),
    }
}

fn flow() -> impl Strategy<Value = Flow> {
    let most = prop_oneof![3 => Just(u32::MAX), 1 => 1..4u32];
    (0..5usize, 0..5usize, 1..9u64, most).prop_map(|(from, to, weight, most)| Flow {
        from,
        to,
        weight: 250 * weight,
        most_channels: most,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Found is the least, proven, in whatever order local search and branching go; none is none.
    #[test]
    fn the_least_is_that_of_all_placements(
        network in 0..networks().len(),
        terminals in 1..6usize,
        flows in prop::collection::vec(flow(), 0..8),
        refused in prop::collection::vec((0..5usize, 0..6usize), 0..6),
        seed in 0..3u64,
    ) {
        let channels = networks().swap_remove(network);
        let (terminals, places) = (terminals.min(channels.len()), channels.len());
        let allowed = (0..terminals)
            .map(|terminal| (0..places).map(|place| !refused.contains(&(terminal, place))).collect())
            .collect();
        let flows: Vec<Flow> =
            flows.into_iter().filter(|flow| flow.from.max(flow.to) < terminals).collect();
        let question = Question::new(channels, &flows, allowed).unwrap();
        let limits = Limits { seed, ..Limits::default() };
        match (place(&question, &begun(&question, &[]), &limits, |_, _| {}), by_trial(&question)) {
            (Outcome::Found(found), Some(least)) => {
                prop_assert_eq!((found.cost, found.bound), (least, least));
                prop_assert_eq!(question.cost(&found.places), Some(least));
            }
            (Outcome::None { .. }, None) => {}
            (found, least) => prop_assert!(false, "{found:?}, {least:?}"),
        }
    }
}

fn all_allowed(terminals: usize, places: usize) -> Vec<Vec<bool>> {
    vec![vec![true; places]; terminals]
}

/// A chain of terminals fits into a mesh with a channel for each flow; where the ends are held apart it does not.
#[test]
fn a_chain_lies_along_a_mesh() {
    let chain = |most| {
        (1..16)
            .map(|to| Flow { from: to - 1, to, weight: 1, most_channels: most })
            .collect::<Vec<_>>()
    };
    let mesh = channels("mesh", &["4x4"]);
    let question = Question::new(mesh.clone(), &chain(u32::MAX), all_allowed(16, 16)).unwrap();
    let placement = found(&question, &[], &Limits::default());
    assert_eq!((placement.cost, placement.bound), (15, 15));
    // Both ends in neighbouring corners of one colour of the board: a path through all 16 ends on the other.
    let mut allowed = all_allowed(16, 16);
    allowed[0] = (0..16).map(|place| place == 0).collect();
    allowed[15] = (0..16).map(|place| place == 15).collect();
    let held = Question::new(mesh.clone(), &chain(u32::MAX), allowed.clone()).unwrap();
    let placement = found(&held, &[], &Limits::default());
    assert!(placement.is_least() && placement.cost == 16, "{placement:?}");
    let near = Question::new(mesh, &chain(1), allowed).unwrap();
    assert!(matches!(
        place(&near, &begun(&near, &[]), &Limits::default(), |_, _| {}),
        Outcome::None { .. }
    ));
}

/// With no time there is a placement with a bound that holds, and what is known is no worse for it.
#[test]
fn without_time_the_bound_holds() {
    let mesh = channels("mesh", &["3x2"]);
    let pairs = (0..6).flat_map(|from| (0..6).map(move |to| (from, to)));
    let flows: Vec<Flow> = pairs
        .map(|(from, to)| Flow {
            from,
            to,
            weight: (from * 7 + to * 5) as u64 % 11 + 1,
            most_channels: 9,
        })
        .collect();
    let question = Question::new(mesh, &flows, all_allowed(6, 6)).unwrap();
    let least = found(&question, &[], &Limits::default());
    assert!(least.is_least());
    let none = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let at_once = found(&question, &[], &none);
    assert!(at_once.bound < least.cost && at_once.cost > least.cost, "{at_once:?} {least:?}");
    let known = found(&question, &least.places, &none);
    assert_eq!(known.cost, least.cost);
    let short = Limits { deadline: Some(Instant::now() + Duration::from_millis(3)), ..none };
    let short = found(&question, &[], &short);
    assert!(short.bound <= least.cost && short.cost >= least.cost);
}

#[test]
fn what_cannot_be_is_refused() {
    let ring = channels("ring", &["6"]);
    let few = Question::new(ring.clone(), &[], all_allowed(7, 6));
    assert_eq!(few, Err(PlacingError::Few { terminals: 7, places: 6 }));
    let places = MOST_PLACES + 1;
    let many = Question::new(vec![vec![0; places]; places], &[], all_allowed(1, places));
    assert_eq!(many, Err(PlacingError::Many(places)));
    let heavy = |weight, to| Flow { from: 0, to, weight, most_channels: u32::MAX };
    let large = Question::new(ring, &[heavy(1 << 61, 1), heavy(3, 2)], all_allowed(3, 6));
    assert_eq!(large, Err(PlacingError::Large));
}

/// Switches with several terminals each, and all corners, sides and centres of a mesh, are alike: few placements are
/// left to try.
#[test]
fn places_that_are_alike_are_tried_once() {
    let mesh = channels("mesh", &["4x4"]);
    let four: Vec<Vec<u32>> = (0..64)
        .map(|from: usize| (0..64).map(|to: usize| mesh[from / 4][to / 4]).collect())
        .collect();
    let ring = [(0, 1, 3), (1, 2, 5), (2, 3, 7), (3, 4, 9), (4, 0, 2)];
    let flows = ring.map(|(from, to, weight)| Flow { from, to, weight, most_channels: u32::MAX });
    let allowed = (0..5).map(|_| (0..64).map(|place| place % 4 < 3).collect()).collect();
    let question = Question::new(four, &flows, allowed).unwrap();
    let placement = found(&question, &[], &Limits::default());
    assert!(placement.is_least() && placement.looked_at < 200, "{placement:?}");
}

/// Each task graph of the literature has its least cost, which branch and bound shows.
#[test]
fn task_graphs_cost_the_least() {
    for graph in TASK_GRAPHS {
        let question = graph.question();
        let found = found(&question, &[], &Limits::default());
        assert_eq!((found.cost, found.bound), (graph.least, graph.least), "{}", graph.name);
    }
}
