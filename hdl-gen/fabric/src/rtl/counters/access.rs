//! AXI4-Lite at the counters: one read and one write at a time.

use super::port::WAIT_BITS;
use crate::plan::counters::{
    CONTROL, CYCLES, CounterRegister, FIRST_PORT, HANG_AT, ID, IDENTITY, PORT_BYTES,
    PORT_REGISTERS, PORTS, REGISTERS, WATCHDOG, axi_port, axi_signals, map_bits,
};
use crate::rtl::registers::held;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Answer of AXI that all is well.
const OKAY: u64 = 0;
/// Answer of AXI that there is no such register.
const SLVERR: u64 = 2;

/// Ports of AXI4-Lite by signal.
type Signals = Vec<(&'static str, Net)>;

/// The ports, for a map of so many ports of the network.
pub(super) fn ports(m: &mut ModuleBuilder, ports: u32) -> Signals {
    let signals = axi_signals(map_bits(ports)).map(|(name, bits, is_input)| match is_input {
        true => (name, m.input(axi_port(name), bits)),
        false => (name, m.output(axi_port(name), bits)),
    });
    signals.into()
}

/// Ports of AXI4-Lite, and the read on its way.
pub(super) struct Access {
    ports: u32,
    signals: Signals,
    /// Byte address of the read, without its two lowest bits.
    at: Net,
    /// Cycle in which the counters are asked, and the one in which they answer.
    asks: Net,
    answers: Net,
}

impl Access {
    /// Access to a map of so many ports of the network.
    pub fn new(m: &mut ModuleBuilder, signals: Signals, ports: u32) -> Self {
        let at = m.reg("read_at", map_bits(ports) - 2);
        let [asks, answers] = ["asks", "answers"].map(|name| m.reg(name, 1));
        Self { ports, signals, at, asks, answers }
    }

    fn signal(&self, name: &str) -> Net {
        self.signals.iter().find(|(signal, _)| *signal == name).expect("a signal of AXI4-Lite").1
    }

    /// Writes of software: whether all is cleared, whether the watchdog resumes, and its limit.
    pub fn written(&self, m: &mut ModuleBuilder, watchdog: u32) -> [Net; 3] {
        let [awaddr, awprot, awvalid, awready, wdata, wstrb, wvalid, wready] =
            ["awaddr", "awprot", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready"]
                .map(|name| self.signal(name));
        let [bresp, bvalid, bready] = ["bresp", "bvalid", "bready"].map(|name| self.signal(name));
        m.section("Writes: address and data are taken together, the cycle after both were there");
        m.comment("Under reset nothing is taken, however long that lasts.");
        let takes = m.reg("takes_write", 1);
        let writes = m.define("writes", 1, Expr::from(takes) & !Expr::Reset);
        m.assign(awready, writes);
        m.assign(wready, writes);
        let both = Expr::from(awvalid) & wvalid;
        let is_free = !Expr::from(takes) & !Expr::from(bvalid);
        m.registers(vec![held(takes, 0, both & is_free)]);
        let at = m.define("write_at", awaddr.width - 2, awaddr.slice(2, awaddr.width - 2));
        let is_there = [CONTROL, WATCHDOG].map(|register| is_at(at, register.offset));
        let resp = answer(Expr::any_of(is_there));
        m.registers(vec![
            held(bvalid, 0, Expr::from(writes) | (Expr::from(bvalid) & !Expr::from(bready))),
            Register { net: bresp, reset: None, enable: Some(writes.into()), next: resp },
        ]);
        let byte = |byte, register: CounterRegister| {
            Expr::from(writes) & is_at(at, register.offset) & wstrb.bit(byte)
        };
        let controls = m.define("controls", 1, byte(0, CONTROL));
        let [clear, resume] = ["clear", "resume"].map(|name| m.wire(name, 1));
        for (field, net) in CONTROL.fields.iter().zip([clear, resume]) {
            m.assign(net, Expr::from(controls) & wdata.bit(field.bits[1]));
        }
        let limit = m.reg("limit", WAIT_BITS);
        let taken = |at| byte(at, WATCHDOG).mux(wdata.slice(8 * at, 8), limit.slice(8 * at, 8));
        let next = Expr::concat([taken(1), taken(0)]);
        m.registers(vec![held(limit, watchdog.into(), next)]);
        let low = awaddr.slice(0, 2);
        let (data, strobes) = (wdata.slice(WAIT_BITS, 32 - WAIT_BITS), wstrb.slice(2, 2));
        m.gather_unused("write", Expr::concat([awprot.into(), low, data, strobes]));
        [clear, resume, limit]
    }

    /// Whether the counters of a port are asked.
    pub fn selects(&self, port: u32) -> Expr {
        Expr::from(self.asks) & self.is_of(port)
    }

    /// Whether the address is among those of a port.
    fn is_of(&self, port: u32) -> Expr {
        let bits = self.at.width - 2;
        let block = u64::from(FIRST_PORT / PORT_BYTES + port);
        self.at.slice(2, bits).equals(Expr::constant(bits, block))
    }

    /// The register of a port that the read is of.
    pub fn which(&self) -> Expr {
        self.at.slice(0, 2)
    }

    /// The cycles that have passed.
    pub fn cycles(&self, m: &mut ModuleBuilder, clear: Net) -> Net {
        let cycles = m.reg("cycles", 32);
        let more = Expr::from(cycles) + Expr::constant(32, 1);
        m.registers(vec![held(cycles, 0, Expr::from(clear).mux(Expr::constant(32, 0), more))]);
        cycles
    }

    /// Answers reads: with the registers of `own`, the time, the limit and the time of a hang, or with
    /// what the counters of a port say.
    pub fn answers(
        &self,
        m: &mut ModuleBuilder,
        mut own: Vec<(CounterRegister, Expr)>,
        [cycles, limit, hang_at]: [Net; 3],
        words: &[Net],
    ) {
        let [araddr, arprot, arvalid, arready, rdata, rresp, rvalid, rready] =
            ["araddr", "arprot", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready"]
                .map(|name| self.signal(name));
        m.section("Reads: a cycle to ask, one to gather");
        let busy = Expr::any_of([self.asks, self.answers, rvalid].map(Expr::from));
        m.assign(arready, !busy & !Expr::Reset);
        let takes = m.define("takes", 1, Expr::from(arvalid) & arready);
        own.extend([
            (ID, Expr::constant(32, IDENTITY.into())),
            (PORTS, Expr::constant(32, self.ports.into())),
            (WATCHDOG, Expr::concat([Expr::constant(32 - WAIT_BITS, 0), limit.into()])),
            (CYCLES, cycles.into()),
            (HANG_AT, hang_at.into()),
        ]);
        let own = own
            .into_iter()
            .map(|(register, value)| is_at(self.at, register.offset).repeat(32) & value);
        let all = Expr::any_of(own.chain(words.iter().map(|net| Expr::from(*net))));
        let globals = REGISTERS.map(|register| is_at(self.at, register.offset));
        let of_port = (PORT_REGISTERS.iter())
            .map(|register| self.which().equals(Expr::constant(2, u64::from(register.offset / 4))));
        let of_port =
            Expr::any_of((0..self.ports).map(|port| self.is_of(port))) & Expr::any_of(of_port);
        let resp = answer(Expr::any_of(globals) | of_port);
        let waits = Expr::from(rvalid) & !Expr::from(rready);
        let kept =
            |net, next| Register { net, reset: None, enable: Some(self.answers.into()), next };
        let address = araddr.slice(2, araddr.width - 2);
        m.registers(vec![
            Register { net: self.at, reset: None, enable: Some(takes.into()), next: address },
            Register { net: self.asks, reset: None, enable: None, next: takes.into() },
            held(self.answers, 0, self.asks),
            held(rvalid, 0, Expr::from(self.answers) | waits),
            kept(rdata, all),
            kept(rresp, resp),
        ]);
        m.gather_unused("read", Expr::concat([arprot.into(), araddr.slice(0, 2)]));
    }
}

/// Whether an address, without its two lowest bits, is that of a register.
fn is_at(at: Net, offset: u32) -> Expr {
    Expr::from(at).equals(Expr::constant(at.width, u64::from(offset / 4)))
}

/// Answer of AXI about a register that is there, or is not.
fn answer(is_there: Expr) -> Expr {
    is_there.mux(Expr::constant(2, OKAY), Expr::constant(2, SLVERR))
}
