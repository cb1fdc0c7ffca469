//! Three views of one fabric in lockstep: the emitted Verilog under Verilator, the RTL inside
//! rust-hdl's simulation, and the reference router. Their digests are equal in every cycle.

use std::sync::Arc;
use std::time::{Duration, Instant};

use turnpike_fabric::plan::{MuxStyle, Parameters, Pipeline, PortStyle, QueueStyle, ResetStyle};
use turnpike_fabric::testing::{
    ADAPTIVE_FABRICS, FEW_ADAPTIVE_FABRICS, FEW_FABRICS, Named, every_fabric, sample,
};
use turnpike_sim_bench::testbench::fabric::Until;
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_network::stimulus::{Recording, ReferenceModel, Stimulus, bursts, record};
use turnpike_sim_network::workload::{self, Pipelined, Schedule, WorkloadConfig};
use turnpike_sim_rust_hdl::run_fabric;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::lockstep::Lockstep;
use turnpike_tests::require;
use turnpike_tests::verilator::Verilator;

const LIMIT: Duration = Duration::from_secs(300);

/// What the reference router does.
fn reference(fabric: &Fabric, stimulus: &Stimulus, cycles: u64) -> Recording {
    let mut model = ReferenceModel::new(&fabric.plan, stimulus).unwrap();
    record(&mut model, stimulus, cycles)
}

/// What the RTL does in rust-hdl's simulation, where every output of every cycle is also held
/// against the reference router, and the first difference has its terminal and signal named.
fn rust_hdl(fabric: &Fabric, stimulus: &Arc<Stimulus>, cycles: u64) -> Recording {
    let dut = FabricDut::new(&fabric.plan).unwrap();
    run_fabric(dut, &fabric.plan, stimulus, Until::Cycle(cycles), None)
        .unwrap_or_else(|error| panic!("{}: rust-hdl: {error}", fabric.plan.canonical()))
}

/// What the emitted Verilog does under Verilator.
fn emitted(verilator: &Verilator, fabric: &Fabric, stimulus: &Stimulus, cycles: u64) -> Recording {
    let name = fabric.plan.canonical();
    let lockstep = Lockstep::build(verilator, &fabric.flattened(), fabric.defines())
        .unwrap_or_else(|report| panic!("{name}: {report}"));
    let mut text = Vec::new();
    stimulus.write(&mut text).unwrap();
    let ran = lockstep.run(&String::from_utf8(text).unwrap(), cycles, LIMIT);
    let ran = ran.unwrap_or_else(|error| panic!("{name}: Verilator: {error}"));
    // The C++ program prints no running digest: the digests of the cycles say it all.
    Recording { digests: ran.digests, running: 0, accepted: ran.accepted, delivered: ran.delivered }
}

#[track_caller]
fn assert_equal(fabric: &Fabric, view: &str, found: &Recording, wanted: &Recording) {
    let name = fabric.plan.canonical();
    if let Some(cycle) = found.first_difference(wanted) {
        panic!("{name}: {view} and the reference router first differ in cycle {cycle}");
    }
    let totals = |r: &Recording| (r.accepted, r.delivered);
    assert_eq!(totals(found), totals(wanted), "{name}: {view}: flits accepted and delivered");
}

fn lockstep(named: Named, parameters: Parameters, cycles: u64) {
    let fabric = Fabric::of(named, parameters);
    let stimulus = Arc::new(bursts(&fabric.plan, 7, cycles));
    let Some(wanted) = in_step(&fabric, &stimulus, cycles) else { return };
    // The traffic is worth the name: it flows, and it is held back.
    let terminals = u64::from(fabric.plan.topology().terminals());
    assert!(wanted.delivered > cycles * terminals / 10, "{} flits", wanted.delivered);
    assert!(wanted.accepted < stimulus.size().1, "nothing was held back");
}

/// Holds the three views together and returns the reference router's; `None` without
/// Verilator.
fn in_step(fabric: &Fabric, stimulus: &Arc<Stimulus>, cycles: u64) -> Option<Recording> {
    let verilator = require::<Verilator>()?;
    let start = Instant::now();
    let wanted = reference(fabric, stimulus, cycles);
    assert_eq!(wanted.digests.len() as u64, cycles);
    assert_equal(fabric, "rust-hdl", &rust_hdl(fabric, stimulus, cycles), &wanted);
    let simulated = start.elapsed();
    let found = emitted(&verilator, fabric, stimulus, cycles);
    assert_equal(fabric, "Verilator", &found, &wanted);
    println!(
        "{}: {cycles} cycles, {} flits; rust-hdl {simulated:.1?}, with Verilator {:.1?}",
        fabric.plan.canonical(),
        wanted.delivered,
        start.elapsed()
    );
    Some(wanted)
}

/// A workload's messages and acknowledgements, each sent when the reference router's terminals
/// did, all arrive in the cycle in which its run ended, and not in the one before.
#[test]
fn a_workload_with_acknowledgements() {
    let fabric = Fabric::hypercube("rotation", 2, Parameters::default());
    let config = WorkloadConfig {
        workload: "random".to_owned(),
        pipelined: Some(Pipelined { interval: 2, rounds: 100 }),
        message_flits: 3,
        acknowledge: true,
        ..WorkloadConfig::default()
    };
    let schedule = Schedule::draw(fabric.plan.network(), &config).unwrap();
    let mut run = workload::run(&fabric.plan, &config, &schedule, true, &mut |_| ()).unwrap();
    let stimulus = Arc::new(run.stimulus(&fabric.plan, 1).unwrap());
    let cycles = run.report.cycles;
    let Some(found) = in_step(&fabric, &stimulus, cycles) else { return };
    assert_eq!((found.accepted, found.delivered), (400 * 4, 400 * 4));
    assert_eq!(reference(&fabric, &stimulus, cycles - 1).delivered, 400 * 4 - 1);
}

