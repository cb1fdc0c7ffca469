//! Fabrics whose terminals have memory-mapped ends.

use crate::common::mutant::{mutants, replace};
use turnpike_fabric::plan::{FabricPlan, Parameters, Pipeline, ResetStyle};
use turnpike_fabric::rtl::interface;
use turnpike_fabric::testing::{ENDS_FABRICS, is_every, plan_with_ends, sample};
use turnpike_netlist::{Design, Module};
use turnpike_sim_bench::testbench::ends::{Answered, Transactions, run_ends};
use turnpike_sim_bench::verify::ends::check;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::Evaluator;

#[test]
fn every_transaction_is_answered_as_is_due() {
    let base = Parameters::default();
    let all = ENDS_FABRICS.iter().map(|fabric| (*fabric, base));
    let others = [
        Parameters { reset: ResetStyle::Low, depth: 2, ..base },
        Parameters { pipeline: Pipeline::GrantAhead, link_registers: 1, ..base },
    ];
    let others = others.map(|parameters| (ENDS_FABRICS[0], parameters));
    for (fabric, parameters) in sample("fabrics", &all.chain(others).collect::<Vec<_>>()) {
        let figure = check(&plan_with_ends(fabric, parameters));
        assert!(figure.is_ok(), "{fabric:?}: {figure:?}");
    }
}

/// Queues of ends that are too deep for a memory of LUTs, and not powers of two.
#[test]
fn ends_with_deep_queues_answer_as_is_due() {
    let list = "name,protocol,role,outstanding,burst,range\n0_0,axi4,manager,64,100,\n\
        0_1,axi4,manager,33,40,\n1_0,axi4,subordinate,64,,0x0..0xfff\n\
        1_1,axi4,subordinate,40,,0x1000..0x1fff\n";
    let plan = plan_with_ends(("mesh 2x2 dimension-order", list), Parameters::default());
    let figure = check(&plan);
    assert!(figure.is_ok(), "{figure:?}");
}

/// Sixteen managers and four subordinates, of every protocol.
fn twenty_ends() -> String {
    let managers = ["axi4", "axi4-lite", "apb", "wishbone", "wishbone-pipelined"];
    let subordinates = ["axi4", "axi4-lite", "apb", "wishbone"];
    let mut list = "name,protocol,role,range\n".to_owned();
    for at in 0..16 {
        list += &format!("{}_{},{},manager,\n", at % 4, at / 4, managers[at % managers.len()]);
    }
    for (at, protocol) in subordinates.iter().enumerate() {
        list +=
            &format!("{at}_4,{protocol},subordinate,{:#x}..{:#x}\n", at << 16, (at << 16) + 0xffff);
    }
    list
}

/// Transactions of each fabric of the long run, at least.
const MANY: u64 = 100_000;

/// A million in all: at every rate, with pauses and resets, against a model of each memory.
#[test]
#[ignore = "a quarter of an hour: `make test-all`"]
fn a_million_transactions_are_answered_as_is_due() {
    let twenty = twenty_ends();
    let fabrics: Vec<_> =
        ENDS_FABRICS.iter().copied().chain([("mesh 4x5 dimension-order", &*twenty)]).collect();
    let mut all = Answered::default();
    for fabric in fabrics {
        let plan = plan_with_ends(fabric, Parameters::default());
        let mut dut = Dut::of(Evaluator::of_ports(&interface::design(&plan).unwrap()));
        let (mut here, mut seed) = (Answered::default(), 100);
        while here.transactions < MANY {
            let (eagerness, resets) = (2 + seed % 7, seed % 2 * 8);
            let work = Transactions { each: 400, eagerness, resets, seed };
            let run = run_ends(&mut dut, &plan, plan.ends().unwrap(), work);
            here += run.unwrap_or_else(|error| panic!("{fabric:?}, {work:?}: {error}"));
            seed += 1;
        }
        println!("{}: {here:?}", plan.name);
        all += here;
    }
    println!("in all: {all:?}");
    assert!(all.transactions >= 1_000_000, "{all:?}");
}

/// Parts of the names of the modules of ends. The tables of transactions in flight are not among them: their
/// proof says all that they do.
const ENDS: &[&str] = &["_manager", "_subordinate", "_decode"];
const LANES: &[&str] = &["_manager"];
const BRIDGES: &[&str] = &["_from_", "_to_"];

/// Two terminals, a manager and a subordinate, and the modules in which faults are put.
const PAIRS: [(&str, &[&str]); 11] = [
    ("axi4,manager,32,8\n1,axi4,subordinate,128,", LANES),
    ("axi4-lite,manager,64,\n1,axi4,subordinate,64,", BRIDGES),
    ("apb,manager,32,\n1,axi4,subordinate,32,", BRIDGES),
    ("wishbone,manager,16,\n1,axi4,subordinate,16,", BRIDGES),
    ("wishbone-pipelined,manager,32,\n1,axi4,subordinate,64,", BRIDGES),
    ("axi4,manager,64,8\n1,axi4,subordinate,16,", BRIDGES),
    ("axi4,manager,32,8\n1,axi4-lite,subordinate,32,", BRIDGES),
    ("axi4,manager,64,8\n1,apb,subordinate,16,", BRIDGES),
    ("axi4,manager,64,8\n1,wishbone,subordinate,32,", BRIDGES),
    ("axi4,manager,16,8\n1,wishbone,subordinate,8,", BRIDGES),
    ("axi4,manager,64,8\n1,wishbone-pipelined,subordinate,16,", BRIDGES),
];

