//! Counters in the top module, at the ports of the network.

use crate::plan::counters::{HANG_PORT, axi_port, axi_signals, map_bits};
use crate::plan::{FabricPlan, Side, port_of};
use crate::rtl::counters::{counters, tapped};
use turnpike_netlist::{Domain, Expr, ModuleBuilder, Net, RtlError};

/// Ports of the top module by which software reads the counters.
pub(super) struct Counting(Vec<(String, Net)>);

impl Counting {
    /// The ports, of the clock of the network.
    pub fn ports(plan: &FabricPlan, m: &mut ModuleBuilder) -> Self {
        let bits = map_bits(plan.counter_ports().len() as u32);
        let mut ports = Vec::new();
        for (signal, width, is_input) in axi_signals(bits) {
            let name = axi_port(signal);
            let net = if is_input { m.input(&name, width) } else { m.output(&name, width) };
            ports.push((name, net));
        }
        ports.push((HANG_PORT.to_owned(), m.output(HANG_PORT, 1)));
        Self(ports)
    }

    /// Places the counters in the clock of the network; `net` is what a port of that is connected to,
    /// with the addresses that software knows.
    ///
    /// # Errors
    /// [`RtlError`] never, unless a builder is wrong.
    pub fn place(
        self,
        plan: &FabricPlan,
        m: &mut ModuleBuilder,
        domain: Domain,
        net: impl Fn(&str) -> Net,
    ) -> Result<(), RtlError> {
        m.section("Counters at the ports of the network");
        let counted = plan.counter_ports();
        let address_bits = plan.address_bits();
        let watchdog = plan.watchdog().expect("there are counters");
        let of_sources = counted.iter().filter(|(side, _)| *side == Side::Source).count();
        let ports = [of_sources, counted.len()].map(|count| count as u32);
        let module = counters(&plan.name, ports, address_bits, watchdog)?;
        let mut connections: Vec<(String, Expr)> =
            self.0.into_iter().map(|(name, net)| (name, net.into())).collect();
        for (number, (side, terminal)) in counted.into_iter().enumerate() {
            let stream = plan.stream_name(side, terminal);
            m.comment(format!("Port {number} is {stream}."));
            let signals = plan.signals(side);
            for (tap, bits) in tapped(address_bits) {
                let is_there = |name: &&str| signals.iter().any(|signal| signal.name == *name);
                let signal = match tap {
                    // Where a packet goes, or from where it is.
                    "address" => ["dest", "id"].into_iter().find(is_there),
                    other => Some(other),
                };
                let value = match signal {
                    Some(signal) => net(&port_of(&stream, signal)).into(),
                    None => Expr::constant(bits, 0),
                };
                connections.push((format!("{tap}{number}"), value));
            }
        }
        let connections = connections.iter().map(|(port, value)| (port.as_str(), value.clone()));
        m.instance_in(domain, "counters", &module, connections);
        Ok(())
    }
}
