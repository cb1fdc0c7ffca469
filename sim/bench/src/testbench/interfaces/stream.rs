//! Signals of a terminal's streams, and words that are driven there.

use super::packets::Packet;
use crate::testbench::ticks::Ticks;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// A signal of a terminal: its port and its bits.
#[derive(Clone, Copy)]
pub(super) struct Signal {
    pub port: NetId,
    pub width: u32,
}

/// Signals of a side of a terminal, those that there are.
pub(super) struct Stream {
    pub terminal: Terminal,
    /// Place of its clock.
    pub clock: usize,
    pub valid: Signal,
    pub ready: Signal,
    pub data: Signal,
    pub last: Signal,
    pub keep: Option<Signal>,
    pub user: Option<Signal>,
    /// `tdest` of a source, `tid` of a sink.
    pub address: Option<Signal>,
    /// Whether a packet of a source is refused, in the clock of the network.
    pub error: Option<Signal>,
    /// Whether a shaper stands between a source and the network.
    pub is_shaped: bool,
}

impl Stream {
    pub fn of(dut: &Dut, plan: &FabricPlan, ticks: &Ticks, side: Side, terminal: Terminal) -> Self {
        let signals = plan.signals_of(side, terminal);
        let find = |name: &str| {
            let signal = signals.iter().find(|signal| signal.name == name)?;
            let port = dut.port(&plan.port_name(side, terminal, name));
            Some(Signal { port, width: signal.width })
        };
        let is_there = |name: &str| find(name).expect("every stream has this signal");
        let address = if side == Side::Source { "dest" } else { "id" };
        Self {
            terminal,
            clock: ticks.of(plan.clock(terminal)),
            valid: is_there("valid"),
            ready: is_there("ready"),
            data: is_there("data"),
            last: is_there("last"),
            keep: find("keep"),
            user: find("user"),
            address: find(address),
            error: find("error"),
            is_shaped: side == Side::Source && plan.shaper_of(terminal).is_some(),
        }
    }

    /// Offers word `at` of a packet, or nothing. `seed` draws what does not count.
    pub fn drive(&self, dut: &mut Dut, packet: Option<&Packet>, at: usize, seed: u64) {
        dut.set(self.valid.port, u64::from(packet.is_some()));
        let Some(packet) = packet else { return };
        let word = &packet.words[at];
        dut.set_words(self.data.port, 0, self.data.width, &word.data);
        dut.set(self.last.port, u64::from(at + 1 == packet.words.len()));
        for (signal, value) in [(self.keep, &word.keep), (self.user, &word.user)] {
            if let Some(Signal { port, width }) = signal {
                dut.set_words(port, 0, width, value);
            }
        }
        if let Some(Signal { port, width }) = self.address {
            // The first word alone says where the packet goes.
            let other = hash(seed, &[packet.address.into(), at as u64]);
            let value =
                if at == 0 { packet.address.into() } else { other & (u64::MAX >> (64 - width)) };
            dut.set(port, value);
        }
    }
}
