//! Widths of headers that carry a route.

use crate::topology::Topology;
use turnpike_base::bits::bits_for;

/// Width of a header at most.
pub const MOST_HEADER_BITS: u32 = 64;

/// Most eject ports of a switch, at least 1.
pub(super) fn ejects(topology: &dyn Topology) -> u8 {
    let local = |sink| topology.sink(sink).map_or(0, |(_, local)| local.0);
    topology.sinks().map(local).max().unwrap_or(0) + 1
}

/// Bits of the port of a hop in a header, on one virtual channel.
pub fn port_bits(topology: &dyn Topology) -> u32 {
    bits_for(u32::from(topology.ports()) + u32::from(ejects(topology)))
}
