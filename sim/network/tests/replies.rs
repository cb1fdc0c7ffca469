//! Packets that are answered: what a reply does to a run, and what is said of it.

use crate::common::Samples;
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::{plan, plan_of, plan_with};
use turnpike_network::topology::Terminal;
use turnpike_sim_network::measure::{
    Recorded, Replies, RunConfig, RunError, Sample, WarmUp, WhenSaturated, observe, run,
};
use turnpike_sim_network::report::{Outcome, Report, RequestReply};
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::stimulus::{ReferenceModel, record};
use turnpike_sim_network::traffic::{Bernoulli, Ends, Trace, TrafficConfig, synthetic};

fn answered(flits: u32, room: Option<u32>) -> RunConfig {
    let replies = Some(Replies { room, ..Replies::of(flits) });
    RunConfig { measure: Some(5000), drain: 20_000, replies, ..RunConfig::default() }
}

fn measure(plan: &FabricPlan, traffic: &TrafficConfig, config: &RunConfig) -> Report {
    let mut traffic = Bernoulli::new(Ends::of(plan.topology()), traffic).unwrap();
    run(plan, &mut traffic, config, &mut |_| {}).unwrap()
}

fn found(report: &Report) -> &RequestReply {
    report.request_reply.as_ref().unwrap()
}

/// Requests and replies are all packets, and each flit is somewhere.
fn add_up(r: &Report) {
    let RequestReply { requests, replies, .. } = found(r);
    assert_eq!(requests.measured_packets + replies.measured_packets, r.measured_packets);
    let delivered = requests.measured_delivered_packets + replies.measured_delivered_packets;
    assert_eq!(delivered, r.measured_delivered_packets);
    assert_eq!(requests.measured_delivered_packets, replies.measured_packets);
    let offered = requests.offered_throughput + replies.offered_throughput;
    assert!((offered - r.offered_throughput).abs() < 1e-12);
    let accepted = requests.accepted_throughput + replies.accepted_throughput;
    assert!((accepted - r.accepted_throughput).abs() < 1e-12);
    assert_eq!(r.released_flits, r.injected_flits + r.source_backlog_flits);
    assert_eq!(r.injected_flits, r.delivered_flits + r.network_flits);
    let phases = r.warm_up_cycles + r.measured_cycles + r.drain_cycles + r.settle_cycles;
    assert_eq!(r.cycles, phases);
}

fn trace(plan: &FabricPlan, rows: &str, replies: Replies) -> (Report, Vec<Sample>) {
    let text = format!("cycle,source,destination,flits\n{rows}");
    let mut trace = Trace::read(plan.topology().nodes(), text.as_bytes()).unwrap();
    let config = RunConfig { replies: Some(replies), ..RunConfig::whole_trace() };
    let mut samples = Samples::default();
    let report = observe(plan, &mut trace, &config, &mut |_| {}, &mut samples).unwrap();
    (report, samples.0)
}

/// One request, alone: its reply is released in the cycle after its delivery, and goes back.
#[test]
fn a_request_alone_is_answered() {
    let plan = plan("ecube", 3);
    let (report, samples) = trace(&plan, "10,0,7,2\n", Replies::of(5));
    add_up(&report);
    let [request, reply] = samples[..] else { panic!("{samples:?}") };
    assert_eq!((request.source, request.destination, request.flits), (0, 7, 2));
    assert_eq!((reply.source, reply.destination, reply.flits), (7, 0, 5));
    assert_eq!(reply.released, request.delivered + 1);
    let hops = u64::from(plan.zero_load_latency(3));
    assert_eq!((request.latency(), reply.latency()), (hops + 1, hops + 4));
    let trips = found(&report).round_trip.unwrap();
    assert_eq!((trips.max, trips.mean), (2 * hops + 6, (2 * hops + 6) as f64));
    assert_eq!(found(&report).largest_reply_queue, 1);
    assert_eq!((report.outcome, report.verdict), (Outcome::Drained, None));
}

