//! Flit-hops per second of the reference router: uniform traffic of one-flit packets at load 0.3,
//! self-addressed included, queues of 8 flits. docs/simulation.md has the figures.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::topology::{Shape, Size};
use turnpike_sim_network::measure::{RunConfig, WarmUp, run};
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

/// Terminal-cycles of a run.
const TERMINAL_CYCLES: u64 = 1 << 21;

fn plan(topology: &str, size: Size, routing: &str) -> FabricPlan {
    let network = Network::new(topology, size, Some(routing), None).expect("a network");
    let parameters = Parameters { depth: 8, ..Parameters::default() };
    FabricPlan::new(Arc::new(network), parameters, None).expect("a plan")
}

fn measure(c: &mut Criterion, name: &str, of: &str, plan: &FabricPlan) {
    let terminals = plan.topology().terminals();
    let config = RunConfig {
        warm_up: WarmUp::Cycles(0),
        measure: Some(TERMINAL_CYCLES / u64::from(terminals)),
        ..RunConfig::default()
    };
    let measured = || {
        let mut traffic =
            Bernoulli::new(Ends::all(terminals), &TrafficConfig::default()).expect("valid");
        run(plan, &mut traffic, &config, &mut |_| {}).expect("a run")
    };
    let mut group = c.benchmark_group(name);
    group.sample_size(10);
    group.throughput(Throughput::Elements(measured().flit_hops));
    group.bench_function(BenchmarkId::from_parameter(of), |b| b.iter(measured));
    group.finish();
}

fn uniform(c: &mut Criterion) {
    for (routing, dimensions) in
        [("ecube", &[4, 6, 8, 10][..]), ("rotation", &[4, 6, 8, 10]), ("adaptive", &[4, 6, 8])]
    {
        for &k in dimensions {
            let plan = plan("hypercube", Size::of_dim(k), routing);
            measure(c, &format!("uniform 0.3 {routing}"), &k.to_string(), &plan);
        }
    }
    let shape: Shape = "32x32".parse().expect("a shape");
    let plan = plan("mesh", shape.into(), "dimension-order");
    measure(c, "uniform 0.3 dimension-order", "mesh 32x32", &plan);
}

criterion_group!(benches, uniform);
criterion_main!(benches);
