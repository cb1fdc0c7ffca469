//! Terminals of a switched fabric, as software and tools that put cores together see them: their
//! addresses, and the ports of their streams.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use turnpike_base::names::Names;
use turnpike_fabric::plan::counters::port_offset;
use turnpike_fabric::plan::{FabricPlan, PortBits, PortStyle, Side, Signal, TerminalWidth};
use turnpike_network::flows::{Flows, TokenBucket};
use turnpike_network::topology::{Node, Terminal, Topology};

/// Terminals of a switched fabric that have ports.
pub struct TerminalMap {
    /// Beginning of the names of all constants: the fabric's name, in capitals.
    pub prefix: String,
    /// Bits of an address.
    pub address_bits: u32,
    /// Bits of a word of data.
    pub width: u32,
    /// Constants of the addresses, in order of address.
    pub addresses: Vec<AddressConstant>,
    /// Terminals, in order of number: those of a message class stand together.
    pub terminals: Vec<TerminalEntry>,
    /// Whether packets of one source to one destination arrive in order.
    pub keeps_order: bool,
    /// Terminals that send, each with those that it sends to, by label; `None` where each sends to
    /// every one.
    pub destinations: Option<Vec<(String, Vec<String>)>>,
    /// Clocks of terminals beside that of the network: inputs of the top module.
    pub clocks: Vec<String>,
    /// Cycles that the watchdog waits after a reset, where there are counters.
    pub watchdog: Option<u32>,
}

/// Constant of an address.
pub struct AddressConstant {
    /// Name of the constant.
    pub name: String,
    /// Address on `tdest`.
    pub address: u32,
    /// Name of the constant of the bits of `tdata`, and these, where they are not those of the network.
    pub width: Option<(String, u32)>,
    /// Beginnings of the names of the terminal's ports, where they are its own.
    pub ports: Vec<String>,
}

/// Terminal with ports; with message classes, one for each class.
#[derive(Serialize)]
pub struct TerminalEntry {
    /// Label of the terminal.
    pub name: String,
    /// Label of the terminal as part of identifiers, unlike that of any other.
    #[serde(skip)]
    pub identifier: String,
    /// Address of the terminal.
    pub address: u32,
    /// Constant of the address in the address files.
    constant: String,
    /// Bits of a word of data.
    pub width: u32,
    /// Clock of its ports, where that is not the network's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Port that tells of the reset of that clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_reset: Option<String>,
    /// Message class, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Stream by which packets enter; `None` where the terminal only takes packets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s_axis: Option<StreamPorts>,
    /// Stream by which packets leave; `None` where the terminal only sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m_axis: Option<StreamPorts>,
}

/// Ports of a terminal's stream.
#[derive(Serialize)]
pub struct StreamPorts {
    /// Beginning of the names of the ports.
    pub ports: String,
    /// Slice of the ports, counted from 0, where all terminals share them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<u32>,
    /// Constant of the slice in the address files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<String>,
    /// Label of the switch at which the stream is; `None` where that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Byte address of the registers of its counters, where there are counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<u32>,
    /// Flows that the shaper of the stream holds to their token buckets, where it has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shaped: Vec<ShapedEntry>,
    /// Signals of AXI4-Stream that the stream has, each with its bits of a port.
    #[serde(skip)]
    pub signals: Vec<(&'static str, PortBits)>,
}

/// Flow of a shaper, with its token bucket.
#[derive(Serialize)]
pub struct ShapedEntry {
    /// Label of the terminal that takes its packets.
    pub destination: String,
    /// Flits of each packet: any other is refused.
    pub packet_flits: u32,
    /// Flits that may be released at once.
    pub burst_flits: u32,
    /// Flits per cycle.
    pub bandwidth: f64,
}

impl TerminalEntry {
    /// Streams of the terminal: where packets enter, and where they leave.
    pub fn streams(&self) -> impl Iterator<Item = &StreamPorts> {
        self.s_axis.iter().chain(&self.m_axis)
    }

