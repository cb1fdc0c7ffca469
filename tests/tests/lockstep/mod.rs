//! The lockstep harness on a stand-in for a fabric whose behaviour is known: digests
//! under Verilator equal those of a model here, for narrow and wide ports, and a fault in
//! the Verilog shows.

mod model;

use std::fs;
use std::process::Command;
use std::sync::Arc;

use tempfile::TempDir;
use turnpike_analysis::network::Network;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_sim_bench::verilated::{self, write_harness};
use turnpike_sim_network::stimulus::{ReferenceModel, Stimulus, record};
use turnpike_tests::lockstep::{Lockstep, Terminals};
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::sources::Sources;
use turnpike_tests::verilator::Verilator;
use turnpike_tests::{lint, require};

use model::{CYCLES, Relay, stimulus};

const RELAY: &str = include_str!("relay.v");

/// Every kind of port: CData; QData, SData and slices that straddle words; VlWide, with
/// beats wider than 64 bits; with and without the optional fields.
const SHAPES: [Terminals; 3] = [
    Terminals { count: 2, data: 1, address: 1, keep: 0, user: 0, id: 0 },
    Terminals { count: 3, data: 21, address: 2, keep: 3, user: 0, id: 2 },
    Terminals { count: 5, data: 130, address: 3, keep: 0, user: 70, id: 0 },
];

/// The stand-in on disk, with its parameters set to the shape wanted.
fn relay(shape: Terminals, find: &str, replace: &str) -> (TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    assert!(RELAY.contains(find), "`{find}` does not stand in relay.v");
    let text = RELAY
        .replace("T = 3", &format!("T = {}", shape.count))
        .replace("A = 2", &format!("A = {}", shape.address))
        .replace("W = 37", &format!("W = {}", shape.data))
        .replace("K = 1", &format!("K = {}", shape.keep.max(1)))
        .replace("U = 1", &format!("U = {}", shape.user.max(1)));
    let text = if find.is_empty() { text } else { text.replace(find, replace) };
    fs::write(folder.path().join("relay.v"), text).unwrap();
    let sources = Sources::all_in(folder.path(), "relay").unwrap();
    (folder, sources)
}

#[track_caller]
fn build(verilator: &Verilator, sources: &Sources, shape: Terminals) -> Lockstep {
    Lockstep::build(verilator, sources, shape.defines()).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn digests_equal_the_model_for_every_kind_of_port() {
    let Some(verilator) = require::<Verilator>() else { return };
    for shape in SHAPES {
        let (_folder, sources) = relay(shape, "", "");
        let lockstep = build(&verilator, &sources, shape);
        for seed in [1, 2] {
            let wanted = Relay::new(shape, seed).run();
            let found = lockstep.run(&stimulus(shape, seed), CYCLES, LIMIT).unwrap();
            let pairs = found.digests.iter().zip(&wanted.digests);
            let first = pairs.clone().position(|(a, b)| a != b);
            assert_eq!(first, None, "{shape:?}: the first cycle that differs");
            assert_eq!(found, wanted);
            assert_eq!(found.accepted, found.delivered, "all packets arrive");
        }
    }
}

#[test]
fn faults_change_the_digests_or_are_named() {
    let Some(verilator) = require::<Verilator>() else { return };
    let shape = SHAPES[1];
    let wanted = Relay::new(shape, 1).run();
    for (find, replace, error) in [
        ("{s_axis_tlast[t], s_axis", "{1'b1, s_axis", None),
        ("= t[A-1:0]", "= NEXT[A-1:0]", None),
        ("running && !full", "running", None),
        ("running && !full", "!full", Some("cycle 0, terminal 0: s_axis_tready is high")),
        (">= T[A:0]", ">= 3'd1", None),
    ] {
        let (_folder, sources) = relay(shape, find, replace);
        let found = build(&verilator, &sources, shape).run(&stimulus(shape, 1), CYCLES, LIMIT);
        match error {
            None => assert_ne!(found.unwrap().digests, wanted.digests, "{find} -> {replace}"),
            Some(error) => assert!(found.as_ref().unwrap_err().contains(error), "{found:?}"),
        }
    }
}

#[test]
fn a_stimulus_that_does_not_fit_is_refused() {
    let Some(verilator) = require::<Verilator>() else { return };
    let shape = SHAPES[0];
    let (_folder, sources) = relay(shape, "", "");
    let lockstep = build(&verilator, &sources, shape);
    let good = stimulus(shape, 1);
    for (find, replace, error) in [
        ("stimulus 2", "stimulus 1", "expected 2, found '1'"),
        ("gap 1200000000", "gap 4294967297", "expected gap, found '4294967297'"),
        ("terminals 2", "terminals 3", "expected terminals 2, found 'another number'"),
        ("data 1", "data 2", "the stimulus has `data` of 2 bits; the fabric has 1"),
        ("last 1", "tail 1", "the stimulus has `tail` of 1 bits; the fabric has 0"),
        ("packets 300", "packets 299", "expected the end of the file, found '1'"),
        ("packets 300", "packets 301", "expected a source, found 'the end of the file'"),
        ("\n0 0 ", "\n2 0 ", "expected a source, found '2'"),
    ] {
        assert!(good.contains(find), "{find}");
        let error_found = lockstep.run(&good.replacen(find, replace, 1), 9, LIMIT).unwrap_err();
        assert!(error_found.contains(error), "{error_found}");
    }
}

#[test]
fn the_stand_in_is_clean() {
    let (_folder, sources) = relay(SHAPES[1], "", "");
    for report in lint::every(&sources) {
        report.assert_clean();
    }
}

/// Bit slices of ports and the hashes, by a program of their own.
#[test]
fn port_bits_and_hashes() {
    // Whoever has Verilator has a compiler.
    let Some(_) = require::<Verilator>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/tools");
    write_harness(folder.path()).unwrap();
    let program = folder.path().join("selftest");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg("-I").arg(folder.path()).arg(format!("{tools}/selftest.cpp"));
    let compiled = process::run(compiler.arg("-o").arg(&program), LIMIT);
    assert!(compiled.success(), "{}", compiled.stderr);
    let run = process::run(&mut Command::new(&program), LIMIT);
    assert!(run.success(), "{}{}", run.stdout, run.stderr);
}

/// The engine of `turnpike simulate --engine verilator`, for every relation and optional field.
#[test]
fn the_engine_equals_the_reference_router() {
    let Some(_) = require::<Verilator>() else { return };
    let verilator = verilated::Verilator::find().unwrap();
    let base = Parameters::default();
    let all =
        Parameters { width: 72, keep: true, user_width: 5, source_id: true, depth: 3, ..base };
    for (routing, parameters) in [("ecube", Parameters::default()), ("rotation", all)] {
        let network = Network::new("hypercube", 3, Some(routing), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let stimulus = Stimulus::new(&plan, 5).with_pauses(0.2, 0.3).with_all_pairs(9);
        let simulator = verilated::Simulator::build(&verilator, &plan, None).unwrap();
        let found = simulator.run(&stimulus, 2_000).unwrap();
        let mut reference = ReferenceModel::new(&plan, &stimulus).unwrap();
        let wanted = record(&mut reference, &stimulus, 2_000);
        assert_eq!(found.digests, wanted.digests, "{routing}");
        assert_eq!((found.accepted, found.delivered), (wanted.accepted, stimulus.size().1));
    }
}
