//! IP-XACT component (IEEE 1685-2014) of a switched fabric: its ports, a bus interface of
//! AXI4-Stream for each stream of a terminal, one of AXI4-Lite for counters, and its files.

use crate::terminals::TerminalMap;
use crate::{EmitError, VERSION, Vlnv};
use askama::Template;
use std::collections::HashMap;
use turnpike_fabric::plan::PortBits;
use turnpike_fabric::plan::counters::{axi_port, axi_signals};
use turnpike_netlist::{CLOCK, Module, NetKind, RESET};

#[derive(Template)]
#[template(path = "ipxact.xml.askama", escape = "html")]
struct ComponentFile<'a> {
    name: &'a str,
    vlnv: &'a Vlnv,
    version: &'a str,
    configuration: &'a str,
    interfaces: Vec<BusInterface<'a>>,
    /// Whether the reset is active high, which that of AXI4-Stream is not.
    inverted: bool,
    ports: Vec<Port<'a>>,
    modules: &'a [String],
    includes: &'a [String],
}

/// Bus of `amba.com`, library `AMBA4`, as Arm's definitions of IP-XACT name it.
struct Bus {
    name: &'static str,
    version: &'static str,
}

const AXI4_STREAM: Bus = Bus { name: "AXI4Stream", version: "r0p0_1" };
const AXI4_LITE: Bus = Bus { name: "AXI4-Lite", version: "r0p0_0" };

/// Bus interface of a stream, or of the counters.
struct BusInterface<'a> {
    /// Name of the interface, unlike that of any other.
    name: String,
    description: String,
    bus: Bus,
    /// `slave` where packets or accesses enter, `master` where they leave.
    mode: &'static str,
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
    /// Map of a signal to its bits, among ports of these widths.
    fn of(signal: &str, bits: &'a PortBits, widths: &HashMap<&str, u32>) -> Self {
        let PortBits { port, low, width } = bits;
        Self {
            logical: format!("T{}", signal.to_ascii_uppercase()),
            port,
            logical_left: left(*width),
            part: (widths[port.as_str()] != *width).then_some((low + width - 1, *low)),
        }
    }

    /// Map of a signal to a port that has nothing else.
    fn whole(signal: &str, (port, width): (&'a str, u32)) -> Self {
        let logical = signal.to_ascii_uppercase();
        Self { logical, port, logical_left: left(width), part: None }
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

/// The interface of the counters, where the ports have one.
fn counters<'a>(widths: &HashMap<&'a str, u32>, reset: &'a str) -> Option<BusInterface<'a>> {
    let map = |(signal, ..): (&str, u32, bool)| {
        let (port, width) = widths.get_key_value(axi_port(signal).as_str())?;
        Some(PortMap::whole(signal, (*port, *width)))
    };
    let maps: Option<Vec<PortMap<'a>>> = axi_signals(1).into_iter().map(map).collect();
    Some(BusInterface {
        name: axi_port("").trim_end_matches('_').to_owned(),
        description: "Counters".to_owned(),
        bus: AXI4_LITE,
        mode: "slave",
        clock: CLOCK,
        reset,
        maps: maps?,
    })
}

/// The component of a fabric with these modules, and files that users include.
pub(crate) fn render(
    top: &Module,
    vlnv: &Vlnv,
    configuration: &str,
    map: &TerminalMap,
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
    let widths: HashMap<&str, u32> =
        top.ports().map(|(_, info)| (info.name.as_str(), info.width)).collect();
    let interfaces = map.terminals.iter().flat_map(|terminal| {
        let sides = [("s", "slave", &terminal.s_axis), ("m", "master", &terminal.m_axis)];
        sides.into_iter().filter_map(|(side, mode, stream)| {
            let signals = stream.as_ref()?.signals.iter();
            Some(BusInterface {
                name: format!("{side}_{}_axis", terminal.identifier),
                description: format!("Terminal {}, address {}", terminal.name, terminal.address),
                bus: AXI4_STREAM,
                mode,
                clock: terminal.clock.as_deref().unwrap_or(CLOCK),
                reset: terminal.clock_reset.as_deref().unwrap_or(reset),
                maps: signals.map(|(signal, bits)| PortMap::of(signal, bits, &widths)).collect(),
            })
        })
    });
    let interfaces = interfaces.chain(counters(&widths, reset)).collect();
    let file = ComponentFile {
        name,
        vlnv,
        version: VERSION,
        configuration,
        interfaces,
        inverted: reset == RESET,
        ports,
        modules,
        includes,
    };
    Ok(file.render()?)
}
