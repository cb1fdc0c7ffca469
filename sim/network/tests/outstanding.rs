//! Requests that wait for replies before others are released: closed-loop traffic.

use crate::common::Samples;
use std::collections::BTreeMap;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::testing::{plan, plan_for, plan_of, plan_with};
use turnpike_network::topology::Terminal;
use turnpike_sim_network::measure::{Replies, RunConfig, RunError, Sample, WarmUp, observe, run};
use turnpike_sim_network::report::{Outcome, Report};
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::traffic::{Class, Ends, Trace, TrafficConfig, synthetic};

/// Flits of a reply here: requests are shorter, by which samples are told apart.
const REPLY: u32 = 7;

fn limited(most: u32) -> Replies {
    Replies { outstanding: Some(most), ..Replies::of(REPLY) }
}

fn measure(plan: &FabricPlan, traffic: &TrafficConfig, replies: Replies) -> (Report, Samples) {
    let mut traffic = synthetic(Ends::answering(plan.topology()), traffic).unwrap();
    let config = RunConfig {
        warm_up: WarmUp::Cycles(0),
        measure: Some(3000),
        replies: Some(replies),
        ..RunConfig::default()
    };
    let mut samples = Samples::default();
    let report = observe(plan, &mut *traffic, &config, &mut |_| {}, &mut samples).unwrap();
    (report, samples)
}

/// Cycles in which the requests of each terminal were released, and those in which replies to it came, ascending.
fn asked_and_answered(samples: &Samples) -> BTreeMap<u32, [Vec<u64>; 2]> {
    let mut found: BTreeMap<u32, [Vec<u64>; 2]> = BTreeMap::new();
    for sample in &samples.0 {
        match sample.flits == REPLY {
            true => found.entry(sample.destination).or_default()[1].push(sample.delivered),
            false => found.entry(sample.source).or_default()[0].push(sample.released),
        }
    }
    found.values_mut().flatten().for_each(|cycles| cycles.sort_unstable());
    found
}

fn class(name: &str, share: f64, flits: u32) -> Class {
    let (name, pattern) = (name.to_owned(), "uniform".to_owned());
    Class { name, share, pattern, packet_flits: flits.into() }
}

fn full() -> TrafficConfig {
    TrafficConfig { load: 1.0, ..TrafficConfig::default() }
}

/// A terminal that may have one request under way, and always has another to release, releases it in the
/// cycle after the one in which the reply came.
#[test]
fn one_at_a_time_takes_turns() {
    let (report, samples) = measure(&plan("rotation", 3), &full(), limited(1));
    assert_eq!(report.outcome, Outcome::Drained);
    assert_ne!(report.verdict, Some(Stability::Saturated));
    let found = asked_and_answered(&samples);
    assert_eq!(found.len(), 8);
    for [asked, answered] in found.into_values() {
        assert_eq!((asked[0], asked.len()), (0, answered.len()));
        assert!(asked[1..].iter().zip(&answered).all(|(asked, answered)| *asked == answered + 1));
    }
}

/// At no time are more under way than may be, whatever the traffic, and as many are.
#[test]
fn no_more_are_under_way() {
    let cube = plan("ecube", 3);
    for traffic in [
        full(),
        TrafficConfig { packet_flits: "1:0.5,4:0.5".parse().unwrap(), ..full() },
        TrafficConfig { burst_cycles: Some(20.0), load: 0.5, ..full() },
        TrafficConfig { pattern: "all-pairs".to_owned(), ..full() },
        TrafficConfig { classes: vec![class("a", 0.5, 1), class("b", 0.5, 2)], ..full() },
    ] {
        for most in [1, 2, 5] {
            let (report, samples) = measure(&cube, &traffic, limited(most));
            assert_eq!(report.outcome, Outcome::Drained, "{traffic:?}");
            for [asked, answered] in asked_and_answered(&samples).into_values() {
                let under_way = |(before, cycle): (usize, &u64)| {
                    before + 1 - answered.iter().filter(|&came| came < cycle).count()
                };
                let largest = asked.iter().enumerate().map(under_way).max().unwrap();
                assert_eq!(largest, most as usize, "{traffic:?}");
            }
        }
    }
}

/// What several classes draw in one cycle, where fewer may go, goes next: their shares stay.
#[test]
fn classes_keep_their_shares() {
    let plan = plan("ecube", 3);
    for (share, most) in [(0.5, 1), (0.9, 1), (0.1, 1), (0.9, 4)] {
        let classes = vec![class("a", share, 1), class("b", 1.0 - share, 1)];
        let (report, _) = measure(&plan, &TrafficConfig { classes, ..full() }, limited(most));
        let of_class = |at: usize| report.classes.as_ref().unwrap()[at].figures.measured_packets;
        let [a, b] = [of_class(0), of_class(1)].map(|packets| packets as f64);
        assert!((a / (a + b) - share).abs() < 0.03, "{share} of {most}: {a} and {b}");
    }
}

/// Little's law: N requests under way at all times, each from its release to the cycle after its reply.
#[test]
fn as_many_are_under_way_as_may_be() {
    let plan = plan("rotation", 4);
    for most in [1, 4, 8] {
        let mut traffic = synthetic(Ends::answering(plan.topology()), &full()).unwrap();
        let config = RunConfig {
            measure: Some(40_000),
            replies: Some(limited(most)),
            ..RunConfig::default()
        };
        let report = run(&plan, &mut *traffic, &config, &mut |_| {}).unwrap();
        let found = report.request_reply.as_ref().unwrap();
        assert_eq!(found.outstanding, Some(most));
        // Requests of one flit.
        let rate = found.requests.offered_throughput;
        let under_way = rate * (found.round_trip.unwrap().mean + 1.0);
        assert!((under_way / f64::from(most) - 1.0).abs() < 0.02, "{most}: {under_way}");
    }
}

