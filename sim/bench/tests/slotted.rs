//! Slotted fabrics: every output of every cycle against the reference model.

use crate::common::mutant::{mutant, replace, without_reset};
use std::sync::Arc;
use turnpike_netlist::{Design, Item, Module};
use turnpike_sim_bench::testbench::slotted::SlottedBench;
use turnpike_sim_bench::testbench::{RunError, run};
use turnpike_sim_rtl::dut::Dut;
use turnpike_slotted::SlottedPlan;
use turnpike_slotted::rtl::slotted;
use turnpike_slotted::testing::plans;

#[test]
fn every_small_fabric_is_as_its_model() {
    for plan in plans() {
        let name = plan.canonical();
        let design = slotted(&plan).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bench = SlottedBench::new(&plan, 4000, 1);
        let bench = run(Dut::new(&design), bench, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(bench.delivered > 300, "{name}: {} words", bench.delivered);
        let refuses =
            plan.over().sources().iter().any(|&source| plan.sends(source) && plan.refuses(source));
        assert_eq!(bench.unknown > 0, refuses, "{name}");
    }
}

fn is_found(plan: &SlottedPlan, top: &Design, mutant: &Arc<Module>, what: &str) -> bool {
    let dut = Dut::new(&replace(top, mutant));
    match run(dut, SlottedBench::new(plan, 3000, 1), None) {
        Err(RunError::Failure(_)) => true,
        Ok(_) => false,
        Err(other) => panic!("{what}: {other}"),
    }
}

/// Each operator that is exchanged is found out, where every terminal has flows: what is tied low may be anything.
#[test]
fn every_exchanged_operator_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    let is_whole = |plan: &SlottedPlan| {
        let (sources, sinks) = (plan.over().sources(), plan.over().sinks());
        sources.iter().all(|&source| plan.sends(source))
            && sinks.iter().all(|&sink| plan.takes(sink))
    };
    for plan in plans().into_iter().filter(is_whole).step_by(3) {
        let top = slotted(&plan).unwrap();
        for module in top.modules() {
            for (mutant, what) in (0..).map_while(|at| mutant(module, at)) {
                match is_found(&plan, &top, &mutant, &what) {
                    true => caught += 1,
                    false => survivors.push(what),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    assert!(caught > 100, "{caught}");
}

/// A reset that misses the slot, or an injector, is found out. One that misses a link is where the word on it
/// meets an output that is open in the slot after the reset; one that misses a slot table seldom is, for it is right a cycle later.
#[test]
fn resets_that_miss_a_register_are_found_out() {
    let (mut links, mut found_links) = (0, 0);
    for plan in plans().into_iter().skip(1).step_by(4) {
        let top = slotted(&plan).unwrap();
        for module in top.modules() {
            for (mutant, what) in (0..).map_while(|at| without_reset(module, at)) {
                let is_link = what.contains("_valid is");
                let must = what.contains(": slot is") || what.contains(": open is");
                if !is_link && !must {
                    continue;
                }
                let found = is_found(&plan, &top, &mutant, &what);
                assert!(found || !must, "{what}");
                links += u32::from(is_link);
                found_links += u32::from(is_link && found);
            }
        }
    }
    assert!(links > 40 && found_links > 8, "{found_links} of {links}");
}

/// A sample of rows of slot tables, each changed: the bench sees it where a word comes by.
#[test]
fn every_wrong_row_is_found_out() {
    let (mut caught, mut rows_tried) = (0, 0);
    for plan in plans().into_iter().skip(1).step_by(5) {
        let top = slotted(&plan).unwrap();
        for module in top.modules() {
            let tables = module.items.iter().enumerate().filter_map(|(at, item)| match item {
                Item::Table { rows, .. } => Some((at, rows.clone())),
                _ => None,
            });
            for (at, rows) in tables.collect::<Vec<_>>() {
                for row in (0..plan.frame() as usize).step_by(5) {
                    let mut mutant = Module::clone(module);
                    let Item::Table { rows: own, .. } = &mut mutant.items[at] else { continue };
                    own[row] = rows[row] ^ 1;
                    rows_tried += 1;
                    let dut = Dut::new(&replace(&top, &Arc::new(mutant)));
                    let found = run(dut, SlottedBench::new(&plan, 1500, 1), None).is_err();
                    caught += u32::from(found);
                }
            }
        }
    }
    // A row of a slot in which nothing comes may say anything.
    assert!(rows_tried > 50 && caught * 2 > rows_tried, "{caught} of {rows_tried}");
}
