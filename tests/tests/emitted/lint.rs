//! Four front ends, no warning, no waiver; the testbench too where it is read by all.

use crate::emitted::{of, variants};
use turnpike_fabric::board::BOARDS;
use turnpike_fabric::plan::{MuxStyle, Parameters, QueueStyle};
use turnpike_fabric::testing::{
    ADAPTIVE_FABRICS, ADDRESS_FABRICS, CLOCK_FABRICS, ENDS_FABRICS, FABRICS, FEW_ADAPTIVE_FABRICS,
    FEW_FABRICS, MORE_FABRICS, Named, WIDTH_FABRICS, plan_with_ends, sample,
};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::lint::every;
use turnpike_tests::require;
use turnpike_tests::slang::{Language, Slang};
use turnpike_tests::verilator::Verilator;

fn is_clean(fabric: &Fabric) {
    every(&fabric.sources()).into_iter().for_each(|report| drop(report.assert_clean()));
}

fn are_clean(fabrics: &[Named]) {
    fabrics.iter().for_each(|fabric| is_clean(&Fabric::of(fabric, Parameters::default())));
}

#[test]
fn few_fabrics_are_clean() {
    are_clean(FEW_FABRICS);
    let fields = Parameters { keep: true, user_width: 2, ..Parameters::default() };
    for fabric in
        [WIDTH_FABRICS[0], WIDTH_FABRICS[4], CLOCK_FABRICS[0], CLOCK_FABRICS[3], ADDRESS_FABRICS[1]]
    {
        is_clean_with_testbench(&Fabric::of(fabric, fields));
    }
}

#[test]
fn ends_are_clean() {
    for ends in sample("fabrics", ENDS_FABRICS) {
        is_clean(&Fabric::of_plan(plan_with_ends(ends, Parameters::default())));
    }
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn every_fabric_is_clean() {
    are_clean(FABRICS);
    are_clean(MORE_FABRICS);
}

fn is_clean_with_testbench(fabric: &Fabric) {
    is_clean(fabric);
    if let Some(verilator) = require::<Verilator>() {
        verilator.lint(&fabric.with_testbench()).assert_clean();
    }
}

#[test]
fn few_adaptive_fabrics_are_clean() {
    of(FEW_ADAPTIVE_FABRICS, Parameters::default()).iter().for_each(is_clean_with_testbench);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn adaptive_fabrics_are_clean() {
    let parameters = Parameters { queue: QueueStyle::Registers, ..Parameters::default() };
    is_clean_with_testbench(&Fabric::of("directed-cube 3 adaptive", parameters));
    of(ADAPTIVE_FABRICS, Parameters::default()).iter().for_each(is_clean_with_testbench);
}

#[test]
#[ignore = "the sample of the covering arrays stands for them: `make test-all`"]
fn variants_are_clean() {
    for parameters in variants() {
        for routing in ["ecube", "rotation"] {
            let fabric = Fabric::hypercube(routing, 3, parameters);
            every(&fabric.sources()).into_iter().for_each(|report| drop(report.assert_clean()));
        }
    }
}

#[test]
#[ignore = "the sample of the covering arrays stands for them: `make test-all`"]
fn every_build_is_clean() {
    for parameters in Parameters::default().builds() {
        let fabric = Fabric::hypercube("rotation", 3, parameters);
        is_clean(&fabric);
    }
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn a_six_cube_is_clean() {
    // With the longest chains of multiplexer stages, too.
    for mux in [MuxStyle::OneHot, MuxStyle::Lut4] {
        let parameters = Parameters { mux, ..Parameters::default() };
        let fabric = Fabric::hypercube("rotation", 6, parameters);
        every(&fabric.sources()).into_iter().for_each(|report| drop(report.assert_clean()));
    }
}

/// Every board, from the narrowest fabric to one with all options.
#[test]
fn selftests_are_clean() {
    let narrow = Parameters { width: 6, depth: 2, ..Default::default() };
    let [_, _, all, _, wide] = variants();
    let fabrics = [
        ("hypercube 2 ecube", narrow),
        ("hypercube 3 rotation", all),
        ("hypercube 1 ecube", wide),
        ("mesh 3x2 odd-even", Parameters::default()),
    ];
    assert!(fabrics.len() >= BOARDS.len(), "a fabric for each board");
    for ((named, parameters), board) in fabrics.into_iter().zip(BOARDS.iter().cycle()) {
        let fabric = Fabric::with_selftest(named, parameters, board.name);
        every(&fabric.selftest()).into_iter().for_each(|report| drop(report.assert_clean()));
        let bench = fabric.selftest_with_testbench();
        if let Some(verilator) = require::<Verilator>() {
            verilator.lint(&bench).assert_clean();
        }
        if let Some(slang) = require::<Slang>() {
            slang.lint(&bench, Language::Verilog2005).assert_clean();
        }
    }
}

#[test]
fn testbenches_are_clean() {
    let (Some(verilator), Some(slang)) = (require::<Verilator>(), require::<Slang>()) else {
        return;
    };
    for parameters in sample("builds", &variants()) {
        let fabric = Fabric::hypercube("rotation", 3, parameters);
        verilator.lint(&fabric.with_testbench()).assert_clean();
        slang.lint(&fabric.with_testbench(), Language::Verilog2005).assert_clean();
    }
}

/// Lines of at most 100 columns, ASCII, and the frame of every file.
#[test]
fn files_keep_the_style() {
    let large = ["hypercube 10 rotation", "hypercube 10 ecube"];
    let all = [FABRICS, MORE_FABRICS].concat();
    for named in sample("fabrics", &all).into_iter().chain(large) {
        let parameters = Parameters::default();
        let fabric = Fabric::with_selftest(named, parameters, "ulx3s-85f");
        let selftest = fabric.selftest_with_testbench().files;
        for file in fabric.with_testbench().files.into_iter().chain(selftest) {
            let text = std::fs::read_to_string(&file).unwrap();
            let name = file.display();
            for line in text.lines() {
                assert!(line.is_ascii() && line.len() <= 100, "{name}: {line}");
                assert_eq!(line.trim_end(), line, "{name}: blanks at the end: {line}");
            }
            let configuration = fabric.plan.canonical();
            let network = configuration.split(" --routing").next().unwrap_or_default();
            assert!(text.contains(&format!("Configuration: {network}")), "{name}");
            assert!(text.contains("\n`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n"));
            assert!(text.ends_with("endmodule\n\n`resetall\n"), "{name}");
            assert_eq!(text.matches("\nmodule ").count(), 1, "{name}: one module per file");
        }
    }
}
