//! Networks grown for flows: of small questions the least area is that of going through all layouts, no layout is
//! below the bound, and what a layout takes is counted anew.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use turnpike_search::growing::area::Counts;
use turnpike_search::growing::bound::least as bound;
use turnpike_search::growing::layout::{Layout, Switch};
use turnpike_search::growing::question::{Flow, GrowingError, MOST_TERMINALS, Question};
use turnpike_search::growing::search;
use turnpike_search::solver::Limits;

/// A flit per cycle.
const WHOLE: u64 = 1_000_000_000;

/// Flows of one message class, in hundredths of a flit per cycle.
fn flows(list: &[(usize, usize, u64)]) -> Vec<Flow> {
    let flow = |&(from, to, load): &(usize, usize, u64)| Flow {
        from,
        to,
        load: load * WHOLE / 100,
        class: 0,
        most_channels: u32::MAX,
    };
    list.iter().map(flow).collect()
}

fn question(terminals: usize, list: &[(usize, usize, u64)], ports: u32) -> Question {
    Question::new(terminals, &flows(list), ports, WHOLE).unwrap()
}

/// The layouts that few moves find.
fn grow(question: &Question, limits: &Limits) -> Vec<Layout> {
    let grown = search::grow(question, 600, limits, |_| {});
    assert_eq!(grown.is_whole, limits.deadline.is_none());
    grown.layouts
}

fn limits(seed: u64) -> Limits {
    Limits { seed, ..Limits::default() }
}

/// What there is to say of a layout, from its definition alone: what it takes, and whether it is within all limits with no circle of
/// waits.
fn anew(question: &Question, layout: &Layout) -> (Counts, bool) {
    // Queues and outputs as text.
    let mut feeds = BTreeSet::new();
    let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
    let mut port = |switch: Switch, way: &str, name: String| {
        let ports: &mut BTreeMap<Switch, BTreeSet<String>> =
            if way == "in" { &mut inputs } else { &mut outputs };
        ports.entry(switch).or_default().insert(name);
    };
    let mut loads: BTreeMap<(Switch, Switch), u64> = BTreeMap::new();
    let (mut sources, mut queues) = (BTreeSet::new(), BTreeSet::new());
    let mut is_within = true;
    for (pair, route) in question.pairs().iter().zip(&layout.routes) {
        let ends = (layout.homes[pair.from][0], layout.homes[pair.to][1]);
        assert_eq!(ends, (route[0], route[route.len() - 1]));
        let switches: BTreeSet<Switch> = route.iter().copied().collect();
        assert_eq!(switches.len(), route.len(), "{route:?} comes to a switch twice");
        is_within &= route.len() as u64 - 1 <= u64::from(pair.most_channels);
        for (class, _) in &pair.classes {
            let source = format!("{} {class}", pair.from);
            let sink = format!("to {} {class}", pair.to);
            port(ends.0, "in", source.clone());
            port(ends.1, "out", sink.clone());
            sources.insert(source.clone());
            let mut queue = source;
            for hop in route.windows(2) {
                let channel = format!("{}-{}", hop[0], hop[1]);
                port(hop[0], "out", channel.clone());
                port(hop[1], "in", channel.clone());
                feeds.insert((queue, channel.clone()));
                queue = format!("{channel} {class}");
                queues.insert(queue.clone());
            }
            feeds.insert((queue, sink));
        }
        for hop in route.windows(2) {
            *loads.entry((hop[0], hop[1])).or_default() += pair.load;
        }
    }
    let most = question.ports() as usize;
    is_within &= inputs.values().chain(outputs.values()).all(|ports| ports.len() <= most);
    is_within &= loads.values().all(|&load| load <= question.most_load());
    if question.is_together() {
        is_within &= layout.homes.iter().all(|[source, sink]| source == sink);
    }
    // A queue waits for those at the end of the channels that it feeds: take away those that wait for none.
    let mut waits: BTreeSet<(String, String)> = feeds
        .iter()
        .filter(|(from, to)| from.contains('-') && to.contains('-'))
        .map(|(from, to)| {
            let class = from.split(' ').nth(1).unwrap();
            (from.clone(), format!("{to} {class}"))
        })
        .collect();
    loop {
        let before = waits.len();
        let waiting: BTreeSet<String> = waits.iter().map(|(from, _)| from.clone()).collect();
        waits.retain(|(_, to)| waiting.contains(to));
        if waits.len() == before {
            break;
        }
    }
    let mut fan_in: BTreeMap<&String, u64> = BTreeMap::new();
    feeds.iter().for_each(|(_, to)| *fan_in.entry(to).or_default() += 1);
    let several = || fan_in.values().filter(|&&inputs| inputs > 1);
    let counts = Counts {
        sources: sources.len() as u64,
        // A switch alone needs no routes.
        tables: if inputs.keys().chain(outputs.keys()).collect::<BTreeSet<_>>().len() > 1 {
            sources.len() as u64
        } else {
            0
        },
        queues: queues.len() as u64,
        inputs: several().sum(),
        multiplexers: several().count() as u64,
    };
    (counts, is_within && waits.is_empty())
}

