//! The search for flows against all next hops that their routes can have.

use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::network::{Network, Wanted};
use turnpike_analysis::properties::channel_loads;
use turnpike_analysis::worst::disjoint;
use turnpike_base::random::Random;
use turnpike_network::flows::FlowList;
use turnpike_network::routing::given::{Given, Hops, On};
use turnpike_network::topology::{Node, Port, Size, Terminal};
use turnpike_search::question::{Measure, Question};
use turnpike_search::search::{Answer, decide, minimize};
use turnpike_search::solver::Limits;

type Pair = (u32, u32);
/// Node, dimension of the input, dimension of the output.
type Turn = (u32, u32, u32);
/// The dimension to cross, by node and destination.
type Next = BTreeMap<Pair, u32>;

/// Measures that are held, each to the least by trial: crosspoints, fan-in, fan-out, largest load, worst case.
const MEASURES: [Measure; 5] =
    [Measure::Crosspoints, Measure::FanIn, Measure::FanOut, Measure::MaxLoad, Measure::WorstCase];

/// Every choice of next hops on shortest paths of these flows, as far as they come.
fn all(flows: &[Pair]) -> Vec<Next> {
    fn extend(flows: &[Pair], at: u32, next: &mut Next, found: &mut Vec<Next>) {
        let [(_, to), rest @ ..] = flows else {
            found.push(next.clone());
            return;
        };
        if at == *to {
            let first = rest.first().map_or(0, |flow| flow.0);
            return extend(rest, first, next, found);
        }
        if let Some(&p) = next.get(&(at, *to)) {
            return extend(flows, at ^ 1 << p, next, found);
        }
        for p in (0..u32::BITS).filter(|p| (at ^ to) >> p & 1 == 1) {
            next.insert((at, *to), p);
            extend(flows, at ^ 1 << p, next, found);
            next.remove(&(at, *to));
        }
    }
    let mut found = Vec::new();
    extend(flows, flows[0].0, &mut Next::new(), &mut found);
    found
}

/// Values of [`MEASURES`], and whether waits close no cycle of channels, counted by hand from the routes.
fn measured(flows: &[Pair], next: &Next) -> ([u32; 5], bool) {
    let mut turns: BTreeSet<Turn> = BTreeSet::new();
    let mut crossed: BTreeMap<Pair, Vec<Pair>> = BTreeMap::new();
    for &(from, to) in flows {
        let (mut at, mut before) = (from, None);
        while at != to {
            let p = next[&(at, to)];
            turns.extend(before.map(|q| (at, q, p)));
            crossed.entry((at, p)).or_default().push((from, to));
            (at, before) = (at ^ 1 << p, Some(p));
        }
    }
    let most = |key: fn(&Turn) -> Pair| {
        let mut counts: BTreeMap<Pair, u32> = BTreeMap::new();
        turns.iter().for_each(|turn| *counts.entry(key(turn)).or_default() += 1);
        counts.into_values().max().unwrap_or(0)
    };
    let largest = |of: &dyn Fn(&[Pair]) -> usize| {
        crossed.values().map(|pairs| of(pairs)).max().unwrap_or(0) as u32
    };
    let values = [
        most(|turn| (turn.0, 0)),
        most(|turn| (turn.0, turn.2)),
        most(|turn| (turn.0, turn.1)),
        largest(&|pairs| pairs.len()),
        largest(&|pairs| disjoint(pairs).len()),
    ];
    // Channels from which no wait leads on are taken away until none is left, or a cycle is.
    let mut waits: BTreeSet<(Pair, Pair)> =
        turns.iter().map(|&(at, p, q)| ((at ^ 1 << p, p), (at, q))).collect();
    loop {
        let from: BTreeSet<Pair> = waits.iter().map(|wait| wait.0).collect();
        let before = waits.len();
        waits.retain(|wait| from.contains(&wait.1));
        if waits.is_empty() || waits.len() == before {
            return (values, waits.is_empty());
        }
    }
}

