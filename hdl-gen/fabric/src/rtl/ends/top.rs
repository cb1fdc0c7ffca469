//! The top module of a fabric with memory-mapped ends: the fabric of streams, and the ends around it.

use super::axi::{PortNets, ports, wires};
use super::bridge::{BridgeShape, INNER, bridge};
use super::decode::Target;
use super::in_flight::Order;
use super::manager::{ManagerShape, manager, words};
use super::reorder::{ReorderShape, reorder};
use super::subordinate::{SubordinateShape, subordinate};
use crate::plan::{FabricPlan, ResetStyle, port_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use turnpike_ends::{EndPort, Ends, Manager, Protocol, Role, Widths};
use turnpike_netlist::{Design, Expr, Module, ModuleBuilder, Net, RtlError, Stream};

/// The top module around a fabric of `streams`.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(in crate::rtl) fn top(
    plan: &FabricPlan,
    ends: &Ends,
    streams: &Design,
) -> Result<Design, RtlError> {
    let inner = streams.top();
    let mut m = ModuleBuilder::new(&plan.name);
    if plan.parameters.reset == ResetStyle::Low {
        m.reset_low();
    }
    about(plan, ends, &inner.name, &mut m);
    let layout = plan.end_layout(ends);
    let mut all = Vec::new();
    for end in ends.ports() {
        let EndPort { name, role, protocol, widths } = end;
        let prefix = format!("{}_", plan.end_port(&end));
        all.push((end, plan.end_streams(name), ports(&mut m, &prefix, role, protocol, widths)));
    }
    // What the fabric has beside the streams of ends: its counters.
    let of_streams: Vec<String> = plan.terminal_ports().into_iter().map(|port| port.name).collect();
    let mut connections: BTreeMap<String, Net> = BTreeMap::new();
    for (net, info) in inner.ports().filter(|(_, info)| !of_streams.contains(&info.name)) {
        let is_input = info.kind == turnpike_netlist::NetKind::Input;
        let own =
            if is_input { m.input(&info.name, net.width) } else { m.output(&info.name, net.width) };
        connections.insert(info.name.clone(), own);
    }
    let built = modules(plan, ends)?;
    let bridges = bridges(plan, ends)?;
    let reorders = reorders(plan, ends)?;
    for (number, (end, streams, own)) in all.iter().enumerate() {
        let EndPort { name, role, .. } = *end;
        let module = match role {
            Role::Manager => &built.managers[number].1,
            Role::Subordinate => &built.subordinates[number - ends.managers.len()].1,
        };
        let what = if role == Role::Manager { "manager" } else { "subordinate" };
        m.section(format!("{name}: {what}, address {} on the network", streams.address));
        let part = plan.end_part(name);
        let [sends, takes] = [true, false].map(|is_out| {
            let of = words(&layout, is_out);
            let which = if is_out == (role == Role::Manager) { "request" } else { "reply" };
            m.stream_wires(&format!("{part}_{which}"), of)
        });
        connections.extend(named(&streams.sends, &sends));
        connections.extend(named(&streams.takes, &takes));
        m.comment("Its packets go where others are: the network refuses none.");
        let error = m.wire(format!("{part}_error"), 1);
        m.gather_unused(&format!("{part}_error"), error);
        connections.insert(port_of(&streams.sends, "error"), error);
        let (request, reply) = match role {
            Role::Manager => (&sends, &takes),
            Role::Subordinate => (&takes, &sends),
        };
        let shape = bridge_shape(ends, end);
        let axi = match bridges.get(&shape) {
            None => own.clone(),
            Some(bridge) => {
                let axi = wires(&mut m, &format!("{part}_axi_"), Protocol::Axi4, shape.inner);
                connect(&mut m, &format!("{part}_bridge"), bridge, own, &axi);
                axi
            }
        };
        let buffer = ends.managers.get(number).and_then(|end| reorder_shape(ends, end));
        let axi = match buffer {
            None => axi,
            Some(shape) => {
                let prefix = format!("{part}_ordered_");
                let ordered = wires(&mut m, &prefix, Protocol::Axi4, shape.inner());
                connect(&mut m, &format!("{part}_reorder"), &reorders[&shape], &axi, &ordered);
                ordered
            }
        };
        let own = axi.named("").map(|(name, net)| (name, Expr::from(net)));
        let mut own: Vec<(String, Expr)> = own.collect();
        for (stream, to) in [("request", request), ("reply", reply)] {
            own.extend(module.connect(stream, to).into_iter().map(|(n, e)| (n.to_owned(), e)));
        }
        if role == Role::Manager {
            let source = Expr::constant(layout.terminal, streams.address.into());
            own.push(("source".to_owned(), source));
        }
        let own = own.iter().map(|(name, e)| (name.as_str(), e.clone()));
        m.instance(format!("{part}_end"), module, own);
    }
    m.section("The network");
    let connections =
        inner.ports().map(|(_, info)| (info.name.as_str(), Expr::from(connections[&info.name])));
    m.instance("streams", inner, connections);
    Design::new(&m.finish()?)
}

