//! A fabric with a source and a sink at every terminal, and what conducts them.

use super::control::control;
use super::fault::Fault;
use super::pattern::Pattern;
use super::sink::sink;
use super::source::{RANDOM_BITS, seed, source};
use super::subject::Subject;
use super::{Expr, TERMINAL_BITS};
use crate::plan::{PortBits, Side, TerminalPort};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_netlist::{Module, ModuleBuilder, Net, RtlError};

/// The module, around `fabric`. Ports: `done`, `pass`, `fail`, `code`, `terminal`, as
/// [`control`] has them. It begins when the reset ends.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn core(subject: &Subject, fabric: &Arc<Module>) -> Result<Arc<Module>, RtlError> {
    let Subject { name, pattern, cast, .. } = subject;
    let pattern = *pattern;
    let a = pattern.address;
    let mut m = ModuleBuilder::new(format!("{name}_selftest_core"));
    m.about(format!("Self-test of {name}:"));
    m.about("the fabric with a source and a sink at every terminal.");
    m.about("Begins when the reset ends. `pass` or `fail` comes with `done`, or `fail` with the");
    m.about("first fault. `code` says what it was, the low bits of `terminal` where:");
    // Where each beat is a packet, none is too long.
    let all = Fault::ALL.iter().filter(|(fault, _)| !pattern.single || *fault != Fault::Length);
    let listed = all.map(|&(fault, text)| match (fault, pattern.in_order) {
        (Fault::Order, false) => format!("  {} a packet lost or twice", fault.code()),
        _ => format!("  {} {text}", fault.code()),
    });
    listed.for_each(|line| m.about(line));
    let verdict = ["done", "pass", "fail"].map(|name| (name, m.output(name, 1)));
    let code = m.output("code", Fault::BITS);
    let terminal = m.output("terminal", a.min(TERMINAL_BITS));

    let mut bundle = Bundle::new(&mut m, subject, fabric);
    let control = control(name, cast, pattern.in_order)?;
    let paced = ["clear", "pause_sources", "pause_sinks"].map(|n| (n, m.wire(n, 1)));
    let slot = m.wire("slot", a);
    let arrived = m.wire("arrived", cast.takers.len() as u32);
    let fault = m.wire("fault", Fault::BITS * cast.all().len() as u32);
    let complete = (!pattern.in_order).then(|| m.wire("complete", 1));
    m.section("Conductor");
    let outputs = verdict.into_iter().chain(paced);
    let more = [
        ("code", code),
        ("terminal", terminal),
        ("slot", slot),
        ("arrived", arrived),
        ("fault", fault),
    ];
    let told = complete.map(|net| ("complete", net));
    let ports = outputs.chain(more).chain(told).map(|(port, net)| (port, Expr::from(net)));
    m.instance("control", &control, ports);

    let (source, sink) = (source(name, pattern, cast)?, sink(name, pattern, subject.id)?);
    let [clear, pause_sources, pause_sinks] = paced.map(|(_, net)| net);
    let constant = |width, value| Expr::constant(width, value);
    let chance: BTreeMap<u32, Net> =
        cast.senders.iter().map(|&t| (t, m.wire(format!("t{t}_chance"), 1))).collect();
    for t in cast.all() {
        m.section(format!("Terminal {}", subject.labels[&t]));
        let sends = chance.get(&t);
        if let Some(&chance) = sends {
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
        }
        if !cast.takers.contains(&t) {
            bundle.watch_source(t);
            // It is for a sink.
            m.gather_unused(&format!("t{t}_chance"), chance[&t]);
            continue;
        }
        // A sink without a source takes the chance of another.
        let another = cast.senders[t as usize % cast.senders.len()];
        let mut connections = bundle.sink(&mut m, t, sends.is_some());
        connections.extend([
            ("address", constant(a, t.into())),
            ("clear", clear.into()),
            ("slot", slot.into()),
            ("pause", pause_sinks.into()),
            ("chance", chance[if sends.is_some() { &t } else { &another }].into()),
        ]);
        connections.extend(complete.map(|net| ("complete", net.into())));
        m.instance(format!("t{t}_sink"), &sink, connections);
    }
    bundle.leave_dead(&mut m);
    bundle.join(&mut m, arrived, fault);
    bundle.fabric(&mut m, fabric);
    m.finish()
}

/// The wires between the fabric's ports and the terminals.
struct Bundle<'a> {
    subject: &'a Subject,
    /// Bits of ports, by side, terminal and signal.
    bits: HashMap<(Side, u32, &'static str), PortBits>,
    /// By port of the fabric: the wire on it.
    ports: BTreeMap<String, Net>,
    /// By port of the fabric that is fed here: by lowest bit, what is fed.
    fed: BTreeMap<String, BTreeMap<u32, Expr>>,
    arrived: Vec<Expr>,
    fault: Vec<Expr>,
}

impl<'a> Bundle<'a> {
    fn new(m: &mut ModuleBuilder, subject: &'a Subject, fabric: &Module) -> Self {
        let ports =
            fabric.ports().map(|(net, info)| (info.name.clone(), m.wire(&info.name, net.width)));
        Self {
            subject,
            bits: subject.port_bits(),
            ports: ports.collect(),
            fed: BTreeMap::new(),
            arrived: Vec::new(),
            fault: Vec::new(),
        }
    }

