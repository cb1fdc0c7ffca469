//! The whole network: an injector per terminal that sends, a switch per node, a channel per link,
//! and the terminals' AXI4-Stream ports.

use super::injector;
use super::link;
use super::switch::{Parts, port, switch};
use super::terminal_ports::TerminalPorts;
use crate::plan::{FabricPlan, InputPlan, PortStyle, ResetStyle, Side, SwitchPlan};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_netlist::{Design, Expr, Instance, Module, ModuleBuilder, Net, RtlError, Stream};
use turnpike_network::routing::{Input, Output};
use turnpike_network::topology::{Local, Node, Port, Terminal, sinks_at};

/// The modules of a fabric: what is printed, proven and simulated.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn fabric(plan: &FabricPlan) -> Result<Design, RtlError> {
    let mut parts = Parts::new(plan);
    let switches = plan
        .switches
        .iter()
        .map(|class| match class.queues.is_empty() {
            // No route comes to such a switch: it failed.
            true => Ok(None),
            false => switch(plan, class, &mut parts).map(Some),
        })
        .collect::<Result<_, _>>()?;
    let mut builder = Builder {
        plan,
        injectors: plan
            .injectors
            .iter()
            .map(|class| injector::injector(plan, class))
            .collect::<Result<_, _>>()?,
        switches,
        parts,
        m: ModuleBuilder::new(plan.network_name()),
        channels: HashMap::new(),
        terminals: BTreeMap::new(),
        accepts: BTreeMap::new(),
    };
    builder.build()?;
    Design::new(&builder.m.finish()?)
}

/// The instances of the switches in the module of the whole network, by node.
pub fn switch_instances<'a>(plan: &FabricPlan, top: &'a Module) -> BTreeMap<Node, &'a Instance> {
    let is_built = |node: &Node| !plan.switch_of(*node).queues.is_empty();
    let is_switch = |name: &str| plan.switches.iter().any(|switch| switch.name == name);
    let placed = top.instances().filter(|instance| is_switch(&instance.module.name));
    plan.topology().all_nodes().filter(is_built).zip(placed).collect()
}

/// Columns of a line of the module's description.
const COLUMNS: usize = 90;

struct Builder<'a> {
    plan: &'a FabricPlan,
    injectors: Vec<Arc<Module>>,
    /// By class; none for switches that failed.
    switches: Vec<Option<Arc<Module>>>,
    parts: Parts,
    m: ModuleBuilder,
    /// By the node and output port that drive it.
    channels: HashMap<(Node, Port), Stream>,
    /// By terminal that takes packets.
    terminals: BTreeMap<Terminal, Stream>,
    /// By terminal: whether its injector takes a beat, and the wire that says that it refuses
    /// a packet, where there are addresses without a terminal.
    accepts: BTreeMap<Terminal, (Net, Option<Net>)>,
}

