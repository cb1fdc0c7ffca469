//! Cycles per second of the RTL of whole fabrics, with the testbench that holds every output
//! against the reference router: uniform traffic of one-flit packets at load 0.3, 32 bits,
//! queues of 4 flits. docs/simulation.md has the figures.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::topology::{Shape, Size};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

const CYCLES: u64 = 1_000;

fn measure(c: &mut Criterion, topology: &str, size: Size, routing: &str) {
    let network = Network::new(topology, size, Some(routing), None).expect("a network");
    let parameters = Parameters::default();
    let plan = FabricPlan::new(Arc::new(network), parameters, None).expect("a plan");
    let ends = Ends::of(plan.topology());
    let mut traffic = Bernoulli::new(ends, &TrafficConfig::default()).expect("valid");
    let stimulus = Arc::new(Stimulus::new(&plan, 1).with_traffic(&mut traffic, CYCLES));
    let name = format!("{topology} {routing}, {} nodes", plan.topology().nodes());
    let mut group = c.benchmark_group("rtl");
    group.sample_size(10);
    group.throughput(Throughput::Elements(CYCLES));
    let until = Until::Cycle(CYCLES);
    group.bench_function(BenchmarkId::new("by itself", &name), |b| {
        let circuit = || FabricDut::of_ports(&plan).expect("a circuit");
        b.iter_with_setup(circuit, |circuit| {
            run_fabric(circuit, &plan, &stimulus, until, None).expect("a run")
        });
    });
    group.bench_function(BenchmarkId::new("in rust-hdl's simulation", &name), |b| {
        let circuit = || FabricDut::new(&plan).expect("a circuit");
        b.iter_with_setup(circuit, |circuit| {
            turnpike_sim_rust_hdl::run_fabric(circuit, &plan, &stimulus, until, None)
                .expect("a run")
        });
    });
    group.finish();
}

fn fabrics(c: &mut Criterion) {
    measure(c, "hypercube", Size::of_dim(4), "ecube");
    measure(c, "hypercube", Size::of_dim(6), "ecube");
    measure(c, "hypercube", Size::of_dim(6), "rotation");
    let shape: Shape = "8x8".parse().expect("a shape");
    measure(c, "mesh", shape.into(), "dimension-order");
}

criterion_group!(benches, fabrics);
criterion_main!(benches);
