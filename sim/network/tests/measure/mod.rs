//! Measured runs.

mod traces;

use rayon::ThreadPoolBuilder;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::{plan, plan_deep, plan_with};
use turnpike_sim_network::measure::{Phase, RunConfig, RunError, WarmUp, WhenSaturated, run};
use turnpike_sim_network::report::{Outcome, Report};
use turnpike_sim_network::statistics::Stability;
use turnpike_sim_network::traffic::pattern::PATTERNS;
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

fn measure(plan: &FabricPlan, traffic: &TrafficConfig, config: &RunConfig) -> Report {
    let mut traffic = Bernoulli::new(Ends::of(plan.topology()), traffic).unwrap();
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
                packet_flits: packet_flits.into(),
                self_addressed,
                ..TrafficConfig::default()
            };
            let report = measure(&plan, &traffic, &short());
            conserves(&report);
            assert_eq!(report.outcome, Outcome::Drained, "{}", kind.name);
            assert_ne!(report.verdict, Some(Stability::Saturated), "{}", kind.name);
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

/// Permutations wait in a fat tree no longer than where BookSim draws the ports up (docs/adaptive.md, Fat
/// trees): packets that choose take them in turn, and crowd no roots.
#[test]
fn permutations_crowd_no_roots_of_a_fat_tree() {
    // At loads of 0.3 and 0.5; BookSim's figure, and a twentieth for chance.
    let booksim =
        [("bit-reversal", [0.65, 2.43]), ("transpose", [0.61, 2.28]), ("shuffle", [0.67, 3.12])];
    for routing in ["adaptive", "random-up"] {
        let plan = plan_deep(&format!("fat-tree 4_3 {routing}"), 8);
        for (pattern, waits) in booksim {
            for (load, wait) in [0.3, 0.5].into_iter().zip(waits) {
                let pattern = pattern.to_owned();
                let traffic = TrafficConfig { pattern, load, ..TrafficConfig::default() };
                let report = measure(&plan, &traffic, &RunConfig::default());
                let waited = report.latency.unwrap().mean - 1.0 - report.hops_per_flit.unwrap();
                assert!(waited < 1.05 * wait, "{routing} {:?}: {waited}", report.traffic);
                if routing == "adaptive" {
                    assert!(waited < 0.6 * wait, "{:?}: {waited}", report.traffic);
                }
            }
        }
    }
}

/// A run that cannot tell says how long one would be that can, and one that may go on does.
#[test]
fn undecided_runs_say_what_is_enough_or_go_on() {
    let plan = plan("ecube", 4);
    let traffic =
        |load, burst_cycles| TrafficConfig { load, burst_cycles, ..TrafficConfig::default() };
    for traffic in [traffic(0.6, None), traffic(0.1, Some(50.0))] {
        let of = |cycles, until_told| {
            let config = RunConfig { measure: Some(cycles), until_told, ..RunConfig::default() };
            measure(&plan, &traffic, &config)
        };
        let short = of(3000, None);
        assert_eq!(short.verdict, Some(Stability::Undecided));
        // A guess from few cycles may have to be made again.
        let (mut run, mut guesses) = (short, 0);
        while let Some(enough) = run.enough_cycles {
            assert!(enough > run.measured_cycles && enough < 2_000_000 && guesses < 3, "{run:?}");
            run = of(enough, None);
            guesses += 1;
        }
        assert_eq!(run.verdict, Some(Stability::Steady));
        assert!(run.latency_interval.is_some());
        // Twice as long, and again, but no longer than may be.
        let on = of(3000, Some(3000 << 10));
        assert_eq!(on.verdict, Some(Stability::Steady));
        assert!(on.measured_cycles > 3000 && (on.measured_cycles / 3000).is_power_of_two());
        assert_eq!(of(3000, Some(5000)).measured_cycles, 5000);
        conserves(&on);
    }
}

#[test]
fn runs_repeat_and_seeds_differ() {
    let plan = plan("ecube", 5);
    let run = |seed| measure(&plan, &TrafficConfig { seed, ..TrafficConfig::default() }, &short());
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).latency, run(2).latency);
}

/// A cube, and traffic that saturates it.
fn crowded() -> (FabricPlan, TrafficConfig) {
    let pattern = "transpose".to_owned();
    let traffic = TrafficConfig { pattern, load: 1.0, ..TrafficConfig::default() };
    (plan("ecube", 6), traffic)
}