    /// Whether the terminal failed with its switch.
    pub fn has_failed(&self) -> bool {
        self.streams().any(|stream| stream.switch.is_none())
    }
}

impl TerminalMap {
    /// Terminals of a plan.
    pub fn of(plan: &FabricPlan) -> Self {
        let topology = plan.topology();
        let prefix = plan.name.to_ascii_uppercase();
        let numbers: BTreeSet<Terminal> =
            plan.sources().iter().chain(plan.sinks()).copied().collect();
        let mut addresses =
            address_constants(plan, &prefix, &numbers, &plan.terminal_wishes().widths);
        let classes = topology.flows().filter(|flows| !flows.classes().is_empty());
        let class =
            |flows: &Flows, terminal| flows.classes()[flows.class_of(terminal)].name.clone();
        let mut terminals = Vec::with_capacity(numbers.len());
        for &terminal in &numbers {
            let address = plan.address(terminal);
            let constant = addresses.get_mut(&address).expect("a constant for each address");
            let entry = TerminalEntry {
                name: topology.terminal_label(terminal),
                identifier: plan.terminal_name(terminal).to_owned(),
                address,
                constant: constant.name.clone(),
                width: plan.data_width(terminal),
                clock: plan.clock(terminal).map(str::to_owned),
                clock_reset: plan.clock(terminal).map(|clock| plan.clock_reset(clock)),
                class: classes.map(|flows| class(flows, terminal)),
                s_axis: stream(plan, &prefix, Side::Source, terminal),
                m_axis: stream(plan, &prefix, Side::Sink, terminal),
            };
            if plan.parameters.ports == PortStyle::Named {
                constant.ports.extend(entry.streams().map(|stream| stream.ports.clone()));
            }
            terminals.push(entry);
        }
        Self {
            prefix,
            address_bits: plan.address_bits(),
            width: plan.parameters.width,
            addresses: addresses.into_values().collect(),
            terminals,
            keeps_order: plan.keeps_order(),
            destinations: topology.flows().map(|_| destinations(topology)),
            clocks: plan.clocks().into_iter().map(str::to_owned).collect(),
            watchdog: plan.watchdog(),
        }
    }
}

/// Terminals that send, each with those that it sends to.
fn destinations(topology: &dyn Topology) -> Vec<(String, Vec<String>)> {
    let labels = |source| topology.destinations(source).map(|to| topology.terminal_label(to));
    let sources = topology.sources();
    sources.map(|source| (topology.terminal_label(source), labels(source).collect())).collect()
}

/// Constants of the addresses of these terminals, by address. Streams of several message classes
/// share one.
fn address_constants(
    plan: &FabricPlan,
    prefix: &str,
    terminals: &BTreeSet<Terminal>,
    widths: &[TerminalWidth],
) -> BTreeMap<u32, AddressConstant> {
    let labels = terminals
        .iter()
        .map(|&terminal| (plan.address(terminal), plan.topology().place_label(terminal)));
    let labels: BTreeMap<u32, String> = labels.collect();
    let mut names = Names::default();
    let constant = |(address, label): (u32, String)| {
        let part = names.part(&label).to_ascii_uppercase();
        let name = format!("{prefix}_{part}_ADDRESS");
        let width = widths.iter().find(|width| width.terminals == label);
        let width = width.map(|width| (format!("{prefix}_{part}_DATA_WIDTH"), width.bits));
        (address, AddressConstant { name, address, width, ports: Vec::new() })
    };
    labels.into_iter().map(constant).collect()
}

/// Ports of a side of a terminal; `None` where it has none.
fn stream(plan: &FabricPlan, prefix: &str, side: Side, terminal: Terminal) -> Option<StreamPorts> {
    let slice = plan.slice(side, terminal)?;
    let slice = (plan.parameters.ports == PortStyle::Flat).then_some(slice);
    let topology = plan.topology();
    let (end, of_all) = match side {
        Side::Source => (topology.source(terminal), "S_AXIS"),
        Side::Sink => (topology.sink(terminal), "M_AXIS"),
    };
    let name = || plan.terminal_name(terminal).to_ascii_uppercase();
    let signals = plan.signals_of(side, terminal).into_iter();
    let signals = signals.filter(|signal| signal.name != "error");
    let bits = |signal: Signal| {
        let bits = plan.port_bits(side, terminal, signal.name).expect("the terminal has the port");
        (signal.name, PortBits { width: signal.width, ..bits })
    };
    Some(StreamPorts {
        ports: plan.stream_name(side, terminal),
        slice,
        constant: slice.map(|_| format!("{prefix}_{}_{of_all}", name())),
        switch: end.map(|(node, _): (Node, _)| topology.label(node)),
        counters: plan.counter_port(side, terminal).map(port_offset),
        shaped: if side == Side::Source { shaped(plan, terminal) } else { Vec::new() },
        signals: signals.map(bits).collect(),
    })
}

/// Flows of a source's shaper.
fn shaped(plan: &FabricPlan, source: Terminal) -> Vec<ShapedEntry> {
    let entry = |(to, bucket): (Terminal, TokenBucket)| ShapedEntry {
        destination: plan.topology().terminal_label(to),
        packet_flits: bucket.packet,
        burst_flits: bucket.burst,
        bandwidth: bucket.rate.flits_per_cycle(),
    };
    plan.shaped_flows(source).into_iter().map(entry).collect()
}
