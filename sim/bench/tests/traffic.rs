//! Traffic as it is measured: the RTL runs what the reference router ran, cycle for cycle.

use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::testing::{FABRICS, plan_deep};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::measure::{RunConfig, WarmUp, run};
use turnpike_sim_network::report::Report;
use turnpike_sim_network::traffic::{Bernoulli, Ends, Recorded, TrafficConfig};

fn short() -> RunConfig {
    RunConfig {
        warm_up: WarmUp::Cycles(100),
        measure: Some(400),
        drain: 500,
        ..RunConfig::default()
    }
}

/// Measures the traffic, and runs it on the RTL.
fn held(plan: &FabricPlan, traffic: &TrafficConfig, config: &RunConfig) -> Report {
    let mut traffic = Bernoulli::new(Ends::of(plan.topology()), traffic).unwrap();
    let mut recorded = Recorded::new(&mut traffic);
    let report = run(plan, &mut recorded, config, &mut |_| {}).unwrap();
    let stimulus = Arc::new(recorded.stimulus(plan, 1));
    let cycles = report.cycles - report.settle_cycles;
    let circuit = FabricDut::new(plan).unwrap();
    let recording = run_fabric(circuit, plan, &stimulus, Until::Cycle(cycles), None);
    let recording = recording.unwrap_or_else(|e| panic!("{}: {e}", plan.name));
    if report.settle_cycles == 0 {
        assert_eq!(recording.accepted, report.injected_flits, "{}", plan.name);
        assert_eq!(recording.delivered, report.delivered_flits, "{}", plan.name);
    }
    report
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
            let report = held(&plan, &traffic, &short());
            let lengths = report.by_length.unwrap();
            assert!(lengths.iter().all(|length| length.figures.measured_packets > 0), "{fabric}");
        }
    }
}