#[test]
fn saturation_ends_and_is_said() {
    let (plan, traffic) = crowded();
    let report = measure(&plan, &traffic, &short());
    conserves(&report);
    assert_eq!(report.verdict, Some(Stability::Saturated));
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
    let traffic = TrafficConfig { load: 1.0, packet_flits: 16.into(), ..TrafficConfig::default() };
    let report = measure(&plan_with("rotation", 4, Some(1), 2), &traffic, &short());
    assert_eq!(report.outcome, Outcome::Deadlocked, "{report:?}");
    assert!(report.verdict.is_none() && report.network_flits > 0);
    conserves(&report);
    let report = measure(&plan_with("rotation", 4, None, 2), &traffic, &short());
    assert_ne!(report.outcome, Outcome::Deadlocked);
}

/// The load at which queues grow without end is said to be that, however long the run.
#[test]
fn growth_without_end_is_saturation() {
    let plan = plan("rotation", 4);
    let traffic = TrafficConfig { load: 0.7, packet_flits: 4.into(), ..TrafficConfig::default() };
    for cycles in [5_000, 40_000, 160_000] {
        let config = RunConfig { measure: Some(cycles), ..RunConfig::default() };
        let report = measure(&plan, &traffic, &config);
        assert_eq!(report.verdict, Some(Stability::Saturated), "{cycles}");
        assert!(report.latency_interval.is_none() && report.network_latency_interval.is_none());
        let accepted = report.accepted_throughput;
        assert!(accepted < 0.98 * report.offered_throughput, "{accepted}");
        let within = report.accepted_throughput_interval;
        assert!(within.is_none_or(|i| i.low <= accepted && accepted <= i.high), "{within:?}");
    }
}

/// The intervals of one run in 20 should miss; those of seeds are held to the mean over all.
#[test]
fn intervals_of_a_steady_network_agree_over_seeds() {
    let plan = plan("rotation", 4);
    let config = RunConfig::default();
    let runs: Vec<Report> = (1..=40)
        .map(|seed| {
            let traffic = TrafficConfig { load: 0.3, seed, ..TrafficConfig::default() };
            measure(&plan, &traffic, &config)
        })
        .collect();
    let steady: Vec<_> = runs.iter().filter(|r| r.verdict == Some(Stability::Steady)).collect();
    assert!(steady.len() >= 24, "{} of 40", steady.len());
    let latency = runs.iter().map(|r| r.latency.unwrap().mean).sum::<f64>() / 40.0;
    let network = runs.iter().map(|r| r.network_latency.unwrap().mean).sum::<f64>() / 40.0;
    for (truth, interval) in [
        (latency, (|r| r.latency_interval) as fn(&Report) -> _),
        (network, |r| r.network_latency_interval),
        (0.3, |r| r.accepted_throughput_interval),
    ] {
        let within = |r: &&&Report| interval(r).is_some_and(|i| i.low <= truth && truth <= i.high);
        let (covered, of) = (steady.iter().filter(within).count(), steady.len());
        println!("{truth:.4} within {covered} of {of}");
        assert!(covered * 100 >= of * 85, "{truth}: {covered} of {of}");
    }
}

#[test]
fn no_traffic_is_no_error() {
    let traffic = TrafficConfig { load: 0.0, ..TrafficConfig::default() };
    let report = measure(&plan("ecube", 2), &traffic, &short());
    assert_eq!((report.latency, report.outcome), (None, Outcome::Drained));
    assert_eq!((report.warm_up_found, report.verdict), (Some(true), Some(Stability::Steady)));
}

#[test]
fn traffic_for_another_network_is_refused() {
    let mut traffic = Bernoulli::new(Ends::all(8), &TrafficConfig::default()).unwrap();
    let error = run(&plan("ecube", 2), &mut traffic, &short(), &mut |_| {}).unwrap_err();
    assert_eq!(error, RunError::Nodes { traffic: 8, fabric: 4 });
}

