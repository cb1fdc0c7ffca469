//! Routes of flows against all routes there are, on small networks.

use std::collections::{BTreeMap, BTreeSet};
use turnpike_base::random::Random;
use turnpike_network::flows::{FlowList, Flows};
use turnpike_network::topology::{self, Port, Topology};
use turnpike_search::design::figures::{Figures, Route};
use turnpike_search::design::lengths::Lengths;
use turnpike_search::design::question::{Measure, Question, QuestionError};
use turnpike_search::design::search::{Outcome, Why, design};
use turnpike_search::solver::Limits;

/// Most choices of routes that are gone through.
const MOST: usize = 8_000;

/// A queue: message class, virtual channel in it, channel.
type Queue = (usize, usize, usize);

/// Flows between terminals of a topology: as many as asked for, with bandwidths and, of two, a class.
fn flows(topology: &dyn Topology, random: &mut Random, count: u32, classes: bool) -> Flows {
    let labels: Vec<String> =
        topology.sources().map(|source| topology.terminal_label(source)).collect();
    let mut lines = BTreeSet::new();
    while (lines.len() as u32) < count {
        let mut end = || &labels[random.below(labels.len() as u32) as usize];
        let (from, to) = (end(), end());
        if from != to {
            let class = if random.below(2) == 0 { "request" } else { "reply" };
            lines.insert((from.clone(), to.clone(), if classes { class } else { "" }));
        }
    }
    let line = |(from, to, class): (String, String, &str)| {
        // Those of the two classes of a pair together are no more than a link carries.
        let bandwidth = f64::from(1 + random.below(6)) / 64.0;
        format!("{from},{to},{bandwidth}{}{class}\n", if classes { "," } else { "" })
    };
    let lines: String = lines.into_iter().map(line).collect();
    let class = if classes { ",class" } else { "" };
    let text = format!("source,destination,bandwidth{class}\n{lines}");
    FlowList::parse(&text).unwrap().on(topology).unwrap()
}

/// Every route of a demand of at most so many channels, by search from its source.
fn routes(question: &Question, demand: usize) -> Vec<Vec<usize>> {
    fn onward(
        question: &Question,
        to: u32,
        most: usize,
        path: &mut Vec<usize>,
        nodes: &mut Vec<u32>,
        found: &mut Vec<Vec<usize>>,
    ) {
        let at = nodes[nodes.len() - 1];
        if at == to {
            found.push(path.clone());
            return;
        }
        if path.len() == most {
            return;
        }
        for (number, channel) in question.channels.iter().enumerate() {
            if channel.from.0 == at && !nodes.contains(&channel.to.0) {
                path.push(number);
                nodes.push(channel.to.0);
                onward(question, to, most, path, nodes, found);
                path.pop();
                nodes.pop();
            }
        }
    }
    let (from, to) = (question.demands[demand].from.0, question.demands[demand].to.0);
    // The shortest first, to know how long a route may be.
    for shortest in 0..question.channels.len() {
        let mut found = Vec::new();
        onward(question, to, shortest, &mut Vec::new(), &mut vec![from], &mut found);
        if !found.is_empty() {
            found.clear();
            let most = shortest + question.detour as usize;
            onward(question, to, most, &mut Vec::new(), &mut vec![from], &mut found);
            return found;
        }
    }
    panic!("no path from {from} to {to}")
}

/// Whether the waits of these routes close no cycle on any virtual channel of a class, by taking away
/// channels that wait for nothing.
fn is_free(question: &Question, routes: &[Route]) -> bool {
    let mut waits: BTreeSet<(Queue, Queue)> = BTreeSet::new();
    for (demand, route) in question.demands.iter().zip(routes) {
        for stream in &demand.streams {
            let of = |channel| (stream.class, route.layer, channel);
            waits.extend(route.channels.windows(2).map(|pair| (of(pair[0]), of(pair[1]))));
        }
    }
    loop {
        let before = waits.len();
        let waiting: BTreeSet<_> = waits.iter().map(|wait| wait.0).collect();
        waits.retain(|(_, wanted)| waiting.contains(wanted));
        if waits.is_empty() || waits.len() == before {
            return waits.is_empty();
        }
    }
}