/// Instance of a module between a terminal's port and its end.
fn connect(
    m: &mut ModuleBuilder,
    name: &str,
    module: &Arc<Module>,
    own: &PortNets,
    end: &PortNets,
) {
    let both = own.named("").chain(end.named(INNER));
    let both: Vec<(String, Expr)> = both.map(|(name, net)| (name, Expr::from(net))).collect();
    let connections = both.iter().map(|(name, net)| (name.as_str(), net.clone()));
    m.instance(name, module, connections);
}

/// Shape of the reorder buffer of a manager, where it has one.
fn reorder_shape(ends: &Ends, end: &Manager) -> Option<ReorderShape> {
    let Widths { data, id, .. } = ends.manager_port(end).widths;
    let outer = Widths { address: ends.address_bits, data, id };
    end.reorder.map(|beats| ReorderShape { outer, beats, outstanding: end.outstanding })
}

/// The reorder buffers of a plan's ends, each with its shape: those of one shape are one module.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn reorders(
    plan: &FabricPlan,
    ends: &Ends,
) -> Result<BTreeMap<ReorderShape, Arc<Module>>, RtlError> {
    let shapes = ends.managers.iter().filter_map(|end| reorder_shape(ends, end)).collect();
    let name = format!("{}_reorder", plan.name);
    Ok(built(&name, shapes, reorder)?.into_iter().collect())
}

/// Shape of the bridge of an end, where it needs one.
fn bridge_shape(ends: &Ends, end: &EndPort<'_>) -> BridgeShape {
    let data = match end.role {
        Role::Manager => end.widths.data,
        Role::Subordinate => ends.data_width,
    };
    let inner = Widths { address: ends.address_bits, data, id: end.widths.id };
    BridgeShape { role: end.role, protocol: end.protocol, outer: end.widths, inner }
}

/// The bridges of a plan's ends, each with its shape: those of one shape are one module.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn bridges(
    plan: &FabricPlan,
    ends: &Ends,
) -> Result<BTreeMap<BridgeShape, Arc<Module>>, RtlError> {
    let shapes = ends.ports().map(|end| bridge_shape(ends, &end));
    let shapes: BTreeSet<BridgeShape> = shapes.filter(BridgeShape::is_needed).collect();
    shapes.into_iter().map(|shape| Ok((shape, bridge(&plan.name, &shape)?))).collect()
}

/// Signals of a stream by the ports of a terminal's.
fn named(ports: &str, stream: &Stream) -> Vec<(String, Net)> {
    let handshake = [("valid", stream.lanes[0].valid), ("ready", stream.lanes[0].ready)];
    let fields = stream.of.fields.iter().map(|(name, _)| *name);
    let fields = fields.map(|name| (name, stream.field(name).expect("a field of its type")));
    handshake.into_iter().chain(fields).map(|(name, net)| (port_of(ports, name), net)).collect()
}

