//! Measured runs.

mod common;

use common::{plan, plan_with};
use turnpike_hdl_gen::plan::FabricPlan;
use turnpike_sim::measure::{Phase, RunConfig, RunError, WarmUp, run};
use turnpike_sim::report::{Outcome, Report};
use turnpike_sim::traffic::pattern::PATTERNS;
use turnpike_sim::traffic::{Bernoulli, Trace, TrafficConfig};

fn measure(plan: &FabricPlan, traffic: &TrafficConfig, config: &RunConfig) -> Report {
    let mut traffic = Bernoulli::new(plan.topology().nodes(), traffic).unwrap();
    run(plan, &mut traffic, config, &mut |_| {}).unwrap()
}

fn short() -> RunConfig {
    RunConfig { measure: Some(2000), drain: 5000, ..RunConfig::default() }
}

/// What was released is delivered, in the network or at its source.
fn conserves(r: &Report) {
    assert_eq!(r.released_flits, r.injected_flits + r.source_backlog_flits);
    assert_eq!(r.injected_flits, r.delivered_flits + r.network_flits);
    let phases = r.warm_up_cycles + r.measured_cycles + r.drain_cycles + r.settle_cycles;
    assert_eq!(r.cycles, phases);
}

#[test]
fn every_pattern_runs_and_conserves_flits() {
    let plan = plan("rotation", 4);
    for kind in PATTERNS {
        for (self_addressed, packet_flits) in [(true, 1), (false, 5)] {
            let pattern = kind.name.to_owned();
            let traffic = TrafficConfig {
                pattern,
                load: 0.1,
                packet_flits,
                self_addressed,
                ..TrafficConfig::default()
            };
            let report = measure(&plan, &traffic, &short());
            conserves(&report);
            assert_eq!(report.outcome, Outcome::Drained, "{}", kind.name);
            assert!(!report.saturated, "{}", kind.name);
            assert_eq!(report.measured_packets, report.measured_delivered_packets);
            assert!((report.accepted_throughput - 0.1).abs() < 0.03, "{report:?}");
            let (all, network) = (report.latency.unwrap(), report.network_latency.unwrap());
            assert!(network.mean <= all.mean && all.p50 <= all.p95 && all.p95 <= all.p99);
            assert!(all.p99 <= all.max && all.mean <= all.max as f64);
        }
    }
}

/// At low load the mean is the zero-load latency over all pairs: half the dimension in hops.
#[test]
fn low_load_is_the_zero_load_latency() {
    let plan = plan("ecube", 6);
    let traffic = TrafficConfig { load: 0.002, ..TrafficConfig::default() };
    let config = RunConfig { measure: Some(50_000), ..RunConfig::default() };
    let report = measure(&plan, &traffic, &config);
    let expected = f64::from(plan.zero_load_latency(3));
    assert!((report.latency.unwrap().mean - expected).abs() < 0.1, "{report:?}");
    assert!((report.hops_per_flit.unwrap() - 3.0).abs() < 0.1);
}

#[test]
fn runs_repeat_and_seeds_differ() {
    let plan = plan("ecube", 5);
    let run = |seed| measure(&plan, &TrafficConfig { seed, ..TrafficConfig::default() }, &short());
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).latency, run(2).latency);
}

#[test]
fn saturation_ends_and_is_said() {
    let plan = plan("ecube", 6);
    let pattern = "transpose".to_owned();
    let traffic = TrafficConfig { pattern, load: 1.0, ..TrafficConfig::default() };
    let report = measure(&plan, &traffic, &short());
    conserves(&report);
    assert!(report.saturated);
    assert_eq!(report.outcome, Outcome::NotDrained);
    assert!(report.accepted_throughput < 0.5, "{report:?}");
    assert_eq!(report.largest_queue_flits, 4);
    // No room for the backlog.
    let few = RunConfig { most_packets: 1000, ..short() };
    let report = measure(&plan, &traffic, &few);
    assert_eq!(report.outcome, Outcome::PacketLimit);
    conserves(&report);
}

