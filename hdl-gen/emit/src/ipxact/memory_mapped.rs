//! Bus interfaces of memory-mapped ends, and the addresses behind them. Ports of Wishbone are in none: its
//! owner defines no bus for IP-XACT.

use super::{BusInterface, Widths};
use turnpike_ends::{AddressRange, EndPort, Ends, Protocol, Role, Subordinate};
use turnpike_fabric::plan::FabricPlan;

/// Addresses of a subordinate, as the fabric's port to it sees them.
pub(super) struct AddressSpace {
    /// Name of the interface, and of the space.
    pub(super) name: String,
    /// Number of addresses.
    pub(super) range: String,
    /// Bits of data.
    pub(super) width: u32,
    pub(super) segments: Vec<Segment>,
}

/// Range of addresses of a subordinate.
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) first: String,
    pub(super) range: String,
}

/// Addresses that a manager reaches.
pub(super) struct MemoryMap {
    /// Name of the interface, and of the map.
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

/// Range of addresses in a map.
pub(super) struct Part {
    pub(super) segment: Segment,
    /// Interface to the subordinate, where it has one.
    pub(super) master: Option<String>,
    /// Bits of data of the subordinate.
    pub(super) width: u32,
}

/// Number as an expression of the standard (IEEE 1685-2014, annex C).
fn hexadecimal(number: u128) -> String {
    format!("'h{number:x}")
}

/// Ranges of a subordinate whose port is called so: numbered where there are several.
fn segments(end: &Subordinate, port: &str) -> Vec<Segment> {
    let is_alone = end.ranges.len() == 1;
    let segment = |(at, range): (usize, &AddressRange)| Segment {
        name: if is_alone { port.to_owned() } else { format!("{port}_{at}") },
        first: hexadecimal(range.first.into()),
        range: hexadecimal(u128::from(range.last - range.first) + 1),
    };
    end.ranges.iter().enumerate().map(segment).collect()
}

/// Interfaces of every end: slaves of the managers, and masters of the subordinates.
pub(super) fn interfaces<'a>(
    plan: &FabricPlan,
    ends: &Ends,
    widths: &Widths<'a>,
    reset: &'a str,
) -> Vec<BusInterface<'a>> {
    let interface = |end: EndPort<'_>| {
        let mode = if end.role == Role::Manager { "slave" } else { "master" };
        let (ports, bus) = (plan.end_port(&end), end.protocol.facts().bus?);
        let signals = end.protocol.signals(end.widths).into_iter().map(|signal| signal.name);
        let interface = BusInterface::of_ports(ports, mode, bus, signals, (widths, reset))?;
        let description = format!("{} of {}", end.protocol.facts().title, end.name);
        Some(BusInterface { description, has_addresses: true, ..interface })
    };
    ends.ports().filter_map(interface).collect()
}

/// Spaces of the subordinates, and maps of the managers, that have interfaces.
pub(super) fn addresses(plan: &FabricPlan, ends: &Ends) -> (Vec<AddressSpace>, Vec<MemoryMap>) {
    let port_to = |end: &Subordinate| plan.end_port(&ends.subordinate_port(end));
    let has_bus = |protocol: Protocol| protocol.facts().bus.is_some();
    let spaces = ends.subordinates.iter().filter(|end| has_bus(end.protocol));
    let spaces = spaces.map(|end| AddressSpace {
        name: port_to(end),
        range: hexadecimal(1 << ends.address_bits),
        width: end.data_width,
        segments: segments(end, &port_to(end)),
    });
    let parts = |&number: &usize| -> Vec<Part> {
        let end = &ends.subordinates[number];
        let (port, has_master) = (port_to(end), has_bus(end.protocol));
        let part = |segment| Part {
            segment,
            master: has_master.then(|| port.clone()),
            width: end.data_width,
        };
        segments(end, &port).into_iter().map(part).collect()
    };
    let maps = ends.managers.iter().filter(|end| has_bus(end.protocol)).map(|end| MemoryMap {
        name: plan.end_port(&ends.manager_port(end)),
        parts: end.reach.iter().flat_map(parts).collect(),
    });
    (spaces.collect(), maps.collect())
}