fn about(plan: &FabricPlan, ends: &Ends, inner: &str, m: &mut ModuleBuilder) {
    let of = |is_manager| ends.ports().filter(move |end| (end.role == Role::Manager) == is_manager);
    let [managers, subordinates] = [true, false].map(|is_manager| of(is_manager).count());
    m.about(format!(
        "Transactions between {managers} managers and {subordinates} subordinates, over the network {inner}."
    ));
    for end in ends.ports() {
        let Widths { data, .. } = end.widths;
        let title = end.protocol.facts().title;
        m.about(format!("- {}: {title} of {data} bits", plan.end_port(&end)));
    }
    m.about("The subordinates, and the addresses that they answer:");
    for end in &ends.subordinates {
        for range in &end.ranges {
            m.about(format!("- {}: {range}", end.name));
        }
    }
    m.about("Addresses of nobody are answered with DECERR. Transactions of one ID end in order.");
    for end in &ends.managers {
        let reach = ends.reached(end).collect::<Vec<_>>();
        if reach.len() < ends.subordinates.len() {
            m.about(format!("{} reaches {}.", end.name, reach.join(", ")));
        }
    }
}

/// Module of each end, with its shape: those of one shape are one module.
pub struct EndModules {
    /// Ends of managers, in their order.
    pub managers: Vec<(ManagerShape, Arc<Module>)>,
    /// Ends of subordinates, in their order.
    pub subordinates: Vec<(SubordinateShape, Arc<Module>)>,
}

/// The modules of a plan's ends.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn modules(plan: &FabricPlan, ends: &Ends) -> Result<EndModules, RtlError> {
    let layout = plan.end_layout(ends);
    let target = |number: &usize| {
        let end = &ends.subordinates[*number];
        let terminal = plan.end_streams(&end.name).address;
        Target { name: end.name.clone(), ranges: end.ranges.clone(), terminal }
    };
    let one_of_id = if plan.keeps_order() { Order::OneTarget } else { Order::OneInFlight };
    let order = |end: &Manager| if end.reorder.is_some() { Order::Unlike } else { one_of_id };
    let managers = ends.managers.iter().map(|end| ManagerShape {
        layout,
        data: end.data_width,
        id_width: reorder_shape(ends, end).map_or(end.id_width, |shape| shape.inner().id),
        outstanding: end.outstanding,
        burst: end.burst,
        order: order(end),
        targets: end.reach.iter().map(target).collect(),
    });
    let subordinates = ends
        .subordinates
        .iter()
        .map(|end| SubordinateShape { layout, outstanding: end.outstanding });
    let prefix = &plan.name;
    let [of_manager, of_subordinate] =
        ["manager", "subordinate"].map(|role| format!("{prefix}_{role}"));
    Ok(EndModules {
        managers: built(&of_manager, managers.collect(), |n, s| manager(prefix, n, s))?,
        subordinates: built(&of_subordinate, subordinates.collect(), |n, s| {
            subordinate(prefix, n, s)
        })?,
    })
}

/// Each shape with its module; where there are several shapes, the names of modules end with a number.
fn built<S: Ord>(
    name: &str,
    shapes: Vec<S>,
    build: impl Fn(&str, &S) -> Result<Arc<Module>, RtlError>,
) -> Result<Vec<(S, Arc<Module>)>, RtlError> {
    let mut unlike: Vec<&S> = Vec::new();
    for shape in &shapes {
        if !unlike.contains(&shape) {
            unlike.push(shape);
        }
    }
    let numbers: Vec<usize> =
        shapes.iter().filter_map(|shape| unlike.iter().position(|known| *known == shape)).collect();
    let named = |(number, shape): (usize, &&S)| match unlike.len() {
        1 => build(name, shape),
        _ => build(&format!("{name}_{number}"), shape),
    };
    let modules: Vec<Arc<Module>> =
        unlike.iter().enumerate().map(named).collect::<Result<_, _>>()?;
    let of = |(shape, number): (S, usize)| (shape, Arc::clone(&modules[number]));
    Ok(shapes.into_iter().zip(numbers).map(of).collect())
}
