//! Traffic as it is measured: the RTL runs what the reference router ran, cycle for cycle.

use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::{FABRICS, plan_deep};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::measure::RunError as MeasureError;
use turnpike_sim_network::measure::{Observer, Recorded, Replies, RunConfig, WarmUp, observe};
use turnpike_sim_network::report::Report;
use turnpike_sim_network::traffic::{Class, Ends, TrafficConfig, synthetic};

struct Nobody;

impl Observer for Nobody {}

fn short() -> RunConfig {
    RunConfig {
        warm_up: WarmUp::Cycles(100),
        measure: Some(400),
        drain: 500,
        ..RunConfig::default()
    }
}

/// Measures the traffic, and runs it on the RTL.
fn held(
    plan: &FabricPlan,
    traffic: &TrafficConfig,
    config: &RunConfig,
) -> Result<Report, MeasureError> {
    let mut traffic = synthetic(Ends::of(plan.topology()), traffic).unwrap();
    let mut nobody = Nobody;
    let mut recorded = Recorded::new(&mut nobody);
    let report = observe(plan, &mut *traffic, config, &mut |_| {}, &mut recorded)?;
    let stimulus = Arc::new(recorded.stimulus(plan, 1));
    let cycles = report.cycles - report.settle_cycles;
    let circuit = FabricDut::new(plan).unwrap();
    let recording = run_fabric(circuit, plan, &stimulus, Until::Cycle(cycles), None);
    let recording = recording.unwrap_or_else(|e| panic!("{}: {e}", plan.name));
    if report.settle_cycles == 0 {
        assert_eq!(recording.accepted, report.injected_flits, "{}", plan.name);
        assert_eq!(recording.delivered, report.delivered_flits, "{}", plan.name);
    }
    Ok(report)
}

#[test]
fn packets_of_several_lengths() {
    for fabric in FABRICS {
        let plan = plan_deep(fabric, 4);
        for burst_cycles in [None, Some(5.0)] {
            let traffic = TrafficConfig {
                load: 0.5,
                packet_flits: "1:0.6,3:0.3,17:0.1".parse().unwrap(),
                burst_cycles,
                ..TrafficConfig::default()
            };
            let report = held(&plan, &traffic, &short()).unwrap();
            let lengths = report.by_length.unwrap();
            assert!(lengths.iter().all(|length| length.figures.measured_packets > 0), "{fabric}");
        }
    }
}

/// Replies of more flits than a queue has places, to requests of several lengths, below saturation and
/// far above it.
#[test]
fn requests_and_replies() {
    for fabric in FABRICS {
        let plan = plan_deep(fabric, 4);
        for (load, flits) in [(0.1, 5), (0.9, 1)] {
            let traffic = TrafficConfig {
                load,
                packet_flits: "1:0.5,6:0.5".parse().unwrap(),
                ..TrafficConfig::default()
            };
            let replies = Some(Replies::of(flits));
            let report = held(&plan, &traffic, &RunConfig { replies, ..short() });
            // One terminal that does both is enough.
            let topology = plan.topology();
            if !topology.sources().any(|terminal| topology.sink(terminal).is_some()) {
                assert!(matches!(report, Err(MeasureError::NobodyAnswers)), "{fabric}");
                continue;
            }
            let found = report.unwrap().request_reply.unwrap();
            assert!(found.replies.measured_delivered_packets > 0, "{fabric}: {found:?}");
        }
    }
}

/// Classes of unlike patterns and lengths, with bursts, and answered where terminals can be.
#[test]
fn several_classes() {
    let class = |name: &str, share, pattern: &str, lengths: &str| {
        let (name, pattern) = (name.to_owned(), pattern.to_owned());
        Class { name, share, pattern, packet_flits: lengths.parse().unwrap() }
    };
    for fabric in FABRICS {
        let plan = plan_deep(fabric, 4);
        let classes =
            vec![class("a", 0.3, "uniform", "1"), class("b", 0.7, "all-pairs", "2:0.5,9:0.5")];
        for burst_cycles in [None, Some(5.0)] {
            let traffic = TrafficConfig {
                load: 0.4,
                classes: classes.clone(),
                burst_cycles,
                ..TrafficConfig::default()
            };
            let can_answer = plan.topology().sources().eq(plan.topology().sinks());
            let outstanding = burst_cycles.map(|_| 2);
            let replies = can_answer.then_some(Replies { outstanding, ..Replies::of(2) });
            let report = held(&plan, &traffic, &RunConfig { replies, ..short() }).unwrap();
            let classes = report.classes.unwrap();
            assert!(classes.iter().all(|class| class.figures.measured_packets > 0), "{fabric}");
        }
    }
}
