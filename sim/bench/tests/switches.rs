//! Single switches: random legal packets at every queue, random
//! back-pressure, every port against the model in every cycle.

use std::collections::BTreeSet;
use std::sync::Arc;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters, SwitchPlan};
use turnpike_fabric::rtl::switch::{Parts, switch};
use turnpike_fabric::testing::{FABRICS, every_fabric, plan_deep, plan_of, plan_with};
use turnpike_netlist::{Design, Module, Net};
use turnpike_sim_bench::testbench::run;
use turnpike_sim_bench::testbench::switch::SwitchBench;
use turnpike_sim_rtl::dut::Dut;

/// Drives each class of switch, and sees packets take every turn that is built.
fn drive(plan: &FabricPlan, cycles: u64) {
    for class in &plan.switches {
        let module = switch(plan, class, &mut Parts::new(plan)).unwrap();
        let dut = Dut::new(&Design::new(&module).unwrap());
        let bench = SwitchBench::new(&dut, plan, class, cycles, 1);
        let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{}: {e}", class.name));
        let built: BTreeSet<(usize, usize)> = class
            .output_vcs
            .iter()
            .enumerate()
            .flat_map(|(lane, ov)| ov.sources.iter().map(move |s| (s.queue, lane)))
            .collect();
        let taken: BTreeSet<(usize, usize)> = bench.counts.turns.keys().copied().collect();
        assert_eq!(taken, built, "{}", class.name);
        // The switch of a node that failed has no turn.
        let least = if built.is_empty() { 0 } else { cycles / 4 };
        assert!(bench.counts.flits >= least, "{}: {:?}", class.name, bench.counts);
    }
}

#[test]
fn every_switch_equals_its_model() {
    for fabric in every_fabric() {
        drive(&plan_deep(fabric, 2), 5_000);
        if FABRICS.contains(&fabric) {
            drive(&plan_deep(fabric, 4), 4_000);
        }
    }
}

#[test]
fn every_switch_equals_its_model_at_other_depths() {
    for depth in [3, 5, 33, 40] {
        for (routing, k) in [("ecube", 3), ("rotation", 4), ("thacker", 4)] {
            drive(&plan_with(routing, k, None, depth), 4_000);
        }
    }
}

#[test]
fn every_build_of_a_switch_equals_its_model() {
    for depth in [2, 3, 9] {
        for parameters in (Parameters { depth, ..Parameters::default() }).builds() {
            for (routing, k) in [("ecube", 3), ("rotation", 3)] {
                let network = Network::new("hypercube", k, Some(routing), None).unwrap();
                let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
                drive(&plan, 2_500 + 100 * u64::from(depth));
            }
        }
    }
}

#[test]
fn larger_switches_equal_their_model() {
    for (routing, k) in [("ecube", 5), ("rotation", 5), ("ecube", 6), ("rotation", 6)] {
        drive(&plan_with(routing, k, None, 4), 8_000);
    }
}

/// The hardware contract (docs/hardware.md), for every switch: from what comes in nothing follows in
/// the same cycle but state, and from an output's ready at most what that output sends.
#[test]
fn no_combinational_path_leads_through_a_switch() {
    for fabric in every_fabric() {
        for plan in Parameters::default().builds().into_iter().map(|p| plan_of(fabric, p)) {
            plan.switches.iter().for_each(|class| no_path_leads_through(&plan, class));
        }
    }
}

fn no_path_leads_through(plan: &FabricPlan, class: &SwitchPlan) {
    let module = switch(plan, class, &mut Parts::new(plan)).unwrap();
    for (from, to) in paths(&module) {
        assert!(from.ends_with("_ready"), "{}: {from} to {to}", class.name);
        assert!(!to.ends_with("_ready"), "{}: {from} to {to}", class.name);
        let port = |s: &str| s.split("_out").next().unwrap_or_default().to_owned();
        assert_eq!(port(&from), port(&to), "{}: {from} to {to}", class.name);
        assert_ne!(port(&from), "eject", "valid waits for ready: {from} to {to}");
    }
}

fn paths(module: &Module) -> impl Iterator<Item = (String, String)> {
    let name = |net: Net| module.net(net).name.clone();
    module.paths.iter().map(move |&(from, to)| (name(from), name(to)))
}