fn drawn(random: &mut Random, k: u32, count: usize) -> Vec<Pair> {
    let nodes = 1u32 << k;
    let mut pairs: Vec<Pair> = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).collect();
    pairs.retain(|(a, b)| a != b);
    random.shuffle(&mut pairs);
    pairs.truncate(count);
    pairs.sort_unstable();
    pairs
}

#[test]
fn the_least_for_flows_is_that_of_all_next_hops() {
    let mut random = Random::new(37);
    let limits = Limits::default();
    let mut cyclic = 0;
    for count in [1, 2, 4, 6, 8, 10] {
        for _ in 0..3 {
            let flows = drawn(&mut random, 3, count);
            let all: Vec<_> = all(&flows).iter().map(|next| measured(&flows, next)).collect();
            assert!(all.len() < 100_000, "{flows:?}");
            let question = Question { flows: Some(flows.clone()), ..Question::new(3) };
            for (at, measure) in MEASURES.into_iter().enumerate() {
                let wanted = all.iter().map(|(values, _)| values[at]).min().unwrap();
                let least = minimize(&question, measure, "found", &limits, None, |_| ()).unwrap();
                let best = least.best.unwrap();
                assert_eq!(best.figures.of(measure, None), wanted, "{} {flows:?}", measure.name());
                assert!(least.proven.is_some());
            }
            // Bounds together, and one virtual channel.
            let acyclic = all.iter().filter(|one| one.1).map(|one| one.0);
            cyclic += all.iter().filter(|one| !one.1).count();
            let fewest = acyclic.clone().map(|values| values[0]).min().unwrap();
            let one_vc = question.clone().with(Measure::Vcs, 1);
            let load = acyclic.filter(|v| v[0] == fewest).map(|v| v[3]).min().unwrap();
            for (load, there) in [(load, true), (load - 1, false)] {
                let bounded =
                    one_vc.clone().with(Measure::Crosspoints, fewest).with(Measure::MaxLoad, load);
                let answer = decide(&bounded, "found", &limits, None).unwrap();
                assert_eq!(matches!(answer, Answer::Found(_)), there, "{load} {flows:?}");
            }
        }
    }
    assert!(cyclic > 0, "some next hops close a cycle");
}

/// What is found is measured over the flows, and goes beyond them: its file has a hop for every pair.
#[test]
fn what_is_found_routes_all_and_is_measured_over_flows() {
    let flows = drawn(&mut Random::new(3), 4, 12);
    let question = Question { flows: Some(flows.clone()), ..Question::new(4) };
    let least = minimize(&question, Measure::MaxLoad, "found", &Limits::default(), None, |_| ());
    let best = least.unwrap().best.unwrap();
    let given: &Given = &best.relations[0];
    let Hops::ByPair(next) = &given.hops else { panic!("a hop for each pair") };
    assert_eq!(next.len(), 16 * 15);
    assert_eq!((&*given.name, &given.on), ("found", &On::Named("hypercube", Size::of_dim(4))));
    let whole = Network::given(given, None).unwrap();
    assert!(next.contains_key(&(Node(0), Terminal(1))) && next[&(Node(0), Terminal(1))] == Port(0));
    let label = |node| format!("{node:04b}");
    let lines: String =
        flows.iter().map(|&(from, to)| format!("{},{}\n", label(from), label(to))).collect();
    let list = FlowList::parse(&format!("source,destination\n{lines}")).unwrap();
    let network = Network::wanted(&Wanted { flows: Some(&list), ..Wanted::given(given) }).unwrap();
    let crosspoints = |network: &Network| {
        let classes = &network.turns().classes;
        classes.iter().map(|class| class.crosspoints().len()).max().unwrap() as u32
    };
    assert_eq!(best.figures.crosspoints, crosspoints(&network));
    assert!(crosspoints(&whole) > crosspoints(&network));
    assert!(!channel_loads(&network).is_empty());
}
