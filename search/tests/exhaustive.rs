//! The search against all relations there are: in dimension 3 those that depend on the XOR
//! alone are few enough to be measured one by one.

use std::collections::BTreeMap;
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::properties::{Balance, ShortestPath};
use turnpike_hdl_gen::routing::given::{Given, Hops};
use turnpike_hdl_gen::topology::Port;
use turnpike_search::question::{Balanced, Measure, Question, Symmetric};
use turnpike_search::search::{Answer, decide, minimize};
use turnpike_search::solver::Limits;

const K: u32 = 3;

/// Every shortest-path relation of the 3-cube that depends on the XOR alone.
fn relations() -> Vec<Given> {
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
    let given = |hops| Given {
        name: "tried".to_owned(),
        topology: "hypercube".to_owned(),
        dimension: K,
        failed: Vec::new(),
        remarks: Vec::new(),
        hops: Hops::ByDifference(hops),
    };
    all.into_iter().map(given).collect()
}

/// What the generator says of a relation, in the order of [`MEASURES`].
fn measured(given: &Given) -> [u32; 6] {
    let network = Network::given(given, None).unwrap();
    let switch = &network.turns().classes[0];
    let most = |counts: BTreeMap<Port, u32>| counts.into_values().max().unwrap_or(0);
    let (_, lengths) = ShortestPath::of(&network);
    let balance = Balance::of(&network, lengths.diameter);
    let apart =
        balance.per_step.iter().map(|step| step.load.most.packets - step.load.least.packets);
    [
        switch.crosspoints().len() as u32,
        most(switch.fan_in()),
        most(switch.fan_out()),
        u32::from(network.relation().vcs()),
        balance.total.most.packets as u32,
        apart.max().unwrap_or(0) as u32,
    ]
}

const MEASURES: [Measure; 6] = [
    Measure::Crosspoints,
    Measure::FanIn,
    Measure::FanOut,
    Measure::Vcs,
    Measure::MaxLoad,
    Measure::Imbalance,
];

fn translations() -> Question {
    Question {
        symmetric: Symmetric::Translations,
        balanced: Some(Balanced::PerStep),
        imbalance: 100,
        ..Question::new(K)
    }
}

#[test]
fn a_relation_is_found_just_where_there_is_one() {
    let all: Vec<[u32; 6]> = relations().iter().map(measured).collect();
    assert_eq!(all.len(), 24);
    let values = |at: usize| {
        let mut values: Vec<u32> = all.iter().map(|measures| measures[at]).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (mut found, mut none) = (0, 0);
    // Bounds on any two measures, at each value that there is.
    for a in 0..MEASURES.len() {
        for b in a + 1..MEASURES.len() {
            for &most_a in &values(a) {
                for &most_b in &values(b) {
                    let question =
                        translations().with(MEASURES[a], most_a).with(MEASURES[b], most_b);
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
    assert!(found > 20 && none > 2, "{found} found, {none} not");
}

#[test]
fn the_least_is_that_of_all() {
    let all: Vec<[u32; 6]> = relations().iter().map(measured).collect();
    for (at, measure) in MEASURES.into_iter().enumerate() {
        let least = minimize(&translations(), measure, "found", &Limits::default(), None, |_| ());
        let least = least.unwrap();
        assert!(least.proven.is_some());
        let figures = least.best.unwrap().figures;
        let value = figures.of(measure, Some(Balanced::PerStep));
        assert_eq!(value, all.iter().map(|m| m[at]).min().unwrap(), "{}", measure.name());
    }
}
