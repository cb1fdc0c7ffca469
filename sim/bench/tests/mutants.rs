//! Whether the testbenches of a switch and of a fabric see faults: operators of the RTL are
//! exchanged one by one, registers lose their reset, and each such circuit must be found out.

use crate::common::mutant::{mutant, replace, without_reset};
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::switch::{Parts, switch};
use turnpike_netlist::{Design, Module};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::switch::SwitchBench;
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_bench::testbench::{RunError, run};
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};
use turnpike_sim_rtl::dut::Dut;

#[test]
fn every_exchanged_operator_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    let base = Parameters::default();
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    let registered = Parameters { depth: 4, pipeline, queue, mux, ..base };
    let (pipeline, queue) = (Pipeline::Output, QueueStyle::Shift);
    for (routing, k, parameters) in [
        ("ecube", 3, Parameters { depth: 2, ..base }),
        ("rotation", 3, Parameters { depth: 5, ..base }),
        ("rotation", 3, Parameters { depth: 33, ..base }),
        ("ecube", 3, registered),
        ("rotation", 3, Parameters { depth: 3, pipeline, queue, ..base }),
    ] {
        let depth = parameters.depth;
        let network = Network::new("hypercube", k, Some(routing), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let class = &plan.switches[0];
        let top = switch(&plan, class, &mut Parts::new(&plan)).unwrap();
        let top = Design::new(&top).unwrap();
        // Deep queues differ from shallow ones in the queue alone, and hide what is rare elsewhere.
        let concerned = |m: &&Arc<Module>| depth <= 5 || m.name.contains("_fifo_");
        for module in top.modules().iter().filter(concerned) {
            for (mutant, what) in (0..).map_while(|at| mutant(module, at)) {
                // Some states of a wide arbiter are rare: few mutants need the longer runs.
                let found = [3_000, 30_000, 300_000].into_iter().any(|cycles| {
                    let dut = Dut::new(&replace(&top, &mutant));
                    let bench = SwitchBench::new(&dut, &plan, class, cycles, 1);
                    match run(dut, bench, None) {
                        Err(RunError::Failure(_)) => true,
                        Ok(_) => false,
                        Err(other) => panic!("{what}: {other}"),
                    }
                });
                match found {
                    true => caught += 1,
                    false => survivors.push(format!("{routing} depth {depth}: {what}")),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    assert!(caught > 300, "{caught}");
}

/// In lockstep with the reference router: a register that is 0 in the beginning by itself, and
/// that a reset in the middle of traffic misses.
#[test]
fn a_fabric_whose_reset_misses_a_register_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    for (topology, dimension, routing, depth) in [
        ("hypercube", 2, "rotation", 4),
        ("hypercube", 2, "ecube", 9),
        ("hypercube", 2, "adaptive", 4),
        ("arc-cube", 2, "shortest", 33),
    ] {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        let parameters = Parameters { depth, width: 8, ..Parameters::default() };
        let name = format!("{topology}_{dimension}_{routing}").replace('-', "_");
        let plan = FabricPlan::new(Arc::new(network), parameters, Some(&name)).unwrap();
        let top = fabric(&plan).unwrap();
        let stimuli: Vec<_> = (0..SEEDS).map(|seed| Arc::new(traffic(&plan, seed))).collect();
        for module in top.modules() {
            for (mutant, what) in (0..).map_while(|at| without_reset(module, at)) {
                let found = stimuli.iter().any(|stimulus| {
                    let circuit = FabricDut::of(Dut::new(&replace(&top, &mutant)), &plan);
                    match run_fabric(circuit, &plan, stimulus, Until::Cycle(CYCLES), None) {
                        Err(RunError::Failure(_)) => true,
                        Ok(_) => false,
                        Err(other) => panic!("{what}: {other}"),
                    }
                });
                match found {
                    true => caught += 1,
                    false if HARMLESS.contains(&what.as_str()) => (),
                    false => survivors.push(what),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    assert!(caught > 30, "{caught}");
}

/// Registers whose reset nobody can miss here.
const HARMLESS: &[&str] = &[
    // It shares links alone, flit by flit: nothing is ever locked.
    "hypercube_2_adaptive_arbiter_2: locked is not reset",
    // Counts while the queue has a flit, and the first that comes in sets it.
    "hypercube_2_adaptive_switch: dim0_vc0_inside is not reset",
    "hypercube_2_adaptive_switch: dim1_vc0_inside is not reset",
    // One cycle after the reset of a full queue, and these do not fill: found out at depth 9.
    "arc_cube_2_shortest_fifo_33: in_ready is not reset",
];

/// Cycles of a run with two resets.
const CYCLES: u64 = 300;

/// Runs per mutant, as long as none finds it out.
const SEEDS: u64 = 100;

/// Long packets first. Who goes first at an (output, VC) shows where two packets want it that no
/// other one took since the reset: short ones, and many runs.
fn traffic(plan: &FabricPlan, seed: u64) -> Stimulus {
    let (load, packet_flits) = if seed < 6 { (0.6, 7) } else { (0.9, 1) };
    let config =
        TrafficConfig { load, packet_flits: packet_flits.into(), seed, ..TrafficConfig::default() };
    let mut traffic = Bernoulli::new(Ends::all(plan.topology().terminals()), &config).unwrap();
    let stimulus = Stimulus::new(plan, seed).with_pauses(0.2, 0.4);
    stimulus.with_traffic(&mut traffic, CYCLES).with_misaddressed(plan, 6).with_resets(CYCLES)
}
