//! Every testbench in rust-hdl's simulation: queues, arbiters, switches, whole fabrics, circuits,
//! slotted fabrics and busses, each against its model in every cycle. The other tests here run the same benches on the
//! evaluator alone, which is faster, for longer and over more builds.

use std::sync::Arc;
use turnpike_bus::rtl as bus_rtl;
use turnpike_circuit::rtl as circuit_rtl;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::Granting;
use turnpike_fabric::rtl::arbiter::arbiter_of;
use turnpike_fabric::rtl::fifo::{Shape, fifo};
use turnpike_fabric::rtl::switch::{Parts, switch};
use turnpike_fabric::testing::{every_fabric, plan_deep, whole_fabrics};
use turnpike_netlist::{Design, Module};
use turnpike_sim_bench::testbench::arbiter::ArbiterBench;
use turnpike_sim_bench::testbench::bus::BusBench;
use turnpike_sim_bench::testbench::circuit::CircuitBench;
use turnpike_sim_bench::testbench::fabric::{self, Until};
use turnpike_sim_bench::testbench::fifo::FifoBench;
use turnpike_sim_bench::testbench::slotted::SlottedBench;
use turnpike_sim_bench::testbench::switch::SwitchBench;
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::stimulus::Stimulus;
use turnpike_sim_network::traffic::{Bernoulli, Ends, TrafficConfig};
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rust_hdl::{run, run_fabric};

fn dut(module: &Arc<Module>) -> Dut {
    Dut::new(&Design::new(module).unwrap())
}

#[test]
fn queues() {
    for depth in [2, 3, 5, 33] {
        for shape in [
            Shape::ram(depth),
            Shape { shift: depth < 8, in_flight: u32::from(depth > 2), ..Shape::ram(depth) },
        ] {
            let dut = dut(&fifo("t", 33, shape).unwrap());
            let bench = FifoBench::new(&dut, shape, 1_000, 1);
            let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{shape:?}: {e}"));
            assert!(bench.delivered > 100, "{shape:?}: {}", bench.delivered);
        }
    }
}

#[test]
fn arbiters() {
    for n in 1..=6 {
        for granting in [Granting::AtOnce, Granting::Registered, Granting::Ahead] {
            if n == 1 && granting == Granting::AtOnce {
                continue;
            }
            let module = arbiter_of(granting, "t", n);
            let dut = dut(&module.unwrap());
            let bench = ArbiterBench::new(&dut, granting, n, 1_000, 1);
            let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{n}: {e}"));
            assert!(bench.packets > 100, "{n}: {}", bench.packets);
        }
    }
}

#[test]
fn switches() {
    for named in every_fabric() {
        let plan = plan_deep(named, 3);
        for class in &plan.switches {
            let dut = dut(&switch(&plan, class, &mut Parts::new(&plan)).unwrap());
            let bench = SwitchBench::new(&dut, &plan, class, 300, 1);
            let bench = run(dut, bench, None).unwrap_or_else(|e| panic!("{}: {e}", class.name));
            // The switch of a node that failed has no turn.
            let least = if class.queues.is_empty() { 0 } else { 50 };
            assert!(bench.counts.flits >= least, "{}: {:?}", class.name, bench.counts);
        }
    }
}

/// Random traffic above saturation, with pauses, back-pressure and two resets.
fn stimulus(plan: &FabricPlan) -> Arc<Stimulus> {
    let config =
        TrafficConfig { load: 0.5, packet_flits: 5.into(), seed: 1, ..TrafficConfig::default() };
    let mut traffic = Bernoulli::new(Ends::all(plan.topology().terminals()), &config).unwrap();
    let stimulus = Stimulus::new(plan, 1).with_pauses(0.2, 0.3).with_traffic(&mut traffic, 250);
    Arc::new(stimulus.with_misaddressed(plan, 12).with_resets(250))
}

/// Whole fabrics do in rust-hdl what they do by themselves, and the digest of every cycle is the
/// same.
#[test]
fn fabrics() {
    for named in whole_fabrics() {
        let plan = plan_deep(named, 3);
        let (stimulus, until) = (stimulus(&plan), Until::Cycle(300));
        let circuit = || FabricDut::new(&plan).unwrap();
        let in_rust_hdl = run_fabric(circuit(), &plan, &stimulus, until, None)
            .unwrap_or_else(|e| panic!("{named:?}: {e}"));
        assert!(in_rust_hdl.delivered > 50, "{named:?}: {in_rust_hdl:?}");
        let by_itself = fabric::run_fabric(circuit(), &plan, &stimulus, until, None).unwrap();
        assert_eq!(in_rust_hdl, by_itself, "{named:?}");
    }
}

#[test]
fn circuits() {
    for plan in turnpike_circuit::testing::plans() {
        let design = circuit_rtl::circuit(&plan).unwrap();
        let bench = CircuitBench::new(&plan, 600, 1);
        let bench = run(Dut::new(&design), bench, None)
            .unwrap_or_else(|e| panic!("{}: {e}", plan.canonical()));
        assert!(bench.delivered > 10, "{}: {} words", plan.canonical(), bench.delivered);
    }
}

#[test]
fn slotted() {
    for plan in turnpike_slotted::testing::plans() {
        let design = turnpike_slotted::rtl::slotted(&plan).unwrap();
        let bench = SlottedBench::new(&plan, 600, 1);
        let bench = run(Dut::new(&design), bench, None)
            .unwrap_or_else(|e| panic!("{}: {e}", plan.canonical()));
        assert!(bench.delivered > 20, "{}: {} words", plan.canonical(), bench.delivered);
    }
}

#[test]
fn busses() {
    for plan in turnpike_bus::testing::plans() {
        let design = bus_rtl::fabric(&plan).unwrap();
        let bench = BusBench::new(&plan, 600, 1);
        let bench = run(Dut::new(&design), bench, None)
            .unwrap_or_else(|e| panic!("{}: {e}", plan.canonical()));
        assert!(bench.delivered > 20, "{}: {} words", plan.canonical(), bench.delivered);
    }
}
