//! Counters at the ports of fabrics, as software reads them.

use crate::common::every_field;
use crate::common::mutant::{mutants, replace};
use turnpike_fabric::plan::counters::{MOST_WATCHDOG, WAITS, port_offset};
use turnpike_fabric::plan::{Parameters, ResetStyle, Side};
use turnpike_fabric::rtl::interface;
use turnpike_fabric::testing::{is_every, plan_of, sample};
use turnpike_netlist::{Design, Item, Module};
use turnpike_network::topology::Terminal;
use turnpike_sim_bench::testbench::counters::Software;
use turnpike_sim_bench::verify::counters;
use turnpike_sim_rtl::dut::Dut;

/// Fabrics with counters: of one clock and several, with terminals of other widths, with flows, with
/// message classes, with failed nodes.
const FABRICS: [&str; 7] = [
    "hypercube 2 ecube as counters",
    "hypercube 2 adaptive as counters",
    "hypercube 2 ecube as counters,00=8,01=64",
    "hypercube 2 rotation as counters,00=io_clk,1*=fast_clk",
    "hypercube 2 ecube for 00>01,01>10 as counters",
    "hypercube 3 rotation without 101 as counters",
    "mesh 3x2 dimension-order without 0_1 for ask:0_*>2_1,say:2_1>0_* as counters",
];

#[test]
fn software_reads_what_was_seen() {
    for fabric in FABRICS {
        for parameters in [every_field(), Parameters::default()] {
            let low = Parameters { reset: ResetStyle::Low, ..parameters };
            let parameters = if fabric.contains("adaptive") { low } else { parameters };
            let plan = plan_of(fabric, parameters);
            let found = counters::check(&plan);
            assert!(found.is_ok(), "{fabric}: {found:?}");
        }
    }
}

/// Operators of the counters exchanged one by one, and registers that a reset misses.
#[test]
fn every_fault_of_the_counters_is_found_out() {
    let plan = plan_of(FABRICS[0], every_field());
    let top = interface::design(&plan).unwrap();
    let right = counters::check(&plan).unwrap();
    let is_wrong = |design: &Design| {
        counters::check_design(&plan, design).as_ref() != Ok(&right) || long_waits(design).is_err()
    };
    let is_found = |mutant: &Module| is_wrong(&replace(&top, mutant));
    assert!(!is_wrong(&top));
    let (mut caught, mut survivors) = (0, Vec::new());
    let parts = top.modules().iter();
    let parts = parts.filter(|m| ["_counter", "_counters"].iter().any(|end| m.name.ends_with(end)));
    for module in parts {
        let all = mutants(module).filter(|(mutant, _)| is_read(module, mutant));
        for (mutant, what) in sample("mutants", &all.collect::<Vec<_>>()) {
            match is_found(&mutant) {
                true => caught += 1,
                false => survivors.push(what),
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    let least = if is_every() { 40 } else { 10 };
    assert!(caught > least, "{caught}");
}

/// A word that waits for longer than is counted, at the first sink: as long as the watchdog waits at most.
fn long_waits(design: &Design) -> Result<(), String> {
    let plan = plan_of(FABRICS[0], every_field());
    let mut dut = Dut::new(design);
    dut.set_reset(true);
    dut.clock();
    dut.set_reset(false);
    let mut software = Software::new(&mut dut, &plan, 1);
    let [from, to] = [1, 0].map(Terminal);
    software.send(&plan, from, to)?;
    for _ in 0..MOST_WATCHDOG + 100 {
        software.cycle();
    }
    let sink = plan.counter_ports().iter().position(|port| *port == (Side::Sink, to)).unwrap();
    let (waits, _) = software.read(port_offset(sink as u32) + WAITS.offset, 0)?;
    match (waits, software.hangs()) {
        (0xffff_ffff, true) => Ok(()),
        other => Err(format!("{other:x?}")),
    }
}

/// Whether a mutant differs in what anything reads.
fn is_read(module: &Module, mutant: &Module) -> bool {
    let items = module.items.iter().zip(&mutant.items);
    let mut changed = items.filter(|(item, other)| item != other).map(|(item, _)| item);
    !changed.all(|item| match item {
        Item::Assign { net, .. } => module.net(*net).gathers_unused,
        _ => false,
    })
}
