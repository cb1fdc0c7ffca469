//! Lints: what each of them must see.

use turnpike_tests::icarus::Icarus;
use turnpike_tests::report::Report;
use turnpike_tests::slang::{Language, Slang};
use turnpike_tests::sources::Sources;
use turnpike_tests::verilator::Verilator;
use turnpike_tests::yosys::Yosys;
use turnpike_tests::{lint, require};

use crate::wrappers::fixture::{changed, clean};

/// A fault: what to find in the clean design, and what to put there.
type Fault = (&'static str, &'static str);

const UNUSED: Fault = ("  wire [3:0] next;\n", "  wire [3:0] next;\n  wire idle = step;\n");
/// Not a literal: those are let pass where the value fits.
const NARROW_OPERAND: Fault = ("count + 4'd1", "count[1:0] + count");
const WIDE_VALUE: Fault = ("count + 4'd1", "{count, step}");
const NARROW_PORT: Fault = ("wire [3:0] next;", "wire [2:0] next;");
const UNDRIVEN: Fault = ("  assign next = count + 4'd1;\n", "");
const UNDECLARED: Fault = ("  wire [3:0] next;\n", "");
const UNKNOWN_MODULE: Fault = ("module enabled_register", "module other_register");
const LATCH: Fault = ("always @(posedge clk) begin", "always @* if (clk) begin");
const TWO_DRIVERS: Fault = ("assign next", "assign count = 4'd0;\n  assign next");
const LOOP: Fault = ("assign next = count", "assign next = next");
const KEYWORD: Fault = ("enabled_register state", "enabled_register logic");
const SYNTAX: Fault = ("4'd1;", "4'd1");
const BLOCKING: Fault = ("q <= d", "q = d");
const MISSING_PORT: Fault = (".enable(step), ", "");
const TIMESCALE: Fault =
    ("`timescale 1ns / 1ps\n`default_nettype none\nmodule counter", "module counter");

/// Checks one lint: clean input passes, and each fault is named. All faults are tried
/// before the test fails.
#[track_caller]
fn catches(run: impl Fn(&Sources) -> Report, faults: &[(Fault, &str)]) {
    run(&clean().design).assert_clean();
    let mut missed = String::new();
    for ((find, replace), wanted) in faults {
        let report = run(&changed(find, replace).design);
        if report.is_clean() || !report.mentions(wanted) {
            let findings = &report.findings;
            missed += &format!("`{find}` -> `{replace}`: no `{wanted}` in {findings:#?}\n");
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[test]
fn verilator_lint() {
    let Some(verilator) = require::<Verilator>() else { return };
    catches(
        |sources| verilator.lint(sources),
        &[
            (UNUSED, "UNUSEDSIGNAL"),
            (NARROW_OPERAND, "WIDTHEXPAND"),
            (NARROW_PORT, "WIDTH"),
            (UNDRIVEN, "UNDRIVEN"),
            (UNDECLARED, "definition not found"),
            (UNKNOWN_MODULE, "DECLFILENAME"),
            (LATCH, "LATCH"),
            (WIDE_VALUE, "WIDTHTRUNC"),
            (LOOP, "UNOPTFLAT"),
            (SYNTAX, "syntax error"),
            (BLOCKING, "BLK"),
            (MISSING_PORT, "PINMISSING"),
        ],
    );
}

#[test]
fn icarus_lint() {
    let Some(icarus) = require::<Icarus>() else { return };
    catches(
        |sources| icarus.lint(sources),
        &[
            (NARROW_PORT, "expects 4 bits, got 3"),
            (UNDECLARED, "error"),
            (UNKNOWN_MODULE, "Unknown module type"),
            (SYNTAX, "syntax error"),
            (TIMESCALE, "timescale"),
        ],
    );
}

#[test]
fn yosys_check() {
    let Some(yosys) = require::<Yosys>() else { return };
    catches(
        |sources| yosys.check(sources),
        &[
            (UNDRIVEN, "has no driver"),
            (UNDECLARED, "implicitly"),
            (UNKNOWN_MODULE, "is not part of the design"),
            (LATCH, "atch"),
            (TWO_DRIVERS, "conflicting"),
            (LOOP, "logic loop"),
            (SYNTAX, "syntax error"),
        ],
    );
}

#[test]
fn slang_lint() {
    let Some(slang) = require::<Slang>() else { return };
    let common = [
        (UNUSED, "unused"),
        (NARROW_OPERAND, "different types"),
        (WIDE_VALUE, "width"),
        (NARROW_PORT, "width"),
        (UNDRIVEN, "never driven"),
        (UNDECLARED, "undeclared identifier"),
        (UNKNOWN_MODULE, "unknown module"),
        (SYNTAX, "expected ';'"),
        (MISSING_PORT, "enable"),
    ];
    catches(|sources| slang.lint(sources, Language::Verilog2005), &common);
    catches(|sources| slang.lint(sources, Language::SystemVerilog), &common);
    // A word that only SystemVerilog reserves.
    let keyword = changed(KEYWORD.0, KEYWORD.1);
    slang.lint(&keyword.design, Language::Verilog2005).assert_clean();
    assert!(!slang.lint(&keyword.design, Language::SystemVerilog).is_clean());
}

#[test]
fn every_lint_passes_the_clean_design() {
    for report in lint::every(&clean().design) {
        report.assert_clean();
    }
}