    /// Signal that comes out of the fabric; `None` where the terminal has no such port.
    fn find(&self, side: Side, terminal: u32, name: &'static str) -> Option<Expr> {
        let PortBits { port, low, width } = self.bits.get(&(side, terminal, name))?;
        Some(self.ports[port].slice(*low, *width))
    }

    fn of(&self, side: Side, terminal: u32, name: &'static str) -> Expr {
        self.find(side, terminal, name).expect("a terminal has the ports of its sides")
    }

    fn feed(&mut self, side: Side, terminal: u32, name: &'static str, value: impl Into<Expr>) {
        let PortBits { port, low, .. } = &self.bits[&(side, terminal, name)];
        self.fed.entry(port.clone()).or_default().insert(*low, value.into());
    }

    fn source(&mut self, m: &mut ModuleBuilder, t: u32) -> Vec<(&'static str, Expr)> {
        let Pattern { address, word: width, single, .. } = self.subject.pattern;
        let mut wire = |port: &str, width| m.wire(format!("t{t}_source_{port}"), width);
        let tvalid = wire("tvalid", 1);
        let tlast = (!single).then(|| wire("tlast", 1));
        let (tdest, word) = (wire("tdest", address), wire("word", width));
        self.feed(Side::Source, t, "valid", tvalid);
        if let Some(tlast) = tlast {
            self.feed(Side::Source, t, "last", tlast);
        }
        self.feed(Side::Source, t, "dest", tdest);
        let mut low = 0;
        for &(field, width) in &self.subject.fields {
            self.feed(Side::Source, t, field, word.slice(low, width));
            low += width;
        }
        let ports = [
            ("tvalid", tvalid.into()),
            ("tready", self.of(Side::Source, t, "ready")),
            ("tdest", tdest.into()),
            ("word", word.into()),
        ];
        ports.into_iter().chain(tlast.map(|tlast| ("tlast", tlast.into()))).collect()
    }

    /// A terminal that takes no packets has no checker: that its own are refused is a fault.
    fn watch_source(&mut self, t: u32) {
        let refused = self.of(Side::Source, t, "error").repeat(Fault::BITS);
        self.fault.push(refused & Expr::constant(Fault::BITS, Fault::Protocol.code()));
    }

    /// Ties off the ports of terminals that failed.
    fn leave_dead(&mut self, m: &mut ModuleBuilder) {
        let mut unread = Vec::new();
        let subject = self.subject;
        for &TerminalPort { side, signal, ref terminals, .. } in &subject.ports {
            for terminal in terminals {
                if !self.is_dead(side, terminal.0) {
                    continue;
                }
                match signal.input {
                    true => {
                        self.feed(side, terminal.0, signal.name, Expr::constant(signal.width, 0))
                    }
                    false => unread.push(self.of(side, terminal.0, signal.name)),
                }
            }
        }
        if !unread.is_empty() {
            m.section("Terminals that failed");
            m.gather_unused("dead", Expr::concat(unread));
        }
    }

    fn is_dead(&self, side: Side, terminal: u32) -> bool {
        let live = match side {
            Side::Source => &self.subject.cast.senders,
            Side::Sink => &self.subject.cast.takers,
        };
        live.binary_search(&terminal).is_err()
    }

    /// Connects the checker of a terminal, one that `sends` as well or not.
    fn sink(&mut self, m: &mut ModuleBuilder, t: u32, sends: bool) -> Vec<(&'static str, Expr)> {
        let tready = m.wire(format!("t{t}_sink_tready"), 1);
        let arrived = m.wire(format!("t{t}_arrived"), 1);
        let fault = m.wire(format!("t{t}_fault"), Fault::BITS);
        self.feed(Side::Sink, t, "ready", tready);
        self.arrived.push(arrived.into());
        self.fault.push(fault.into());
        // Where every address is a terminal's, a fabric need not have the port.
        let refused = sends.then(|| self.find(Side::Source, t, "error")).flatten();
        let word =
            self.subject.fields.iter().rev().map(|&(field, _)| self.of(Side::Sink, t, field));
        let mut connections = vec![
            ("tvalid", self.of(Side::Sink, t, "valid")),
            ("tready", tready.into()),
            ("word", Expr::concat(word)),
        ];
        if !self.subject.pattern.single {
            connections.push(("tlast", self.of(Side::Sink, t, "last")));
        }
        connections.extend([
            ("refused", refused.unwrap_or(Expr::constant(1, 0))),
            ("arrived", arrived.into()),
            ("fault", fault.into()),
        ]);
        if self.subject.id {
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
            m.assign(self.ports[port], Expr::concat(bits.values().rev().cloned()));
        }
    }

    fn fabric(&self, m: &mut ModuleBuilder, fabric: &Arc<Module>) {
        m.section("The fabric");
        let connections = self.ports.iter().map(|(port, &net)| (port.as_str(), Expr::from(net)));
        m.instance("fabric", fabric, connections);
    }
}
