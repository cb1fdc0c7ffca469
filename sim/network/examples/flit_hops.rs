//! Flit-hops per CPU second of the reference router, traffic and measurement included:
//! uniform traffic of one-flit packets at load 0.3, self-addressed included, queues of 8 flits.
//!
//! `cargo run --release -p turnpike-sim-network --example flit_hops [routing] [dimension ...]`

use std::sync::Arc;
use std::time::Instant;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_sim_network::measure::{RunConfig, WarmUp, run};
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

/// Flit-hops per run.
const FLIT_HOPS: f64 = 8e6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let routing = arguments.next().unwrap_or_else(|| "ecube".to_owned());
    let mut dimensions = arguments.map(|a| a.parse()).collect::<Result<Vec<u32>, _>>()?;
    if dimensions.is_empty() {
        dimensions = vec![4, 6, 8, 10];
    }
    for k in dimensions {
        let parameters = Parameters { depth: 8, ..Parameters::default() };
        let network = Network::new("hypercube", k, Some(&routing), None)?;
        let plan = FabricPlan::new(Arc::new(network), parameters, None)?;
        let nodes = plan.topology().nodes();
        let cycles = (FLIT_HOPS / (0.15 * f64::from(k) * f64::from(nodes))).ceil() as u64;
        let config =
            RunConfig { warm_up: WarmUp::Cycles(0), measure: Some(cycles), ..RunConfig::default() };
        let mut speeds = Vec::new();
        for _ in 0..5 {
            let mut traffic = Bernoulli::new(Ends::all(nodes), &TrafficConfig::default())?;
            let (start, wall) = (cpu_seconds(), Instant::now());
            let report = run(&plan, &mut traffic, &config, &mut |_| {})?;
            let seconds = match (start, cpu_seconds()) {
                (Some(start), Some(end)) => end - start,
                _ => wall.elapsed().as_secs_f64(),
            };
            speeds.push(report.flit_hops as f64 / seconds / 1e6);
        }
        speeds.sort_by(f64::total_cmp);
        println!(
            "{routing} k={k}: {:.1} million flit-hops per CPU second (median of 5; {:.1} to {:.1})",
            speeds[2], speeds[0], speeds[4]
        );
    }
    Ok(())
}

/// CPU time of this process, where the system tells (Linux); wall time stands in elsewhere.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split_ascii_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}
