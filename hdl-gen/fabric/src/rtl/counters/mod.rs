//! Counters at the ports of the network, which software reads over AXI4-Lite, and a watchdog.

mod access;
mod port;

use crate::plan::counters::{HANG, HANG_ADDRESS, HANG_PORT};
use crate::rtl::registers::held;
use access::Access;
use port::counter;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Signals of a stream that are counted at, with their bits.
pub fn tapped(address_bits: u32) -> [(&'static str, u32); 4] {
    [("valid", 1), ("ready", 1), ("last", 1), ("address", address_bits)]
}

/// Module of all counters. Ports:
/// - `s_axil_*`: AXI4-Lite, for software ([`crate::plan::counters`] has the map);
/// - `valid0`, `ready0`, `last0`, `address0`, `valid1` ...: the streams, in the order of their numbers;
/// - `hang`: that a word has waited for as long as the watchdog waits.
///
/// The first `sources` streams are those by which packets enter, of `ports` in all. `watchdog` is how long
/// the watchdog waits after a reset, in cycles.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn counters(
    prefix: &str,
    [sources, ports]: [u32; 2],
    address_bits: u32,
    watchdog: u32,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_counters"));
    m.about(format!("Counters at {ports} streams, read over AXI4-Lite, and a watchdog."));
    let signals = access::ports(&mut m, ports);
    let streams: Vec<[Net; 4]> = (0..ports)
        .map(|p| tapped(address_bits).map(|(name, bits)| m.input(format!("{name}{p}"), bits)))
        .collect();
    let hang = m.output(HANG_PORT, 1);
    let access = Access::new(&mut m, signals, ports);
    let [clear, resume, limit] = access.written(&mut m, watchdog);

    m.section("The counters");
    let part = counter(prefix, address_bits)?;
    let which = access.which();
    let mut late = Vec::new();
    let mut whose = Vec::new();
    let mut words = Vec::new();
    for (p, stream) in (0..).zip(&streams) {
        let [word, is_late, address] = [("word", 32), ("late", 1), ("whose", address_bits)]
            .map(|(name, bits)| m.wire(format!("{name}{p}"), bits));
        let selected = access.selects(p);
        let taps = tapped(address_bits).map(|(name, _)| name).into_iter().zip(stream);
        let taps = taps.map(|(name, net)| (name, Expr::from(*net)));
        let others = [
            ("clear", clear.into()),
            ("limit", limit.into()),
            ("selected", selected),
            ("which", which.clone()),
            ("word", word.into()),
            ("late", is_late.into()),
            ("whose", address.into()),
        ];
        m.instance(format!("counter{p}"), &part, taps.chain(others));
        words.push(word);
        late.push(is_late);
        whose.push(address);
    }

    m.section("The watchdog: the first port at which a word waits too long, sinks before sources");
    // The lowest bits are those of the sinks.
    let number_of = |bit: u32| (bit + sources) % ports;
    let net_of = |bit: u32| late[number_of(bit) as usize];
    let all = Expr::concat((0..ports).rev().map(|bit| Expr::from(net_of(bit))));
    let all = m.define("late", ports, all);
    let sinks = m.define("late_sinks", 1, all.slice(0, ports - sources).any());
    let lowest = Expr::from(all) & (Expr::constant(ports, 0) - Expr::from(all));
    let lowest = m.define("first", ports, lowest);
    let only = |bit: u32, value: Expr, bits: u32| lowest.bit(bit).repeat(bits) & value;
    let number = HANG.fields[0].bits[0] + 1;
    let port = |bit| only(bit, Expr::constant(number, number_of(bit).into()), number);
    let port = Expr::any_of((0..ports).map(port));
    let address = |bit| only(bit, whose[number_of(bit) as usize].into(), address_bits);
    let address = Expr::any_of((0..ports).map(address));
    let hang_port = m.reg("hang_port", number);
    let hang_address = m.reg("hang_address", address_bits);
    let hang_at = m.reg("hang_at", 32);
    let of_sink = m.reg("hang_of_sink", 1);
    m.comment("A source may wait for others alone; a sink that takes nothing tells more.");
    let tells_more = Expr::from(sinks) & !Expr::from(of_sink);
    let first = Expr::from(all).any() & !Expr::from(hang);
    let raised = m.define("raised", 1, first | tells_more);
    let cycles = access.cycles(&mut m, clear);
    let kept = |net, next| Register { net, reset: Some(0), enable: Some(raised.into()), next };
    let stays = Expr::from(hang) & !Expr::from(resume);
    let sink_stays = Expr::from(of_sink) & !Expr::from(resume);
    m.registers(vec![
        held(hang, 0, Expr::from(raised) | stays),
        held(of_sink, 0, (Expr::from(raised) & sinks) | sink_stays),
        kept(hang_port, port),
        kept(hang_address, address),
        kept(hang_at, cycles.into()),
    ]);
    let between = 32 - 1 - number;
    let hang = Expr::concat([hang.into(), Expr::constant(between, 0), hang_port.into()]);
    let above = (address_bits < 32).then(|| Expr::constant(32 - address_bits, 0));
    let hang_whose = Expr::concat(above.into_iter().chain([hang_address.into()]));
    let own = [(HANG, hang), (HANG_ADDRESS, hang_whose)];
    access.answers(&mut m, own.into(), [cycles, limit, hang_at], &words);
    m.finish()
}
