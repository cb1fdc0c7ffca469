//! Random netlists: the printer against the evaluator, by way of Icarus. What the netlist
//! means is what its text means, and a fault of the printer shows.

mod batch;
mod faults;

use turnpike_sim_rtl::testing::random_netlist::{Shape, random_netlist};
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;
use turnpike_tests::verilator::Verilator;

use batch::{Printed, differences};

/// Shapes in turn: flat and deep, without state and with much of it, narrow and wide.
fn shape(seed: u64) -> Shape {
    let base = Shape::default();
    match seed % 6 {
        0 => base,
        1 => Shape { levels: 0, width: 8, ..base },
        2 => Shape { levels: 0, registers: 0, memories: 0, tables: 0, wires: 30, ..base },
        3 => Shape { levels: 1, width: 300, nesting: 2, ..base },
        4 => Shape { levels: 1, memories: 3, tables: 3, width: 20, ..base },
        _ => Shape { levels: 0, wires: 25, nesting: 5, width: 70, ..base },
    }
}

/// A netlist of its own for each seed.
fn netlist(seed: u64) -> Printed {
    Printed::new(random_netlist(seed, &shape(seed)))
}

/// Whether no unary operator stands right behind another (`~~a`, `|~a`): the grammar of
/// Verilog-2005 has none of those, and Icarus refuses them where Verilator does not.
fn is_legal(printed: &Printed) -> bool {
    printed.files.iter().all(|(_, text)| !text.contains("~~") && !text.contains("|~"))
}

/// The netlists of the seeds from there on.
fn netlists(from: u64, count: usize) -> Vec<Printed> {
    (from..).map(netlist).take(count).collect()
}

const NETLISTS: usize = 150;
const BATCH: usize = 50;

#[test]
fn the_text_means_what_the_netlist_means() {
    let Some(icarus) = require::<Icarus>() else { return };
    for (at, batch) in netlists(0, NETLISTS).chunks(BATCH).enumerate() {
        let found = differences(&icarus, batch);
        let name = |d: &batch::Difference| &batch[d.netlist].module.name;
        let names: Vec<_> = found.iter().map(name).collect();
        assert!(found.is_empty(), "batch {at}: {names:?}: {found:#?}");
    }
}

/// What the printer writes is what the grammar of Verilog-2005 has.
#[test]
fn the_text_is_legal() {
    let illegal: Vec<u64> = (0..200).filter(|&seed| !is_legal(&netlist(seed))).collect();
    assert!(illegal.is_empty(), "a unary operator right behind another: seeds {illegal:?}");
}

/// Without a waiver for what the printer answers for. A random netlist has bits that nothing
/// reads, which is no fault of the printer: those alone are let pass.
#[test]
fn the_text_is_clean() {
    let Some(verilator) = require::<Verilator>() else { return };
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..24 {
        let report = verilator.lint(&batch::write(&folder, &netlist(seed)));
        let unread = |line: &str| line.contains("-UNUSEDSIGNAL:") || line.contains("Exiting due");
        let others: Vec<&String> = report.findings.iter().filter(|line| !unread(line)).collect();
        assert!(others.is_empty(), "seed {seed}: {others:#?}");
    }
}
