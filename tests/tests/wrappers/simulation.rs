//! Simulators: they run what they are given, and say what it printed.

use std::fs;
use std::time::Duration;

use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::LIMIT;
use turnpike_tests::require;
use turnpike_tests::verilator::{BuildOptions, Verilator};

use crate::wrappers::fixture::{changed, clean};

/// A counter that does not count its steps.
const STUCK: (&str, &str) = ("count + 4'd1", "count + 4'd0");

#[test]
fn icarus_runs_the_testbench() {
    let Some(icarus) = require::<Icarus>() else { return };
    let report = icarus.simulate(&clean().bench, &[], LIMIT).assert_clean();
    assert_eq!(report.run.stdout.lines().next(), Some("PASS"));
    let report = icarus.simulate(&changed(STUCK.0, STUCK.1).bench, &[], LIMIT);
    assert!(report.run.stdout.starts_with("FAIL"), "{report}");
}

#[test]
fn icarus_sees_a_missing_reset() {
    let Some(icarus) = require::<Icarus>() else { return };
    let unreset = changed("if (rst) q <= 4'd0;\n    else if (enable)", "if (enable)");
    let report = icarus.simulate(&unreset.bench, &[], LIMIT);
    assert!(report.run.stdout.starts_with("FAIL:  x"), "{report}");
}

#[test]
fn icarus_stops_a_simulation_that_never_ends() {
    let Some(icarus) = require::<Icarus>() else { return };
    let endless = clean();
    let bench = endless.folder.path().join("bench/counter_tb.v");
    let text = fs::read_to_string(&bench).unwrap();
    fs::write(&bench, text.replace("$finish;", "")).unwrap();
    let report = icarus.simulate(&endless.bench, &[], Duration::from_secs(2));
    assert!(report.run.status.is_none() && !report.is_clean(), "{report}");
}

#[test]
fn verilator_runs_the_testbench() {
    let Some(verilator) = require::<Verilator>() else { return };
    for (fixture, verdict) in [(clean(), "PASS"), (changed(STUCK.0, STUCK.1), "FAIL")] {
        let built = verilator.build_testbench(&fixture.bench, &BuildOptions::default());
        let run = built.unwrap_or_else(|report| panic!("{report}")).run(&[], LIMIT);
        assert!(run.success() && run.stdout.starts_with(verdict), "{run:?}");
    }
}

#[test]
fn verilator_builds_a_main_with_macros() {
    let Some(verilator) = require::<Verilator>() else { return };
    let fixture = clean();
    let main = fixture.folder.path().join("main.cpp");
    let text = "\
#include \"Vmodel.h\"
#include <cstdio>
int main() {
  Vmodel model;
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    model.rst = cycle == 0;
    model.step = 1;
    model.clk = 0;
    model.eval();
    model.clk = 1;
    model.eval();
  }
  std::printf(\"%d\\n\", model.count);
}
";
    fs::write(&main, text).unwrap();
    let options = BuildOptions {
        defines: vec![("CYCLES".to_owned(), "8".to_owned())],
        ..BuildOptions::default()
    };
    let built = verilator.build(&fixture.design, &main, &options);
    let run = built.unwrap_or_else(|report| panic!("{report}")).run(&[], LIMIT);
    assert_eq!(run.stdout, "7\n");

    fs::write(&main, text.replace("model.count", "model.total")).unwrap();
    let report = verilator.build(&fixture.design, &main, &options).unwrap_err();
    assert!(report.mentions("total"), "{report}");
}

#[test]
fn verilator_refuses_to_build_what_it_warns_of() {
    let Some(verilator) = require::<Verilator>() else { return };
    let narrow = changed("count + 4'd1", "count[1:0] + count");
    let report = verilator.build_testbench(&narrow.bench, &BuildOptions::default()).unwrap_err();
    assert!(report.mentions("WIDTHEXPAND"), "{report}");
}
