//! Signals of APB4 (IHI 0024, issue C, chapter 4). APB3 is the same without `pstrb` and `pprot`.

use super::{BusDefinition, Facts, Signal, Widths, signals as of};

pub(super) const FACTS: Facts = Facts {
    name: "apb",
    title: "APB",
    port: "apb",
    data_widths: &[8, 16, 32],
    most_address: 32,
    has_ids: false,
    has_bursts: false,
    is_serial: true,
    selects_reads: false,
    bus: Some(BusDefinition {
        name: "APB4",
        version: "r0p0_0",
        clock: "PCLK",
        reset: "PRESETn",
        renamed: &[("psel", "PSELx")],
    }),
    signals,
};

fn signals(widths: Widths) -> Vec<Signal> {
    let Widths { address, data, .. } = widths;
    let manager = [
        ("psel", 1),
        ("penable", 1),
        ("pwrite", 1),
        ("paddr", address),
        ("pprot", 3),
        ("pwdata", data),
        ("pstrb", data / 8),
    ];
    of(&manager, &[("pready", 1), ("prdata", data), ("pslverr", 1)])
}
