//! Whole fabrics: what holds of every module in them.

use super::fabric::fabric;
use super::injector::injector;
use crate::plan::{FabricPlan, Parameters};
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_netlist::{Expr, Item, Module, Net, NetInfo, NetKind};
use turnpike_network::routing::DestinationEncoding;

fn plan(topology: &str, routing: &str, failed: &[&str], parameters: Parameters) -> FabricPlan {
    let failed: Vec<String> = failed.iter().map(|&label| label.to_owned()).collect();
    let wanted = Wanted { routing: Some(routing), failed: &failed, ..Wanted::new(topology, 3) };
    FabricPlan::new(Arc::new(Network::wanted(&wanted).unwrap()), parameters, None).unwrap()
}

/// Marks the bits that an expression reads.
fn read(e: &Expr, bits: &mut [Vec<bool>]) {
    match e {
        Expr::Net(net) => bits[net.index as usize].fill(true),
        Expr::Slice { net, low, width } => {
            bits[net.index as usize][*low as usize..][..*width as usize].fill(true);
        }
        _ => e.operands().for_each(|e| read(e, bits)),
    }
}

/// The bits that a module does not read, of nets that are there to be read.
fn unread(module: &Module) -> Vec<String> {
    let mut bits: Vec<Vec<bool>> =
        module.nets.iter().map(|info| vec![false; info.width as usize]).collect();
    let whole = |net: Net| Expr::Net(net);
    for item in &module.items {
        match item {
            Item::Section(_) | Item::Comment(_) => {}
            Item::Assign { value, .. } => read(value, &mut bits),
            Item::Table { index, .. } => read(&whole(*index), &mut bits),
            Item::Registers(list) => {
                for register in list {
                    read(&register.next, &mut bits);
                    register.enable.iter().for_each(|e| read(e, &mut bits));
                }
            }
            Item::Write { enable, address, data, .. } => {
                [enable, address, data].into_iter().for_each(|e| read(e, &mut bits));
            }
            Item::Instance(instance) => {
                instance.domain.nets().for_each(|net| read(&whole(net), &mut bits));
                for ((_, info), e) in instance.module.ports().zip(&instance.connections) {
                    if info.kind == NetKind::Input {
                        read(e, &mut bits);
                    }
                }
            }
        }
    }
    let wanted = |info: &NetInfo| info.kind != NetKind::Output && !info.gathers_unused;
    let nets = module.nets.iter().zip(&bits).filter(|(info, _)| wanted(info));
    let bits = nets.flat_map(|(info, bits)| {
        (0..).zip(bits).filter(|(_, read)| !**read).map(|(i, _)| format!("{}[{i}]", info.name))
    });
    bits.map(|bit| format!("{}: {bit}", module.name)).collect()
}

/// Every bit of a port or a wire is read, as lints ask, those of terminals that failed included.
#[test]
fn every_bit_is_read() {
    let base = Parameters { width: 8, ..Parameters::default() };
    let deep = Parameters { depth: 33, source_id: true, user_width: 3, keep: true, ..base };
    for (topology, routing, failed, parameters) in [
        ("hypercube", "ecube", &[][..], base),
        ("hypercube", "rotation", &[], deep),
        ("hypercube", "adaptive", &[], base),
        ("hypercube", "ecube", &["010", "111"], deep),
        ("directed-cube", "static", &[], base),
        ("ccc", "two-stage", &[], base),
        ("arc-cube", "shortest", &[], base),
    ] {
        for parameters in parameters.builds() {
            if routing == "adaptive" && parameters.pipeline != base.pipeline {
                continue;
            }
            let plan = plan(topology, routing, failed, parameters);
            let design = fabric(&plan).unwrap();
            let modules = design.modules();
            assert!(modules.len() >= 4, "{}", plan.name);
            let unread: Vec<String> = modules.iter().flat_map(|module| unread(module)).collect();
            assert!(unread.is_empty(), "{}: {unread:?}", plan.canonical());
        }
    }
}

/// An injector calls what it sees of the destination by its name: a difference, the destination
/// itself, or both side by side.
#[test]
fn injectors_name_what_they_see() {
    let plan = plan("hypercube", "ecube", &[], Parameters::default());
    for (difference_bits, seen) in [(3, "difference"), (2, "way"), (0, "destination")] {
        let mut class = plan.injectors[0].clone();
        class.injection.view = DestinationEncoding::new(difference_bits, 3 - difference_bits);
        let module = injector(&plan, &class).unwrap();
        let there = |name: &str| module.nets.iter().any(|net| net.name == name);
        assert!(there(seen) && there(&format!("kept_{seen}")), "{seen}");
        let address = module.port("address").map_or(0, |net| net.width);
        assert_eq!(address, difference_bits, "as much as is seen as a difference");
    }
}
