//! The lockstep harness on a stand-in for a fabric whose behaviour is known: digests
//! under Verilator equal those of a model here, for narrow and wide ports, and a fault in
//! the Verilog shows in the first cycle that it changes.

mod model;

use std::fs;
use std::process::Command;

use tempfile::TempDir;
use turnpike_tests::lockstep::{Lockstep, Terminals};
use turnpike_tests::process::{self, LIMIT};
use turnpike_tests::sources::Sources;
use turnpike_tests::tools::Tool;
use turnpike_tests::verilator::Verilator;
use turnpike_tests::{lint, require};

use model::{Relay, stimulus};

const RELAY: &str = include_str!("relay.v");

/// The stand-in on disk, with its parameters' defaults changed to the shape wanted.
fn relay(shape: Terminals, find: &str, replace: &str) -> (TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    assert!(RELAY.contains(find), "`{find}` does not stand in relay.v");
    let text = RELAY
        .replace("T = 3", &format!("T = {}", shape.count))
        .replace("W = 37", &format!("W = {}", shape.width))
        .replace("A = 2", &format!("A = {}", shape.address));
    let text = if find.is_empty() { text } else { text.replace(find, replace) };
    fs::write(folder.path().join("relay.v"), text).unwrap();
    let sources = Sources::all_in(folder.path(), "relay").unwrap();
    (folder, sources)
}

fn shape(count: usize, width: usize, address: usize) -> Terminals {
    Terminals { count, width, address, source_id: false }
}

#[test]
fn digests_equal_the_model_for_every_kind_of_port() {
    let Some(verilator) = require::<Verilator>() else { return };
    // CData; QData and words that straddle; VlWide with beats wider than 64 bits.
    for shape in [shape(2, 1, 1), shape(3, 21, 2), shape(5, 130, 3)] {
        let (_folder, sources) = relay(shape, "", "");
        let built = Lockstep::build(&verilator, &sources, shape);
        let lockstep = built.unwrap_or_else(|report| panic!("{report}"));
        for seed in [1, 2] {
            let wanted = Relay::new(shape, seed).digests();
            let digests = lockstep.run(&stimulus(shape, seed), LIMIT).unwrap();
            assert_eq!(digests.len(), wanted.len());
            let first = digests.iter().zip(&wanted).position(|(a, b)| a != b);
            assert_eq!(first, None, "{shape:?}: the first cycle that differs");
        }
    }
}

#[test]
fn a_fault_changes_the_digests() {
    let Some(verilator) = require::<Verilator>() else { return };
    let shape = shape(3, 37, 2);
    let (_folder, sources) = relay(shape, "last <= s_axis_tlast[t]", "last <= 1'b1");
    let built = Lockstep::build(&verilator, &sources, shape);
    let lockstep = built.unwrap_or_else(|report| panic!("{report}"));
    let digests = lockstep.run(&stimulus(shape, 1), LIMIT).unwrap();
    assert_ne!(digests, Relay::new(shape, 1).digests());
}

#[test]
fn a_stimulus_that_cannot_be_read_is_refused_with_its_line() {
    let Some(verilator) = require::<Verilator>() else { return };
    let shape = shape(2, 8, 1);
    let (_folder, sources) = relay(shape, "", "");
    let built = Lockstep::build(&verilator, &sources, shape);
    let lockstep = built.unwrap_or_else(|report| panic!("{report}"));
    for text in ["cycles 10\nspeed 3\n", "cycles 10\npacket 2 0 1\n", "cycles 10\nseed 1 2\n"] {
        let error = lockstep.run(text, LIMIT).unwrap_err();
        assert!(error.contains("stimulus.txt:2: cannot be read"), "{error}");
    }
    assert!(lockstep.run("", LIMIT).unwrap_err().contains("nothing in it"));
}

#[test]
fn the_stand_in_is_clean() {
    let (_folder, sources) = relay(shape(3, 37, 2), "", "");
    for report in lint::every(&sources) {
        report.assert_clean();
    }
}

/// Bit slices of ports and the hashes, by a program of their own.
#[test]
fn port_bits_and_hashes() {
    // A compiler comes with Verilator's requirements.
    if Verilator::locate().is_none() {
        require::<Verilator>();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/tools");
    let program = folder.path().join("selftest");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg(format!("-I{tools}")).arg(format!("{tools}/selftest.cpp"));
    let compiled = process::run(compiler.arg("-o").arg(&program), LIMIT);
    assert!(compiled.success(), "{}", compiled.stderr);
    let run = process::run(&mut Command::new(&program), LIMIT);
    assert!(run.success(), "{}{}", run.stdout, run.stderr);
}
