//! The netlist of a slotted fabric.

mod injector;
mod switch;
mod table;

use crate::plan::SlottedPlan;
use crate::ports::{ID, SLOT_DEST, SLOT_VALID, SlottedPorts, signals};
use injector::Injectors;
use std::collections::{BTreeMap, HashMap};
use switch::Switches;
use table::by_slot;
use turnpike_fabric::plan::{FlitField, ResetStyle, Side};
use turnpike_netlist::{Design, Expr, ModuleBuilder, Net, Register, RtlError};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Node, Terminal};

/// The modules of a fabric, the whole fabric on top.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn slotted(plan: &SlottedPlan) -> Result<Design, RtlError> {
    let mut m = ModuleBuilder::new(&plan.name);
    if plan.over().parameters.reset == ResetStyle::Low {
        m.reset_low();
    }
    about(plan, &mut m);
    let ports = plan.ports();
    let declare = |port: &turnpike_fabric::plan::TerminalPort| {
        let net = match port.signal.input {
            true => m.input(&port.name, port.width()),
            false => m.output(&port.name, port.width()),
        };
        (port.name.clone(), net)
    };
    let nets = ports.list.iter().map(declare).collect();
    let bits = plan.slot_bits();
    let slot = (bits > 0).then(|| m.output("slot", bits));
    let (entering, leaving) = (HashMap::new(), HashMap::new());
    let (sources, from) = (BTreeMap::new(), BTreeMap::new());
    let mut top = Top { plan, m, ports, nets, slot, entering, leaving, sources, from };
    top.count();
    top.channels();
    top.sources()?;
    top.switches()?;
    top.senders();
    top.idle_sources();
    top.outputs();
    Design::new(&top.m.finish()?)
}

fn about(plan: &SlottedPlan, m: &mut ModuleBuilder) {
    let over = plan.over();
    let (words, slots) = (counted(plan.words(), "word"), counted(plan.frame(), "slot"));
    let network = (over.terminals_in_words(), plan.switches().len());
    m.about(format!("{} at {} switches without queues and arbiters.", network.0, network.1));
    m.about(format!("Words go by a time table: {words} in a frame of {slots}, a cycle each."));
    m.about("A source's word is taken in a slot of its flow: s_slot_valid says whether this is one, and");
    m.about(
        "s_slot_dest of which flow. From there on it never waits: a sink takes what comes, and tid",
    );
    m.about("says from whom. Words of several sources take turns at a sink, word by word.");
}

/// A link: a word may be on it.
#[derive(Clone, Copy)]
struct Link {
    /// Whether there is one.
    valid: Net,
    flit: Net,
}

/// Nets of a source's injector.
struct Source {
    ready: Net,
    error: Option<Net>,
    slot_valid: Net,
    slot_dest: Net,
}

struct Top<'a> {
    plan: &'a SlottedPlan,
    m: ModuleBuilder,
    ports: SlottedPorts,
    /// By name of a port.
    nets: HashMap<String, Net>,
    slot: Option<Net>,
    /// By switch and input, what comes to it.
    entering: HashMap<(Node, Input), Link>,
    /// By switch and output, what leaves it.
    leaving: HashMap<(Node, Output), Link>,
    sources: BTreeMap<Terminal, Source>,
    /// By sink, the address of the source of the word that comes to it.
    from: BTreeMap<Terminal, Expr>,
}

