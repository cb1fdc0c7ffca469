//! Measured runs of traces.

use super::conserves;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline};
use turnpike_fabric::testing::plan;
use turnpike_sim_network::measure::{RunConfig, run};
use turnpike_sim_network::report::{Outcome, Report};
use turnpike_sim_network::traffic::{Release, Trace, Traffic, TrafficDescription};

fn trace(plan: &FabricPlan, rows: &str) -> Report {
    let text = format!("cycle,source,destination,flits\n{rows}");
    let mut trace = Trace::read(plan.topology().nodes(), text.as_bytes()).unwrap();
    run(plan, &mut trace, &RunConfig::whole_trace(), &mut |_| {}).unwrap()
}

#[test]
fn a_trace_is_measured_from_its_first_packet_to_its_last_delivery() {
    let plan = plan("ecube", 3);
    let report = trace(&plan, "10,0,7,1\n500,3,3,9\n");
    conserves(&report);
    assert_eq!((report.released_packets, report.delivered_flits), (2, 10));
    let latency = report.latency.unwrap();
    // Three hops, and none but eight more flits.
    let expected = [u64::from(plan.zero_load_latency(3)), u64::from(plan.zero_load_latency(0)) + 8];
    assert_eq!(latency.max, *expected.iter().max().unwrap());
    assert_eq!(latency.mean, expected.iter().sum::<u64>() as f64 / 2.0);
    assert_eq!(report.outcome, Outcome::Drained);
    assert_eq!((report.measured_cycles, report.drain_cycles), (500 + expected[1] + 1, 0));
    // Three hops of one flit, none of nine.
    assert_eq!(report.hops_per_flit, Some(0.3));
    let throughput = 10.0 / (8 * report.measured_cycles) as f64;
    assert_eq!((report.offered_throughput, report.accepted_throughput), (throughput, throughput));
}

/// A trace that does not say when its next packet comes: every cycle is run.
struct Unforeseen(Trace);

impl Traffic for Unforeseen {
    fn nodes(&self) -> u32 {
        self.0.nodes()
    }
    fn release(&mut self, cycle: u64, into: &mut Vec<Release>) {
        self.0.release(cycle, into);
    }
    fn is_exhausted(&self, cycle: u64) -> bool {
        self.0.is_exhausted(cycle)
    }
    fn description(&self) -> TrafficDescription {
        self.0.description()
    }
}

/// Idle spans of a trace are jumped over, which changes no figure: whatever arbiters and registers
/// remember over them, and whatever ends the measurement.
#[test]
fn idle_spans_are_jumped_over() {
    // Bursts in which packets meet, and spans between them, one of a single cycle.
    let bursts = [0, 40, 41, 90, 1000, 1001, 1040, 5000].into_iter().enumerate();
    let rows: String = bursts
        .flat_map(|(n, cycle)| {
            (0..8).map(move |s| format!("{cycle},{s},{},{}\n", (s * 3 + n) % 8, 1 + (s + n) % 3))
        })
        .collect();
    let text = format!("cycle,source,destination,flits\n{rows}");
    let trace = Trace::read(8, text.as_bytes()).unwrap();
    for (routing, pipeline, link_registers) in [
        ("ecube", Pipeline::None, 0),
        ("ecube", Pipeline::None, 9),
        ("rotation", Pipeline::Grant, 0),
        ("rotation", Pipeline::Output, 0),
        ("rotation", Pipeline::Output, 2),
        ("adaptive", Pipeline::None, 0),
    ] {
        let network = Network::new("hypercube", 3, Some(routing), None).unwrap();
        let parameters = Parameters { pipeline, link_registers, ..Parameters::default() };
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        for measure in [None, Some(20), Some(900), Some(7000)] {
            let config = RunConfig { measure, ..RunConfig::whole_trace() };
            let jumps = run(&plan, &mut trace.clone(), &config, &mut |_| {}).unwrap();
            let steps = run(&plan, &mut Unforeseen(trace.clone()), &config, &mut |_| {}).unwrap();
            assert_eq!(jumps, steps, "{routing} {pipeline} {measure:?}");
        }
    }
    let mut late = Trace::read(8, "cycle,source,destination,flits\n999999999,0,7,1".as_bytes());
    let plan = plan("ecube", 3);
    let late = run(&plan, late.as_mut().unwrap(), &RunConfig::whole_trace(), &mut |_| {}).unwrap();
    assert_eq!((late.cycles, late.delivered_packets), (1_000_000_000 + 4, 1));
}

/// What is known of few packets is said, and what only a lasting load can have is not.
#[test]
fn short_traces_have_every_figure() {
    let plan = plan("ecube", 3);
    let burst: String = (0..4000).map(|_| "0,0,1,1\n").collect();
    for (rows, hops, flits) in [
        ("0,0,7,1\n", 3.0, 1),
        ("0,0,1,500\n", 1.0, 500),
        ("0,0,3,2\n0,0,1,2\n", 1.5, 4),
        (&*burst, 1.0, 4000),
    ] {
        let report = trace(&plan, rows);
        conserves(&report);
        assert_eq!(report.hops_per_flit, Some(hops), "{report:?}");
        assert_eq!(report.measured_packets, report.measured_delivered_packets);
        assert_eq!((report.released_flits, report.delivered_flits), (flits, flits));
        assert_eq!(report.measured_cycles, report.latency.unwrap().max + 1);
        let throughput = flits as f64 / (8 * report.measured_cycles) as f64;
        assert_eq!(report.accepted_throughput, throughput);
        assert_eq!(report.offered_throughput, throughput);
        assert!(report.verdict.is_none() && report.accepted_throughput_interval.is_none());
        assert!(report.latency_interval.is_none() && report.network_latency_interval.is_none());
    }
    // One flit arrives per cycle.
    let latency = trace(&plan, &burst).latency.unwrap();
    let first = u64::from(plan.zero_load_latency(1));
    assert_eq!((latency.max, latency.mean), (first + 3999, first as f64 + 1999.5));
    let percentiles = [(latency.p50, 1999), (latency.p95, 3799), (latency.p99, 3959)];
    assert!(percentiles.iter().all(|(p, rank)| (first + rank..=first + rank + 4).contains(p)));
}