/// With message classes the reply goes on the class after that of its request, between the streams of that
/// class.
#[test]
fn a_reply_goes_on_the_class_after() {
    let plan = plan_of(
        "mesh 3x3 dimension-order for request:0_*>2_2,reply:2_2>0_*",
        Parameters::default(),
    );
    let topology = plan.topology();
    let number = |label: &str| {
        topology.all_terminals().find(|&end| topology.terminal_label(end) == label).unwrap().0
    };
    let [source, sink] = ["0_0_request", "2_2_request"].map(number);
    let text = format!("cycle,source,destination,flits\n10,{source},{sink},2\n");
    let mut trace = Trace::read(plan.topology().terminals(), text.as_bytes()).unwrap();
    let replies = Some(Replies::of(5));
    let config = RunConfig { replies, ..RunConfig::whole_trace() };
    let mut samples = Samples::default();
    let report = observe(&plan, &mut trace, &config, &mut |_| {}, &mut samples).unwrap();
    add_up(&report);
    let [request, reply] = samples.0[..] else { panic!("{:?}", samples.0) };
    let label = |terminal| plan.topology().terminal_label(Terminal(terminal));
    assert_eq!([request.source, request.destination].map(label), ["0_0_request", "2_2_request"]);
    assert_eq!([reply.source, reply.destination].map(label), ["2_2_reply", "0_0_reply"]);
    assert_eq!((reply.released, reply.flits), (request.delivered + 1, 5));
}

/// Terminals with room for one reply, long packets, at full load: with one class the mesh deadlocks, with two it
/// does not. Only requests are held back.
#[test]
fn room_for_a_reply_is_enough_with_classes() {
    let config = RunConfig { measure: Some(20_000), ..answered(16, Some(1)) };
    let packet_flits = "16".parse().unwrap();
    let traffic = TrafficConfig { load: 1.0, packet_flits, seed: 3, ..TrafficConfig::default() };
    let one = plan_of("mesh 3x3 dimension-order", Parameters::default());
    assert_eq!(measure(&one, &traffic, &config).outcome, Outcome::Deadlocked);
    let named = "mesh 3x3 dimension-order for request:*>*,reply:*>*";
    let two = plan_of(named, Parameters::default());
    let mut flows = synthetic(Ends::answering(two.topology()), &traffic).unwrap();
    let report = run(&two, &mut *flows, &config, &mut |_| {}).unwrap();
    assert_ne!(report.outcome, Outcome::Deadlocked);
    assert!(found(&report).replies.accepted_throughput > 0.1, "{report:?}");
    assert_eq!(found(&report).largest_reply_queue, 1);
    add_up(&report);
}

/// Without an order of classes nothing says which packets are replies.
#[test]
fn flows_without_an_order_are_not_answered() {
    for flows in ["*>*", "a:0_0>1_1"] {
        let plan = plan_of(&format!("mesh 2x2 dimension-order for {flows}"), Parameters::default());
        let ends = Ends::answering(plan.topology());
        let mut traffic = synthetic(ends, &TrafficConfig::default()).unwrap();
        let error = run(&plan, &mut *traffic, &answered(1, None), &mut |_| {}).unwrap_err();
        assert_eq!(error, RunError::NoClassAnswers, "{flows}");
    }
}

/// A terminal with much to send finishes the packet that it has begun, and then answers.
#[test]
fn replies_go_before_requests() {
    let plan = plan("ecube", 3);
    // Terminal 7 has five packets of 20 flits; what it is asked comes while it sends the first, from
    // terminal 1, which is nearer, before that from 0.
    let rows = "0,7,3,20\n".repeat(5) + "0,0,7,1\n1,1,7,1\n";
    let (report, samples) = trace(&plan, &rows, Replies::of(2));
    add_up(&report);
    let mut of_7: Vec<&Sample> = samples.iter().filter(|s| s.source == 7).collect();
    of_7.sort_by_key(|sample| sample.injected);
    let sent: Vec<(u32, u32)> = of_7.iter().map(|s| (s.destination, s.flits)).collect();
    assert_eq!(sent, [(3, 20), (1, 2), (0, 2), (3, 20), (3, 20), (3, 20), (3, 20)]);
}

