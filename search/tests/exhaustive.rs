//! The search against all relations there are: in dimension 3 those that depend on the XOR
//! alone are few enough to be measured one by one.

use std::collections::{BTreeMap, BTreeSet};
use turnpike_analysis::network::Network;
use turnpike_analysis::properties::{Balance, ShortestPath};
use turnpike_analysis::turns::SwitchTurns;
use turnpike_analysis::worst::WorstCase;
use turnpike_network::routing::given::{Given, Hops, On};
use turnpike_network::topology::hypercube::Hypercube;
use turnpike_network::topology::{Node, Port, Size, Terminal};
use turnpike_search::question::{Balanced, Measure, Question, Symmetric};
use turnpike_search::search::{Answer, decide, minimize};
use turnpike_search::solver::Limits;

const K: u32 = 3;

/// Every shortest-path relation of the 3-cube that depends on the XOR alone: 24.
fn by_difference() -> Vec<BTreeMap<u64, Port>> {
    let mut all: Vec<BTreeMap<u64, Port>> = vec![BTreeMap::new()];
    for difference in 1..1u64 << K {
        let ports = (0..K as u8).filter(|&p| difference >> p & 1 == 1);
        let longer = |hops: &BTreeMap<u64, Port>| {
            let hops = hops.clone();
            let with = move |p| {
                let mut hops = hops.clone();
                hops.insert(difference, Port(p));
                hops
            };
            ports.clone().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Every relation with this symmetry.
fn relations(symmetric: &Symmetric) -> Vec<Given> {
    let given = |hops| Given {
        name: "tried".to_owned(),
        on: On::Named("hypercube", Size::of_dim(K)),
        failed: Vec::new(),
        remarks: Vec::new(),
        hops,
    };
    let all = by_difference();
    let Symmetric::Parities(masks) = symmetric else {
        return all.into_iter().map(|hops| given(Hops::ByDifference(hops))).collect();
    };
    let [mask] = masks[..] else { panic!("one parity") };
    let pairs = |even: &BTreeMap<u64, Port>, odd: &BTreeMap<u64, Port>| {
        let nodes = 0..1u32 << K;
        let pairs = nodes.clone().flat_map(|at| nodes.clone().map(move |to| (at, to)));
        let hop = |(at, to): (u32, u32)| {
            let kind = if (at & mask).count_ones() % 2 == 0 { even } else { odd };
            ((Node(at), Terminal(to)), kind[&u64::from(at ^ to)])
        };
        Hops::ByPair(pairs.filter(|(at, to)| at != to).map(hop).collect())
    };
    all.iter().flat_map(|even| all.iter().map(|odd| given(pairs(even, odd)))).collect()
}

/// What the generator says of a relation, in the order of [`MEASURES`].
fn measured(given: &Given) -> [u32; 7] {
    let network = Network::given(given, None).unwrap();
    let cube = Box::new(Hypercube::new(K).unwrap());
    let worst = WorstCase::of(cube, network.relation().clone()).unwrap();
    let switches = &network.turns().classes;
    let most = |counts: BTreeMap<Port, u32>| counts.into_values().max().unwrap_or(0);
    let (_, lengths) = ShortestPath::of(&network);
    let balance = Balance::of(&network, lengths.diameter);
    let apart = balance.per_step.iter().map(|step| {
        let [most, least] = [&step.load.most, &step.load.least].map(|load| load.packets);
        most.rounded_up() - least.rounded_up()
    });
    let largest = |of: &dyn Fn(&SwitchTurns) -> u32| switches.iter().map(of).max().unwrap_or(0);
    [
        largest(&|switch| switch.crosspoints().len() as u32),
        largest(&|switch| most(switch.fan_in())),
        largest(&|switch| most(switch.fan_out())),
        u32::from(network.relation().vcs()),
        balance.total.most.packets.rounded_up() as u32,
        worst.load.rounded_up() as u32,
        apart.max().unwrap_or(0) as u32,
    ]
}

const MEASURES: [Measure; 7] = [
    Measure::Crosspoints,
    Measure::FanIn,
    Measure::FanOut,
    Measure::Vcs,
    Measure::MaxLoad,
    Measure::WorstCase,
    Measure::Imbalance,
];

fn question(symmetric: Symmetric) -> Question {
    Question { symmetric, balanced: Some(Balanced::PerStep), imbalance: 100, ..Question::new(K) }
}

/// Held against all relations of a symmetry: bounds on any two measures, at each value that
/// there is; how many bounds can be met, and how many not.
fn hold_against_all(symmetric: &Symmetric, measures: &[Measure]) -> (u32, u32) {
    let all: Vec<[u32; 7]> = relations(symmetric).iter().map(measured).collect();
    let at = |measure: Measure| MEASURES.iter().position(|&m| m == measure).unwrap();
    let values = |at: usize| -> BTreeSet<u32> { all.iter().map(|m| m[at]).collect() };
    let (mut found, mut none) = (0, 0);
    for (count, &one) in measures.iter().enumerate() {
        for &other in &measures[count + 1..] {
            let (a, b) = (at(one), at(other));
            for most_a in values(a) {
                for most_b in values(b) {
                    let question =
                        question(symmetric.clone()).with(one, most_a).with(other, most_b);
                    let there = all.iter().any(|m| m[a] <= most_a && m[b] <= most_b);
                    let answer = decide(&question, "found", &Limits::default(), None).unwrap();
                    match answer {
                        Answer::Found(_) => found += 1,
                        Answer::None(_) => none += 1,
                        Answer::Unknown => panic!("without a limit"),
                    }
                    assert_eq!(matches!(answer, Answer::Found(_)), there, "{question:?}");
                }
            }
        }
    }
    (found, none)
}

#[test]
fn a_relation_is_found_just_where_there_is_one() {
    assert_eq!(relations(&Symmetric::Translations).len(), 24);
    let (found, none) = hold_against_all(&Symmetric::Translations, &MEASURES);
    assert!(found > 20 && none > 2, "{found} found, {none} not");
}

/// The same with nodes of two kinds, by each kind of parity.
#[test]
fn two_kinds_of_nodes_are_held_against_all() {
    for mask in [0b001, 0b011, 0b111] {
        let symmetric = Symmetric::Parities(vec![mask]);
        assert_eq!(relations(&symmetric).len(), 24 * 24);
        let (found, none) = hold_against_all(&symmetric, &MEASURES);
        assert!(found > 20 && none > 2, "{mask}: {found} found, {none} not");
    }
}

/// Without a symmetry asked for, the search fixes which node is which. No bounds that some
/// relation meets are lost by that.
#[test]
fn what_some_relation_meets_is_found_among_all() {
    let kinds = [0b001, 0b011, 0b111].map(|mask| Symmetric::Parities(vec![mask]));
    let all: Vec<[u32; 7]> = kinds.iter().flat_map(relations).map(|r| measured(&r)).collect();
    let met: BTreeSet<[u32; 7]> = all.into_iter().filter(|m| m[3] == 1).collect();
    assert!(met.len() > 5, "{met:?}");
    for values in &met {
        let bounded = MEASURES.iter().zip(values).fold(
            Question { balanced: Some(Balanced::PerStep), ..Question::new(K) },
            |question, (&measure, &value)| question.with(measure, value),
        );
        let answer = decide(&bounded, "found", &Limits::default(), None).unwrap();
        assert!(matches!(answer, Answer::Found(_)), "{values:?}");
    }
}

#[test]
fn the_least_is_that_of_all() {
    for symmetric in [Symmetric::Translations, Symmetric::Parities(vec![0b110])] {
        let all: Vec<[u32; 7]> = relations(&symmetric).iter().map(measured).collect();
        let question = question(symmetric);
        for (at, measure) in MEASURES.into_iter().enumerate() {
            let least = minimize(&question, measure, "found", &Limits::default(), None, |_| ());
            let least = least.unwrap();
            assert!(least.proven.is_some());
            let figures = least.best.unwrap().figures;
            let value = figures.of(measure, Some(Balanced::PerStep));
            assert_eq!(value, all.iter().map(|m| m[at]).min().unwrap(), "{}", measure.name());
        }
    }
}
