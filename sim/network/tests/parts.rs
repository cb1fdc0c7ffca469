//! Parts of the packets: what is said of each, and that together they are all of them.

use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::plan;
use turnpike_sim_network::measure::{Replies, RunConfig, run};
use turnpike_sim_network::report::{Outcome, PartReport, Report};
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::traffic::pattern::PATTERNS;
use turnpike_sim_network::traffic::{
    Bernoulli, Class, Ends, Release, Traffic, TrafficConfig, synthetic,
};

fn measure(plan: &FabricPlan, traffic: &TrafficConfig, config: &RunConfig) -> Report {
    let mut traffic = synthetic(Ends::of(plan.topology()), traffic).unwrap();
    run(plan, &mut *traffic, config, &mut |_| {}).unwrap()
}

fn of_cycles(cycles: u64) -> RunConfig {
    RunConfig { measure: Some(cycles), ..RunConfig::default() }
}

/// The figures of the parts add up to those of the whole.
fn make_up_the_whole(report: &Report, parts: &[&PartReport]) {
    let sum = |of: fn(&PartReport) -> u64| parts.iter().map(|part| of(part)).sum::<u64>();
    assert_eq!(sum(|part| part.measured_packets), report.measured_packets);
    assert_eq!(sum(|part| part.measured_delivered_packets), report.measured_delivered_packets);
    let sum = |of: fn(&PartReport) -> f64| parts.iter().map(|part| of(part)).sum::<f64>();
    assert!((sum(|part| part.offered_throughput) - report.offered_throughput).abs() < 1e-12);
    assert!((sum(|part| part.accepted_throughput) - report.accepted_throughput).abs() < 1e-12);
    let Some(whole) = report.latency else { return };
    let latency = |part: &&PartReport| {
        part.latency.map_or(0.0, |l| l.mean * part.measured_delivered_packets as f64)
    };
    let mean = parts.iter().map(latency).sum::<f64>() / report.measured_delivered_packets as f64;
    assert!((mean - whole.mean).abs() < 1e-9, "{mean}, not {}", whole.mean);
    assert_eq!(parts.iter().filter_map(|part| part.latency).map(|l| l.max).max(), Some(whole.max));
}

fn by_length(report: &Report) -> Vec<&PartReport> {
    report.by_length.iter().flatten().map(|length| &length.figures).collect()
}

/// Of every pattern, with and without bursts, each length has its share of the packets, and the load
/// stays one of flits.
#[test]
fn lengths_have_their_shares_and_the_load_is_in_flits() {
    let plan = plan("ecube", 4);
    for kind in PATTERNS {
        for burst_cycles in [None, Some(6.0)] {
            let traffic = TrafficConfig {
                pattern: kind.name.to_owned(),
                load: 0.1,
                packet_flits: "1:0.5,3:0.25,9:0.25".parse().unwrap(),
                burst_cycles,
                ..TrafficConfig::default()
            };
            let report = measure(&plan, &traffic, &of_cycles(20_000));
            assert_eq!(report.outcome, Outcome::Drained, "{}", kind.name);
            make_up_the_whole(&report, &by_length(&report));
            assert!((report.offered_throughput - 0.1).abs() < 0.015, "{}: {report:?}", kind.name);
            for length in report.by_length.iter().flatten() {
                let packets = length.figures.measured_packets as f64;
                let share = packets / report.measured_packets as f64;
                assert!((share - length.share).abs() < 0.03, "{}: {length:?}", kind.name);
            }
            let description = report.traffic;
            assert_eq!(description.packet_flits, None);
            assert_eq!(description.packet_lengths.as_deref(), Some("1:0.5,3:0.25,9:0.25"));
        }
    }
}

/// One length is what it was without lengths: the same packets, and no table.
#[test]
fn one_length_is_the_same_stream() {
    let released = |packet_flits: &str| {
        let packet_flits = packet_flits.parse().unwrap();
        let config = TrafficConfig { packet_flits, ..TrafficConfig::default() };
        let mut traffic = Bernoulli::new(Ends::all(16), &config).unwrap();
        let mut all: Vec<Release> = Vec::new();
        (0..1000).for_each(|cycle| traffic.release(cycle, &mut all));
        (all, traffic.description(), traffic.lengths().len())
    };
    assert_eq!(released("4"), released("4:1"));
    assert_eq!(released("4").2, 0);
    let plan = plan("ecube", 3);
    let traffic = TrafficConfig { packet_flits: 4.into(), ..TrafficConfig::default() };
    assert_eq!(measure(&plan, &traffic, &of_cycles(500)).by_length, None);
}

/// All routes of `bit-complement` have as many hops: where nobody waits, a packet of n flits takes
/// n - 1 cycles more than one of one flit.
#[test]
fn a_longer_packet_takes_its_flits_longer() {
    let plan = plan("ecube", 4);
    let traffic = TrafficConfig {
        pattern: "bit-complement".to_owned(),
        load: 0.001,
        packet_flits: "1:0.5,6:0.5".parse().unwrap(),
        ..TrafficConfig::default()
    };
    let report = measure(&plan, &traffic, &of_cycles(50_000));
    let zero_load = u64::from(plan.zero_load_latency(4));
    for length in report.by_length.iter().flatten() {
        let latency = length.figures.network_latency.unwrap();
        assert_eq!(latency.p50, zero_load + u64::from(length.flits) - 1, "{length:?}");
    }
}

