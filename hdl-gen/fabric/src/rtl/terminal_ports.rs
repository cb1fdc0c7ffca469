//! The terminals' ports of the whole network as nets.

use crate::plan::{FabricPlan, Side, TerminalPort};
use std::collections::HashMap;
use turnpike_netlist::{Expr, ModuleBuilder, Net};
use turnpike_network::topology::Terminal;

/// The nets of [`FabricPlan::terminal_ports`].
pub(super) struct TerminalPorts<'a> {
    plan: &'a FabricPlan,
    ports: Vec<(TerminalPort, Net)>,
    /// By name.
    nets: HashMap<String, Net>,
}

impl<'a> TerminalPorts<'a> {
    /// Declares them in a module.
    pub fn declare(plan: &'a FabricPlan, m: &mut ModuleBuilder) -> Self {
        let declare = |port: TerminalPort| {
            let net = match port.signal.input {
                true => m.input(&port.name, port.width()),
                false => m.output(&port.name, port.width()),
            };
            (port, net)
        };
        let ports: Vec<_> = plan.terminal_ports().into_iter().map(declare).collect();
        let nets = ports.iter().map(|(port, net)| (port.name.clone(), *net)).collect();
        Self { plan, ports, nets }
    }

    /// A terminal's bits of a signal that the network takes in; `None` where it has no such port.
    pub fn input(&self, side: Side, terminal: Terminal, signal: &str) -> Option<Expr> {
        let bits = self.plan.port_bits(side, terminal, signal)?;
        Some(self.nets[&bits.port].slice(bits.low, bits.width))
    }

    /// Signal of a terminal that has the port.
    pub fn of(&self, side: Side, terminal: Terminal, name: &str) -> Expr {
        self.input(side, terminal, name).expect("the terminal has the port")
    }

    /// Drives the ports of a signal: `value` is of a port's terminals, the lowest slice first.
    pub fn drive(
        &self,
        m: &mut ModuleBuilder,
        side: Side,
        name: &str,
        value: impl Fn(&[Terminal]) -> Expr,
    ) {
        let ports = self.ports.iter().filter(|(port, _)| port.side == side);
        for (port, net) in ports.filter(|(port, _)| port.signal.name == name) {
            m.assign(*net, value(&port.terminals));
        }
    }
}
