//! The files of a self-test: its Verilog, pins, and what makes a bitstream.

use crate::part::ModuleGroup;
use crate::{EmitError, File};
use askama::Template;
use turnpike_fabric::board::{Board, Flow};
use turnpike_fabric::rtl::selftest::most_cycles;
use turnpike_fabric::rtl::selftest::subject::Subject;
use turnpike_fabric::rtl::selftest::top::top;
use turnpike_netlist::Design;

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

/// The words that a self-test adds to a configuration.
pub(crate) fn words(board: Option<&Board>) -> String {
    board.map(|board| format!(" --selftest {}", board.name)).unwrap_or_default()
}

/// Modules and files that a self-test adds to a fabric's folder.
#[derive(Default)]
pub(crate) struct Added {
    /// All that is added.
    pub files: Vec<File>,
    /// The names of the Verilog that is synthesised, the top first.
    pub verilog: Vec<String>,
}

impl Added {
    /// Self-test of `fabric`, whose own modules are `own`, in files of these names.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub fn new(
        subject: &Subject,
        fabric: &Design,
        own: &ModuleGroup,
        names: &[String],
        board: &Board,
    ) -> Result<Self, EmitError> {
        let name = &subject.name;
        let mut modules = top(subject, fabric, board)?.modules().to_vec();
        modules.retain(|module| own.modules.iter().all(|known| known.name != module.name));
        let part = own.beside(&words(Some(board)), modules);
        let mut files = part.files()?;
        let verilog: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
        files.extend(pins(name, board)?);
        let about = ["Runs the self-test to its end, as the board would. Ends with PASS or FAIL."];
        let heading = part.heading(&format!("{name}_selftest_tb"), &about);
        let limit = most_cycles(&subject.cast);
        let contents = Testbench { heading, name, board, limit }.render()?;
        files.push(File { name: format!("{name}_selftest_tb.v"), contents });
        let contents = verilog.iter().chain(names).map(|n| format!("{n}\n")).collect();
        files.push(File { name: format!("{name}_selftest.f"), contents });
        Ok(Self { files, verilog })
    }
}

/// Rules that a self-test adds to the `Makefile` of fabric `name`.
///
/// # Errors
/// [`EmitError`] never, unless a template is wrong.
pub(crate) fn make_rules(name: &str, board: &Board) -> Result<String, EmitError> {
    Ok(MakeRules { name, board }.render()?)
}

/// The board's constraints, and the script where its flow wants one.
fn pins(name: &str, board: &Board) -> Result<Vec<File>, EmitError> {
    let file =
        |ending: &str, contents| File { name: format!("{name}_selftest.{ending}"), contents };
    let mut files = vec![file(board.constraints_ending(), board.constraints.to_owned())];
    if board.flow == Flow::Vivado {
        files.push(file("tcl", VivadoScript { name, board }.render()?));
    }
    Ok(files)
}