#[test]
fn progress_goes_through_the_phases() {
    let mut traffic = Bernoulli::new(Ends::all(16), &TrafficConfig::default()).unwrap();
    let mut seen = Vec::new();
    let config = RunConfig { warm_up: WarmUp::Cycles(512), ..short() };
    run(&plan("ecube", 4), &mut traffic, &config, &mut |p| seen.push(p)).unwrap();
    assert_eq!(seen.iter().filter(|p| p.phase == Phase::WarmUp).count(), 2);
    assert_eq!(seen.iter().filter(|p| p.phase == Phase::Measure).count(), 7);
    assert!(seen.iter().all(|p| p.of.is_some_and(|of| p.cycles <= of)));
}

/// Large cubes, by one thread and by several.
#[test]
fn a_large_cube_runs() {
    let threads = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for (routing, k, load) in [("rotation", 14, 0.2), ("ecube", 14, 0.9)] {
        let plan = plan(routing, k);
        let traffic = TrafficConfig { load, ..TrafficConfig::default() };
        let config =
            RunConfig { warm_up: WarmUp::Cycles(0), measure: Some(20), ..RunConfig::default() };
        let report = measure(&plan, &traffic, &config);
        assert_eq!(report.outcome, Outcome::Drained);
        conserves(&report);
        let config = RunConfig { all_cores: true, ..config };
        let shared = threads.install(|| measure(&plan, &traffic, &config));
        assert_eq!(shared, report, "{routing} {k}");
    }
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

/// What is saturated is not drained, where that is asked for: it ends with its measurement, and nothing that was
/// measured is changed. What is not saturated runs on as ever.
#[test]
fn saturated_runs_are_not_drained_where_that_is_asked_for() {
    let (plan, traffic) = crowded();
    let asked = RunConfig { when_saturated: WhenSaturated::Ends, ..short() };
    let (report, whole) = (measure(&plan, &traffic, &asked), measure(&plan, &traffic, &short()));
    conserves(&report);
    assert_eq!((report.outcome, report.drain_cycles), (Outcome::NotDrained, 0));
    assert!(report.settle_cycles == 0 && report.network_flits > 0 && whole.drain_cycles > 1000);
    assert_eq!((report.verdict, report.measured_cycles), (whole.verdict, whole.measured_cycles));
    assert_eq!(report.accepted_throughput, whole.accepted_throughput);
    assert_eq!(report.measured_packets, whole.measured_packets);
    let light = TrafficConfig { load: 0.1, ..traffic };
    assert_eq!(measure(&plan, &light, &asked), measure(&plan, &light, &short()));
}

/// What is saturated is stopped, and what is not runs on as if nobody had looked.
#[test]
fn saturated_runs_stop_where_that_is_asked_for() {
    let (plan, traffic) = crowded();
    let asked = RunConfig { when_saturated: WhenSaturated::Stops, ..short() };
    let report = measure(&plan, &traffic, &asked);
    conserves(&report);
    assert_eq!(report.outcome, Outcome::Saturated);
    assert_eq!(report.verdict, Some(Stability::Saturated));
    assert!([250, 500, 1000, 2000].contains(&report.measured_cycles), "{report:?}");
    assert_eq!((report.drain_cycles, report.settle_cycles), (0, 0));
    let whole = measure(&plan, &traffic, &short()).accepted_throughput;
    assert!((report.accepted_throughput - whole).abs() < 0.02, "{whole} {report:?}");
    let light = TrafficConfig { load: 0.1, ..traffic };
    assert_eq!(measure(&plan, &light, &asked), measure(&plan, &light, &short()));
}

/// Near the load at which the network saturates a run that is looked at has the verdict of the whole
/// run, but for one in twenty: there is no bias towards *saturated*.
#[test]
fn looks_do_not_make_a_run_saturated() {
    let plan = plan("ecube", 3);
    let whole = RunConfig { measure: Some(10_000), ..RunConfig::default() };
    let looked_at = RunConfig { when_saturated: WhenSaturated::Stops, ..whole };
    let (mut unlike, mut saturated) = (0, 0);
    for seed in 1..=60 {
        let traffic = TrafficConfig { load: 0.83, seed, ..TrafficConfig::default() };
        let is = |config| measure(&plan, &traffic, config).verdict == Some(Stability::Saturated);
        let of_all = is(&whole);
        saturated += u32::from(of_all);
        unlike += u32::from(is(&looked_at) != of_all);
    }
    assert!((1..60).contains(&saturated) && unlike <= 3, "{saturated} saturated, {unlike} unlike");
}