const CYCLES: u64 = 20_000;
const FEWER: u64 = 4_000;

fn in_lockstep(fabrics: impl IntoIterator<Item = Named<'static>>, cycles: u64) {
    fabrics.into_iter().for_each(|fabric| lockstep(fabric, Parameters::default(), cycles));
}

#[test]
fn few_fabrics() {
    in_lockstep(sample("fabrics", FEW_FABRICS), FEWER);
}

/// With packets to addresses without a terminal among the others, where there are such.
#[test]
#[ignore = "minutes of Verilator's builds: `make test-all`"]
fn all_fabrics() {
    in_lockstep(every_fabric(), CYCLES);
    let pipeline = Pipeline::Output;
    let parameters = Parameters { pipeline, source_id: true, ..Parameters::default() };
    lockstep("ccc 3 shortest", parameters, FEWER);
}

#[test]
fn adaptive() {
    in_lockstep(sample("fabrics", FEW_ADAPTIVE_FABRICS), FEWER);
}

/// The reference router and rust-hdl are in step on all of these in every run
/// (`sim/bench/tests/adaptive.rs`).
#[test]
#[ignore = "minutes of Verilator's builds: `make test-all`"]
fn more_adaptive() {
    in_lockstep(ADAPTIVE_FABRICS.iter().copied(), FEWER);
}

#[test]
fn narrow_and_shallow() {
    let parameters = Parameters { width: 1, depth: 2, ..Parameters::default() };
    lockstep("hypercube 3 rotation", parameters, FEWER);
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn wide_and_deep() {
    let parameters = Parameters { width: 100, depth: 40, ..Parameters::default() };
    lockstep("hypercube 2 ecube", parameters, FEWER);
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn with_every_option() {
    let options =
        Parameters { source_id: true, keep: true, user_width: 5, ..Parameters::default() };
    lockstep("hypercube 3 ecube", options, FEWER);
    lockstep(
        "hypercube 2 rotation",
        Parameters { width: 72, depth: 3, user_width: 70, ..options },
        FEWER,
    );
}

/// A stream for each terminal, one of them without a sink and one without a source.
#[test]
fn with_named_ports() {
    let (ports, reset) = (PortStyle::Named, ResetStyle::Low);
    let parameters = Parameters { ports, reset, source_id: true, ..Parameters::default() };
    lockstep("wired mixed shortest", parameters, FEWER);
}

/// Both registers, on the smallest network with VCs.
#[test]
fn registered() {
    let (pipeline, queue, mux) = (Pipeline::Output, QueueStyle::Registers, MuxStyle::Lut4);
    let parameters = Parameters { pipeline, queue, mux, depth: 3, ..Parameters::default() };
    lockstep("hypercube 2 rotation", parameters, FEWER);
}

/// Registers on the links, with virtual channels that share them.
#[test]
fn link_registers() {
    let parameters = Parameters { link_registers: 2, width: 9, ..Parameters::default() };
    lockstep("hypercube 2 rotation", parameters, FEWER);
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn link_registers_of_every_build() {
    for (pipeline, queue, depth, link_registers) in [
        (Pipeline::Grant, QueueStyle::Registers, 4, 1),
        (Pipeline::Output, QueueStyle::Shift, 3, 2),
        (Pipeline::Output, QueueStyle::Ram, 9, 4),
        (Pipeline::None, QueueStyle::Ram, 4, 20),
        (Pipeline::GrantAhead, QueueStyle::Ram, 2, 1),
        (Pipeline::OutputAhead, QueueStyle::Registers, 4, 2),
    ] {
        let parameters =
            Parameters { pipeline, queue, depth, link_registers, ..Parameters::default() };
        lockstep("hypercube 3 rotation", parameters, FEWER);
        lockstep("mesh 3x3 dimension-order", parameters, FEWER);
    }
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn registered_grants() {
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    let parameters = Parameters { pipeline, queue, mux, ..Parameters::default() };
    lockstep("hypercube 3 rotation", parameters, FEWER);
    lockstep(
        "hypercube 3 ecube",
        Parameters { queue: QueueStyle::Ram, depth: 9, ..parameters },
        FEWER,
    );
}

#[test]
fn grants_that_are_asked_for_ahead() {
    let parameters =
        Parameters { pipeline: Pipeline::GrantAhead, depth: 2, ..Parameters::default() };
    lockstep("hypercube 2 rotation", parameters, FEWER);
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn grants_that_are_asked_for_ahead_in_every_build() {
    for (pipeline, queue, depth) in [
        (Pipeline::GrantAhead, QueueStyle::Registers, 3),
        (Pipeline::OutputAhead, QueueStyle::Shift, 3),
        (Pipeline::OutputAhead, QueueStyle::Ram, 40),
    ] {
        let mux = MuxStyle::Lut4;
        let parameters = Parameters { pipeline, queue, mux, depth, ..Parameters::default() };
        lockstep("hypercube 3 rotation", parameters, FEWER);
        lockstep("mesh 3x3 dimension-order", parameters, FEWER);
    }
}

#[test]
#[ignore = "Verilator's builds: `make test-all`"]
fn registered_outputs() {
    let (pipeline, queue, mux) = (Pipeline::Output, QueueStyle::Shift, MuxStyle::Lut4);
    let parameters = Parameters { pipeline, queue, mux, depth: 3, ..Parameters::default() };
    lockstep("hypercube 3 rotation", parameters, FEWER);
    lockstep(
        "hypercube 2 ecube",
        Parameters { queue: QueueStyle::Ram, depth: 40, ..parameters },
        FEWER,
    );
}