/// Least area over all layouts with so many switches; `None` where none will do.
fn by_trial(question: &Question, switches: Switch) -> Option<u64> {
    let ends = 2 * question.terminals() as u32;
    let mut least = None;
    for number in 0..u32::from(switches).pow(ends) {
        let digit = |at: usize| (number / u32::from(switches).pow(at as u32)) as Switch % switches;
        let homes: Vec<[Switch; 2]> =
            (0..question.terminals()).map(|at| [digit(2 * at), digit(2 * at + 1)]).collect();
        let mut partial = vec![Vec::new()];
        for pair in question.pairs() {
            let all = paths(homes[pair.from][0], homes[pair.to][1], switches);
            let longer = |routes: &Vec<Vec<Switch>>| -> Vec<Vec<Vec<Switch>>> {
                all.iter().map(|own| [&routes[..], std::slice::from_ref(own)].concat()).collect()
            };
            partial = partial.iter().flat_map(longer).collect();
        }
        for routes in partial {
            let (counts, does) = anew(question, &Layout { homes: homes.clone(), routes });
            if does {
                least = [least, Some(counts.hundredths())].into_iter().flatten().min();
            }
        }
    }
    least
}

/// All paths from one switch to another.
fn paths(from: Switch, to: Switch, switches: Switch) -> Vec<Vec<Switch>> {
    fn go(path: &mut Vec<Switch>, to: Switch, switches: Switch, all: &mut Vec<Vec<Switch>>) {
        if path.last() == Some(&to) {
            all.push(path.clone());
            return;
        }
        for next in 0..switches {
            if !path.contains(&next) {
                path.push(next);
                go(path, to, switches, all);
                path.pop();
            }
        }
    }
    let mut all = Vec::new();
    go(&mut vec![from], to, switches, &mut all);
    all
}

/// The least area of the layouts that are found.
fn found(question: &Question, seed: u64) -> Option<u64> {
    let all = grow(question, &limits(seed));
    all.iter().map(|layout| anew(question, layout).0.hundredths()).min()
}

#[test]
fn the_least_of_small_questions_is_found() {
    for (terminals, list, ports, switches) in [
        // All to all among three, on one switch or several.
        (3, &[(0, 1, 10), (0, 2, 10), (1, 0, 10), (1, 2, 10), (2, 0, 10), (2, 1, 10)][..], 3, 2),
        // Two to two: a bus takes fewer inputs than a crossbar, where it carries the sum.
        (4, &[(0, 2, 20), (0, 3, 20), (1, 2, 20), (1, 3, 20)], 4, 2),
        (4, &[(0, 2, 30), (0, 3, 30), (1, 2, 30), (1, 3, 30)], 4, 2),
        // More sources than a switch has inputs.
        (5, &[(0, 4, 10), (1, 4, 10), (2, 4, 10), (3, 4, 10)], 3, 2),
        (3, &[(0, 1, 50), (1, 2, 50), (2, 0, 50), (0, 2, 30)], 3, 3),
        // A pair that fills a channel.
        (2, &[(0, 1, 100), (1, 0, 10)], 3, 2),
    ] {
        let question = question(terminals, list, ports);
        let least = by_trial(&question, switches);
        assert!(least.is_some_and(|least| bound(&question).hundredths() <= least), "{list:?}");
        assert_eq!(found(&question, 1), least, "{list:?} on {ports} ports");
    }
}

#[test]
fn a_bus_is_right_where_it_carries_the_sum() {
    // Four to four, all of them: 16 inputs of multiplexers in a crossbar, 4 before a bus.
    let all: Vec<(usize, usize, u64)> =
        (0..4).flat_map(|from| (4..8).map(move |to| (from, to, 5))).collect();
    let small = question(8, &all, 8);
    let layouts = grow(&small, &limits(1));
    let bus = Counts { sources: 4, tables: 4, queues: 1, inputs: 4, multiplexers: 1 };
    assert!(layouts.iter().any(|layout| anew(&small, layout).0 == bus));
    // The crossbar is what costs no channel.
    assert!(layouts.iter().any(|layout| layout.links().is_empty()));
    // A bus would carry more than a flit per cycle.
    let loud: Vec<_> = all.iter().map(|&(from, to, _)| (from, to, 20)).collect();
    let layouts = grow(&question(8, &loud, 8), &limits(1));
    assert!(layouts.iter().all(|layout| anew(&small, layout).0 != bus));
}

