//! A fabric with a source and a sink at every terminal, and what conducts them.

use super::control::control;
use super::fault::Fault;
use super::pattern::Pattern;
use super::sink::sink;
use super::source::{RANDOM_BITS, seed, source};
use super::{Expr, SelftestError, TERMINAL_BITS};
use crate::plan::{FabricPlan, PortBits, Side};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Module, ModuleBuilder, Net};
use turnpike_network::topology::Terminal;

/// The module, around `fabric`. Ports: `done`, `pass`, `fail`, `code`, `terminal`, as
/// [`control`] has them. It begins when the reset ends.
///
/// # Errors
/// [`SelftestError::Width`] where packets do not fit the fabric's width, and
/// [`SelftestError::Addresses`] where some address has no terminal.
pub fn core(plan: &FabricPlan, fabric: &Arc<Module>) -> Result<Arc<Module>, SelftestError> {
    let name = &plan.name;
    let topology = plan.topology();
    let senders = topology.sources().count() as u64;
    if plan.has_unknown_addresses() || senders < 1 << topology.address_bits() {
        return Err(SelftestError::Addresses {
            name: name.clone(),
            terminals: senders.min(topology.sinks().count() as u64),
            addresses: 1 << topology.address_bits(),
        });
    }
    let pattern = Pattern::new(plan)?;
    let a = pattern.address;
    let mut m = ModuleBuilder::new(format!("{name}_selftest_core"));
    m.about(format!("Self-test of {name}:"));
    m.about("the fabric with a source and a sink at every terminal.");
    m.about("Begins when the reset ends. `pass` or `fail` comes with `done`, or `fail` with the");
    m.about("first fault. `code` says what it was, the low bits of `terminal` where:");
    let listed = Fault::ALL.iter().map(|(fault, text)| format!("  {} {text}", fault.code()));
    listed.for_each(|line| m.about(line));
    let verdict = ["done", "pass", "fail"].map(|name| (name, m.output(name, 1)));
    let code = m.output("code", Fault::BITS);
    let terminal = m.output("terminal", a.min(TERMINAL_BITS));

    let mut bundle = Bundle::new(&mut m, plan, fabric, pattern);
    let control = control(name, a)?;
    let paced = ["clear", "pause_sources", "pause_sinks"].map(|n| (n, m.wire(n, 1)));
    let slot = m.wire("slot", a);
    let arrived = m.wire("arrived", 1 << a);
    let fault = m.wire("fault", Fault::BITS << a);
    m.section("Conductor");
    let outputs = verdict.into_iter().chain(paced);
    let more = [
        ("code", code),
        ("terminal", terminal),
        ("slot", slot),
        ("arrived", arrived),
        ("fault", fault),
    ];
    m.instance("control", &control, outputs.chain(more).map(|(port, net)| (port, Expr::from(net))));

    let (source, sink) = (source(name, pattern)?, sink(name, pattern, bundle.id)?);
    let [clear, pause_sources, pause_sinks] = paced.map(|(_, net)| net);
    for t in 0..1 << a {
        m.section(format!("Terminal {}", plan.topology().terminal_label(Terminal(t))));
        let constant = |width, value| Expr::constant(width, value);
        let chance = m.wire(format!("t{t}_chance"), 1);
        let mut connections = bundle.source(&mut m, t);
        connections.extend([
            ("address", constant(a, t.into())),
            ("seed", constant(RANDOM_BITS, seed(t))),
            ("clear", clear.into()),
            ("slot", slot.into()),
            ("pause", pause_sources.into()),
            ("chance", chance.into()),
        ]);
        m.instance(format!("t{t}_source"), &source, connections);
        let mut connections = bundle.sink(&mut m, t);
        connections.extend([
            ("address", constant(a, t.into())),
            ("clear", clear.into()),
            ("slot", slot.into()),
            ("pause", pause_sinks.into()),
            ("chance", chance.into()),
        ]);
        m.instance(format!("t{t}_sink"), &sink, connections);
    }
    bundle.join(&mut m, arrived, fault);
    bundle.fabric(&mut m, fabric);
    Ok(m.finish()?)
}

/// The wires between the fabric's ports and the terminals.
struct Bundle<'a> {
    plan: &'a FabricPlan,
    pattern: Pattern,
    /// Whether there is a `tid`.
    id: bool,
    /// By port of the fabric: the wire on it.
    ports: BTreeMap<String, Net>,
    /// By port of the fabric that is fed here: its bits, terminal 0 first.
    fed: BTreeMap<String, Vec<Expr>>,
    /// Fields of a word from bit 0 up, with their widths.
    fields: Vec<(&'static str, u32)>,
    arrived: Vec<Expr>,
    fault: Vec<Expr>,
}