/// Values of the measures in their order, counted from the routes by themselves: the largest load, the
/// multiplexer inputs, the queues and the virtual channels.
fn counted(question: &Question, routes: &[Route]) -> [u64; 4] {
    let mut loads: BTreeMap<usize, u64> = BTreeMap::new();
    let mut queues = BTreeSet::new();
    let mut feeds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut vcs = vec![0; question.classes];
    for (demand, route) in question.demands.iter().zip(routes) {
        for stream in &demand.streams {
            vcs[stream.class] = vcs[stream.class].max(1 + route.layer as u64);
            for (source, sink) in &stream.flows {
                let mut before = format!("inject {}", source.0);
                for &channel in &route.channels {
                    let queue = format!("{channel} {} {}", stream.class, route.layer);
                    feeds.entry(format!("channel {channel}")).or_default().insert(before);
                    before = queue.clone();
                    queues.insert(queue);
                }
                feeds.entry(format!("eject {}", sink.0)).or_default().insert(before);
            }
        }
        route.channels.iter().for_each(|&c| *loads.entry(c).or_default() += demand.load);
    }
    let inputs = feeds.values().filter(|feeds| feeds.len() > 1).map(BTreeSet::len);
    let most = loads.into_values().max().unwrap_or(0);
    let classes = vcs.into_iter().map(|vcs| vcs.max(1));
    [most, inputs.sum::<usize>() as u64, queues.len() as u64, classes.sum()]
}

/// The least of each measure over all routes without a cycle; `None` where there are none, and for each
/// choice of virtual channels of so many.
fn least(question: &Question) -> Option<[u64; 4]> {
    let layers = question.layers();
    let choices: Vec<Vec<Route>> = (0..question.demands.len())
        .map(|demand| {
            let with = |channels: Vec<usize>| {
                (0..layers).map(move |layer| Route { channels: channels.clone(), layer })
            };
            routes(question, demand).into_iter().flat_map(with).collect()
        })
        .collect();
    let mut best: Option<[u64; 4]> = None;
    let mut at = vec![0; choices.len()];
    loop {
        let routes: Vec<Route> =
            choices.iter().zip(&at).map(|(routes, &at)| routes[at].clone()).collect();
        let values = counted(question, &routes);
        let most = question.bounds[&Measure::Vcs];
        assert_eq!(Measure::ALL.map(|(m, _)| Figures::of(question, &routes).value(m)), values);
        if values[3] <= most && is_free(question, &routes) {
            let before = best.unwrap_or(values);
            best = Some(std::array::from_fn(|measure| before[measure].min(values[measure])));
        }
        let Some(next) = (0..at.len()).find(|&digit| at[digit] + 1 < choices[digit].len()) else {
            return best;
        };
        at[next] += 1;
        at[..next].fill(0);
    }
}

/// Number of choices that [`least`] goes through.
fn choices(question: &Question) -> usize {
    let each = |demand| routes(question, demand).len() * question.layers();
    (0..question.demands.len()).map(each).fold(1, usize::saturating_mul)
}

/// Questions that are small enough to be answered by going through all routes.
fn questions() -> Vec<Question> {
    let mut random = Random::new(1);
    let mut all = Vec::new();
    for (name, size) in [
        ("mesh", "2x2"),
        ("mesh", "3x2"),
        ("mesh", "3x3"),
        ("torus", "3x2"),
        ("ring", "5"),
        ("directed-ring", "4"),
        ("hypercube", "3"),
        ("star", "4"),
    ] {
        let kind = topology::find(name).unwrap();
        let topology = kind.build(kind.sizes.of_keys(&[size]).unwrap()).unwrap();
        for round in 0..24 {
            let (classes, detour) = (round % 3 == 2, [0, 0, 2, 1][round % 4]);
            let count = 2 + random.below(5);
            let flows = flows(&*topology, &mut random, count, classes);
            let question = Question::new(&*topology, &flows, 1, detour).unwrap();
            let vcs = question.classes as u64 + round as u64 % 2;
            let question = question.with(Measure::Vcs, vcs).unwrap();
            if choices(&question) <= MOST {
                all.push(question);
            }
        }
    }
    assert!(all.len() > 100, "{} questions", all.len());
    all
}