/// Parts have intervals where the whole has a steady verdict, and where they have packets enough.
#[test]
fn parts_are_as_sure_as_the_run() {
    let plan = plan("ecube", 4);
    let traffic = |load, lengths: &str| TrafficConfig {
        load,
        packet_flits: lengths.parse().unwrap(),
        ..TrafficConfig::default()
    };
    let steady = measure(&plan, &traffic(0.2, "1:0.499,2:0.5,8:0.001"), &of_cycles(20_000));
    assert_eq!(steady.verdict, Some(Stability::Steady));
    for part in by_length(&steady) {
        let interval = part.latency_interval;
        assert_eq!(interval.is_some(), part.measured_packets > 512, "{part:?}");
        let mean = part.latency.unwrap().mean;
        assert!(interval.is_none_or(|i| i.low <= mean && mean <= i.high), "{part:?}");
        assert!(part.accepted_throughput_interval.is_none_or(|i| i.low <= i.high));
    }
    let saturated = measure(&plan, &traffic(1.0, "1:0.5,2:0.5"), &of_cycles(4000));
    assert_eq!(saturated.verdict, Some(Stability::Saturated));
    assert!(by_length(&saturated).iter().all(|part| part.latency_interval.is_none()));
    make_up_the_whole(&saturated, &by_length(&saturated));
}

fn class(name: &str, share: f64, pattern: &str, lengths: &str) -> Class {
    let (name, pattern) = (name.to_owned(), pattern.to_owned());
    Class { name, share, pattern, packet_flits: lengths.parse().unwrap() }
}

fn by_class(report: &Report) -> Vec<&PartReport> {
    report.classes.iter().flatten().map(|class| &class.figures).collect()
}

/// Each class offers its share of the load, and together they are all packets, answered or not.
#[test]
fn classes_make_up_the_whole() {
    let plan = plan("ecube", 4);
    let classes = vec![
        class("control", 0.2, "uniform", "1"),
        class("data", 0.5, "transpose", "1:0.5,4:0.5"),
        class("rest", 0.3, "hotspot", "2"),
    ];
    let traffic = TrafficConfig { load: 0.2, classes, ..TrafficConfig::default() };
    for burst_cycles in [None, Some(5.0)] {
        let traffic = TrafficConfig { burst_cycles, ..traffic.clone() };
        let report = measure(&plan, &traffic, &of_cycles(20_000));
        assert_eq!(report.outcome, Outcome::Drained);
        make_up_the_whole(&report, &by_class(&report));
        for class in report.classes.iter().flatten() {
            assert!((class.class.offered_load - 0.2 * class.class.share).abs() < 1e-12);
            let offered = class.figures.offered_throughput;
            assert!((offered - class.class.offered_load).abs() < 0.01, "{class:?}");
        }
        assert_eq!(report.by_length, None);
    }
    let replies = Some(Replies::of(2));
    let traffic = TrafficConfig { load: 0.1, ..traffic };
    let report = measure(&plan, &traffic, &RunConfig { replies, ..of_cycles(5000) });
    let requests = report.request_reply.as_ref().unwrap().requests.measured_packets;
    assert_eq!(by_class(&report).iter().map(|part| part.measured_packets).sum::<u64>(), requests);
}

/// Where nobody waits each class has the latency of its own hops and flits.
#[test]
fn a_class_has_the_latency_of_its_own_packets() {
    let plan = plan("ecube", 4);
    let classes =
        vec![class("far", 0.5, "bit-complement", "3"), class("near", 0.5, "neighbour", "1")];
    let traffic = TrafficConfig { load: 0.002, classes, ..TrafficConfig::default() };
    let report = measure(&plan, &traffic, &of_cycles(50_000));
    let [far, near] = by_class(&report)[..] else { panic!("two classes") };
    let median = |part: &PartReport| part.network_latency.unwrap().p50;
    assert_eq!(median(far), u64::from(plan.zero_load_latency(4)) + 2);
    // Half of the next addresses differ in one bit.
    assert!(median(near) <= u64::from(plan.zero_load_latency(2)), "{near:?}");
}

/// One class of all the load is as sure as the run, and its figures are the run's.
#[test]
fn one_class_is_the_whole() {
    let plan = plan("ecube", 4);
    let classes = vec![class("all", 1.0, "uniform", "2")];
    let traffic = TrafficConfig { load: 0.3, classes, ..TrafficConfig::default() };
    let report = measure(&plan, &traffic, &of_cycles(20_000));
    let [all] = by_class(&report)[..] else { panic!("a class") };
    assert_eq!((all.latency, all.network_latency), (report.latency, report.network_latency));
    assert_eq!(all.latency_interval, report.latency_interval);
    assert_eq!(all.accepted_throughput_interval, report.accepted_throughput_interval);
    assert_eq!(report.verdict, Some(Stability::Steady));
}
