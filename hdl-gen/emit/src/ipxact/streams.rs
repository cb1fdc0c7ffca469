//! Bus interfaces of streams: one of AXI4-Stream for each of a terminal; and that of the counters.

use super::{BusInterface, PortMap, Widths, left};
use crate::terminals::TerminalMap;
use turnpike_ends::protocol::{BusDefinition, Protocol};
use turnpike_fabric::plan::PortBits;
use turnpike_fabric::plan::counters::{axi_port, axi_signals};
use turnpike_netlist::CLOCK;

const AXI4_STREAM: BusDefinition = BusDefinition::axi("AXI4Stream", "r0p0_1");

/// Map of a signal to its bits of a port.
fn map<'a>(signal: &str, bits: &'a PortBits, widths: &Widths<'_>) -> PortMap<'a> {
    let PortBits { port, low, width } = bits;
    PortMap {
        logical: format!("T{}", signal.to_ascii_uppercase()),
        port,
        logical_left: left(*width),
        part: (widths[port.as_str()] != *width).then_some((low + width - 1, *low)),
    }
}

/// Interfaces of the streams of every terminal.
pub(super) fn interfaces<'a>(
    map_of: &'a TerminalMap,
    widths: &Widths<'a>,
    reset: &'a str,
) -> Vec<BusInterface<'a>> {
    let of_terminal = map_of.terminals.iter().flat_map(|terminal| {
        let sides = [("s", "slave", &terminal.s_axis), ("m", "master", &terminal.m_axis)];
        sides.into_iter().filter_map(|(side, mode, stream)| {
            let signals = stream.as_ref()?.signals.iter();
            Some(BusInterface {
                name: format!("{side}_{}_axis", terminal.identifier),
                description: format!("Terminal {}, address {}", terminal.name, terminal.address),
                bus: AXI4_STREAM,
                mode,
                has_addresses: false,
                clock: terminal.clock.as_deref().unwrap_or(CLOCK),
                reset: terminal.clock_reset.as_deref().unwrap_or(reset),
                maps: signals.map(|(signal, bits)| map(signal, bits, widths)).collect(),
            })
        })
    });
    of_terminal.collect()
}

/// The interface of the counters, where the ports have one.
pub(super) fn counters<'a>(widths: &Widths<'a>, reset: &'a str) -> Option<BusInterface<'a>> {
    let name = axi_port("").trim_end_matches('_').to_owned();
    let bus = Protocol::Axi4Lite.facts().bus.expect("Arm has one");
    let signals = axi_signals(1).into_iter().map(|(signal, ..)| signal.to_owned());
    let interface = BusInterface::of_ports(name, "slave", bus, signals, (widths, reset))?;
    Some(BusInterface { description: "Counters".to_owned(), ..interface })
}
