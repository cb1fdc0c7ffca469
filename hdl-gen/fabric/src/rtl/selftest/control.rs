//! The conductor of a self-test: clears, paces, counts, judges.

use super::TERMINAL_BITS;
use super::cast::Cast;
use super::fault::Fault;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Gaps and back-pressure come and go: bits of the cycle counter that switch them on.
const PAUSE_SOURCES: u32 = 8;
const PAUSE_SINKS: u32 = 9;

/// After the last packet the sinks stay open for 2^this cycles at least, for what must not come.
const AFTERWARDS_BITS: u32 = 8;

/// The module. Ports: `arrived` of every sink and `fault` of every terminal, each in the order of
/// [`Cast`]; `clear`, `slot`, `pause_sources`, `pause_sinks` to all; where packets are not
/// `in_order`, `complete`: as many have come as were sent; `done`, `pass`, `fail`; `code` and the low
/// bits of `terminal` of the first fault.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn control(prefix: &str, cast: &Cast, in_order: bool) -> Result<Arc<Module>, RtlError> {
    let (address, terminals) = (cast.address, cast.all());
    let limit = cast.limit_bits();
    let expected = cast.packets();
    let mut m = ModuleBuilder::new(format!("{prefix}_selftest_control"));
    m.about(format!("Conducts the self-test and judges it, within {} cycles.", 1u64 << limit));
    let arrived = m.input("arrived", cast.takers.len() as u32);
    let fault = m.input("fault", terminals.len() as u32 * Fault::BITS);
    let clear = m.output("clear", 1);
    let slot = m.output("slot", address);
    let pause_sources = m.output("pause_sources", 1);
    let pause_sinks = m.output("pause_sinks", 1);
    let told = (!in_order).then(|| m.output("complete", 1));
    let done = m.output("done", 1);
    let pass = m.output("pass", 1);
    let fail = m.output("fail", 1);
    let code = m.output("code", Fault::BITS);
    let shown = address.min(TERMINAL_BITS);
    let terminal = m.output("terminal", shown);
    let ended = m.reg("ended", 1);
    let failed = m.reg("failed", 1);

    m.section("Time");
    m.comment(
        "Packet numbers are cleared first, a terminal's in each cycle. Then gaps at the sources",
    );
    m.comment("and back-pressure at the sinks come and go, every combination in turn.");
    let cycle = m.reg("cycle", limit + 1);
    let at_limit = cycle.bit(limit);
    m.registers(vec![Register {
        net: cycle,
        reset: Some(0),
        enable: Some(!Expr::from(ended)),
        next: Expr::from(cycle) + Expr::constant(limit + 1, 1),
    }]);
    m.assign(clear, !cycle.slice(address, limit + 1 - address).any());
    m.assign(slot, cycle.slice(0, address));
    m.assign(pause_sources, cycle.bit(PAUSE_SOURCES));
    m.assign(pause_sinks, cycle.bit(PAUSE_SINKS));

    m.section("Packets that have come");
    m.comment(format!("All of them: {expected}. One packet too many is a fault at its sink."));
    let now = population(&mut m, arrived, "arrived");
    let bits = expected.ilog2() + 1;
    let total = m.reg("total", bits);
    let wide = Expr::concat([Expr::constant(bits - now.width, 0), now.into()]);
    m.registers(vec![Register {
        net: total,
        reset: Some(0),
        enable: None,
        next: Expr::from(total) + wide,
    }]);
    m.comment("Two turns of the low bits of the counter after that, nothing more may have come.");
    let turn = Expr::constant(AFTERWARDS_BITS, (1 << AFTERWARDS_BITS) - 1);
    let turn = m.define("turn", 1, cycle.slice(0, AFTERWARDS_BITS).equals(turn));
    let settling = m.reg("settling", 1);
    let complete = Expr::from(total).equals(Expr::constant(bits, expected));
    let complete = match told {
        None => complete,
        Some(told) => {
            m.assign(told, complete);
            told.into()
        }
    };
    m.registers(vec![Register {
        net: settling,
        reset: Some(0),
        enable: Some(turn.into()),
        next: complete,
    }]);
    let settled = m.define("settled", 1, Expr::from(turn) & settling);

    m.section("Judgement");
    m.comment("The lowest terminal with a fault in the first cycle with one.");
    let (first_code, first_terminal) = lowest(&mut m, fault, &terminals, shown);
    let any = m.define("any", 1, Expr::from(first_code).any());
    let kept_code = m.reg("kept_code", Fault::BITS);
    let kept_terminal = m.reg("kept_terminal", shown);
    let late = Expr::constant(Fault::BITS, Fault::Timeout.code());
    let next_code = Expr::from(any).mux(first_code, late);
    let bad = m.define("bad", 1, Expr::from(any) | at_limit);
    let open = m.define("open", 1, !Expr::from(ended) & bad);
    let kept = |net, next: Expr| Register { net, reset: Some(0), enable: Some(open.into()), next };
    m.registers(vec![kept(kept_code, next_code), kept(kept_terminal, first_terminal)]);
    let sticky = |net: Net, set: Expr| Register {
        net,
        reset: Some(0),
        enable: None,
        next: Expr::from(net) | set,
    };
    m.registers(vec![sticky(ended, Expr::from(bad) | settled), sticky(failed, open.into())]);
    m.assign(done, ended);
    m.assign(pass, Expr::from(ended) & !Expr::from(failed));
    m.assign(fail, failed);
    m.assign(code, kept_code);
    m.assign(terminal, kept_terminal);
    m.finish()
}