/// Each measure is the least there is, and said to be so; where no routes are free of cycles there are none.
#[test]
fn the_least_of_all_routes() {
    let (mut none, mut by_lengths) = (0, 0);
    for question in questions() {
        let least = least(&question);
        for (at, (measure, name)) in Measure::ALL.into_iter().enumerate() {
            let found = design(&question, &[measure], &[], &Limits::default(), |_, _| {}).unwrap();
            let (routes, figures, found) = match (found, least) {
                (Outcome::Found { routes, figures, least }, Some(_)) => (routes, figures, least),
                (Outcome::None(Why::Solver { .. }), None) => {
                    none += 1;
                    continue;
                }
                (found, _) => panic!("{name}: {found:?}, and {least:?}: {question:?}"),
            };
            assert!(is_free(&question, &routes), "{question:?}");
            assert_eq!(Measure::ALL.map(|(m, _)| figures.value(m)), counted(&question, &routes));
            let [found] = &found[..] else { panic!("one measure") };
            assert!(found.is_proven(), "{name}: {found:?}");
            assert_eq!(Some(found.value), least.map(|least| least[at]), "{name}: {question:?}");
            assert_eq!(figures.value(measure), found.value);
            by_lengths += usize::from(matches!(found.why, Why::Lengths(_)));
        }
    }
    assert!(none > 0 && by_lengths > 10, "{none} without routes, {by_lengths} by lengths");
}

/// The bound of any lengths is no more than the least load there is, that of the lengths which are found
/// often the least itself.
#[test]
fn no_lengths_give_more_than_the_least() {
    let mut random = Random::new(2);
    let (mut tight, mut cuts, mut all) = (0, 0, 0);
    for question in questions() {
        let Some([least, ..]) = least(&question) else { continue };
        for _ in 0..20 {
            let lengths = question.channels.iter().map(|_| u64::from(random.below(9))).collect();
            let bound = Lengths(lengths).bound(&question);
            assert!(bound <= least, "{bound} and {least}: {question:?}");
        }
        let lengths = Lengths::find(&question, &Limits::default());
        let bound = lengths.bound(&question);
        assert!(bound <= least, "{bound} and {least}: {question:?}");
        // A cut is a certificate, too, of what is beyond reach alone.
        assert_eq!(lengths.cut(&question, least), None);
        if let Some(cut) =
            bound.checked_sub(question.unit()).and_then(|most| lengths.cut(&question, most))
        {
            assert!(cut.bound(&question) == bound && cut.0.iter().all(|&length| length <= 1));
            cuts += 1;
        }
        tight += usize::from(bound == least);
        all += 1;
    }
    assert!(2 * tight > all && 4 * cuts > all, "{tight} and {cuts} of {all}");
}

/// The least of a second measure is the least among the routes that have the least of the first.
#[test]
fn a_second_measure_keeps_the_first() {
    for question in questions().into_iter().step_by(3) {
        let both = [Measure::MaxLoad, Measure::MultiplexerInputs];
        let Outcome::Found { figures, least: found, .. } =
            design(&question, &both, &[], &Limits::default(), |_, _| {}).unwrap()
        else {
            continue;
        };
        let [first, second] = &found[..] else { panic!("two measures") };
        assert_eq!(Some(first.value), least(&question).map(|least| least[0]));
        let bounded = question.clone().with(Measure::MaxLoad, first.value).unwrap();
        let alone = design(&bounded, &both[1..], &[], &Limits::default(), |_, _| {}).unwrap();
        let Outcome::Found { least: alone, .. } = alone else { panic!("there are such routes") };
        assert_eq!(alone[0].value, second.value);
        assert_eq!((figures.max_load, figures.multiplexer_inputs), (first.value, second.value));
    }
}

/// A bound that no routes can be within: less load than the lengths allow, or than the solver finds.
#[test]
fn bounds_without_routes() {
    let mut by_solver = 0;
    for question in questions().into_iter().step_by(5) {
        let Some(least) = least(&question) else { continue };
        for (at, (measure, name)) in Measure::ALL.into_iter().enumerate().take(3) {
            let Some(less) = least[at].checked_sub(question.step(measure)) else { continue };
            let bounded = question.clone().with(measure, less).unwrap();
            match design(&bounded, &[], &[], &Limits::default(), |_, _| {}).unwrap() {
                Outcome::None(Why::Solver { .. }) => by_solver += 1,
                Outcome::None(Why::Lengths(_)) if measure == Measure::MaxLoad => {}
                found => panic!("{name} at most {less}: {found:?}"),
            }
            let bounded = question.clone().with(measure, least[at]).unwrap();
            let found = design(&bounded, &[], &[], &Limits::default(), |_, _| {}).unwrap();
            assert!(matches!(found, Outcome::Found { .. }), "{name}: {found:?}");
        }
    }
    assert!(by_solver > 0);
}

#[test]
fn questions_that_cannot_be_asked() {
    let cube = topology::find("hypercube").unwrap().build(2).unwrap();
    let list = FlowList::parse("source,destination\n00,01\n01,10\n").unwrap();
    let flows = list.on(&*cube).unwrap();
    assert_eq!(Question::new(&*cube, &flows, 1, 9).unwrap_err(), QuestionError::Detour(9));
    let question = Question::new(&*cube, &flows, 1, 0).unwrap();
    for vcs in [0, 9] {
        let refused = question.clone().with(Measure::Vcs, vcs).unwrap_err();
        assert_eq!(refused, QuestionError::Vcs { vcs, classes: 1 });
    }
}

