//! Time tables against brute force, on every topology, and with mutants of the tables.

use proptest::prelude::{ProptestConfig, Strategy, prop, proptest};
use proptest::test_runner::FileFailurePersistence;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use turnpike_analysis::network::Wanted;
use turnpike_analysis::pattern_load::Message;
use turnpike_analysis::pattern_routes::{PatternRoutes, routes};
use turnpike_network::routing::{self, Relation};
use turnpike_network::topology::{Shape, Size, TOPOLOGIES, Terminal, Topology};
use turnpike_schedule::time_table::{Flow, Flows, TimeTable};
use turnpike_search::solver::Limits;
use turnpike_search::time_table::check::{Start, WrongTable, check};
use turnpike_search::time_table::{Frame, WhyNone, decide, short};

type Built = (Box<dyn Topology>, Relation);

/// Whether no two words of these starts meet: every two uses of a channel, by arithmetic alone.
fn is_free(flows: &Flows, frame: u32, starts: &[(usize, u32)]) -> bool {
    let mut uses: Vec<(u32, u32)> = Vec::new();
    for &(flow, start) in starts {
        let route = &flows.list()[flow].route;
        uses.extend((0..).zip(route).map(|(place, &channel)| (channel, (start + place) % frame)));
    }
    (0..uses.len()).all(|a| (0..a).all(|b| uses[a] != uses[b]))
}

/// Whether there is a table, by trying every one.
fn exists(flows: &Flows, frame: u32) -> bool {
    let words = |(at, flow): (usize, &Flow)| std::iter::repeat_n(at, flow.words as usize);
    let words: Vec<usize> = flows.list().iter().enumerate().flat_map(words).collect();
    let all = u64::from(frame).pow(words.len() as u32);
    (0..all).any(|mut code| {
        let mut digit = || {
            let digit = (code % u64::from(frame)) as u32;
            code /= u64::from(frame);
            digit
        };
        let starts: Vec<(usize, u32)> = words.iter().map(|&flow| (flow, digit())).collect();
        is_free(flows, frame, &starts)
    })
}

fn starts(table: &TimeTable) -> Vec<(usize, u32)> {
    let of = |(flow, starts): (usize, &Vec<u32>)| {
        starts.iter().map(move |&start| (flow, start)).collect::<Vec<_>>()
    };
    table.starts.iter().enumerate().flat_map(of).collect()
}

/// Holds every answer for frames of up to `most` slots, and the least of them, to brute force.
fn agrees(flows: &Flows, most: u32) {
    let limits = Limits::default();
    let existing: Vec<u32> = (1..=most).filter(|&frame| exists(flows, frame)).collect();
    for frame in 1..=most {
        match decide(flows, frame, &limits).unwrap() {
            Frame::Table(table) => {
                assert!(existing.contains(&frame) && table.frame == frame, "{flows:?}: {frame}");
                assert!(is_free(flows, frame, &starts(&table)), "{flows:?}: {table:?}");
                for (starts, flow) in table.starts.iter().zip(flows.list()) {
                    assert_eq!(starts.len() as u32, flow.words);
                }
            }
            Frame::None(_) => assert!(!existing.contains(&frame), "{flows:?}: {frame}"),
            Frame::NotDecided => panic!("{flows:?}: {frame} without limits"),
        }
    }
    let found = short(flows, &limits).unwrap();
    assert!(found.is_least());
    let least = found.table.frame;
    assert_eq!(existing.first().copied(), Some(least).filter(|&l| l <= most), "{flows:?}");
    assert!(least >= flows.bound() && is_free(flows, least, &starts(&found.table)));
    assert_eq!(found.refuted, (flows.bound()..least).collect::<Vec<_>>());
}

fn built(name: &str, size: impl Into<Size>, routing: Option<&str>) -> Built {
    Wanted { routing, ..Wanted::new(name, size) }.build().unwrap()
}

fn flows(routes: &PatternRoutes) -> Flows {
    let flow = |pair: &turnpike_analysis::pattern_routes::PairRoute| Flow {
        route: pair.route.clone(),
        words: pair.words,
    };
    Flows::new(routes.channels.len() as u32, routes.pairs.iter().map(flow).collect()).unwrap()
}

