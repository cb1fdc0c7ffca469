//! Signals of APB and Wishbone at the top module, by their names.

use turnpike_base::bits::low_bits;
use turnpike_ends::EndPort;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Nets of a port, each with its bits.
pub(super) struct Nets(Vec<(String, NetId, u32)>);

impl Nets {
    /// The nets of a port whose signals begin with `prefix`.
    pub fn of(dut: &Dut, prefix: &str, port: &EndPort<'_>) -> Self {
        let signals = port.protocol.signals(port.widths).into_iter();
        let net = |name: &str| dut.port(&format!("{prefix}_{name}"));
        Self(signals.map(|signal| (signal.name.clone(), net(&signal.name), signal.bits)).collect())
    }

    fn net(&self, name: &str) -> (NetId, u32) {
        let found = self.0.iter().find(|(known, ..)| known == name);
        found.map(|(_, net, bits)| (*net, *bits)).expect("a signal of the protocol")
    }

    /// Drives a signal with the low bits of a value.
    pub fn set(&self, dut: &mut Dut, name: &str, value: u64) {
        let (net, bits) = self.net(name);
        dut.set(net, value & low_bits(bits));
    }

    /// Value of a signal.
    pub fn get(&self, dut: &Dut, name: &str) -> u64 {
        dut.get(self.net(name).0)
    }
}
