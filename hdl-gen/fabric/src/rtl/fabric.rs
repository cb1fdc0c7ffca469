//! The whole network: an injector per terminal that sends, a switch per node, a channel per link,
//! and the terminals' AXI4-Stream ports flattened.

use super::injector;
use super::switch::{Parts, port, switch};
use crate::plan::{FabricPlan, InputPlan, OutputPlan, SwitchPlan};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_netlist::{Design, Expr, Module, ModuleBuilder, Net, RtlError};
use turnpike_network::routing::{Input, Output, Vc, low_bits};
use turnpike_network::topology::{Local, Node, Port, Terminal, Topology, sinks_at};

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
        m: ModuleBuilder::new(&plan.name),
        channels: HashMap::new(),
        terminals: BTreeMap::new(),
        accepts: BTreeMap::new(),
    };
    builder.build();
    Design::new(&builder.m.finish()?)
}

/// Columns of a line of the module's description.
const COLUMNS: usize = 90;

/// Wires of one channel or terminal by signal name (`valid`, `vc1_ready`, `flit` ...).
type Bundle = BTreeMap<String, Net>;

struct Builder<'a> {
    plan: &'a FabricPlan,
    injectors: Vec<Arc<Module>>,
    /// By class; none for switches that failed.
    switches: Vec<Option<Arc<Module>>>,
    m: ModuleBuilder,
    /// By the node and output port that drive it.
    channels: HashMap<(Node, Port), Bundle>,
    /// By terminal that takes packets: its eject port and the wires of that.
    terminals: BTreeMap<Terminal, (OutputPlan, Bundle)>,
    /// By terminal: whether its injector takes a beat, and the wire that says that it refuses
    /// a packet, where there are addresses without a terminal.
    accepts: BTreeMap<Terminal, (Net, Option<Net>)>,
}

/// The flattened terminal ports.
struct TerminalPorts {
    in_valid: Net,
    in_ready: Net,
    in_dest: Net,
    in_fields: Vec<(Net, u32)>,
    error: Net,
    out_valid: Net,
    out_ready: Net,
    out_fields: Vec<(Net, u32)>,
}

