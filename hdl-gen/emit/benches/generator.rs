//! Time to analyse a cube, and to generate one: route, derive the turns, certify, plan, build
//! the RTL and render every file, without writing it.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_emit::Vlnv;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_fabric::report::Analysis;

const RELATIONS: [&str; 2] = ["ecube", "rotation"];

fn plan(routing: &str, k: u32) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), None).expect("a cube");
    FabricPlan::new(Arc::new(network), Parameters::default(), None).expect("a plan")
}

fn analyze(c: &mut Criterion) {
    for routing in RELATIONS {
        let mut group = c.benchmark_group(format!("analyze {routing}"));
        group.sample_size(10);
        for k in [8, 12, 16] {
            let analysed = || Analysis::of(&plan(routing, k));
            group.bench_function(BenchmarkId::from_parameter(k), |b| b.iter(analysed));
        }
        group.finish();
    }
}

fn generate(c: &mut Criterion) {
    for routing in RELATIONS {
        let mut group = c.benchmark_group(format!("generate {routing}"));
        group.sample_size(10);
        for k in [4, 8, 10] {
            let rendered = || {
                let plan = plan(routing, k);
                turnpike_emit::render(&plan, None, &Vlnv::default()).expect("a fabric")
            };
            group.bench_function(BenchmarkId::from_parameter(k), |b| b.iter(rendered));
        }
        group.finish();
    }
}

criterion_group!(benches, analyze, generate);
criterion_main!(benches);