#[test]
fn flows_that_form_no_circle_take_a_crossbar_at_the_bound() {
    // A tree of flows.
    let list = [(0, 1, 10), (2, 1, 10), (2, 3, 10), (4, 3, 10), (5, 3, 10)];
    let question = question(6, &list, 6);
    let bound = bound(&question);
    // Two outputs of two and three inputs: one with four would do, where it is shared.
    assert_eq!(bound, Counts { sources: 4, tables: 0, queues: 0, inputs: 4, multiplexers: 1 });
    let star = anew(&question, &Layout::star(&question)).0;
    assert_eq!(star, Counts { sources: 4, tables: 0, queues: 0, inputs: 5, multiplexers: 2 });
}

#[test]
fn channels_of_one_group_do_for_another() {
    // Eight to one and back, on three ports: one chain of four switches, with packets the one way alone.
    let back = (0..8).flat_map(|at| [(at, 8, 1), (8, at, 1)]);
    let question = question(9, &back.collect::<Vec<_>>(), 3);
    let homes: Vec<[Switch; 2]> = (0..8).map(|at| [at / 2; 2]).chain([[0, 3]]).collect();
    let route = |from: Switch, to: Switch| (from..=to).collect::<Vec<Switch>>();
    let routes = question.pairs().iter().map(|pair| route(homes[pair.from][0], homes[pair.to][1]));
    let chain = Layout { routes: routes.collect(), homes };
    let (counts, does) = anew(&question, &chain);
    assert!(does, "{counts:?}");
    let least = bound(&question);
    assert_eq!((counts.queues, least.queues), (3, 3));
    assert!(least.hundredths() <= counts.hundredths(), "{least:?} {counts:?}");
}

#[test]
fn limits_hold() {
    let all = |count: usize| -> Vec<(usize, usize, u64)> {
        let to =
            |from: usize| (0..count).filter(move |&to| to != from).map(move |to| (from, to, 4));
        (0..count).flat_map(to).collect()
    };
    // Four ports, and both ends of a terminal at one switch.
    let question = question(8, &all(8), 4).together();
    let layouts = grow(&question, &limits(1));
    assert!(!layouts.is_empty());
    for layout in &layouts {
        assert!(anew(&question, layout).1, "{layout:?}");
    }
    // Flows that may take no channel meet at one switch.
    let near = flows(&[(0, 1, 10), (1, 2, 10), (2, 0, 10), (3, 0, 10)]);
    let near: Vec<Flow> = near.iter().map(|flow| Flow { most_channels: 0, ..*flow }).collect();
    let question = Question::new(4, &near, 3, WHOLE).unwrap();
    let layouts = grow(&question, &limits(1));
    assert!(!layouts.is_empty());
    for layout in &layouts {
        assert!(layout.links().is_empty() && anew(&question, layout).1, "{layout:?}");
    }
    // There is no such network, and none is given.
    let near: Vec<Flow> = (1..5).map(|from| Flow { from, to: 0, ..near[0] }).collect();
    let question = Question::new(5, &near, 3, WHOLE).unwrap();
    assert!(grow(&question, &limits(1)).is_empty());
    // Without time nothing is found.
    let stopped = Limits { deadline: Some(Instant::now()), ..limits(1) };
    assert!(grow(&question, &stopped).is_empty());
}

#[test]
fn questions_that_cannot_be_put() {
    let one = flows(&[(0, 1, 10)]);
    let put = |terminals, ports| Question::new(terminals, &one, ports, WHOLE).unwrap_err();
    assert_eq!(put(MOST_TERMINALS + 1, 8), GrowingError::Terminals(MOST_TERMINALS + 1));
    assert_eq!(put(2, 2), GrowingError::Ports(2));
    assert_eq!(put(2, 65), GrowingError::Ports(65));
    let question = Question::new(2, &one, 3, WHOLE / 20).unwrap();
    assert_eq!(question.too_loud().count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Layouts are within the limits, count what they take, are not below the bound, and are the same again.
    #[test]
    fn layouts_of_any_flows(
        list in prop::collection::btree_map((0usize..6, 0usize..6), 1u64..12, 1..16),
        classes in prop::collection::vec(0u8..2, 16),
        ports in 3u32..8,
        seed in 0u64..1000,
    ) {
        let list: Vec<_> = list.into_iter().map(|((from, to), load)| (from, to, load)).collect();
        let mut flows = flows(&list);
        flows.iter_mut().zip(classes).for_each(|(flow, class)| flow.class = class);
        let question = Question::new(6, &flows, ports, WHOLE / 2).unwrap();
        let layouts = grow(&question, &limits(seed));
        let bound = bound(&question);
        for layout in &layouts {
            let (counts, does) = anew(&question, layout);
            prop_assert!(does, "{layout:?}");
            prop_assert_eq!(counts, layout.counts(&question));
            let all = [
                (counts.sources, bound.sources),
                (counts.tables, bound.tables),
                (counts.queues, bound.queues),
                (counts.inputs, bound.inputs),
                (counts.multiplexers, bound.multiplexers),
            ];
            prop_assert!(all.iter().all(|(own, least)| own >= least), "{counts:?} {bound:?}");
        }
        prop_assert_eq!(layouts, grow(&question, &limits(seed)));
    }
}