/// The load is that of the requests; replies come on top, one for each, and a round trip is both and the
/// cycle between them.
#[test]
fn the_load_is_of_requests_and_replies_come_on_top() {
    let plan = plan("ecube", 4);
    let mut intervals = 0;
    for (load, lengths, flits) in [(0.15, "1", 1), (0.1, "2", 4), (0.1, "1:0.5,3:0.5", 2)] {
        let packet_flits = lengths.parse().unwrap();
        let traffic = TrafficConfig { load, packet_flits, seed: 3, ..TrafficConfig::default() };
        let config = RunConfig { measure: Some(40_000), ..answered(flits, None) };
        let report = measure(&plan, &traffic, &config);
        add_up(&report);
        let RequestReply { requests, replies, round_trip, round_trip_interval, .. } =
            found(&report);
        assert_eq!((report.outcome, report.verdict), (Outcome::Drained, Some(Stability::Steady)));
        assert_eq!(requests.measured_packets, replies.measured_delivered_packets);
        assert!((requests.offered_throughput - load).abs() < 0.01, "{report:?}");
        let packets = load / traffic.packet_flits.mean();
        let of_replies = packets * f64::from(flits);
        assert!((replies.accepted_throughput - of_replies).abs() < 0.02, "{report:?}");
        let mean = requests.latency.unwrap().mean + 1.0 + replies.latency.unwrap().mean;
        let trips = round_trip.unwrap();
        assert!((trips.mean - mean).abs() < 1e-9, "{trips:?}");
        let interval = round_trip_interval.unwrap();
        assert!(interval.low <= trips.mean && trips.mean <= interval.high);
        for part in [requests, replies] {
            let (latency, accepted) = (part.latency_interval, part.accepted_throughput_interval);
            let mean = part.latency.unwrap().mean;
            assert!(latency.is_none_or(|i| i.low <= mean && mean <= i.high), "{part:?}");
            let mean = part.accepted_throughput;
            assert!(accepted.is_none_or(|i| i.low <= mean && mean <= i.high), "{part:?}");
            intervals += u32::from(latency.is_some()) + u32::from(accepted.is_some());
        }
        // Lengths are those of the requests.
        let by_length = report.by_length.as_deref().unwrap_or_default();
        let packets: u64 = by_length.iter().map(|l| l.figures.measured_packets).sum();
        assert!(by_length.is_empty() || packets == requests.measured_packets);
    }
    // Each run is too short for a few of them.
    assert!(intervals >= 9, "{intervals} of 12");
}

/// A request that waits is the work of its reply too: where replies are long, a backlog of requests counts
/// little in flits, and what is delivered keeps up with what is released. Where both throughput and backlog
/// leave the replies to come out, the second case is not found; where the backlog does, the third.
#[test]
fn long_replies_saturate_for_all_to_see() {
    let plan = plan("ecube", 4);
    let verdict = |load: f64, flits: u32, when_saturated| {
        let traffic = TrafficConfig { load, ..TrafficConfig::default() };
        let config = RunConfig { measure: Some(20_000), when_saturated, ..answered(flits, None) };
        let report = measure(&plan, &traffic, &config);
        (report.verdict, report.outcome)
    };
    use WhenSaturated::{Drains, Stops};
    let saturated = Some(Stability::Saturated);
    for (load, flits) in [(0.2, 8), (0.01, 1000), (0.002, 10_000)] {
        assert_eq!(verdict(load, flits, Drains).0, saturated, "load {load}, replies of {flits}");
        assert_eq!(verdict(load, flits, Stops), (saturated, Outcome::Saturated));
    }
    assert_eq!(verdict(0.01, 8, Drains), (Some(Stability::Steady), Outcome::Drained));
}

/// Without replies nothing is said of them.
#[test]
fn without_replies_there_is_nothing_to_say() {
    let plan = plan("ecube", 3);
    let config = RunConfig { replies: None, ..answered(1, None) };
    assert_eq!(measure(&plan, &TrafficConfig::default(), &config).request_reply, None);
}

/// Above saturation, on short queues, over a network that needs its virtual channels: terminals that take
/// everything in do not deadlock, and those with room for one reply do, whatever the certificate.
#[test]
fn room_for_replies_deadlocks_as_that_for_acknowledgements() {
    let plan = plan_with("rotation", 4, None, 2);
    let traffic = TrafficConfig { load: 1.0, packet_flits: 4.into(), ..TrafficConfig::default() };
    let free = measure(&plan, &traffic, &answered(4, None));
    add_up(&free);
    assert_ne!(free.outcome, Outcome::Deadlocked);
    assert_eq!(free.verdict, Some(Stability::Saturated));
    let held = found(&free).largest_reply_queue;
    assert!(held > 1, "{free:?}");

    let stuck = measure(&plan, &traffic, &answered(4, Some(1)));
    add_up(&stuck);
    assert_eq!((stuck.outcome, stuck.verdict), (Outcome::Deadlocked, None));
    assert!(stuck.network_flits > 0);
    assert_eq!(found(&stuck).largest_reply_queue, 1);
    assert_eq!(found(&stuck).round_trip_interval, None);

    // As much room as they took is as good as no limit.
    let roomy = measure(&plan, &traffic, &answered(4, Some(held + 1)));
    let but_for_room = |mut report: Report| {
        report.request_reply.as_mut().unwrap().room = None;
        report
    };
    assert_eq!(but_for_room(roomy), but_for_room(free));

    // Under a light load little room is enough.
    let traffic = TrafficConfig { load: 0.05, ..traffic };
    let light = measure(&plan, &traffic, &answered(1, Some(2)));
    add_up(&light);
    assert_eq!(light.outcome, Outcome::Drained);
    assert!(found(&light).largest_reply_queue <= 2);
}