/// This one stops 13 nodes; 3 others go on for ever.
#[test]
fn a_deadlock_is_said() {
    let traffic = TrafficConfig { load: 1.0, packet_flits: 16, ..TrafficConfig::default() };
    let report = measure(&plan_with("rotation", 4, Some(1), 2), &traffic, &short());
    assert_eq!(report.outcome, Outcome::Deadlocked, "{report:?}");
    assert!(report.saturated && report.network_flits > 0);
    conserves(&report);
    let report = measure(&plan_with("rotation", 4, None, 2), &traffic, &short());
    assert_ne!(report.outcome, Outcome::Deadlocked);
}

#[test]
fn a_trace_runs_from_its_first_packet_to_its_last() {
    let text = "cycle,source,destination,flits\n10,0,7,1\n500,3,3,9\n";
    let mut trace = Trace::read(8, text.as_bytes()).unwrap();
    let plan = plan("ecube", 3);
    let report = run(&plan, &mut trace, &RunConfig::whole_trace(), &mut |_| {}).unwrap();
    conserves(&report);
    assert_eq!((report.released_packets, report.delivered_flits), (2, 10));
    let latency = report.latency.unwrap();
    // Three hops, and none but eight more flits.
    let expected = [u64::from(plan.zero_load_latency(3)), u64::from(plan.zero_load_latency(0)) + 8];
    assert_eq!(latency.max, *expected.iter().max().unwrap());
    assert_eq!(latency.mean, expected.iter().sum::<u64>() as f64 / 2.0);
    assert_eq!(report.outcome, Outcome::Drained);
}

#[test]
fn no_traffic_is_no_error() {
    let traffic = TrafficConfig { load: 0.0, ..TrafficConfig::default() };
    let report = measure(&plan("ecube", 2), &traffic, &short());
    assert_eq!((report.latency, report.outcome), (None, Outcome::Drained));
    assert_eq!(report.warm_up_steady, Some(true));
}

#[test]
fn traffic_for_another_network_is_refused() {
    let mut traffic = Bernoulli::new(8, &TrafficConfig::default()).unwrap();
    let error = run(&plan("ecube", 2), &mut traffic, &short(), &mut |_| {}).unwrap_err();
    assert_eq!(error, RunError::Nodes { traffic: 8, fabric: 4 });
}

#[test]
fn progress_goes_through_the_phases() {
    let mut traffic = Bernoulli::new(16, &TrafficConfig::default()).unwrap();
    let mut seen = Vec::new();
    let config = RunConfig { warm_up: WarmUp::Cycles(512), ..short() };
    run(&plan("ecube", 4), &mut traffic, &config, &mut |p| seen.push(p)).unwrap();
    assert_eq!(seen.iter().filter(|p| p.phase == Phase::WarmUp).count(), 2);
    assert_eq!(seen.iter().filter(|p| p.phase == Phase::Measure).count(), 7);
    assert!(seen.iter().all(|p| p.of.is_some_and(|of| p.cycles <= of)));
}

/// Every switch class and large cubes: the model takes whatever the plan has.
#[test]
fn a_large_cube_runs() {
    let plan = plan("rotation", 13);
    let traffic = TrafficConfig { load: 0.1, ..TrafficConfig::default() };
    let config = RunConfig {
        warm_up: WarmUp::Cycles(0),
        measure: Some(20),
        drain: 500,
        ..RunConfig::default()
    };
    let report = measure(&plan, &traffic, &config);
    assert_eq!(report.outcome, Outcome::Drained);
    conserves(&report);
}

#[test]
fn the_report_is_json_with_plain_names() {
    let report = measure(&plan("ecube", 2), &TrafficConfig::default(), &short());
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["outcome"], "drained");
    assert_eq!(json["traffic"]["seed"], 1);
    assert_eq!(json["traffic"]["self_addressed"], true);
    assert!(json["latency"]["p99"].is_u64());
}
