//! Networks at random, as from users' files: each is routed, certified and emitted, is clean
//! for a lint, passes its testbench on Icarus, and its RTL is in lockstep with the reference
//! router.

use std::sync::Arc;
use std::time::Duration;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_flow::jobs;
use turnpike_network::routing::{shortest, up_down};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::stimulus::bursts;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::random_network::random_network;
use turnpike_tests::require;

const LIMIT: Duration = Duration::from_secs(300);
const CYCLES: u64 = 400;
/// How many networks there are.
const NETWORKS: u64 = 200;
/// Those of `make test`: the smallest.
const FEW: u64 = 6;

/// Network number `seed`: 4 to 40 switches.
fn switches(seed: u64) -> usize {
    4 + (seed * 37 / NETWORKS) as usize
}

/// # Errors
/// The first thing that is wrong.
fn holds(seed: u64) -> Result<(), String> {
    let description = random_network(seed, switches(seed));
    let network = Network::wanted(&Wanted::described(&description));
    let network = network.map_err(|error| error.to_string())?;
    let relation = if seed.is_multiple_of(2) { up_down::KIND.name } else { shortest::KIND.name };
    if network.relation().name() != relation {
        return Err(format!("routed by {}, not {relation}", network.relation().name()));
    }
    if network.certificate().is_none() || network.routes_checked() == 0 {
        return Err("no certificate".to_owned());
    }
    let parameters = Parameters { width: 9, ..Parameters::default() };
    let plan = FabricPlan::new(Arc::new(network), parameters, None).map_err(|e| e.to_string())?;
    let fabric = Fabric::of_plan(plan);
    let stimulus = Arc::new(bursts(&fabric.plan, seed, CYCLES));
    let dut = FabricDut::new(&fabric.plan).map_err(|e| e.to_string())?;
    let recording = run_fabric(dut, &fabric.plan, &stimulus, Until::Cycle(CYCLES), None)
        .map_err(|e| format!("lockstep: {e}"))?;
    if recording.delivered == 0 {
        return Err("lockstep: nothing was delivered".to_owned());
    }
    let Some(icarus) = require::<Icarus>() else { return Ok(()) };
    let report = icarus.lint(&fabric.sources());
    if !report.is_clean() {
        return Err(report.to_string());
    }
    let short = [("PAIRS", 2), ("BURSTS", 1), ("FLOOD", 1)];
    let report = icarus.simulate_with(&fabric.with_testbench(), &short, &[], LIMIT);
    match report.is_clean() && report.run.stdout.starts_with("PASS: ") {
        true => Ok(()),
        false => Err(report.to_string()),
    }
}

fn all_hold(seeds: impl Iterator<Item = u64>) {
    let seeds: Vec<u64> = seeds.collect();
    let run = |&seed: &u64| holds(seed).map_err(|error| format!("network {seed}: {error}"));
    jobs::run(&seeds, run).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn few_networks_hold() {
    all_hold(0..FEW);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_network_holds() {
    all_hold(FEW..NETWORKS);
}
