//! Adaptive fabrics: the RTL against the reference router cycle for cycle, no deadlock with long
//! packets at saturation, and what stands between them and deadlock.

use std::sync::Arc;
use turnpike_fabric::testing::{ADAPTIVE_FABRICS, plan_deep};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_bench::verify::starvation::saturate;
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_network::traffic::{Bernoulli, Ends, FlowTraffic, Traffic, TrafficConfig};

/// Every output of every cycle: packets of one flit, of four times the depth, with back-pressure
/// and without.
#[test]
fn the_rtl_is_the_reference_router() {
    for &fabric in ADAPTIVE_FABRICS {
        for (flits, depth, pauses) in [(1, 4, 0.0), (16, 4, 0.3), (8, 2, 0.0)] {
            let plan = plan_deep(fabric, depth);
            let config =
                TrafficConfig { load: 0.9, packet_flits: flits.into(), ..Default::default() };
            let ends = Ends::of(plan.topology());
            let sinks = ends.sinks.len() as u64;
            let mut traffic: Box<dyn Traffic> = match ends.flows {
                None => Box::new(Bernoulli::new(ends, &config).unwrap()),
                Some(_) => Box::new(FlowTraffic::new(ends, &config).unwrap()),
            };
            let cycles = 400;
            let stimulus = Stimulus::new(&plan, 3).with_pauses(0.1, pauses);
            let stimulus = Arc::new(stimulus.with_traffic(&mut *traffic, cycles));
            let dut = FabricDut::new(&plan).unwrap();
            let run = run_fabric(dut, &plan, &stimulus, Until::Cycle(cycles), None);
            let recording = run.unwrap_or_else(|e| panic!("{fabric} {flits}: {e}"));
            assert!(recording.delivered > sinks * cycles / 10, "{fabric}");
        }
    }
}

#[test]
fn long_packets_at_saturation_do_not_stand_still() {
    for &fabric in ADAPTIVE_FABRICS {
        for depth in [2, 4] {
            let plan = plan_deep(fabric, depth);
            let ages = saturate(&plan, 4 * depth, 20_000, u64::MAX).unwrap();
            assert!(!ages.stuck, "{fabric}, depth {depth}: {ages:?}");
            println!("{fabric} {depth}: {ages:?}");
        }
    }
}
