//! Whether the testbench of a switch sees faults: operators of the RTL are exchanged one by
//! one, and each such switch must be found out.

mod common;

use common::mutant::{mutant, replace};
use common::plan_with;
use std::sync::Arc;
use turnpike_hdl_gen::rtl::Module;
use turnpike_hdl_gen::rtl::fabric::modules;
use turnpike_hdl_gen::rtl::switch::{Parts, switch};
use turnpike_sim::dut::Dut;
use turnpike_sim::testbench::switch::SwitchBench;
use turnpike_sim::testbench::{RunError, run};

#[test]
fn every_exchanged_operator_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    for (routing, k, depth) in [("ecube", 3, 2), ("rotation", 3, 5), ("rotation", 3, 33)] {
        let plan = plan_with(routing, k, None, depth);
        let class = &plan.switches[0];
        let top = switch(&plan, class, &mut Parts::default()).unwrap();
        // Deep queues differ from shallow ones in the queue alone, and hide what is rare elsewhere.
        let concerned = |m: &Arc<Module>| depth <= 5 || m.name.contains("_fifo_");
        for module in modules(&top).into_iter().filter(concerned) {
            for (mutant, what) in (0..).map_while(|at| mutant(&module, at)) {
                // Some states of a wide arbiter are rare: few mutants need the longer runs.
                let found = [3_000, 30_000, 300_000].into_iter().any(|cycles| {
                    let dut = Dut::new(&replace(&top, &mutant));
                    let bench = SwitchBench::new(&dut, &plan, class, cycles, 1);
                    match run(dut, bench, None) {
                        Err(RunError::Failure(_)) => true,
                        Ok(_) => false,
                        Err(other) => panic!("{what}: {other}"),
                    }
                });
                match found {
                    true => caught += 1,
                    false => survivors.push(format!("{routing} depth {depth}: {what}")),
                }
            }
        }
    }
    assert!(survivors.is_empty(), "{caught} caught; not:\n{}", survivors.join("\n"));
    assert!(caught > 300, "{caught}");
}