/// What was sent, as a stimulus, is the same run again, replies too, whatever the pipeline.
#[test]
fn the_record_gives_the_same_run() {
    for pipeline in [Pipeline::None, Pipeline::Grant, Pipeline::Output] {
        let parameters = Parameters { pipeline, ..Parameters::default() };
        let network = Arc::clone(plan("rotation", 3).network());
        let plan = FabricPlan::new(network, parameters, None).unwrap();
        for (load, flits) in [(0.1, 1), (0.2, 3), (1.0, 2)] {
            let traffic = TrafficConfig {
                load,
                packet_flits: "1:0.5,4:0.5".parse().unwrap(),
                ..TrafficConfig::default()
            };
            let mut traffic = Bernoulli::new(Ends::all(8), &traffic).unwrap();
            let config = RunConfig {
                warm_up: WarmUp::Cycles(50),
                measure: Some(500),
                drain: 300,
                ..answered(flits, None)
            };
            let mut nobody = Samples::default();
            let mut recorded = Recorded::new(&mut nobody);
            let report = observe(&plan, &mut traffic, &config, &mut |_| {}, &mut recorded).unwrap();
            let stimulus = recorded.stimulus(&plan, 1);
            let mut model = ReferenceModel::new(&plan, &stimulus).unwrap();
            let again = record(&mut model, &stimulus, report.cycles - report.settle_cycles);
            assert!(again.delivered > 300);
            if report.settle_cycles == 0 {
                assert_eq!(again.accepted, report.injected_flits);
                assert_eq!(again.delivered, report.delivered_flits);
                assert_eq!(model.reference().flit_hops(), report.flit_hops);
            }
        }
    }
}

/// Beside terminals that only send and such as only take, requests go between those that do both. What
/// others send goes one way: each request of the run is answered, and nothing else is.
#[test]
fn terminals_of_one_side_neither_ask_nor_answer() {
    let plan = plan_of("wired mixed shortest", Parameters::default());
    let topology = plan.topology();
    let answering = Ends::answering(topology);
    let labels = |terminals: &[u32]| -> Vec<String> {
        terminals.iter().map(|&terminal| topology.terminal_label(Terminal(terminal))).collect()
    };
    assert_eq!(labels(&answering.sources), ["x", "u"]);
    assert_eq!(answering.sinks, answering.sources);
    let asks = |terminal: u32| answering.sources.contains(&terminal);
    for (ends, one_way) in [(answering.clone(), false), (Ends::of(topology), true)] {
        let config = TrafficConfig { load: 0.1, ..TrafficConfig::default() };
        let mut traffic = Bernoulli::new(ends, &config).unwrap();
        let mut samples = Samples::default();
        let config = answered(3, None);
        let report = observe(&plan, &mut traffic, &config, &mut |_| {}, &mut samples).unwrap();
        assert_eq!(report.outcome, Outcome::Drained);
        let is_reply = |sample: &&Sample| sample.flits == 3;
        let asked =
            |sample: &&Sample| sample.flits == 1 && asks(sample.source) && asks(sample.destination);
        let replies = samples.0.iter().filter(is_reply).count();
        assert!(replies > 100, "{replies}");
        assert_eq!(replies, samples.0.iter().filter(asked).count());
        assert!(samples.0.iter().filter(is_reply).all(|s| asks(s.source) && asks(s.destination)));
        assert_eq!(samples.0.len() > 2 * replies, one_way);
    }
}

/// Where no terminal does both, nobody answers.
#[test]
fn one_way_networks_have_no_replies() {
    let plan = plan_of("wired gathered up-down", Parameters::default());
    let mut traffic = Bernoulli::new(Ends::of(plan.topology()), &TrafficConfig::default()).unwrap();
    let refused = run(&plan, &mut traffic, &answered(1, None), &mut |_| {});
    assert_eq!(refused, Err(RunError::NobodyAnswers));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let plan = plan("ecube", 3);
    for (replies, error) in [
        (Replies::of(0), RunError::ReplyFlits(0)),
        (Replies::of(1_048_577), RunError::ReplyFlits(1_048_577)),
        (Replies { room: Some(0), ..Replies::of(1) }, RunError::Room),
    ] {
        let mut traffic = Bernoulli::new(Ends::all(8), &TrafficConfig::default()).unwrap();
        let config = RunConfig { replies: Some(replies), ..RunConfig::default() };
        assert_eq!(run(&plan, &mut traffic, &config, &mut |_| {}), Err(error));
    }
}