impl Builder<'_> {
    fn build(&mut self) {
        self.about();
        let ports = self.ports();
        for node in self.plan.topology().all_nodes() {
            self.declare(node);
        }
        for node in self.plan.topology().all_nodes() {
            self.node(node, &ports);
        }
        self.terminal_outputs(&ports);
    }

    fn about(&mut self) {
        let topology = self.plan.topology();
        let mut lines = vec![format!(
            "The whole network: {} terminals at {} switches, {} channels.",
            topology.all_terminals().count(),
            topology.nodes(),
            topology.channels()
        )];
        let (sources, sinks) = (self.plan.sources(), self.plan.sinks());
        let all = [sources, sinks].iter().all(|t| t.len() as u32 == topology.terminals());
        let intact = topology.intact().unwrap_or(topology);
        let at_node = |&terminal: &Terminal| {
            let place = Some((Node(terminal.0), Local(0)));
            intact.source(terminal) == place && intact.sink(terminal) == place
        };
        let read = "tdest is read on the first beat of a packet.";
        if all && sources.iter().all(at_node) {
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
                lines.extend(listed(name, topology, slices));
            }
        }
        lines.into_iter().for_each(|line| self.m.about(line));
    }

    fn ports(&mut self) -> TerminalPorts {
        let (plan, m) = (self.plan, &mut self.m);
        let (sources, sinks) = (plan.sources().len() as u32, plan.sinks().len() as u32);
        let address = plan.topology().address_bits();
        let fields = plan.flit_fields();
        let s = |name: &str| format!("s_axis_t{name}");
        let in_valid = m.input(s("valid"), sources);
        let in_ready = m.output(s("ready"), sources);
        let in_dest = m.input(s("dest"), sources * address);
        // The source's address is not an input: every node knows its own.
        let in_fields = fields
            .iter()
            .filter(|f| f.name != "id")
            .map(|f| (m.input(s(f.name), sources * f.width), f.width))
            .collect();
        let error = m.output("s_axis_error", sources);
        let o = |name: &str| format!("m_axis_t{name}");
        let out_valid = m.output(o("valid"), sinks);
        let out_ready = m.input(o("ready"), sinks);
        let out_fields =
            fields.iter().map(|f| (m.output(o(f.name), sinks * f.width), f.width)).collect();
        TerminalPorts {
            in_valid,
            in_ready,
            in_dest,
            in_fields,
            error,
            out_valid,
            out_ready,
            out_fields,
        }
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
            let prefix = format!("n{label}_{}", output.name);
            let mut bundle = Bundle::new();
            for &vc in &output.vcs {
                for signal in ["valid", "ready"] {
                    let key = port::output_vc(output, vc, signal);
                    let name = format!("n{label}_{}", key.replace("_out_", "_"));
                    bundle.insert(key, self.m.wire(name, 1));
                }
            }
            let bits = output.header.len() as u32;
            if bits > 0 {
                let net = self.m.wire(format!("{prefix}_header"), bits);
                bundle.insert(port::output(output, "header"), net);
            }
            let net = self.m.wire(format!("{prefix}_flit"), flit_width);
            bundle.insert(port::output(output, "flit"), net);
            match output.output {
                Output::Network(port) => {
                    self.channels.insert((node, port), bundle);
                }
                Output::Eject(local) => {
                    let sink = self.plan.topology().sink_at(node, local);
                    let sink = sink.expect("packets leave to a terminal");
                    self.terminals.insert(sink, (output.clone(), bundle));
                }
            }
        }
    }

    fn node(&mut self, node: Node, ports: &TerminalPorts) {
        let label = self.plan.topology().label(node);
        let class = self.class(node).clone();
        let Some(module) = self.switches[self.plan.network.turns().class_of(node)].clone() else {
            return;
        };
        self.m.section(format!("Node {label}"));
        let topology = self.plan.topology();
        let mut connections: Vec<(String, Expr)> = Vec::new();
        for input in &class.inputs {
            let at = match input.input {
                Input::Network(at) => at,
                Input::Inject(local) => {
                    let source = topology.source_at(node, local);
                    let source = source.expect("packets enter from a terminal");
                    connections.extend(self.inject(source, input, &label, ports));
                    continue;
                }
            };
            let channel = self.plan.network.all_entering().channel(node, at);
            let (from, output) = channel.expect("packets come by a channel");
            // Both ends name the same signals, from their own side.
            let sender = self.class(from);
            let sender = sender
                .outputs
                .iter()
                .find(|o| o.output == Output::Network(output))
                .expect("a channel in use has a sender")
                .clone();
            let bundle = &self.channels[&(from, output)];
            for &vc in &input.vcs {
                for signal in ["valid", "ready"] {
                    let net = bundle[&port::output_vc(&sender, vc, signal)];
                    connections.push((port::input_vc(input, vc, signal), net.into()));
                }
            }
            if !input.header.is_empty() {
                let net = bundle[&port::output(&sender, "header")];
                connections.push((port::input(input, "header"), net.into()));
            }
            connections
                .push((port::input(input, "flit"), bundle[&port::output(&sender, "flit")].into()));
        }
        for output in &class.outputs {
            let bundle = match output.output {
                Output::Network(port) => &self.channels[&(node, port)],
                Output::Eject(local) => {
                    let sink = topology.sink_at(node, local);
                    &self.terminals[&sink.expect("packets leave to a terminal")].1
                }
            };
            connections.extend(bundle.iter().map(|(port, &net)| (port.clone(), net.into())));
        }
        for sink in sinks_at(topology, node) {
            if let Some((output, wires)) = self.terminals.get(&sink) {
                let ready = wires[&port::output_vc(output, Vc(0), "ready")];
                let slice = self.plan.sink_slice(sink).expect("a sink has a slice");
                self.m.assign(ready, ports.out_ready.bit(slice));
            }
        }
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        self.m.instance(format!("n{label}_switch"), &module, connections);
    }

    /// The injector of a terminal; returns the switch's connections to it.
    fn inject(
        &mut self,
        source: Terminal,
        input: &InputPlan,
        label: &str,
        ports: &TerminalPorts,
    ) -> Vec<(String, Expr)> {
        let Some(class) = self.plan.injector_of(source) else { return Vec::new() };
        let slice = self.plan.source_slice(source).expect("a source has a slice");
        let injector = Arc::clone(&self.injectors[class]);
        let address = self.plan.topology().address_bits();
        let flit = self.flit_from_ports(source, ports);
        let header_width = injector.port("out_header").map_or(0, |p| p.width);
        let flit_width = self.plan.flit_width();
        let m = &mut self.m;
        let name = &input.name;
        let mut wire = |signal: &str, width| m.wire(format!("n{label}_{name}_{signal}"), width);
        let valid = wire("valid", 1);
        let ready = wire("ready", 1);
        let header = wire("header", header_width);
        let out_flit = wire("flit", flit_width);
        let accepts = wire("accepts", 1);
        let refuses = injector.port("in_error").map(|_| wire("error", 1));
        let own = injector.port("address").map(|port| {
            let seen = u64::from(source.0) & low_bits(port.width);
            ("address", Expr::constant(port.width, seen))
        });
        let connections = [
            ("in_valid", ports.in_valid.bit(slice)),
            ("in_ready", accepts.into()),
            ("in_dest", ports.in_dest.slice(slice * address, address)),
            ("in_flit", flit),
        ];
        let error = refuses.map(|net| ("in_error", net.into()));
        let outputs = [
            ("out_valid", valid.into()),
            ("out_ready", ready.into()),
            ("out_header", header.into()),
            ("out_flit", out_flit.into()),
        ];
        let connections = own.into_iter().chain(connections).chain(error).chain(outputs);
        // `inject` has an `injector`, `inject1` an `injector1`.
        let instance = name.replace("inject", "injector");
        m.instance(format!("n{label}_{instance}"), &injector, connections);
        self.accepts.insert(source, (accepts, refuses));
        vec![
            (port::input_vc(input, Vc(0), "valid"), valid.into()),
            (port::input_vc(input, Vc(0), "ready"), ready.into()),
            (port::input(input, "header"), header.into()),
            (port::input(input, "flit"), out_flit.into()),
        ]
    }

    /// A flit out of the terminal's ports, with its address as its source.
    fn flit_from_ports(&self, source: Terminal, ports: &TerminalPorts) -> Expr {
        let slice = self.plan.source_slice(source).expect("a source has a slice");
        let mut inputs = ports.in_fields.iter();
        let field = |f: crate::plan::FlitField| match f.name {
            "id" => Expr::constant(f.width, source.0.into()),
            _ => {
                let (net, width) = inputs.next().expect("a port per field");
                net.slice(slice * width, *width)
            }
        };
        let low_first: Vec<Expr> = self.plan.flit_fields().into_iter().map(field).collect();
        Expr::concat(low_first.into_iter().rev())
    }

    /// Terminals that failed neither take nor send: what comes to them is not looked at.
    fn dead_terminals(&mut self, ports: &TerminalPorts) {
        let (plan, topology) = (self.plan, self.plan.topology());
        let address = topology.address_bits();
        let mut slices: Vec<Expr> = Vec::new();
        let mut unused = |net: Net, slice: u32, width| slices.push(net.slice(slice * width, width));
        for terminal in (0..topology.terminals()).map(Terminal) {
            let dead = topology.source(terminal).is_none();
            let source = plan.source_slice(terminal).filter(|_| dead);
            let dead = topology.sink(terminal).is_none();
            let sink = plan.sink_slice(terminal).filter(|_| dead);
            if let Some(slice) = source {
                unused(ports.in_valid, slice, 1);
                unused(ports.in_dest, slice, address);
            }
            if let Some(slice) = sink {
                unused(ports.out_ready, slice, 1);
            }
            if let Some(slice) = source {
                ports.in_fields.iter().for_each(|&(net, width)| unused(net, slice, width));
            }
        }
        if slices.is_empty() {
            return;
        }
        self.m.section("Terminals of nodes that failed");
        self.m.define("_unused_terminals", 1, Expr::concat(slices).any());
    }

    fn terminal_outputs(&mut self, ports: &TerminalPorts) {
        // The highest first, as bits are written; a terminal that failed is tied low.
        let low = |width| Expr::constant(width, 0);
        self.dead_terminals(ports);
        let (sources, sinks) = (self.plan.sources(), self.plan.sinks());
        let live = |terminals: &[Terminal]| (!Expr::Reset).repeat(terminals.len() as u32);
        self.m.section("Terminals");
        self.m.comment("Nothing is offered or accepted under reset.");
        let accepts = |t| self.accepts.get(t).map_or(low(1), |(net, _)| (*net).into());
        let accepts = Expr::concat(sources.iter().rev().map(accepts));
        self.m.assign(ports.in_ready, live(sources) & accepts);
        let terminal = |t| self.terminals.get(t);
        let valid = |t| match terminal(t) {
            Some((output, wires)) => wires[&port::output_vc(output, Vc(0), "valid")].into(),
            None => low(1),
        };
        let valid = Expr::concat(sinks.iter().rev().map(valid));
        self.m.assign(ports.out_valid, live(sinks) & valid);
        let mut at = 0;
        for &(net, width) in &ports.out_fields {
            let slice = |t| match terminal(t) {
                Some((output, wires)) => wires[&port::output(output, "flit")].slice(at, width),
                None => low(width),
            };
            self.m.assign(net, Expr::concat(sinks.iter().rev().map(slice)));
            at += width;
        }
        if !self.plan.has_unknown_addresses() {
            self.m
                .comment("Every address is a live terminal of this network: no packet is refused.");
            self.m.assign(ports.error, low(sources.len() as u32));
            return;
        }
        self.m.comment("A packet to an address without a terminal was taken, and goes no further.");
        let error = |t| {
            let wires = self.accepts.get(t);
            wires.and_then(|(_, error)| *error).map_or(low(1), Expr::from)
        };
        let error = Expr::concat(sources.iter().rev().map(error));
        self.m.assign(ports.error, live(sources) & error);
    }
}

/// The terminals of the slices of a port, with their addresses, in lines.
fn listed(port: &str, topology: &dyn Topology, slices: &[Terminal]) -> Vec<String> {
    let mut lines = vec![format!("  {port}:")];
    for (slice, &terminal) in slices.iter().enumerate() {
        let label = topology.terminal_label(terminal);
        let entry = format!(" {slice} {label} ({})", terminal.0);
        if lines.last().is_some_and(|line| line.len() + entry.len() > COLUMNS) {
            lines.push("   ".to_owned());
        }
        lines.last_mut().expect("there is a first line").push_str(&entry);
    }
    lines
}
