//! Nets of a circuit that are driven, found in the netlist itself: rust-hdl asks of every signal
//! whether it is connected.

use std::collections::HashSet;
use turnpike_netlist::{Expr, Item, Module, NetKind};
use turnpike_sim_rtl::eval::Evaluator;

/// Whether each net of the circuit has a driver, by number of the net: an item of its module, or,
/// for an input, the instance or the testbench around it.
pub fn driven(evaluator: &Evaluator) -> Vec<bool> {
    let mut driven = vec![false; evaluator.net_count()];
    for (index, scope) in evaluator.scopes().iter().enumerate() {
        let by_items = by_items(&scope.module);
        for (net, info) in evaluator.nets(index) {
            driven[net.index()] =
                info.kind == NetKind::Input || by_items.contains(info.name.as_str());
        }
    }
    driven
}

/// Names of the nets that items of a module drive.
fn by_items(module: &Module) -> HashSet<&str> {
    let mut names = HashSet::new();
    for item in &module.items {
        match item {
            Item::Assign { net, .. } | Item::Table { net, .. } => {
                names.insert(module.net(*net).name.as_str());
            }
            Item::Registers(list) => {
                names.extend(list.iter().map(|register| module.net(register.net).name.as_str()));
            }
            Item::Instance(instance) => {
                for ((_, port), at) in instance.module.ports().zip(&instance.connections) {
                    if let (NetKind::Output, Expr::Net(net)) = (port.kind, at) {
                        names.insert(module.net(*net).name.as_str());
                    }
                }
            }
            _ => {}
        }
    }
    names
}
