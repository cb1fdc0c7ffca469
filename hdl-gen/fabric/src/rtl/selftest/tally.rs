//! Whether all that a source has sent has come, where packets may overtake each other.
//!
//! A sink cannot know which packet of a source comes next. It adds up, for each source, how far the
//! number of every packet is ahead of the one that would be next in order. However n packets are
//! ordered, that sum is 0 once each of them has come, once. Where one is lost and another comes
//! twice it is not, unless their numbers are equal modulo 2^[`Pattern::sequence`].

use super::numbers::Clear;
use super::pattern::Pattern;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// A packet at a sink.
pub struct Packet {
    /// Source of the packet.
    pub source: Net,
    /// The number that it has.
    pub number: Net,
    /// Number of packets that have come from that source, modulo 2^[`Pattern::sequence`].
    pub next: Net,
    /// Whether its first beat is here.
    pub comes: Net,
}

/// Whether packets of some source are out of step: the sum of one is not 0.
pub fn tally(m: &mut ModuleBuilder, pattern: Pattern, packet: &Packet, by: Clear) -> Expr {
    let (bits, addresses) = (pattern.sequence, pattern.address);
    let Packet { source, number, next, comes } = *packet;
    m.section("Packets that overtake each other");
    m.comment("By source, how far the numbers of its packets are ahead of those in order, in all:");
    m.comment("0 once each has come, once.");
    let sums = m.memory("sums", bits, 1 << addresses);
    let before = Expr::Read { memory: sums, address: Box::new(source.into()) };
    let before = m.define("sum_before", bits, before);
    let after = Expr::from(before) + Expr::from(number) - Expr::from(next);
    let after = m.define("sum_after", bits, after);
    m.write(
        sums,
        Expr::from(by.clear) | comes,
        Expr::from(by.clear).mux(by.slot, source),
        (!Expr::from(by.clear)).repeat(bits) & after,
    );
    m.comment("Sources with another sum.");
    let open = m.reg("open_sources", addresses + 1);
    let one = || Expr::constant(addresses + 1, 1);
    let (was, is) = (Expr::from(before).any(), Expr::from(after).any());
    let (opens, closes) = (!was.clone() & is.clone(), was & !is);
    let opens = m.define("sum_opens", 1, opens);
    let closes = m.define("sum_closes", 1, closes);
    let less = Expr::from(closes).mux(Expr::from(open) - one(), open);
    m.registers(vec![Register {
        net: open,
        reset: Some(0),
        enable: Some(comes.into()),
        next: Expr::from(opens).mux(Expr::from(open) + one(), less),
    }]);
    Expr::from(open).any()
}
