//! Every lint at once.

use crate::icarus::Icarus;
use crate::report::Report;
use crate::slang::{Language, Slang};
use crate::sources::Sources;
use crate::tools::require;
use crate::verilator::Verilator;
use crate::yosys::Yosys;

/// Runs every lint that is installed, each with all warnings on and none waived;
/// one that is missing is skipped loudly or fails, as [`require`] says.
#[track_caller]
pub fn every(sources: &Sources) -> Vec<Report> {
    let mut reports = Vec::new();
    if let Some(verilator) = require::<Verilator>() {
        reports.push(verilator.lint(sources));
    }
    if let Some(icarus) = require::<Icarus>() {
        reports.push(icarus.lint(sources));
    }
    if let Some(yosys) = require::<Yosys>() {
        reports.push(yosys.check(sources));
    }
    if let Some(slang) = require::<Slang>() {
        reports.push(slang.lint(sources, Language::Verilog2005));
        reports.push(slang.lint(sources, Language::SystemVerilog));
    }
    reports
}
