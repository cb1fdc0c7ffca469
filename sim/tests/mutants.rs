//! Whether the testbench of a switch sees faults: operators of the RTL are exchanged one by
//! one, and each such switch must be found out.

use std::sync::Arc;
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::plan::{FabricPlan, MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_hdl_gen::rtl::fabric::modules;
use turnpike_hdl_gen::rtl::switch::{Parts, switch};
use turnpike_hdl_gen::rtl::{Expr, Item, Module};
use turnpike_sim::dut::Dut;
use turnpike_sim::testbench::switch::SwitchBench;
use turnpike_sim::testbench::{RunError, run};

/// Exchanges the operator with the number `at`, in the order of the items; counts `at` down.
fn exchange(e: &mut Expr, at: &mut i64) {
    let operator = !matches!(
        e,
        Expr::Net(_)
            | Expr::Slice { .. }
            | Expr::Concat(_)
            | Expr::Repeat { .. }
            | Expr::Read { .. }
    );
    if operator {
        *at -= 1;
        if *at == -1 {
            let inner = std::mem::replace(e, Expr::Reset);
            *e = match inner {
                Expr::And(list) => Expr::Or(list),
                Expr::Or(list) => Expr::And(list),
                Expr::Xor(list) => Expr::Or(list),
                Expr::Not(e) => *e,
                Expr::Any(e) => Expr::Any(Box::new(!*e)),
                Expr::Equal(a, b) => !Expr::Equal(a, b),
                Expr::Add(a, _) | Expr::Sub(a, _) => *a,
                Expr::Mux { select, then, otherwise } => {
                    Expr::Mux { select, then: otherwise, otherwise: then }
                }
                Expr::Const { width, value } => Expr::Const { width, value: value ^ 1 },
                other => !other,
            };
            return;
        }
    }
    match e {
        Expr::Concat(list) | Expr::And(list) | Expr::Or(list) | Expr::Xor(list) => {
            list.iter_mut().for_each(|e| exchange(e, at));
        }
        Expr::Repeat { bit: e, .. } | Expr::Not(e) | Expr::Any(e) => exchange(e, at),
        Expr::Read { address, .. } => exchange(address, at),
        Expr::Equal(a, b) | Expr::Add(a, b) | Expr::Sub(a, b) => {
            exchange(a, at);
            exchange(b, at);
        }
        Expr::Mux { select, then, otherwise } => {
            [select, then, otherwise].into_iter().for_each(|e| exchange(e, at));
        }
        _ => {}
    }
}

/// The module with one operator exchanged, and in which item; `None` past the last.
fn mutant(module: &Module, at: usize) -> Option<(Arc<Module>, String)> {
    let mut mutant = module.clone();
    let mut left = at as i64;
    for item in &mut mutant.items {
        let mut expressions: Vec<&mut Expr> = Vec::new();
        match item {
            Item::Assign { value, .. } => expressions.push(value),
            Item::Registers(list) => {
                for r in list.iter_mut() {
                    expressions.push(&mut r.next);
                    expressions.extend(&mut r.enable);
                }
            }
            Item::Write { enable, address, data, .. } => {
                expressions.extend([enable, address, data])
            }
            _ => {}
        }
        for e in expressions {
            let before = e.clone();
            exchange(e, &mut left);
            if left < 0 {
                let what = format!("{}, operator {at}: {before:?} -> {e:?}", module.name);
                return Some((Arc::new(mutant), what));
            }
        }
    }
    None
}

/// The hierarchy with one module of it replaced by another of the same name.
fn replace(top: &Arc<Module>, by: &Arc<Module>) -> Arc<Module> {
    if top.name == by.name {
        return Arc::clone(by);
    }
    let mut copy = Module::clone(top);
    for item in &mut copy.items {
        if let Item::Instance(instance) = item {
            instance.module = replace(&instance.module, by);
        }
    }
    Arc::new(copy)
}

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