impl Builder<'_> {
    fn build(&mut self) -> Result<(), RtlError> {
        self.about();
        if self.plan.parameters.reset == ResetStyle::Low {
            self.m.reset_low();
        }
        let ports = TerminalPorts::declare(self.plan, &mut self.m);
        for node in self.plan.topology().all_nodes() {
            self.declare(node);
        }
        for node in self.plan.topology().all_nodes() {
            self.node(node, &ports)?;
        }
        self.terminal_outputs(&ports);
        Ok(())
    }

    fn about(&mut self) {
        let topology = self.plan.topology();
        let mut lines = vec![format!(
            "The whole network: {} at {} switches, {} channels.",
            self.plan.terminals_in_words(),
            self.plan.switch_count(),
            self.plan.channel_count()
        )];
        let (sources, sinks) = (self.plan.sources(), self.plan.sinks());
        let all = [sources, sinks].iter().all(|t| t.len() as u32 == topology.terminals());
        let intact = topology.intact().unwrap_or(topology);
        let at_node = |&terminal: &Terminal| {
            let place = Some((Node(terminal.0), Local(0)));
            intact.source(terminal) == place && intact.sink(terminal) == place
        };
        let read = "tdest is read on the first beat of a packet.";
        if self.plan.parameters.ports == PortStyle::Named {
            let streams =
                "Packets of a terminal enter by s_<terminal>_axis, and leave by m_<terminal>_axis.";
            lines.extend([streams.to_owned(), read.to_owned()]);
            lines.push("The terminals, each with its address:".to_owned());
            let entries = intact.all_terminals().map(|terminal| {
                format!("{} ({})", self.plan.terminal_name(terminal), topology.address(terminal).0)
            });
            lines.extend(listed("", entries));
        } else if all && sources.iter().all(at_node) {
            let terminal =
                "Terminal t is the node with address t; its slice of a port of W bits per terminal";
            lines.extend([terminal.to_owned(), format!("is [t*W +: W]. {read}")]);
        } else if all {
            let slice = "is that of the terminal with address t.";
            lines.push(format!("Slice [t*W +: W] of a port of W bits per terminal {slice}"));
            lines.push(read.to_owned());
        } else {
            lines.push(
                "A terminal that only takes packets has no slice of the s_axis ports, one that"
                    .into(),
            );
            lines.push("only sends none of the m_axis ports. Slice i is [i*W +: W] of a port of W bits per".into());
            lines.push(format!("terminal. {read}"));
            lines.push("The slices, each with its terminal's address:".to_owned());
            for (name, slices) in [("s_axis", sources), ("m_axis", sinks)] {
                let entries = slices.iter().enumerate().map(|(slice, &terminal)| {
                    let label = topology.terminal_label(terminal);
                    format!("{slice} {label} ({})", topology.address(terminal).0)
                });
                lines.extend(listed(&format!("{name}:"), entries));
            }
        }
        lines.into_iter().for_each(|line| self.m.about(line));
    }

    fn class(&self, node: Node) -> &SwitchPlan {
        self.plan.switch_of(node)
    }

    /// The wires that leave a node: its channels, and those of its terminal.
    fn declare(&mut self, node: Node) {
        let label = self.plan.topology().label(node);
        let class = self.plan.switch_of(node);
        let flit_width = self.plan.flit_width();
        for output in &class.outputs {
            let carries = port::channel(&output.vcs, &output.header, flit_width);
            let stream = self.m.stream_wires(&format!("n{label}_{}", output.name), carries);
            match output.output {
                Output::Network(port) => {
                    self.channels.insert((node, port), stream);
                }
                Output::Eject(local) => {
                    let sink = self.plan.topology().sink_at(node, local);
                    self.terminals.insert(sink.expect("packets leave to a terminal"), stream);
                }
            }
        }
    }

    fn node(&mut self, node: Node, ports: &TerminalPorts<'_>) -> Result<(), RtlError> {
        let label = self.plan.topology().label(node);
        let class = self.class(node).clone();
        let Some(module) = self.switches[self.plan.class_of(node)].clone() else {
            return Ok(());
        };
        self.m.section(format!("Node {label}"));
        let topology = self.plan.topology();
        let mut connections: Vec<(&str, Expr)> = Vec::new();
        for input in &class.inputs {
            let arrives;
            let stream = match input.input {
                Input::Network(at) => {
                    let channel = self.plan.channel_into(node, at);
                    let channel = channel.expect("packets come by a channel");
                    match self.plan.link_registers(channel.0, channel.1) {
                        0 => &self.channels[&channel],
                        delay => {
                            let end = format!("n{label}_{}", input.name);
                            let (m, sent) = (&mut self.m, &self.channels[&channel]);
                            arrives = link::place(m, &mut self.parts, delay, &end, sent)?;
                            &arrives
                        }
                    }
                }
                Input::Inject(local) => {
                    let source = topology.source_at(node, local);
                    let source = source.expect("packets enter from a terminal");
                    arrives = self.inject(source, input, &label, ports);
                    &arrives
                }
            };
            connections.extend(module.connect(&port::into(input), stream));
        }
        for output in &class.outputs {
            let stream = match output.output {
                Output::Network(port) => &self.channels[&(node, port)],
                Output::Eject(local) => {
                    let sink = topology.sink_at(node, local);
                    &self.terminals[&sink.expect("packets leave to a terminal")]
                }
            };
            connections.extend(module.connect(&port::out_of(output), stream));
        }
        for sink in sinks_at(topology, node) {
            if let Some(stream) = self.terminals.get(&sink) {
                self.m.assign(stream.lanes[0].ready, ports.of(Side::Sink, sink, "ready"));
            }
        }
        self.m.instance(format!("n{label}_switch"), &module, connections);
        Ok(())
    }

    /// The injector of a terminal; returns what it sends.
    fn inject(
        &mut self,
        source: Terminal,
        input: &InputPlan,
        label: &str,
        ports: &TerminalPorts<'_>,
    ) -> Stream {
        let class = self.plan.injector_of(source).expect("packets come from a terminal that sends");
        let injector = Arc::clone(&self.injectors[class]);
        let flit = self.flit_from_ports(source, ports);
        let (m, name) = (&mut self.m, &input.name);
        let sends = injector.stream("out").expect("an injector sends").of.clone();
        let sends = m.stream_wires(&format!("n{label}_{name}"), sends);
        let accepts = m.wire(format!("n{label}_{name}_accepts"), 1);
        let mut connections = vec![
            ("in_valid", ports.of(Side::Source, source, "valid")),
            ("in_ready", accepts.into()),
            ("in_dest", ports.of(Side::Source, source, "dest")),
            ("in_flit", flit),
        ];
        let error = injector.port("in_error");
        let refuses = error.map(|_| m.wire(format!("n{label}_{name}_error"), 1));
        connections.extend(refuses.map(|net| ("in_error", net.into())));
        connections.extend(injector.port("address").map(|port| {
            let seen = self.plan.injectors[class]
                .injection
                .view
                .of_source(self.plan.topology().address(source));
            ("address", Expr::constant(port.width, seen))
        }));
        let generator = self.plan.generator(source);
        connections.extend(injector.port("seed").zip(generator).map(|(port, generator)| {
            ("seed", Expr::constant(port.width, generator.first_state()))
        }));
        connections.extend(injector.connect("out", &sends));
        // `inject` has an `injector`, `inject1` an `injector1`.
        let instance = name.replace("inject", "injector");
        m.instance(format!("n{label}_{instance}"), &injector, connections);
        self.accepts.insert(source, (accepts, refuses));
        sends
    }

    /// A flit out of the terminal's ports, with its address as its source.
    fn flit_from_ports(&self, source: Terminal, ports: &TerminalPorts<'_>) -> Expr {
        let field = |f: crate::plan::FlitField| match f.name {
            "id" => Expr::constant(f.width, self.plan.topology().address(source).0.into()),
            name => ports.of(Side::Source, source, name),
        };
        let low_first: Vec<Expr> = self.plan.flit_fields().into_iter().map(field).collect();
        Expr::concat(low_first.into_iter().rev())
    }

    /// Terminals that failed neither take nor send: what comes to them is not looked at.
    fn dead_terminals(&mut self, ports: &TerminalPorts<'_>) {
        let (plan, topology) = (self.plan, self.plan.topology());
        let mut slices: Vec<Expr> = Vec::new();
        for terminal in (0..topology.terminals()).map(Terminal) {
            let dead = [topology.source(terminal).is_none(), topology.sink(terminal).is_none()];
            let mut unused = |side, names: &dyn Fn(&str) -> bool| {
                let signals = plan.signals(side).into_iter().filter(|s| s.input && names(s.name));
                slices.extend(signals.filter_map(|s| ports.input(side, terminal, s.name)));
            };
            let handshake = |name: &str| ["valid", "dest"].contains(&name);
            if dead[0] {
                unused(Side::Source, &handshake);
            }
            if dead[1] {
                unused(Side::Sink, &|_| true);
            }
            if dead[0] {
                unused(Side::Source, &|name| !handshake(name));
            }
        }
        if slices.is_empty() {
            return;
        }
        self.m.section("Terminals of nodes that failed");
        self.m.gather_unused("terminals", Expr::concat(slices));
    }

    fn terminal_outputs(&mut self, ports: &TerminalPorts<'_>) {
        // The highest first, as bits are written; a terminal that failed is tied low.
        let low = |width| Expr::constant(width, 0);
        let all = |terminals: &[Terminal], value: &dyn Fn(Terminal) -> Expr| {
            Expr::concat(terminals.iter().rev().map(|&terminal| value(terminal)))
        };
        let live = |terminals: &[Terminal], value: &dyn Fn(Terminal) -> Expr| {
            (!Expr::Reset).repeat(terminals.len() as u32) & all(terminals, value)
        };
        self.dead_terminals(ports);
        let Self { plan, m, terminals, accepts, .. } = self;
        m.section("Terminals");
        m.comment("Nothing is offered or accepted under reset.");
        let accepted = |t| accepts.get(&t).map_or(low(1), |(net, _)| (*net).into());
        ports.drive(m, Side::Source, "ready", |of| live(of, &accepted));
        let valid = |t| match terminals.get(&t) {
            Some(stream) => stream.lanes[0].valid.into(),
            None => low(1),
        };
        ports.drive(m, Side::Sink, "valid", |of| live(of, &valid));
        let mut at = 0;
        for field in plan.flit_fields() {
            let slice = |t| match terminals.get(&t) {
                Some(stream) => {
                    stream.field("flit").expect("flits have bits").slice(at, field.width)
                }
                None => low(field.width),
            };
            ports.drive(m, Side::Sink, field.name, |of| all(of, &slice));
            at += field.width;
        }
        if !plan.refuses_any() {
            m.comment("Every address is a live terminal of this network: no packet is refused.");
            ports.drive(m, Side::Source, "error", |of| low(of.len() as u32));
            return;
        }
        m.comment(match plan.topology().flows() {
            None => "A packet to an address without a terminal was taken, and goes no further.",
            Some(_) => "A packet to an address without a flow was taken, and goes no further.",
        });
        let error = |t| {
            let wires = accepts.get(&t);
            wires.and_then(|(_, error)| *error).map_or(low(1), Expr::from)
        };
        ports.drive(m, Side::Source, "error", |of| live(of, &error));
    }
}

/// Lines of entries, such as terminals with their addresses.
pub(super) fn listed(head: &str, entries: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines = vec![format!("  {head}")];
    for entry in entries {
        let entry = format!(" {entry}");
        if lines.last().is_some_and(|line| line.len() + entry.len() > COLUMNS) {
            lines.push("   ".to_owned());
        }
        lines.last_mut().expect("there is a first line").push_str(&entry);
    }
    lines
}