impl<'a> Bundle<'a> {
    fn new(m: &mut ModuleBuilder, plan: &'a FabricPlan, fabric: &Module, pattern: Pattern) -> Self {
        let ports =
            fabric.ports().map(|(net, info)| (info.name.clone(), m.wire(&info.name, net.width)));
        let fields = plan.flit_fields();
        Self {
            plan,
            pattern,
            id: plan.parameters.source_id,
            ports: ports.collect(),
            fed: BTreeMap::new(),
            fields: fields
                .iter()
                .filter(|f| !matches!(f.name, "id" | "last"))
                .map(|f| (f.name, f.width))
                .collect(),
            arrived: Vec::new(),
            fault: Vec::new(),
        }
    }

    /// Which bits of which port are a terminal's.
    fn bits(&self, side: Side, terminal: u32, name: &str) -> PortBits {
        let bits = self.plan.port_bits(side, Terminal(terminal), name);
        bits.expect("every terminal sends and takes packets")
    }

    fn of(&self, side: Side, terminal: u32, name: &str) -> Expr {
        let PortBits { port, low, width } = self.bits(side, terminal, name);
        self.ports[&port].slice(low, width)
    }

    fn feed(&mut self, side: Side, terminal: u32, name: &str, value: impl Into<Expr>) {
        let port = self.bits(side, terminal, name).port;
        self.fed.entry(port).or_default().push(value.into());
    }

    fn source(&mut self, m: &mut ModuleBuilder, t: u32) -> Vec<(&'static str, Expr)> {
        let Pattern { address, word: width, .. } = self.pattern;
        let mut wire = |port: &str, width| m.wire(format!("t{t}_source_{port}"), width);
        let (tvalid, tlast) = (wire("tvalid", 1), wire("tlast", 1));
        let (tdest, word) = (wire("tdest", address), wire("word", width));
        self.feed(Side::Source, t, "valid", tvalid);
        self.feed(Side::Source, t, "last", tlast);
        self.feed(Side::Source, t, "dest", tdest);
        let mut low = 0;
        for (field, width) in self.fields.clone() {
            self.feed(Side::Source, t, field, word.slice(low, width));
            low += width;
        }
        vec![
            ("tvalid", tvalid.into()),
            ("tready", self.of(Side::Source, t, "ready")),
            ("tdest", tdest.into()),
            ("word", word.into()),
            ("tlast", tlast.into()),
        ]
    }

    fn sink(&mut self, m: &mut ModuleBuilder, t: u32) -> Vec<(&'static str, Expr)> {
        let tready = m.wire(format!("t{t}_sink_tready"), 1);
        let arrived = m.wire(format!("t{t}_arrived"), 1);
        let fault = m.wire(format!("t{t}_fault"), Fault::BITS);
        self.feed(Side::Sink, t, "ready", tready);
        self.arrived.push(arrived.into());
        self.fault.push(fault.into());
        let word = self.fields.iter().rev().map(|&(field, _)| self.of(Side::Sink, t, field));
        let mut connections = vec![
            ("tvalid", self.of(Side::Sink, t, "valid")),
            ("tready", tready.into()),
            ("word", Expr::concat(word)),
            ("tlast", self.of(Side::Sink, t, "last")),
            ("refused", self.of(Side::Source, t, "error")),
            ("arrived", arrived.into()),
            ("fault", fault.into()),
        ];
        if self.id {
            connections.push(("tid", self.of(Side::Sink, t, "id")));
        }
        connections
    }

    fn join(&mut self, m: &mut ModuleBuilder, arrived: Net, fault: Net) {
        m.section("All terminals");
        let flat = |bits: &[Expr]| Expr::concat(bits.iter().rev().cloned());
        m.assign(arrived, flat(&self.arrived));
        m.assign(fault, flat(&self.fault));
        for (port, bits) in &self.fed {
            m.assign(self.ports[port], flat(bits));
        }
    }

    fn fabric(&self, m: &mut ModuleBuilder, fabric: &Arc<Module>) {
        m.section("The fabric");
        let connections = self.ports.iter().map(|(port, &net)| (port.as_str(), Expr::from(net)));
        m.instance("fabric", fabric, connections);
    }
}
