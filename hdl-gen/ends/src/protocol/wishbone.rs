//! Signals of Wishbone (B4, chapter 2), by names that tell nobody's side: `dat_w` goes to the
//! subordinate, and `dat_r` comes from it. Addresses are of bytes. Not among them: `rty`, `lock`, tags.

use super::{Facts, Signal, Widths, signals};

pub(super) const CLASSIC: Facts = Facts {
    name: "wishbone",
    title: "Wishbone",
    port: "wb",
    data_widths: &[8, 16, 32, 64],
    most_address: 64,
    has_ids: false,
    has_bursts: false,
    is_serial: true,
    selects_reads: true,
    bus: None,
    signals: classic,
};

pub(super) const PIPELINED: Facts = Facts {
    name: "wishbone-pipelined",
    title: "pipelined Wishbone",
    signals: pipelined,
    ..CLASSIC
};

fn classic(widths: Widths) -> Vec<Signal> {
    of(widths, &[])
}

fn pipelined(widths: Widths) -> Vec<Signal> {
    of(widths, &[("stall", 1)])
}

fn of(widths: Widths, beside: &[(&str, u32)]) -> Vec<Signal> {
    let Widths { address, data, .. } = widths;
    let manager =
        [("cyc", 1), ("stb", 1), ("we", 1), ("adr", address), ("dat_w", data), ("sel", data / 8)];
    let answers = [("dat_r", data), ("ack", 1), ("err", 1)];
    signals(&manager, &[&answers[..], beside].concat())
}