/// What is not drawn is not skipped: a terminal that sends to each in turn goes on with the next.
#[test]
fn turns_are_kept_while_a_terminal_waits() {
    let traffic = TrafficConfig { pattern: "all-pairs".to_owned(), ..full() };
    let (_, mut samples) = measure(&plan("ecube", 3), &traffic, limited(1));
    samples.0.retain(|sample| sample.flits != REPLY);
    samples.0.sort_by_key(|sample| (sample.source, sample.released));
    for own in samples.0.chunk_by(|one, other| one.source == other.source) {
        assert!(own.len() > 50);
        let turns = own.windows(2).all(|two| two[1].destination == (two[0].destination + 1) % 8);
        assert!(turns, "{own:?}");
    }
}

/// Packets that nobody answers are no requests: a terminal that only sends goes on, and one that waits for a
/// reply holds back all that it sends.
#[test]
fn packets_that_go_one_way_are_not_counted() {
    let plan = plan_of("wired mixed shortest", Parameters::default());
    let topology = plan.topology();
    let askers = Ends::answering(topology).sources;
    let traffic = TrafficConfig { load: 0.2, ..TrafficConfig::default() };
    let mut traffic = synthetic(Ends::of(topology), &traffic).unwrap();
    let config = RunConfig {
        warm_up: WarmUp::Cycles(0),
        measure: Some(3000),
        replies: Some(limited(1)),
        ..RunConfig::default()
    };
    let mut samples = Samples::default();
    let report = observe(&plan, &mut *traffic, &config, &mut |_| {}, &mut samples).unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    let (asking, one_way): (Vec<Sample>, Vec<Sample>) =
        samples.0.iter().copied().partition(|sample| askers.contains(&sample.source));
    // Those that only send offer what they were asked to: 0.2 flits in a cycle.
    let others = topology.sources().count() - askers.len();
    let rate = one_way.len() as f64 / (3000 * others) as f64;
    assert!(others > 0 && (rate - 0.2).abs() < 0.03, "{rate} of {others}");
    let is_request = |sample: &&Sample| askers.contains(&sample.destination);
    let requests = asking.iter().filter(|sample| sample.flits != REPLY).filter(is_request);
    let answered = asked_and_answered(&samples);
    for request in requests {
        // No packet of its terminal is released before the reply has come.
        let [_, came] = &answered[&request.source];
        let reply = *came.iter().find(|&&came| came > request.released).unwrap();
        let between = |sample: &&Sample| {
            sample.flits != REPLY
                && sample.source == request.source
                && (request.released + 1..=reply).contains(&sample.released)
        };
        assert_eq!(asking.iter().find(between), None);
    }
}

/// A limit that is never reached changes nothing.
#[test]
fn a_wide_limit_is_none() {
    let plan = plan("rotation", 3);
    let traffic = TrafficConfig { load: 0.05, ..TrafficConfig::default() };
    let (mut wide, samples) = measure(&plan, &traffic, limited(1000));
    wide.request_reply.as_mut().unwrap().outstanding = None;
    let (free, all) = measure(&plan, &traffic, Replies::of(REPLY));
    assert_eq!((wide, samples.0), (free, all.0));
}

/// Terminals with room for all requests that may be under way do not deadlock, where with room for one they
/// do.
#[test]
fn room_for_all_that_are_under_way_does_not_deadlock() {
    let plan = plan_with("rotation", 4, None, 2);
    let traffic = TrafficConfig { packet_flits: 4.into(), ..full() };
    for (room, outcome) in [(1, Outcome::Deadlocked), (16, Outcome::Drained)] {
        let replies = Replies { room: Some(room), ..limited(1) };
        assert_eq!(measure(&plan, &traffic, replies).0.outcome, outcome, "{room}");
    }
}

/// With message classes the limit is that of the stream that asks, whose replies come to another of its
/// terminal.
#[test]
fn replies_of_another_class_let_requests_go() {
    let flows = "class ask\nclass reply after ask\nsource,destination,class\n*,*,ask\n*,*,reply\n";
    let plan = plan_for("hypercube 2 ecube", flows, Parameters::default());
    let topology = plan.topology();
    assert_eq!(topology.terminals(), 8);
    let (report, mut samples) = measure(&plan, &full(), limited(1));
    assert_eq!(report.outcome, Outcome::Drained);
    for sample in &mut samples.0 {
        let address = |stream| topology.address(Terminal(stream)).0;
        (sample.source, sample.destination) = (address(sample.source), address(sample.destination));
    }
    for [asked, answered] in asked_and_answered(&samples).into_values() {
        assert!(asked.len() > 50 && asked.len() == answered.len());
        assert!(asked[1..].iter().zip(&answered).all(|(asked, answered)| asked > answered));
    }
}

#[test]
fn what_cannot_wait_is_refused() {
    let plan = plan("ecube", 3);
    let config = |most| RunConfig { replies: Some(limited(most)), ..RunConfig::whole_trace() };
    let text = "cycle,source,destination,flits\n0,0,7,1\n";
    let mut trace = Trace::read(8, text.as_bytes()).unwrap();
    assert_eq!(run(&plan, &mut trace, &config(1), &mut |_| {}), Err(RunError::Fixed));
    let mut traffic = synthetic(Ends::all(8), &TrafficConfig::default()).unwrap();
    assert_eq!(run(&plan, &mut *traffic, &config(0), &mut |_| {}), Err(RunError::Outstanding));
}
