//! Networks with names that identifiers are hard to make of: each is planned, checked, emitted, and
//! clean for lints; its testbench passes, and its property modules can be read. Nothing that is
//! emitted is anything but a basic identifier.

mod identifiers;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::board;
use turnpike_fabric::plan::counters::MOST_WATCHDOG;
use turnpike_fabric::plan::{
    FabricPlan, Parameters, Pipeline, PlanError, PortStyle, QueueStyle, ResetStyle,
    TerminalAddress, TerminalClock, TerminalWidth, TerminalWishes,
};
use turnpike_flow::jobs;
use turnpike_sim_bench::verify::{
    choices, clocks, counters, crossbar, fabric, interfaces, witness,
};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::hostile_names::hostile_network;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::report::Report;
use turnpike_tests::require;
use turnpike_tests::slang::{Language, Slang};
use turnpike_tests::verilator::Verilator;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(300);

/// Seeds that failed once, and are run for ever.
const FAILED_ONCE: &[u64] = &[];
/// How many more there are in `make test`.
const FEW: u64 = 1;
/// One whose terminals have ports of their own, and converters.
const WIDE: u64 = 4;
/// How many fresh ones there are in `make test-all`.
const FRESH: u64 = 150;

/// The build of a seed.
fn parameters(seed: u64) -> Parameters {
    Parameters {
        width: 16,
        ports: [PortStyle::Flat, PortStyle::Named, PortStyle::Named][(seed / 2 % 3) as usize],
        reset: [ResetStyle::High, ResetStyle::Low][(seed / 4 % 2) as usize],
        queue: QueueStyle::ALL[(seed / 3 % QueueStyle::ALL.len() as u64) as usize],
        pipeline: Pipeline::ALL[(seed / 5 % Pipeline::ALL.len() as u64) as usize],
        source_id: seed.is_multiple_of(7),
        link_registers: (seed / 11 % 3) as u32,
        ..Parameters::default()
    }
}

fn clean(report: Report) -> Result<(), String> {
    match report.is_clean() {
        true => Ok(()),
        false => Err(report.to_string()),
    }
}

/// # Errors
/// The first thing that is wrong.
fn holds(seed: u64) -> Result<(), String> {
    let description = hostile_network(seed);
    let network = Network::wanted(&Wanted::described(&description)).map_err(|e| e.to_string())?;
    let parameters = parameters(seed);
    // Converters at all terminals, where each has ports of its own.
    let is_wide = parameters.ports == PortStyle::Named && seed % 3 == 1;
    let width = TerminalWidth { terminals: "*".to_owned(), bits: 2 * parameters.width };
    let address = TerminalAddress { terminals: "*".to_owned(), address: 77 };
    // Or a clock with the name of what the top module places.
    let is_clocked = parameters.ports == PortStyle::Named && seed % 3 == 2;
    let clock = TerminalClock { terminals: "*".to_owned(), clock: "network".to_owned() };
    let wishes = TerminalWishes {
        widths: is_wide.then_some(width).into_iter().collect(),
        clocks: is_clocked.then_some(clock).into_iter().collect(),
        addresses: (is_wide || is_clocked).then_some(address).into_iter().collect(),
        counters: (is_wide || is_clocked).then_some(MOST_WATCHDOG),
        ..TerminalWishes::default()
    };
    let plan = FabricPlan::with_interfaces(Arc::new(network), parameters, &wishes, None);
    let plan = plan.map_err(|error: PlanError| error.to_string())?;
    match plan.keeps_order() {
        true => witness::check(&plan)?,
        false => choices::check(&plan)?,
    };
    crossbar::check(&plan)?;
    fabric::all_pairs(&plan)?;
    if plan.has_interfaces() {
        interfaces::check(&plan)?;
        clocks::check(&plan)?;
    }
    if plan.has_counters() {
        counters::check(&plan)?;
    }
    let fabric = Fabric::on_board(plan, board::find("ice40-hx8k").expect("a board"));
    identifiers::are_basic(&fabric.folder())?;
    let (Some(icarus), Some(slang)) = (require::<Icarus>(), require::<Slang>()) else {
        return Ok(());
    };
    let (Some(verilator), Some(yosys)) = (require::<Verilator>(), require::<Yosys>()) else {
        return Ok(());
    };
    clean(icarus.lint(&fabric.sources()))?;
    clean(verilator.lint(&fabric.sources()))?;
    clean(slang.lint(&fabric.sources(), Language::SystemVerilog))?;
    clean(icarus.lint(&fabric.selftest()))?;
    clean(icarus.lint(&fabric.flattened()))?;
    property_modules(&yosys, &fabric.folder())?;
    let short = [("PAIRS", 1), ("BURSTS", 1), ("FLOOD", 1)];
    let report = icarus.simulate_with(&fabric.with_testbench(), &short, &[], LIMIT);
    match report.is_clean() && report.run.stdout.starts_with("PASS: ") {
        true => Ok(()),
        false => Err(report.to_string()),
    }
}

/// Yosys reads each property module with the modules that it speaks of, in each of its parts, and
/// each stand-in.
fn property_modules(yosys: &Yosys, folder: &Path) -> Result<(), String> {
    let verilog = |folder: &Path| -> Vec<String> {
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".v")).collect();
        names.sort();
        names
    };
    let rtl: Vec<String> =
        verilog(folder).into_iter().filter(|name| !name.ends_with("_tb.v")).collect();
    // The modules of the fabric are read once: parts differ in the property modules alone.
    let mut script = format!("read_verilog -formal {}\ndesign -save rtl\n", rtl.join(" "));
    for file in verilog(&folder.join("formal")) {
        let name = file.trim_end_matches(".v");
        if name.ends_with("_stand_in") {
            script += &format!("design -reset\nread_verilog -formal formal/{file}\nproc\ncheck\n");
        }
        if !name.ends_with("_formal") {
            continue;
        }
        for part in ["", "-DONLY_DELIVERY", "-DONLY_PROGRESS", "-DONLY_WAIT"] {
            script += &format!(
                "design -load rtl\nread_verilog -formal {part} formal/{file}\n\
                 hierarchy -check -top {name}\nproc\n"
            );
        }
    }
    clean(yosys.run(&script, folder, LIMIT))
}

fn all_hold(seeds: &[u64]) {
    let run = |&seed: &u64| -> Result<Option<String>, String> {
        // One that panics does not hide the others.
        let held = catch_unwind(|| holds(seed)).unwrap_or_else(|_| Err("panics".to_owned()));
        Ok(held.err().map(|error| format!("network {seed}: {error}\nadd to FAILED_ONCE: {seed},")))
    };
    let failures = jobs::run(seeds, run).unwrap_or_else(|error| panic!("{error}"));
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn few_networks_hold() {
    let seeds: Vec<u64> = FAILED_ONCE.iter().copied().chain(0..FEW).chain([WIDE]).collect();
    all_hold(&seeds);
}

/// Other networks with each seed of the random tests (docs/tools.md).
#[test]
#[ignore = "minutes: `make test-all`"]
fn fresh_networks_hold() {
    let drawn = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let drawn: u64 = drawn.unwrap_or(1);
    let first = FEW + drawn.wrapping_mul(FRESH);
    let seeds: Vec<u64> = (0..FRESH).map(|number| first.wrapping_add(number)).collect();
    all_hold(&seeds);
}