/// Fabrics with faults: modules whose names have one of these parts.
fn with_faults() -> Vec<(FabricPlan, &'static [&'static str])> {
    let base = Parameters::default();
    let whole = [0, 2].map(|at| (plan_with_ends(ENDS_FABRICS[at], base), ENDS));
    let pairs = PAIRS.iter().map(|(pair, kinds)| {
        let list = format!("name,protocol,role,data-width,burst,range\n0,{pair},0..0x3fff\n");
        let list = list.replacen("\n1", ",\n1", 1);
        (plan_with_ends(("hypercube 1 ecube", &list), base), *kinds)
    });
    whole.into_iter().chain(pairs).collect()
}

/// Modules of ends in a design, by parts of their names.
fn of_ends<'a>(top: &'a Design, kinds: &'a [&str]) -> impl Iterator<Item = &'a Module> {
    let modules = top.modules().iter().map(|module| &**module);
    modules.filter(move |module| kinds.iter().any(|kind| module.name.contains(kind)))
}

/// Whether transactions through a design with a mutant in it find that out.
fn is_found(top: &Design, plan: &FabricPlan, mutant: &Module) -> bool {
    let mut dut = Dut::of(Evaluator::of_ports(&replace(top, mutant)));
    (0..24).any(|seed| {
        let work = Transactions { each: 24, eagerness: 2 + seed % 7, resets: 4, seed };
        run_ends(&mut dut, plan, plan.ends().unwrap(), work).is_err()
    })
}

/// Mutants that transactions need not find, and why: pieces of their text, in order, with `*` between.
const OTHERWISE: &[(&str, &str)] = &[
    (", unused_", "nothing reads it"),
    (", head, ", "the bits above the fields of a header are 0, and nobody reads them"),
    (", reply_data, ", "as those of a header"),
    (
        ", whole",
        "a write that goes too early waits in the network for its beats: the proof of the manager",
    ),
    (", writes_next", "who goes first of a read and a write that may go: both ways are right"),
    (": writes_next", "as writes_next"),
    (", write_sent, ", "as writes_next"),
    (", reads_next", "as writes_next"),
    (": reads_next", "as writes_next"),
    (", packet_begins, ", "as writes_next"),
    (", end_bid", "there is one ID"),
    (", end_rid", "there is one ID"),
    ("_from_*, end_awid", "there is one ID"),
    ("_from_*, end_arid", "there is one ID"),
    ("_from_*, end_bready, *-> Or([Not(Reset)", "nothing is answered that was not asked"),
    ("_from_*, end_rready, *-> Or([Not(Reset)", "nothing is answered that was not asked"),
    ("_from_apb_*, left, ", "a manager of APB leaves no transfer"),
    (", offered", "what waits stays: the proof of the subordinate"),
    (", read_may, ", "as offered: the subordinate offers data of reads that it took alone"),
    ("_to_*, first_address, ", "reads and writes show the fields of one header"),
    ("_to_*, first_len, ", "as first_address"),
    ("_to_*, first_size, ", "as first_address"),
    ("_to_*, first_burst, ", "as first_address"),
    ("_to_*, prot, ", "as first_address"),
    ("_to_*, cache, ", "as first_address"),
    ("_to_*, qos, ", "as first_address"),
    ("_to_*, region, ", "as first_address"),
];

/// Mutants, as in [`OTHERWISE`], that change bit 0 of the mask of a burst alone: it tells no two words apart,
/// where they are wider than a byte.
const BIT_0: [&str; 4] = [
    "_changes_of_wrap, *-> *width: 1, value: 0 }])",
    "_changes_of_wrap, *-> *width: 2, value: 2 }])",
    "_changes_of_wrap, *-> *width: 3, value: 6 }])",
    "_changes, *value: 0 }, otherwise*-> *value: 1 }, otherwise",
];

/// Part of the names of modules whose words are bytes.
const OF_BYTES: &str = "_8, ";

/// Whether transactions need not find a mutant.
fn is_found_otherwise(what: &str) -> bool {
    OTHERWISE.iter().any(|(pattern, _)| has_pieces(what, pattern))
        || !what.contains(OF_BYTES) && BIT_0.iter().any(|pattern| has_pieces(what, pattern))
}

/// Whether the text has the pieces of a pattern, in order.
fn has_pieces(text: &str, pattern: &str) -> bool {
    let mut rest = Some(text);
    for piece in pattern.split('*') {
        rest = rest.and_then(|rest| rest.split_once(piece)).map(|(_, after)| after);
    }
    rest.is_some()
}

/// Operators of the ends exchanged one by one, and registers that a reset misses.
#[test]
fn faults_of_ends_are_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    for (plan, kinds) in with_faults() {
        let top = interface::design(&plan).unwrap();
        for module in of_ends(&top, kinds) {
            let all: Vec<_> =
                mutants(module).filter(|(_, what)| !is_found_otherwise(what)).collect();
            for (mutant, what) in sample("mutants", &all) {
                match is_found(&top, &plan, &mutant) {
                    true => caught += 1,
                    false => survivors.push(what.chars().take(3000).collect::<String>()),
                }
            }
        }
    }
    let (count, text) = (survivors.len(), survivors.join("\n"));
    println!("{caught} caught; {count} not:\n{text}");
    // 98 of a hundred, at least.
    assert!(50 * count <= caught + count, "more than two of a hundred are not caught");
    let least = if is_every() { 1_000 } else { 50 };
    assert!(caught > least, "{caught}");
}