/// Routes that are known are where the search begins; those that are too much, that end elsewhere, or that
/// wait in a cycle are not.
#[test]
fn known_routes_are_begun_with() {
    let kind = topology::find("mesh").unwrap();
    let mesh = kind.build(kind.sizes.of_keys(&["2x2"]).unwrap()).unwrap();
    let text =
        "source,destination,bandwidth\n0_0,1_1,0.5\n1_0,0_1,0.25\n1_1,0_0,0.5\n0_1,1_0,0.25\n";
    let flows = FlowList::parse(text).unwrap().on(&*mesh).unwrap();
    let question = Question::new(&*mesh, &flows, 1, 0).unwrap();
    let port = |name: &str| (0..4).map(Port).find(|&port| mesh.port_name(port) == name).unwrap();
    let routes = |first: &str| -> Vec<Route> {
        let all = question.demands.iter().enumerate().map(|(at, demand)| {
            let [from, to] = [demand.pair.0, demand.pair.1].map(|end| mesh.terminal_label(end));
            let x = if from.as_bytes()[0] < to.as_bytes()[0] { "x_plus" } else { "x_minus" };
            let y = if from.as_bytes()[2] < to.as_bytes()[2] { "y_plus" } else { "y_minus" };
            // Clockwise: each packet waits for the next.
            let by_x = match first {
                "x" => true,
                _ => (x == "x_plus") == (y == "y_plus"),
            };
            let ports = if by_x { [x, y] } else { [y, x] };
            question.route(at, &ports.map(port)).unwrap()
        });
        all.collect()
    };
    assert!(question.is_answered_by(&routes("x")));
    assert!(!question.is_answered_by(&routes("round")), "they wait in a circle");
    assert!(!question.is_answered_by(&routes("x")[..3]), "one is missing");
    let mut short = routes("x");
    short[0].channels.pop();
    assert!(!question.is_answered_by(&short), "one ends elsewhere");
    let bounded = question.clone().with(Measure::MaxLoad, 400_000_000).unwrap();
    assert!(!bounded.is_answered_by(&routes("x")), "a channel has 0.5");
    // Without a measure what is known is the answer.
    let known = [routes("round"), routes("x")];
    let found = design(&question, &[], &known, &Limits::default(), |_, _| {}).unwrap();
    let Outcome::Found { routes: found, .. } = found else { panic!("{found:?}") };
    assert_eq!(found, routes("x"));
}

/// A header holds routes of so many channels: those that are longer are no part of the question, and come
/// back with no measure that is found.
#[test]
fn routes_are_as_long_as_a_header_holds() {
    let kind = topology::find("mesh").unwrap();
    let mesh = kind.build(kind.sizes.of_keys(&["12x2"]).unwrap()).unwrap();
    let list = "source,destination,bandwidth\n0_0,11_0,0.5\n0_1,11_0,0.25\n";
    let flows = FlowList::parse(list).unwrap().on(&*mesh).unwrap();
    let longest = |question: &Question| question.reach.iter().map(|reach| reach.longest).max();
    // A hop takes 3 bits, and the virtual channel 1 to 3 more.
    let question = Question::new(&*mesh, &flows, 1, 8).unwrap();
    assert_eq!((longest(&question), question.most_channels()), (Some(20), None));
    let of_two = question.clone().with(Measure::Vcs, 2).unwrap();
    assert_eq!((longest(&of_two), of_two.most_channels()), (Some(16), Some(16)));
    let again = of_two.clone().with(Measure::Vcs, 1).unwrap();
    assert_eq!(
        longest(&again),
        Some(16),
        "what holds of routes of 16 channels need not of longer ones"
    );
    let refused = question.with(Measure::Vcs, 8).unwrap_err();
    assert_eq!(refused, QuestionError::Header { longest: 12, bits: 72 });
    let both = [Measure::Vcs, Measure::MaxLoad];
    let found = design(&of_two, &both, &[], &Limits::default(), |_, _| {}).unwrap();
    let Outcome::Found { routes, least, .. } = found else { panic!("{found:?}") };
    assert!(routes.iter().all(|route| route.channels.len() <= 16));
    assert!(least.iter().all(|least| least.is_proven()), "{least:?}");
}