/// All patterns of up to three words on the smallest networks.
#[test]
fn all_small_patterns_have_the_least_of_brute_force() {
    let square: Shape = "2x2".parse().unwrap();
    let three: Shape = "3".parse().unwrap();
    for (topology, relation) in [
        built("mesh", square, None),
        built("mesh", three, None),
        built("directed-ring", Size::of_nodes(4), None),
        built("star", Size::of_nodes(3), None),
    ] {
        let pairs: Vec<(Terminal, Terminal)> =
            topology.sources().flat_map(|s| topology.sinks().map(move |t| (s, t))).collect();
        let message = |&(source, destination)| Message { source, destination, words: 1 };
        for (i, a) in pairs.iter().enumerate() {
            for (j, b) in pairs.iter().enumerate().skip(i) {
                for c in &pairs[j..] {
                    let messages: Vec<Message> = [a, b, c].into_iter().map(message).collect();
                    let routes = routes(&*topology, &relation, &messages).unwrap();
                    agrees(&flows(&routes), 4);
                }
            }
        }
    }
}

fn any_flows() -> impl Strategy<Value = Flows> {
    let flow = (prop::collection::vec(0..4u32, 1..5), 1..3u32);
    prop::collection::vec(flow, 1..4).prop_map(|list| {
        let flow = |(route, words)| Flow { route, words };
        Flows::new(4, list.into_iter().map(flow).collect()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// Routes that no network has, too: those that come back to a channel.
    #[test]
    fn any_flows_have_the_least_of_brute_force(flows in any_flows()) {
        agrees(&flows, 5);
    }
}

/// More slots are not always easier, so that the least is known only where each frame from the bound on is
/// refuted.
#[test]
fn a_frame_may_fit_where_one_that_is_longer_does_not() {
    // Each two of three words share a channel at the same place and one two places apart: of a frame of 3
    // that leaves one distance between their starts, of one of 4 only odd ones, and three of these around
    // a triangle do not come to 0.
    let routes = [[0, 6, 3, 2, 5], [0, 1, 4, 7, 3], [8, 1, 5, 2, 4]];
    let flow = |route: [u32; 5]| Flow { route: route.to_vec(), words: 1 };
    let flows = Flows::new(9, routes.map(flow).to_vec()).unwrap();
    let fit: Vec<u32> = (1..=6).filter(|&frame| exists(&flows, frame)).collect();
    assert_eq!((flows.bound(), fit), (2, vec![3, 5, 6]));
    agrees(&flows, 6);
}

/// What is sent where, by the numbers of terminals.
fn messages(pairs: &[(u32, u32)]) -> Vec<Message> {
    let message = |&(source, destination): &(u32, u32)| Message {
        source: Terminal(source),
        destination: Terminal(destination),
        words: 1,
    };
    pairs.iter().map(message).collect()
}

/// Three words of which each two share a channel, but no three: 2 slots for each channel, 3 for all.
#[test]
fn the_bound_is_not_always_attained() {
    let (topology, relation) = built("directed-ring", Size::of_nodes(4), None);
    let routes = routes(&*topology, &relation, &messages(&[(1, 3), (2, 0), (3, 2)])).unwrap();
    let flows = flows(&routes);
    assert_eq!(flows.bound(), 2);
    assert!(!exists(&flows, 2) && exists(&flows, 3));
    let limits = Limits::default();
    assert_eq!(decide(&flows, 2, &limits).unwrap(), Frame::None(WhyNone::BySolver));
    assert_eq!(decide(&flows, 1, &limits).unwrap(), Frame::None(WhyNone::Bound));
    let found = short(&flows, &limits).unwrap();
    assert_eq!((found.table.frame, found.refuted), (3, vec![2]));
}

/// All pairs of a mesh: where the solver may not search long enough, nothing is said of fewer slots.
#[test]
fn what_is_not_decided_is_said_to_be() {
    let shape: Shape = "4x4".parse().unwrap();
    let (topology, relation) = built("mesh", shape, None);
    let pairs: Vec<(u32, u32)> = (0..16).flat_map(|a| (0..16).map(move |b| (a, b))).collect();
    let flows = flows(&routes(&*topology, &relation, &messages(&pairs)).unwrap());
    assert_eq!(flows.bound(), 16);
    let hasty = Limits { conflicts: Some(10), ..Limits::default() };
    let found = short(&flows, &hasty).unwrap();
    assert!(found.table.frame > 16 && !found.is_least());
    assert_eq!(found.not_decided, (16..found.table.frame).collect::<Vec<_>>());
    assert_eq!(decide(&flows, 16, &hasty).unwrap(), Frame::NotDecided);
    let stopped = Limits::default();
    stopped.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(decide(&flows, 16, &stopped).unwrap(), Frame::NotDecided);
}

/// A network of every topology with every relation that has one route for each pair.
fn networks() -> Vec<Built> {
    let mut networks = Vec::new();
    for kind in TOPOLOGIES {
        let size = kind.sizes.small()[1];
        for relation in routing::of_kind(kind) {
            let wanted = Wanted { routing: Some(relation.name), ..Wanted::new(kind.name, size) };
            networks.extend(wanted.build().ok());
        }
    }
    let shape: Shape = "3x2".parse().unwrap();
    networks.push(Wanted { concentration: 2, ..Wanted::new("mesh", shape) }.build().unwrap());
    let failed = ["010".to_owned(), "111".to_owned()];
    networks.push(Wanted { failed: &failed, ..Wanted::new("hypercube", 3) }.build().unwrap());
    networks.retain(|(_, relation)| relation.choices().is_none());
    assert!(networks.len() > 30);
    networks
}

/// Words between terminals that are there, several of some pairs.
fn random_messages(topology: &dyn Topology, seed: u64) -> Vec<Message> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (sources, sinks): (Vec<_>, Vec<_>) =
        (topology.sources().collect(), topology.sinks().collect());
    let mut below = |bound: usize| rng.next_u32() as usize % bound;
    let message = |_| Message {
        source: sources[below(sources.len())],
        destination: sinks[below(sinks.len())],
        words: 1 + below(3) as u32,
    };
    (0..2 * sources.len()).map(message).collect()
}

fn of_pairs(routes: &PatternRoutes, table: &TimeTable) -> Vec<Start> {
    let of = |(flow, slot): (usize, u32)| {
        let pair = &routes.pairs[flow];
        Start { source: pair.source, destination: pair.destination, slot }
    };
    starts(table).into_iter().map(of).collect()
}

/// Every table passes the check that walks the routes again, and has no fewer slots than the bound.
#[test]
fn tables_of_every_network_pass_the_check() {
    let limits = Limits { conflicts: Some(200), ..Limits::default() };
    for (topology, relation) in networks() {
        for seed in 0..4 {
            let messages = random_messages(&*topology, seed);
            let routes = routes(&*topology, &relation, &messages).unwrap();
            let flows = flows(&routes);
            let found = short(&flows, &limits).unwrap();
            let frame = found.table.frame;
            assert!(frame >= flows.bound());
            let starts = of_pairs(&routes, &found.table);
            let checked = check(&*topology, &relation, &messages, frame, starts);
            assert_eq!(checked, Ok(()), "{} {} {seed}", topology.name(), relation.name());
            assert_eq!(found, short(&flows, &limits).unwrap(), "the same again");
        }
    }
}

/// A word in another slot, one left out, one sent twice, one for somebody else: each is caught, unless
/// arithmetic says that the table is right so.
#[test]
fn mutants_of_tables_are_caught() {
    let (mut caught, mut right) = (0, 0);
    let shape: Shape = "3x3".parse().unwrap();
    for (topology, relation) in [
        built("mesh", shape, None),
        built("hypercube", 3, Some("rotation")),
        built(
            "de-bruijn",
            TOPOLOGIES.iter().find(|k| k.name == "de-bruijn").unwrap().sizes.small()[1],
            None,
        ),
    ] {
        let messages = random_messages(&*topology, 7);
        let routes = routes(&*topology, &relation, &messages).unwrap();
        let flows = flows(&routes);
        let table =
            short(&flows, &Limits { conflicts: Some(200), ..Limits::default() }).unwrap().table;
        let frame = table.frame;
        let passes = |starts: &[Start]| {
            check(&*topology, &relation, &messages, frame, starts.iter().copied())
        };
        let (numbers, pairs) = (starts(&table), of_pairs(&routes, &table));
        for word in 0..numbers.len() {
            for slot in (0..frame).filter(|&slot| slot != numbers[word].1) {
                let (mut moved, mut mutant) = (numbers.clone(), pairs.clone());
                (moved[word].1, mutant[word].slot) = (slot, slot);
                let is_right = is_free(&flows, frame, &moved);
                assert_eq!(passes(&mutant).is_ok(), is_right, "{mutant:?}");
                *(if is_right { &mut right } else { &mut caught }) += 1;
            }
            let mut late = pairs.clone();
            late[word].slot = frame;
            assert!(matches!(passes(&late), Err(WrongTable::Word(_))));
            let mut fewer = pairs.clone();
            fewer.remove(word);
            assert!(matches!(passes(&fewer), Err(WrongTable::Words { .. })));
            let twice: Vec<Start> = pairs.iter().copied().chain([pairs[word]]).collect();
            assert!(matches!(passes(&twice), Err(WrongTable::Word(_))));
            let mut other = pairs.clone();
            other[word].destination =
                topology.sinks().find(|&t| t != pairs[word].destination).unwrap();
            assert!(passes(&other).is_err());
        }
        let shorter = check(&*topology, &relation, &messages, flows.bound() - 1, pairs);
        assert!(shorter.is_err());
    }
    assert!(caught > 500 && right > 0, "{caught} caught, {right} right");
}