impl Top<'_> {
    /// The counter of slots.
    fn count(&mut self) {
        let Some(slot) = self.slot else { return };
        let m = &mut self.m;
        m.section("The slot of this cycle");
        let bits = slot.width;
        let last = Expr::from(slot).equals(Expr::constant(bits, u64::from(self.plan.frame() - 1)));
        let following = Expr::from(slot) + Expr::constant(bits, 1);
        let next = match self.plan.frame().is_power_of_two() {
            true => following,
            false => last.mux(Expr::constant(bits, 0), following),
        };
        m.registers(vec![Register { net: slot, reset: Some(0), enable: None, next }]);
    }

    /// A terminal's bits of a signal that it gives.
    fn given(&self, side: Side, terminal: Terminal, signal: &'static str) -> Expr {
        let bits = self.ports.bits(side, terminal, signal).expect("the terminal has the port");
        self.nets[&bits.port].slice(bits.low, bits.width)
    }

    fn sources(&mut self) -> Result<(), RtlError> {
        let plan = self.plan;
        let mut injectors = Injectors::new(plan);
        let flit_width = plan.over().flit_width();
        let topology = plan.over().topology();
        for &source in plan.over().sources() {
            if !plan.sends(source) {
                continue;
            }
            let label = topology.terminal_label(source);
            self.m.section(format!("Source {label}"));
            let module = injectors.module(source)?;
            let [valid, dest] =
                ["valid", "dest"].map(|signal| self.given(Side::Source, source, signal));
            let fields = plan.over().flit_fields();
            let field = |f: &FlitField| self.given(Side::Source, source, f.name);
            let flit = Expr::concat(fields.iter().rev().map(field));
            let m = &mut self.m;
            let wire = |m: &mut ModuleBuilder, signal: &str, width: u32| {
                m.wire(format!("source_{label}_{signal}"), width)
            };
            let ready = wire(m, "ready", 1);
            let error = module.port("in_error").map(|_| wire(m, "error", 1));
            let slot_valid = wire(m, SLOT_VALID, 1);
            let slot_dest = wire(m, SLOT_DEST, plan.address_bits());
            let enters = wire(m, "valid", 1);
            let flit = m.define(format!("source_{label}_flit"), flit_width, flit);
            let connections = [
                ("in_valid", valid),
                ("in_ready", ready.into()),
                ("in_dest", dest),
                ("out_valid", enters.into()),
                (SLOT_VALID, slot_valid.into()),
                (SLOT_DEST, slot_dest.into()),
            ];
            let error_port = error.map(|net| ("in_error", net.into()));
            let slot = module.port("slot").and(self.slot).map(|slot| ("slot", slot.into()));
            let connections = connections.into_iter().chain(error_port).chain(slot);
            m.instance(format!("source_{label}_injector"), &module, connections);
            let place = Input::of(topology, source).expect("words come from a terminal that sends");
            self.entering.insert(place, Link { valid: enters, flit });
            self.sources.insert(source, Source { ready, error, slot_valid, slot_dest });
        }
        Ok(())
    }

    /// The wires that leave switches, and those that come to them by channels.
    fn channels(&mut self) {
        let plan = self.plan;
        let (over, flit_width) = (plan.over(), plan.over().flit_width());
        for switch in plan.switches() {
            let label = over.topology().label(switch.node);
            for output in &switch.outputs {
                let name = plan.output_name(switch.node, output.output);
                let valid = self.m.wire(format!("n{label}_{name}_valid"), 1);
                let flit = self.m.wire(format!("n{label}_{name}_flit"), flit_width);
                self.leaving.insert((switch.node, output.output), Link { valid, flit });
            }
        }
        for switch in plan.switches() {
            for &input in &switch.inputs {
                let Input::Network(port) = input else { continue };
                let channel = over.channel_into(switch.node, port);
                let (from, port) = channel.expect("words come by a channel");
                let link = self.leaving[&(from, Output::Network(port))];
                self.entering.insert((switch.node, input), link);
            }
        }
    }

    fn switches(&mut self) -> Result<(), RtlError> {
        let plan = self.plan;
        let mut modules = Switches::new(plan);
        self.m.section("Switches");
        for switch in plan.switches() {
            let module = modules.module(switch)?;
            let label = plan.over().topology().label(switch.node);
            let mut connections: Vec<(String, Expr)> = Vec::new();
            let mut connect = |name: &str, link: Link| {
                connections.push((format!("{name}_valid"), link.valid.into()));
                connections.push((format!("{name}_flit"), link.flit.into()));
            };
            for &input in &switch.inputs {
                let name = plan.input_name(switch.node, input);
                connect(&format!("{name}_in"), self.entering[&(switch.node, input)]);
            }
            for output in &switch.outputs {
                let name = plan.output_name(switch.node, output.output);
                connect(&format!("{name}_out"), self.leaving[&(switch.node, output.output)]);
            }
            let slot = module.port("slot").and(self.slot);
            connections.extend(slot.map(|slot| ("slot".to_owned(), slot.into())));
            let connections = connections.iter().map(|(name, net)| (name.as_str(), net.clone()));
            self.m.instance(format!("n{label}_switch"), &module, connections);
        }
        Ok(())
    }

    /// Gathers what sources without flows give: terminals that failed, or that no flow begins at.
    fn idle_sources(&mut self) {
        let idle = self.plan.over().sources().iter().filter(|t| !self.sources.contains_key(t));
        let signals = signals(self.plan, Side::Source);
        let given = idle.flat_map(|&source| {
            let inputs = signals.iter().filter(|signal| signal.input);
            inputs.map(move |signal| (source, signal.name))
        });
        let given: Vec<Expr> =
            given.map(|(source, signal)| self.given(Side::Source, source, signal)).collect();
        if !given.is_empty() {
            self.m.section("Sources without flows");
            self.m.gather_unused("sources", Expr::concat(given));
        }
    }

    fn outputs(&mut self) {
        self.m.section("Terminals");
        self.m.comment("Nothing is offered or accepted under reset.");
        let fields = self.plan.over().flit_fields();
        let list = self.ports.list.clone();
        for port in list.iter().filter(|port| !port.signal.input) {
            let (name, width) = (port.signal.name, port.signal.width);
            let value = |terminal: &Terminal| match port.side {
                Side::Source => self.of_source(*terminal, name),
                Side::Sink => self.of_sink(*terminal, name, &fields),
            };
            // The highest first, as bits are written.
            let mut values: Vec<Option<Expr>> = Vec::new();
            for terminal in port.terminals.iter().rev() {
                values.push(value(terminal));
            }
            // A terminal without flows is tied low.
            let is_live = ["valid", "ready", "error", SLOT_VALID].contains(&name)
                && values.iter().any(Option::is_some);
            let nothing = || Expr::zeros(width);
            let all = Expr::concat(values.into_iter().map(|value| value.unwrap_or_else(nothing)));
            let all = match is_live {
                true => (!Expr::Reset).repeat(port.terminals.len() as u32) & all,
                false => all,
            };
            self.m.assign(self.nets[&port.name], all);
        }
    }

    /// Signal that the fabric gives a source; `None` for one without flows.
    fn of_source(&self, source: Terminal, signal: &str) -> Option<Expr> {
        let own = self.sources.get(&source)?;
        match signal {
            "ready" => Some(own.ready.into()),
            "error" => own.error.map(Expr::from),
            SLOT_VALID => Some(own.slot_valid.into()),
            _ => Some(own.slot_dest.into()),
        }
    }

    /// Signal that the fabric gives a sink; `None` for one that no flow comes to.
    fn of_sink(&self, sink: Terminal, signal: &str, fields: &[FlitField]) -> Option<Expr> {
        let place = Output::of(self.plan.over().topology(), sink)?;
        let link = self.leaving.get(&place)?;
        if signal == "valid" {
            return Some(link.valid.into());
        }
        if signal == ID {
            return Some(self.from[&sink].clone());
        }
        let at = fields.iter().position(|field| field.name == signal)?;
        let low = fields[..at].iter().map(|field| field.width).sum();
        Some(link.flit.slice(low, fields[at].width))
    }

    /// By sink, the address of the source whose word comes to it in this slot.
    fn senders(&mut self) {
        let (plan, topology) = (self.plan, self.plan.over().topology());
        let frame = plan.frame();
        let sinks = plan.over().sinks().iter().copied();
        let sinks: Vec<Terminal> = sinks.filter(|&sink| plan.takes(sink)).collect();
        self.m.section("Who sent the word that comes to a sink");
        for sink in sinks {
            let mut rows = vec![None; frame as usize];
            for flow in plan.flows_to(sink) {
                for start in &flow.starts {
                    let slot = (start + flow.cycles) % frame;
                    rows[slot as usize] = Some(plan.address(flow.source));
                }
            }
            let name = format!("sink_{}_from", topology.terminal_label(sink));
            let from = by_slot(&mut self.m, self.slot, &name, plan.address_bits(), &rows);
            self.from.insert(sink, from);
        }
    }
}

/// Number of things, in words.
fn counted(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        several => format!("{several} {what}s"),
    }
}
