//! Mutants of the netlist: operators exchanged one by one, and registers that a reset misses.

use std::sync::Arc;
use turnpike_fabric::plan::FabricPlan;
use turnpike_netlist::{Design, Expr, Item, Module, Net};
use turnpike_sim_bench::testbench::interfaces::{Work, run_interfaces};
use turnpike_sim_rtl::dut::Dut;

/// Whether packets through the top module of a plan, with a mutant in it, find that out.
pub fn is_found_by_packets(top: &Design, plan: &FabricPlan, mutant: &Module) -> bool {
    (0..20).any(|seed| {
        let (eagerness, reset) = (3 + seed % 6, Some(20 + 7 * seed));
        let work = Work { packets: 24, eagerness, reset, reset_edges: 2, seed };
        run_interfaces(&mut Dut::new(&replace(top, mutant)), plan, work).is_err()
    })
}

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

/// The module with one operator exchanged, and in what drives which net; `None` past the last.
pub fn mutant(module: &Module, at: usize) -> Option<(Arc<Module>, String)> {
    let mut mutant = module.clone();
    let mut left = at as i64;
    for item in &mut mutant.items {
        let mut expressions: Vec<(&str, &mut Expr)> = Vec::new();
        let named = |net: Net| module.net(net).name.as_str();
        match item {
            Item::Assign { net, value } => expressions.push((named(*net), value)),
            Item::Registers(list) => {
                for r in list.iter_mut() {
                    expressions.push((named(r.net), &mut r.next));
                    expressions.extend(r.enable.iter_mut().map(|e| (named(r.net), e)));
                }
            }
            Item::Write { memory, enable, address, data } => {
                let name = module.memories[memory.0 as usize].name.as_str();
                expressions.extend([enable, address, data].map(|e| (name, e)));
            }
            _ => {}
        }
        for (net, e) in expressions {
            let before = e.clone();
            exchange(e, &mut left);
            if left < 0 {
                let what = format!("{}, {net}, operator {at}: {before:?} -> {e:?}", module.name);
                return Some((Arc::new(mutant), what));
            }
        }
    }
    None
}

/// The module with one register that a reset misses, and which; `None` past the last.
pub fn without_reset(module: &Module, at: usize) -> Option<(Arc<Module>, String)> {
    let mut mutant = module.clone();
    let lists = mutant.items.iter_mut().filter_map(|item| match item {
        Item::Registers(list) => Some(list),
        _ => None,
    });
    let register = lists.flatten().filter(|register| register.reset.is_some()).nth(at)?;
    register.reset = None;
    let what = format!("{}: {} is not reset", module.name, module.net(register.net).name);
    Some((Arc::new(mutant), what))
}

/// Every mutant of a module: operators exchanged, and registers that a reset misses.
pub fn mutants(module: &Module) -> impl Iterator<Item = (Arc<Module>, String)> {
    let exchanged = (0..).map_while(|at| mutant(module, at));
    exchanged.chain((0..).map_while(|at| without_reset(module, at)))
}

/// The design with one module of it replaced by another of the same name, at every width.
pub fn replace(design: &Design, by: &Module) -> Design {
    fn within(module: &Module, by: &Module) -> Arc<Module> {
        if module.name == by.name {
            return Arc::new(module.width_parameter.map_or(by.clone(), |w| by.at_width(w)));
        }
        let mut copy = module.clone();
        for item in &mut copy.items {
            if let Item::Instance(instance) = item {
                instance.module = within(&instance.module, by);
            }
        }
        Arc::new(copy)
    }
    Design::new(&within(design.top(), by)).unwrap()
}
