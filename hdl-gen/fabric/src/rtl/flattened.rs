//! A network with named streams inside a module with flattened ones: what a harness can drive by
//! terminal, whatever the terminals are called.

use super::terminal_ports::TerminalPorts;
use crate::plan::{FabricPlan, Parameters, PortStyle, ResetStyle, Side};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// The module `<name>_flattened` with the fabric of a plan inside, its terminals flattened and its
/// reset active high; `None` where the fabric is so itself.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn flattened(plan: &FabricPlan, fabric: &Arc<Module>) -> Result<Option<Arc<Module>>, RtlError> {
    let parameters =
        Parameters { ports: PortStyle::Flat, reset: ResetStyle::High, ..plan.parameters };
    if parameters == plan.parameters {
        return Ok(None);
    }
    let mut m = ModuleBuilder::new(format!("{}_flattened", plan.name));
    let mut flat = plan.clone();
    flat.parameters = parameters;
    let ports = TerminalPorts::declare(&flat, &mut m);
    let mut wires: BTreeMap<String, Net> = BTreeMap::new();
    let mut connections: BTreeMap<String, Expr> = BTreeMap::new();
    for port in plan.terminal_ports() {
        let bits = match (port.signal.input, &port.terminals[..]) {
            (true, terminals) => {
                let of = |&t| ports.of(port.side, t, port.signal.name);
                Expr::concat(terminals.iter().rev().map(of))
            }
            (false, _) => {
                let wire = m.wire(format!("named_{}", port.name), port.width());
                wires.insert(port.name.clone(), wire);
                wire.into()
            }
        };
        connections.insert(port.name, bits);
    }
    for side in [Side::Source, Side::Sink] {
        for signal in plan.signals(side).into_iter().filter(|signal| !signal.input) {
            ports.drive(&mut m, side, signal.name, |terminals| {
                let of = |&t| {
                    let bits = plan.port_bits(side, t, signal.name);
                    let bits = bits.expect("the terminal has the port");
                    wires[&bits.port].slice(bits.low, bits.width)
                };
                Expr::concat(terminals.iter().rev().map(of))
            });
        }
    }
    m.instance("fabric", fabric, connections.iter().map(|(port, e)| (port.as_str(), e.clone())));
    m.finish().map(Some)
}
