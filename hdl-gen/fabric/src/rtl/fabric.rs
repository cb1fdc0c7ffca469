//! The whole network: an injector and a switch per node, a channel per link, and the
//! terminals' AXI4-Stream ports flattened.

use super::injector;
use super::switch::{Parts, port, switch};
use crate::plan::{FabricPlan, SwitchPlan};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_netlist::{Design, Expr, Module, ModuleBuilder, Net, RtlError};
use turnpike_network::routing::{Input, Output, low_bits};
use turnpike_network::topology::{Node, Port, Topology};

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
        entering: entering_channels(plan.topology()),
        channels: HashMap::new(),
        terminals: BTreeMap::new(),
        accepts: BTreeMap::new(),
    };
    builder.build();
    Design::new(&builder.m.finish()?)
}

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
    /// By the node and input port where it ends: the node and output port that drive it.
    entering: HashMap<(Node, Port), (Node, Port)>,
    /// By node: the wires of its eject port.
    terminals: BTreeMap<Node, Bundle>,
    /// By terminal: whether its injector takes a beat, and the wire that says that it refuses
    /// a packet, where there are addresses without a terminal.
    accepts: BTreeMap<Node, (Net, Option<Net>)>,
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
        let lines = [
            format!(
                "The whole network: {} terminals at {} switches, {} channels.",
                topology.terminal_nodes().count(),
                topology.nodes(),
                topology.channels()
            ),
            "Terminal t is the node with address t; its slice of a port of W bits per terminal"
                .to_owned(),
            "is [t*W +: W]. tdest is read on the first beat of a packet.".to_owned(),
        ];
        lines.into_iter().for_each(|line| self.m.about(line));
    }

    fn ports(&mut self) -> TerminalPorts {
        let (plan, m) = (self.plan, &mut self.m);
        let t = plan.topology().terminals();
        let address = plan.topology().address_bits();
        let fields = plan.flit_fields();
        let s = |name: &str| format!("s_axis_t{name}");
        let in_valid = m.input(s("valid"), t);
        let in_ready = m.output(s("ready"), t);
        let in_dest = m.input(s("dest"), t * address);
        // The source's address is not an input: every node knows its own.
        let in_fields = fields
            .iter()
            .filter(|f| f.name != "id")
            .map(|f| (m.input(s(f.name), t * f.width), f.width))
            .collect();
        let error = m.output("s_axis_error", t);
        let o = |name: &str| format!("m_axis_t{name}");
        let out_valid = m.output(o("valid"), t);
        let out_ready = m.input(o("ready"), t);
        let out_fields =
            fields.iter().map(|f| (m.output(o(f.name), t * f.width), f.width)).collect();
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
                Output::Eject => {
                    self.terminals.insert(node, bundle);
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
        let mut connections: Vec<(String, Expr)> = self.inject(node, &label, ports);
        for input in class.inputs.iter().filter(|i| i.input != Input::Inject) {
            let Input::Network(at) = input.input else { continue };
            let (from, output) = self.entering[&(node, at)];
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
                Output::Eject => &self.terminals[&node],
            };
            connections.extend(bundle.iter().map(|(port, &net)| (port.clone(), net.into())));
        }
        if let Some(terminal) = self.terminals.get(&node) {
            self.m.assign(terminal["eject_out_ready"], ports.out_ready.bit(node.0));
        }
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        self.m.instance(format!("n{label}_switch"), &module, connections);
    }

    /// The injector of a node; returns the switch's connections to it.
    fn inject(&mut self, node: Node, label: &str, ports: &TerminalPorts) -> Vec<(String, Expr)> {
        let Some(class) = self.plan.injector_of(node) else { return Vec::new() };
        let injector = Arc::clone(&self.injectors[class]);
        let address = self.plan.topology().address_bits();
        let flit = self.flit_from_ports(node, ports);
        let header_width = injector.port("out_header").map_or(0, |p| p.width);
        let flit_width = self.plan.flit_width();
        let m = &mut self.m;
        let mut wire = |signal: &str, width| m.wire(format!("n{label}_inject_{signal}"), width);
        let valid = wire("valid", 1);
        let ready = wire("ready", 1);
        let header = wire("header", header_width);
        let out_flit = wire("flit", flit_width);
        let accepts = wire("accepts", 1);
        let refuses = injector.port("in_error").map(|_| wire("error", 1));
        let own = injector.port("address").map(|port| {
            let seen = u64::from(node.0) & low_bits(port.width);
            ("address", Expr::constant(port.width, seen))
        });
        let connections = [
            ("in_valid", ports.in_valid.bit(node.0)),
            ("in_ready", accepts.into()),
            ("in_dest", ports.in_dest.slice(node.0 * address, address)),
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
        m.instance(format!("n{label}_injector"), &injector, connections);
        self.accepts.insert(node, (accepts, refuses));
        vec![
            ("inject_in_valid".into(), valid.into()),
            ("inject_in_ready".into(), ready.into()),
            ("inject_in_header".into(), header.into()),
            ("inject_in_flit".into(), out_flit.into()),
        ]
    }

    /// A flit out of the terminal's ports, with this node's address as its source.
    fn flit_from_ports(&self, node: Node, ports: &TerminalPorts) -> Expr {
        let mut inputs = ports.in_fields.iter();
        let field = |f: crate::plan::FlitField| match f.name {
            "id" => Expr::constant(f.width, node.0.into()),
            _ => {
                let (net, width) = inputs.next().expect("a port per field");
                net.slice(node.0 * width, *width)
            }
        };
        let low_first: Vec<Expr> = self.plan.flit_fields().into_iter().map(field).collect();
        Expr::concat(low_first.into_iter().rev())
    }

    /// Terminals that failed neither take nor send: what comes to them is not looked at.
    fn dead_terminals(&mut self, ports: &TerminalPorts) {
        let topology = self.plan.topology();
        let terminals = (0..topology.terminals()).map(Node);
        let dead: Vec<Node> = terminals.filter(|&node| !topology.is_terminal(node)).collect();
        if dead.is_empty() {
            return;
        }
        let address = topology.address_bits();
        let inputs = [(ports.in_valid, 1), (ports.in_dest, address), (ports.out_ready, 1)];
        let inputs: Vec<(Net, u32)> = inputs.iter().chain(&ports.in_fields).copied().collect();
        let slices = dead
            .iter()
            .flat_map(|node| inputs.iter().map(|&(net, width)| net.slice(node.0 * width, width)));
        let slices = Expr::concat(slices);
        self.m.section("Terminals of nodes that failed");
        self.m.define("_unused_terminals", 1, slices.any());
    }

    fn terminal_outputs(&mut self, ports: &TerminalPorts) {
        let t = self.plan.topology().terminals();
        // The highest first, as bits are written; a terminal that failed is tied low.
        let nodes: Vec<Node> = (0..t).rev().map(Node).collect();
        let low = |width| Expr::constant(width, 0);
        self.dead_terminals(ports);
        let live = (!Expr::Reset).repeat(t);
        self.m.section("Terminals");
        self.m.comment("Nothing is offered or accepted under reset.");
        let accepts = |node| self.accepts.get(node).map_or(low(1), |(net, _)| (*net).into());
        let accepts = Expr::concat(nodes.iter().map(accepts));
        self.m.assign(ports.in_ready, live.clone() & accepts);
        let terminal = |node| self.terminals.get(node);
        let valid = |node| terminal(node).map_or(low(1), |wires| wires["eject_out_valid"].into());
        let valid = Expr::concat(nodes.iter().map(valid));
        self.m.assign(ports.out_valid, live.clone() & valid);
        let mut at = 0;
        for &(net, width) in &ports.out_fields {
            let slice = |node| match terminal(node) {
                Some(wires) => wires["eject_out_flit"].slice(at, width),
                None => low(width),
            };
            self.m.assign(net, Expr::concat(nodes.iter().map(slice)));
            at += width;
        }
        if !self.plan.has_unknown_addresses() {
            self.m
                .comment("Every address is a live terminal of this network: no packet is refused.");
            self.m.assign(ports.error, low(t));
            return;
        }
        self.m.comment("A packet to an address without a terminal was taken, and goes no further.");
        let error = |node| {
            let wires = self.accepts.get(node);
            wires.and_then(|(_, error)| *error).map_or(low(1), Expr::from)
        };
        let error = Expr::concat(nodes.iter().map(error));
        self.m.assign(ports.error, live & error);
    }
}

fn entering_channels(topology: &dyn Topology) -> HashMap<(Node, Port), (Node, Port)> {
    let ports = || (0..topology.ports()).map(Port);
    let leaving = topology.all_nodes().flat_map(|n| ports().map(move |p| (n, p)));
    leaving.filter_map(|(n, p)| Some((topology.channel(n, p)?, (n, p)))).collect()
}
