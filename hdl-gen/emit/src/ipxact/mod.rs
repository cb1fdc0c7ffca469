//! IP-XACT component (IEEE 1685-2014) of a switched fabric: its ports, its bus interfaces, the addresses
//! behind memory-mapped ones, and its files.

mod memory_mapped;
mod streams;

use crate::terminals::TerminalMap;
use crate::{EmitError, VERSION, Vlnv};
use askama::Template;
use memory_mapped::{AddressSpace, MemoryMap};
use std::collections::HashMap;
use turnpike_ends::Ends;
use turnpike_ends::protocol::BusDefinition;
use turnpike_fabric::plan::FabricPlan;
use turnpike_netlist::{CLOCK, Module, NetKind, RESET};

#[derive(Template)]
#[template(path = "ipxact.xml.askama", escape = "html")]
struct ComponentFile<'a> {
    name: &'a str,
    vlnv: &'a Vlnv,
    version: &'a str,
    configuration: &'a str,
    interfaces: Vec<BusInterface<'a>>,
    spaces: Vec<AddressSpace>,
    maps: Vec<MemoryMap>,
    /// Whether the reset is active high, which that of AXI4-Stream is not.
    inverted: bool,
    ports: Vec<Port<'a>>,
    modules: &'a [String],
    includes: &'a [String],
}

/// Terminals of a fabric.
#[derive(Clone, Copy)]
pub(crate) enum Terminals<'a> {
    /// Terminals that have streams.
    Streams(&'a TerminalMap),
    /// Terminals that have memory-mapped ends.
    Ends(&'a FabricPlan, &'a Ends),
}

/// By port: its bits.
type Widths<'a> = HashMap<&'a str, u32>;

/// Bus interface of a terminal, or of the counters.
struct BusInterface<'a> {
    /// Name of the interface, unlike that of any other.
    name: String,
    description: String,
    bus: BusDefinition,
    /// `slave` where packets or accesses enter, `master` where they leave.
    mode: &'static str,
    /// Whether a memory map, or an address space, has its name.
    has_addresses: bool,
    /// The port of its clock, and that of its reset.
    clock: &'a str,
    reset: &'a str,
    maps: Vec<PortMap<'a>>,
}

/// Signal of a bus, and the bits of a port that carry it.
struct PortMap<'a> {
    logical: String,
    port: &'a str,
    /// Bits of the signal, where it is a vector: the highest.
    logical_left: Option<u32>,
    /// Bits of the port, where they are not all of it: the highest and the lowest.
    part: Option<(u32, u32)>,
}

impl<'a> PortMap<'a> {
    /// Map of a signal to a port that has nothing else; `None` where there is no such port.
    fn whole(logical: String, port: &str, widths: &Widths<'a>) -> Option<Self> {
        let (port, width) = widths.get_key_value(port)?;
        Some(Self { logical, port, logical_left: left(*width), part: None })
    }
}

impl<'a> BusInterface<'a> {
    /// Interface in the network's clock, whose signals are ports that begin with its name; `None` where the
    /// module has no such ports.
    fn of_ports(
        name: String,
        mode: &'static str,
        bus: BusDefinition,
        signals: impl Iterator<Item = String>,
        (widths, reset): (&Widths<'a>, &'a str),
    ) -> Option<Self> {
        let map = |signal: String| {
            PortMap::whole(bus.logical(&signal), &format!("{name}_{signal}"), widths)
        };
        let maps = signals.map(map).collect::<Option<_>>()?;
        let (description, has_addresses) = (String::new(), false);
        Some(Self { name, description, bus, mode, has_addresses, clock: CLOCK, reset, maps })
    }
}

/// The highest bit of what has this width, where it is a vector in Verilog.
fn left(width: u32) -> Option<u32> {
    (width > 1).then(|| width - 1)
}

/// Port of the module.
struct Port<'a> {
    name: &'a str,
    direction: &'static str,
    /// The highest bit, where the port is a vector.
    left: Option<u32>,
}

/// The component of a module with these interfaces, modules, and files that users include.
pub(crate) fn render(
    top: &Module,
    vlnv: &Vlnv,
    configuration: &str,
    of: Terminals<'_>,
    (modules, includes): (&[String], &[String]),
) -> Result<String, EmitError> {
    let name = &top.name;
    let reset = top.reset_name().expect("a switched fabric has a reset");
    let single = |name| Port { name, direction: "in", left: None };
    let ports = top.ports().map(|(_, info)| Port {
        name: &info.name,
        direction: if info.kind == NetKind::Input { "in" } else { "out" },
        left: left(info.width),
    });
    // Where clocks and resets are nets, they are among the ports.
    let implicit = [CLOCK, reset].into_iter().filter(|_| top.clocked).map(single);
    let ports: Vec<Port<'_>> = implicit.chain(ports).collect();
    let widths: Widths<'_> =
        top.ports().map(|(_, info)| (info.name.as_str(), info.width)).collect();
    let mut interfaces = match of {
        Terminals::Streams(map) => streams::interfaces(map, &widths, reset),
        Terminals::Ends(plan, ends) => memory_mapped::interfaces(plan, ends, &widths, reset),
    };
    interfaces.extend(streams::counters(&widths, reset));
    let (spaces, maps) = match of {
        Terminals::Streams(_) => (Vec::new(), Vec::new()),
        Terminals::Ends(plan, ends) => memory_mapped::addresses(plan, ends),
    };
    let file = ComponentFile {
        name,
        vlnv,
        version: VERSION,
        configuration,
        interfaces,
        spaces,
        maps,
        inverted: reset == RESET,
        ports,
        modules,
        includes,
    };
    Ok(file.render()?)
}
