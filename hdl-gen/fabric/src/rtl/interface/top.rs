//! The top module where terminals have interfaces: the network, and the interfaces around it.

use super::{Converters, converters, field};
use crate::plan::{Conversion, FabricPlan, ResetStyle, Side, port_of};
use std::collections::HashMap;
use std::sync::Arc;
use turnpike_netlist::{Design, Expr, Module, ModuleBuilder, Net, RtlError, Stream};
use turnpike_network::topology::Terminal;

/// The top module of a plan around its `network`: the network itself where every terminal is as wide as
/// that.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn top(plan: &FabricPlan, network: &Design) -> Result<Design, RtlError> {
    if !plan.has_interfaces() {
        return Ok(network.clone());
    }
    let mut m = ModuleBuilder::new(&plan.name);
    let network = network.top();
    if plan.parameters.reset == ResetStyle::Low {
        m.reset_low();
    }
    m.about(format!(
        "The network, {}, with terminals whose words are not of {} bits.",
        network.name, plan.parameters.width
    ));
    m.about("Ports and addresses are those of the network; see there.");
    let sides = [Side::Source, Side::Sink];
    // The terminals' ports, side by side with what the network has.
    let mut ports: HashMap<String, Net> = HashMap::new();
    for side in sides {
        for &terminal in plan.terminals_of(side) {
            for signal in plan.signals_of(side, terminal) {
                let name = plan.port_name(side, terminal, signal.name);
                let net = match signal.input {
                    true => m.input(&name, signal.width),
                    false => m.output(&name, signal.width),
                };
                ports.insert(name, net);
            }
        }
    }
    let mut builder = Builder { plan, m, ports, converters: converters(plan)? };
    // What the network's ports are connected to, where that is not the port of the same name.
    let mut inner: HashMap<String, Net> = HashMap::new();
    for side in sides {
        for &terminal in plan.terminals_of(side) {
            builder.interface(side, terminal, &mut inner);
        }
    }
    let Builder { mut m, ports, .. } = builder;
    m.section("The network");
    let connections = network.ports().map(|(_, info)| {
        let name = info.name.as_str();
        (name, Expr::from(*inner.get(name).unwrap_or_else(|| &ports[name])))
    });
    m.instance("network", network, connections);
    Design::new(&m.finish()?)
}

struct Builder<'a> {
    plan: &'a FabricPlan,
    m: ModuleBuilder,
    /// By name.
    ports: HashMap<String, Net>,
    converters: Converters,
}

impl Builder<'_> {
    /// The interface of a side of a terminal; adds to `inner` what the network's ports of the terminal
    /// are connected to.
    fn interface(&mut self, side: Side, terminal: Terminal, inner: &mut HashMap<String, Net>) {
        let steps = self.plan.conversions(side, terminal);
        if steps.is_empty() {
            return;
        }
        let stream = self.plan.stream_name(side, terminal);
        let name = stream.trim_end_matches("_axis");
        self.m.section(format!("{stream}: words of {} bits", self.plan.data_width(terminal)));
        let converter = |step: &Conversion| Arc::clone(&self.converters[&(side, *step)]);
        let converters: Vec<Arc<Module>> = steps.iter().map(converter).collect();
        // The streams before, between and after the steps; none for the one at the ports.
        let (outer, inmost) = match side {
            Side::Source => (0, steps.len()),
            Side::Sink => (steps.len(), 0),
        };
        let streams: Vec<Option<Stream>> = (0..=steps.len())
            .map(|place| {
                let of = match converters.get(place) {
                    Some(next) => next.stream("in"),
                    None => converters[place - 1].stream("out"),
                };
                let of = of.expect("a converter has two streams").of.clone();
                let wires = || self.m.stream_wires(&format!("{name}_words{place}"), of);
                (place != outer).then(wires)
            })
            .collect();
        let to_network = streams[inmost].as_ref().expect("the network is not at the ports");
        inner.extend(signals_of(to_network).map(|(signal, net)| (port_of(&stream, signal), net)));
        for (at, (step, converter)) in steps.iter().zip(&converters).enumerate() {
            let mut connections: Vec<(&str, Expr)> = Vec::new();
            for (end, wires) in [("in", &streams[at]), ("out", &streams[at + 1])] {
                connections.extend(match wires {
                    Some(wires) => converter.connect(end, wires),
                    None => self.outside(converter, end, &stream),
                });
            }
            let kind = if step.from() < step.to() { "widen" } else { "narrow" };
            self.m.instance(format!("{name}_{kind}"), converter, connections);
        }
    }

    /// Connections of a converter's stream to the ports of the top module.
    fn outside<'m>(&self, converter: &'m Module, end: &str, stream: &str) -> Vec<(&'m str, Expr)> {
        let wanted = converter.stream(end).expect("a converter has two streams");
        let connection = |(signal, net): (&str, Net)| {
            (converter.net(net).name.as_str(), self.ports[&port_of(stream, signal)].into())
        };
        signals_of(wanted).map(connection).collect()
    }
}

/// Signals of a stream of one lane, with their nets.
fn signals_of(stream: &Stream) -> impl Iterator<Item = (&'static str, Net)> {
    let lane = stream.lanes[0];
    let fields = stream.of.fields.iter().map(|(name, _)| (*name, field(stream, name)));
    [("valid", lane.valid), ("ready", lane.ready)].into_iter().chain(fields)
}
