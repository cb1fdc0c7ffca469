//! Whether the testbench of a switch sees faults: operators of the RTL are exchanged one by
//! one, and each such switch must be found out.

mod common;

use common::mutant::{mutant, replace};
use std::sync::Arc;
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::plan::{FabricPlan, MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_hdl_gen::rtl::switch::{Parts, switch};
use turnpike_hdl_gen::rtl::{Design, Module};
use turnpike_sim::dut::Dut;
use turnpike_sim::testbench::switch::SwitchBench;
use turnpike_sim::testbench::{RunError, run};

#[test]
fn every_exchanged_operator_is_found_out() {
    let (mut caught, mut survivors) = (0, Vec::new());
    let base = Parameters::default();
    let (pipeline, queue, mux) = (Pipeline::Grant, QueueStyle::Registers, MuxStyle::Lut4);
    let registered = Parameters { depth: 4, pipeline, queue, mux, ..base };
    let (pipeline, queue) = (Pipeline::Output, QueueStyle::Shift);
    for (routing, k, parameters) in [
        ("ecube", 3, Parameters { depth: 2, ..base }),
        ("rotation", 3, Parameters { depth: 5, ..base }),
        ("rotation", 3, Parameters { depth: 33, ..base }),
        ("ecube", 3, registered),
        ("rotation", 3, Parameters { depth: 3, pipeline, queue, ..base }),
    ] {
        let depth = parameters.depth;
        let network = Network::new("hypercube", k, Some(routing), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let class = &plan.switches[0];
        let top = switch(&plan, class, &mut Parts::new(&plan)).unwrap();
        let top = Design::new(&top).unwrap();
        // Deep queues differ from shallow ones in the queue alone, and hide what is rare elsewhere.
        let concerned = |m: &&Arc<Module>| depth <= 5 || m.name.contains("_fifo_");
        for module in top.modules().iter().filter(concerned) {
            for (mutant, what) in (0..).map_while(|at| mutant(module, at)) {
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
