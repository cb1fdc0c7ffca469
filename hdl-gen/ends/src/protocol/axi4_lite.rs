//! Signals of AXI4-Lite (IHI 0022, issue H, chapter B1).

use super::axi4::{Channel, of_channels};
use super::{BusDefinition, Facts, Signal, Widths};

pub(super) const FACTS: Facts = Facts {
    name: "axi4-lite",
    title: "AXI4-Lite",
    port: "axil",
    data_widths: &[32, 64],
    most_address: 64,
    has_ids: false,
    has_bursts: false,
    is_serial: false,
    selects_reads: false,
    bus: Some(BusDefinition::axi("AXI4-Lite", "r0p0_0")),
    signals,
};

/// Payload of a channel: signals beside `valid` and `ready`, without the prefix, and their bits.
pub fn payload(channel: Channel, widths: Widths) -> Vec<(&'static str, u32)> {
    const OWN: [&str; 5] = ["addr", "prot", "data", "strb", "resp"];
    let all = channel.payload(widths).into_iter();
    all.filter(|(name, _)| OWN.contains(name)).collect()
}

fn signals(widths: Widths) -> Vec<Signal> {
    of_channels(|channel| payload(channel, widths))
}
