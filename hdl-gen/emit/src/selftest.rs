//! The files of a self-test that are no Verilog: pins, and what makes a bitstream.

use super::{EmitError, File};
use askama::Template;
use turnpike_fabric::board::{Board, Flow};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::selftest::cast::Cast;
use turnpike_fabric::rtl::selftest::most_cycles;

#[derive(Template)]
#[template(path = "selftest.mk.askama", escape = "none")]
struct MakeRules<'a> {
    name: &'a str,
    board: &'a Board,
}

#[derive(Template)]
#[template(path = "selftest.tcl.askama", escape = "none")]
struct VivadoScript<'a> {
    name: &'a str,
    board: &'a Board,
}

#[derive(Template)]
#[template(path = "selftest_tb.v.askama", escape = "none")]
struct Testbench<'a> {
    heading: Vec<String>,
    name: &'a str,
    board: &'a Board,
    limit: u32,
}

/// A testbench that runs the self-test of a plan to its end. `heading` opens the file.
///
/// # Errors
/// [`EmitError`] never, unless the template is wrong.
pub fn testbench(
    plan: &FabricPlan,
    board: &Board,
    heading: Vec<String>,
) -> Result<File, EmitError> {
    let limit = most_cycles(&Cast::of(plan));
    let contents = Testbench { heading, name: &plan.name, board, limit }.render()?;
    Ok(File { name: format!("{}_selftest_tb.v", plan.name), contents })
}

/// What is added to the `Makefile` of fabric `name`.
///
/// # Errors
/// [`EmitError`] never, unless a template is wrong.
pub fn make_rules(name: &str, board: &Board) -> Result<String, EmitError> {
    Ok(MakeRules { name, board }.render()?)
}

/// The board's constraints, and the script where its flow wants one.
///
/// # Errors
/// [`EmitError`] never, unless a template is wrong.
pub fn files(name: &str, board: &Board) -> Result<Vec<File>, EmitError> {
    let file =
        |ending: &str, contents| File { name: format!("{name}_selftest.{ending}"), contents };
    let mut files = vec![file(board.constraints_ending(), board.constraints.to_owned())];
    if board.flow == Flow::Vivado {
        files.push(file("tcl", VivadoScript { name, board }.render()?));
    }
    Ok(files)
}
