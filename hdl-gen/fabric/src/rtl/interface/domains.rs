//! Clocks and resets of the top module.

use crate::plan::{FabricPlan, ResetStyle};
use crate::rtl::clocks::reset;
use std::collections::BTreeMap;
use turnpike_netlist::{CLOCK, Domain, Expr, ModuleBuilder, Net, RESET, RtlError};

/// Clocks and resets of the top module: none but the implicit ones, where every terminal is in the
/// clock of the network.
pub(super) struct Domains {
    /// Clock and reset of the network.
    pub network: Domain,
    /// Reset of the network's ends of queues.
    ends: Option<Net>,
    /// Other clocks, each with its reset, by name.
    others: BTreeMap<String, Domain>,
    /// Ports of their resets, for what is at the terminals.
    told: Vec<Net>,
}

impl Domains {
    /// The ports of clocks and the reset.
    pub fn ports(plan: &FabricPlan, m: &mut ModuleBuilder) -> Self {
        let clocks = plan.clocks();
        let mut domains = Self {
            network: Domain::default(),
            ends: None,
            others: BTreeMap::new(),
            told: Vec::new(),
        };
        if clocks.is_empty() {
            return domains;
        }
        let clock = m.input(CLOCK, 1);
        let reset = m.input(plan.parameters.reset.port(), 1);
        domains.network = Domain { clock: Some(clock), reset: Some(reset) };
        let other =
            |name: &str| (name.to_owned(), Domain { clock: Some(m.input(name, 1)), reset: None });
        domains.others = clocks.iter().copied().map(other).collect();
        let told = clocks.iter().map(|clock| m.output(plan.clock_reset(clock), 1));
        domains.told = told.collect();
        domains
    }

    /// The resets of all clocks, from the one of the top.
    ///
    /// # Errors
    /// [`RtlError`] never, unless a builder is wrong.
    pub fn resets(mut self, plan: &FabricPlan, m: &mut ModuleBuilder) -> Result<Self, RtlError> {
        let Some(port) = self.network.reset else { return Ok(self) };
        let stages = plan.sync_stages();
        m.section("Reset: in all clocks at one time");
        let is_low = plan.parameters.reset == ResetStyle::Low;
        let reset = if is_low { m.define(RESET, 1, !Expr::from(port)) } else { port };
        let wires = ["request", "held", "ends"];
        let [request, held, ends] = wires.map(|name| m.wire(format!("reset_{name}"), 1));
        let mut connections: Vec<(String, Expr)> =
            [("request", request), ("held", held), ("ends", ends)]
                .map(|(port, net)| (port.to_owned(), net.into()))
                .into();
        let answer = reset::answer(&plan.name, stages)?;
        for (at, ((name, domain), told)) in self.others.iter_mut().zip(&self.told).enumerate() {
            let [held, answered] =
                ["reset", "answer"].map(|what| m.wire(format!("{name}_{what}"), 1));
            domain.reset = Some(held);
            m.probe(format!("reset of {name}"), held);
            m.assign(*told, if is_low { !Expr::from(held) } else { held.into() });
            let own = Domain { clock: domain.clock, reset: None };
            let ports = [("request", request), ("held", held), ("answer", answered)]
                .map(|(port, net)| (port, net.into()));
            m.instance_in(own, format!("{name}_domain"), &answer, ports);
            connections.push((format!("answer{at}"), answered.into()));
        }
        let asks = reset::request(&plan.name, self.others.len() as u32, stages)?;
        let domain = Domain { clock: self.network.clock, reset: Some(reset) };
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        m.instance_in(domain, "reset_all", &asks, connections);
        self.network.reset = Some(held);
        m.probe(format!("reset of {CLOCK}"), held);
        self.ends = Some(ends);
        Ok(self)
    }

    /// Clock and reset of the network, or of another clock.
    pub fn of(&self, other: Option<&str>) -> Domain {
        other.map_or(self.network, |name| self.others[name])
    }

    /// Clock and reset of the network's ends of queues.
    pub fn ends(&self) -> Domain {
        Domain { reset: self.ends, ..self.network }
    }
}