/// Number of bits of a net that are set: a tree of sums, with a register `<name>_<level>_<i>`
/// behind each.
fn population(m: &mut ModuleBuilder, of: Net, name: &str) -> Net {
    let mut sums: Vec<Expr> = (0..of.width).map(|i| of.bit(i)).collect();
    let mut width = 1;
    while sums.len() > 1 {
        let wider = |e: &Expr| Expr::concat([Expr::constant(1, 0), e.clone()]);
        sums = sums
            .chunks(2)
            .enumerate()
            .map(|(i, pair)| {
                let sum = match pair {
                    [one, other] => wider(one) + wider(other),
                    // Of an odd number one is left over.
                    _ => wider(&pair[0]),
                };
                Expr::from(m.define(format!("{name}_{width}_{i}"), width + 1, sum))
            })
            .collect();
        width += 1;
    }
    let count = m.reg(format!("{name}_count"), width);
    let next = sums.remove(0);
    m.registers(vec![Register { net: count, reset: Some(0), enable: None, next }]);
    count
}

/// The fault of the lowest terminal that has one, and `bits` bits of its number; 0 where none
/// has.
fn lowest(m: &mut ModuleBuilder, fault: Net, terminals: &[u32], bits: u32) -> (Net, Expr) {
    let count = terminals.len() as u32;
    let at = |place: u32| fault.slice(place * Fault::BITS, Fault::BITS);
    let has = Expr::concat((0..count).rev().map(|place| at(place).any()));
    let has = m.define("has_fault", count, has);
    // The lowest bit that is set, and nothing else.
    let alone = Expr::from(has) & (!Expr::from(has) + Expr::constant(count, 1));
    let alone = m.define("lowest", count, alone);
    let code =
        Expr::any_of((0..count).map(|place| alone.bit(place).repeat(Fault::BITS) & at(place)));
    let code = m.define("first_code", Fault::BITS, code);
    let number = (0..bits).rev().map(|bit| {
        let places = (0..).zip(terminals).filter(|(_, terminal)| *terminal >> bit & 1 == 1);
        Expr::any_of(places.map(|(place, _)| alone.bit(place)))
    });
    (code, Expr::concat(number))
}
