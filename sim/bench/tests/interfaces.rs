//! Fabrics whose terminals have words of widths of their own.

use crate::common::every_field;
use crate::common::mutant::{is_found_by_packets, mutants};
use turnpike_fabric::plan::{Parameters, ResetStyle};
use turnpike_fabric::rtl::interface;
use turnpike_fabric::testing::{WIDTH_FABRICS, is_every, plan_of, sample};
use turnpike_netlist::Module;
use turnpike_sim_bench::verify::interfaces::check;

#[test]
fn words_of_every_width_arrive_bit_by_bit() {
    let base = Parameters::default();
    let with_keep = WIDTH_FABRICS.iter().map(|fabric| (*fabric, every_field()));
    for (fabric, parameters) in with_keep.chain([
        ("mesh 2x2 dimension-order as 0_0=8,1_0=16,0_1=64,1_1=128", base),
        ("mesh 2x2 dimension-order as 0_0=2,1_0=3,0_1=7", Parameters { width: 1, ..base }),
        ("mesh 3x2 dimension-order as 0_*=5,1_0=20,1_1=120", Parameters { width: 60, ..base }),
        (
            "mesh 2x2 dimension-order as 0_0=8,1_0=16,0_1=1024",
            Parameters { width: 24, ..every_field() },
        ),
        ("mesh 2x2 dimension-order as *=8", Parameters { width: 512, ..every_field() }),
        (
            "hypercube 2 ecube as 1*=8,00=64",
            Parameters { reset: ResetStyle::Low, depth: 2, ..every_field() },
        ),
    ]) {
        let figure = check(&plan_of(fabric, parameters));
        assert!(figure.is_ok(), "{fabric}: {figure:?}");
    }
}

/// Operators of the converters exchanged one by one, and registers that a reset misses.
#[test]
fn every_fault_of_a_converter_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    let plain = Parameters { user_width: 1, source_id: true, ..Parameters::default() };
    for (fabric, parameters) in [
        ("mesh 2x2 dimension-order as 0_0=8,1_0=24", every_field()),
        ("mesh 2x2 dimension-order as 0_0=8,1_0=96", plain),
    ] {
        let plan = plan_of(fabric, parameters);
        let top = interface::design(&plan).unwrap();
        let is_found = |mutant: &Module| is_found_by_packets(&top, &plan, mutant);
        let converters = top
            .modules()
            .iter()
            .filter(|module| ["_widen_", "_narrow_"].iter().any(|kind| module.name.contains(kind)));
        for module in converters {
            for (mutant, what) in sample("mutants", &mutants(module).collect::<Vec<_>>()) {
                match is_found(&mutant) {
                    true => caught += 1,
                    // A converter that is slower, which the proof of its rate finds out.
                    false if what.contains("_widen_") && what.contains(", operator 3:") => {}
                    false => survivors.push(what),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    let least = if is_every() { 100 } else { 25 };
    assert!(caught > least, "{caught}");
}
