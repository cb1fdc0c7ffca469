//! Bus fabrics as they are emitted: no warning from any lint, the self-checking testbench passes,
//! and a fault in the Verilog is found.

use std::fs;
use std::time::Duration;
use turnpike_bus::protocol::{Backoff, Protocol, Thinning, Window};
use turnpike_bus::testing::{for_flows, grids, plans, split_hash};
use turnpike_bus::{BusPlan, Grid, Parameters, SplitHash};
use turnpike_fabric::testing::sample;
use turnpike_tests::any_kind::{lints_and_passes, written};
use turnpike_tests::fabric::with_testbench;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::verilator::{BuildOptions, Verilator};

const LIMIT: Duration = Duration::from_secs(300);

/// Every grid, every protocol.
#[test]
fn some_of_every_grid_and_protocol_pass() {
    grids().iter().skip(3).step_by(18).for_each(|plan| lints_and_passes(plan));
}

/// Busses for flows: one protocol of each.
#[test]
fn busses_for_flows_pass() {
    for_flows().iter().step_by(9).for_each(|plan| lints_and_passes(plan));
}

/// A sample of small split&hash networks and their protocols; the others are among all.
#[test]
fn small_split_hash_networks_pass() {
    let small = split_hash().into_iter().filter(|plan| plan.terminals() <= 25).collect::<Vec<_>>();
    assert_eq!(small.len(), 6);
    sample("fabrics", &small).iter().for_each(|plan| lints_and_passes(plan));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_small_fabric_passes() {
    plans().iter().for_each(|plan| lints_and_passes(plan));
}

/// 32 bits, two dimensions and one.
#[test]
#[ignore = "minutes: `make test-all`"]
fn larger_fabrics_pass_on_verilator() {
    let Some(verilator) = require::<Verilator>() else { return };
    let backoff = Protocol::Backoff(Backoff::new(10).unwrap());
    let thinning = Protocol::Thinning(Thinning::new(64).unwrap());
    for (sides, protocol) in [(&[8, 8][..], backoff), (&[16], thinning)] {
        let grid = Grid::new(sides).unwrap();
        let plan = BusPlan::new(grid, protocol, Parameters::default(), None).unwrap();
        let written = written(&plan);
        let sources = with_testbench(&written.path().join("fabric"), &plan.name);
        let flags = vec!["-Wall".into()];
        let options = BuildOptions { verilator_flags: flags, ..BuildOptions::default() };
        let built =
            verilator.build_testbench(&sources, &options).unwrap_or_else(|r| panic!("{r:?}"));
        let run = built.run(&[], LIMIT);
        assert!(run.stdout.starts_with("PASS: "), "{}: {}", plan.canonical(), run.stdout);
    }
}

/// Faults in the Verilog, by file and texts, that the testbench has to find.
const FAULTS: [(&str, &str, &str); 6] = [
    // A collision is understood.
    ("x_receiver", "only = (|here) & (~(|all_but_lowest))", "only = |here"),
    // A sender takes itself for told.
    ("x_sender", "done = sent & told", "done = sent"),
    // It never does.
    ("x_sender", "done = sent & told", "done = sent & told & ~sent"),
    // Words for the sink go on.
    ("switch", "from_x_is_at_y = ", "from_x_is_at_y = ~"),
    // The acknowledgement is that of another.
    ("x_bus", "take[0]", "take[1]"),
    // What came is not acknowledged.
    ("switch", "assign x_take = x_taken", "assign x_take = x_taken & y_taken"),
];

/// The same of a split&hash network.
const SPLIT_HASH_FAULTS: [(&str, &str, &str); 6] = [
    // A collision is understood.
    ("to_level1_receiver", "only = (|here) & (~(|all_but_lowest))", "only = |here"),
    // Words are heard in the slots of all functions.
    ("to_level1_bus", "reaches = send & {16{active}}", "reaches = send"),
    // A word that finds no room is acknowledged.
    ("entry", "taken <= enter & room", "taken <= enter"),
    // A sender takes itself for told.
    ("to_level0_sender", "done = sent & told", "done = sent"),
    // The acknowledgement is that of another.
    ("to_level0_bus", "take[0]", "take[1]"),
    // A function has the slot of the acknowledgements of the one before.
    ("to_level1_functions", "(~data_slot)", "(data_slot)"),
];

#[test]
fn faults_are_found() {
    let window = Protocol::Window(Window::new(4).unwrap());
    let grid = Grid::new(&[4, 2]).unwrap();
    let parameters = Parameters { width: 8, ..Parameters::default() };
    find(&BusPlan::new(grid, window, parameters, None).unwrap(), &FAULTS);
    let window = Protocol::Window(Window::new(16).unwrap());
    let network = SplitHash::new(4, 2, 2).unwrap();
    let plan = BusPlan::of_split_hash(network, 1, window, parameters, None).unwrap();
    find(&plan, &SPLIT_HASH_FAULTS);
}

/// Faults of what is drawn and how long is waited: every word still arrives.
const BACKOFF_FAULTS: [(&str, &str, &str); 6] = [
    // The range of the wait does not double, or never is one again.
    ("sender", "failed ? range[8:0] :", "failed ? 9'd0 :"),
    ("sender", "failed ? range[8:0] : 9'd0", "failed ? range[8:0] : failures"),
    // A wait is a slot longer.
    ("sender", "(drawn & range)", "((drawn & range) + 10'd1)"),
    // It is counted down in the slots of acknowledgements too.
    ("sender", "failed | (data_slot & waits)", "failed | waits"),
    // Other numbers are drawn.
    ("draw", "state[9] ^ state[12]", "state[9] ^ state[13]"),
    ("draw", "rst ? seed", "rst ? ~seed"),
];

#[test]
fn faults_of_draws_and_waits_are_found() {
    let grid = Grid::new(&[4]).unwrap();
    let parameters = Parameters { width: 8, ..Parameters::default() };
    let backoff = Protocol::Backoff(Backoff::new(10).unwrap());
    find(&BusPlan::new(grid, backoff, parameters, None).unwrap(), &BACKOFF_FAULTS);
}

/// The testbench finds each fault of a sample.
fn find(plan: &BusPlan, faults: &[(&str, &str, &str)]) {
    let Some(icarus) = require::<Icarus>() else { return };
    let written = written(plan);
    let folder = written.path().join("fabric");
    let of = |file: &str| folder.join(format!("{}_{file}.v", plan.name));
    for (file, from, _) in faults {
        let text = fs::read_to_string(of(file)).unwrap();
        assert!(text.contains(from), "{file}: no {from}\n{text}");
    }
    for (file, from, to) in sample("faults", faults) {
        let text = fs::read_to_string(of(file)).unwrap();
        fs::write(of(file), text.replacen(from, to, 1)).unwrap();
        let report = icarus.simulate_in(&folder, &with_testbench(&folder, &plan.name), LIMIT);
        assert!(report.run.stdout.contains("FAIL: "), "{file}: {to}: {}", report.run.stdout);
        fs::write(of(file), text).unwrap();
    }
}
