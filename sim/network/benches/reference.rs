//! Flit-hops per second of the reference router: uniform traffic of one-flit packets at load
//! 0.3, self-addressed included, on `ecube` cubes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_sim_network::measure::{RunConfig, WarmUp, run};
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

fn plan(routing: &str, k: u32) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).expect("a cube");
    FabricPlan::new(Arc::new(network), Parameters::default(), None).expect("a plan")
}

fn uniform(c: &mut Criterion) {
    for routing in ["ecube", "rotation"] {
        let mut group = c.benchmark_group(format!("uniform 0.3 {routing}"));
        group.sample_size(10);
        for k in [4, 6, 8, 10] {
            let plan = plan(routing, k);
            let cycles = (2 << 20) >> k;
            let config = RunConfig {
                warm_up: WarmUp::Cycles(0),
                measure: Some(cycles),
                ..RunConfig::default()
            };
            let measured = || {
                let mut traffic =
                    Bernoulli::new(Ends::all(1 << k), &TrafficConfig::default()).expect("valid");
                run(&plan, &mut traffic, &config, &mut |_| {}).expect("a run")
            };
            group.throughput(Throughput::Elements(measured().flit_hops));
            group.bench_function(BenchmarkId::from_parameter(k), |b| b.iter(measured));
        }
        group.finish();
    }
}

criterion_group!(benches, uniform);
criterion_main!(benches);
