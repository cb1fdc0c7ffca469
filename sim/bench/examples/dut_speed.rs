//! Cycles per second of fabrics in rust-hdl's simulation, and of the circuit alone.
//!
//! `cargo run --release -p turnpike-sim-bench --example dut_speed`

use std::sync::Arc;
use std::time::Instant;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::{CircuitModel, FabricDut};
use turnpike_sim_network::stimulus::{Stimulus, record};
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("uniform traffic, load 0.3, packets of 4 flits, 32 bits, depth 4");
    for (routing, k, cycles) in
        [("ecube", 4, 20_000), ("rotation", 4, 20_000), ("ecube", 6, 4_000), ("rotation", 6, 2_000)]
    {
        let network = Arc::new(Network::new("hypercube", k, Some(routing), None)?);
        let plan = FabricPlan::new(network, Parameters::default(), None)?;
        let config = TrafficConfig { packet_flits: 4.into(), ..TrafficConfig::default() };
        let mut traffic = Bernoulli::new(Ends::of(plan.topology()), &config)?;
        let stimulus = Arc::new(Stimulus::new(&plan, 1).with_traffic(&mut traffic, cycles));

        let circuit = FabricDut::new(&plan)?;
        let instructions = circuit.dut.evaluator().instructions();

        let start = Instant::now();
        let mut model = CircuitModel::new(circuit, &stimulus);
        record(&mut model, &stimulus, cycles);
        let direct = cycles as f64 / start.elapsed().as_secs_f64();

        let circuit = FabricDut::new(&plan)?;
        let start = Instant::now();
        let ran = run_fabric(circuit, &plan, &stimulus, Until::Cycle(cycles), None)?;
        let simulated = cycles as f64 / start.elapsed().as_secs_f64();
        println!(
            "{routing:<8} {:>3} nodes: {simulated:>7.0} cycles/s in rust-hdl's Simulation with \
             testbench and reference router, {direct:>7.0} without both; {instructions} instructions, {} flits delivered",
            plan.topology().nodes(),
            ran.delivered
        );
    }
    Ok(())
}
