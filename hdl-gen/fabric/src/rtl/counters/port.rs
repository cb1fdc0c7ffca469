//! Counters of one port.

use crate::plan::counters::{FLITS, STALLS, WAITS};
use crate::rtl::registers::held;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Bits of a wait that is counted.
pub(super) const WAIT_BITS: u32 = 16;

/// Module that counts at one stream, whose signals it only reads. Ports:
/// - `valid`, `ready`, `last`, `address`: the stream;
/// - `clear`: all that was counted becomes 0, and the longest wait the one that goes on;
/// - `limit`: cycles after which a wait is too long, 0 for never;
/// - `selected`, `which`: the register that `word` holds a cycle later; 0 where none is selected;
/// - `late`: that a word has waited for so long, out of a register;
/// - `whose`: the address of its packet.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn counter(prefix: &str, address_bits: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_counter"));
    m.about("Counts the flits that pass a stream, and the cycles in which they wait.");
    let inputs = [("valid", 1), ("ready", 1), ("last", 1), ("address", address_bits)];
    let [valid, ready, last, address] = inputs.map(|(name, bits)| m.input(name, bits));
    let inputs = [("clear", 1), ("limit", WAIT_BITS), ("selected", 1), ("which", 2)];
    let [clear, limit, selected, which] = inputs.map(|(name, bits)| m.input(name, bits));
    let outputs = [("word", 32), ("late", 1), ("whose", address_bits)];
    let [word, late, whose] = outputs.map(|(name, bits)| m.output(name, bits));

    m.section("The stream, a cycle later: nothing of it waits for the counters");
    let passes = m.reg("passes", 1);
    let waits = m.reg("waits", 1);
    let begins = m.reg("begins", 1);
    let moves = m.define("moves", 1, Expr::from(valid) & ready);
    m.comment("A packet's first word alone says where it goes.");
    let first = Expr::from(valid) & begins;
    m.registers(vec![
        free(passes, moves),
        held(waits, 0, Expr::from(valid) & !Expr::from(ready)),
        Register { net: begins, reset: Some(1), enable: Some(moves.into()), next: last.into() },
        Register { net: whose, reset: None, enable: Some(first), next: address.into() },
    ]);

    m.section("What is counted");
    let flits = m.reg("flits", 32);
    let stalls = m.reg("stalls", 32);
    let now = m.reg("now", WAIT_BITS);
    let longest = m.reg("longest", WAIT_BITS);
    let cleared = |next: Expr, width| Expr::from(clear).mux(Expr::constant(width, 0), next);
    let one = Expr::constant(WAIT_BITS, 1);
    let full = m.define("full", 1, Expr::from(now).equals(ones(WAIT_BITS)));
    let more = m.define("more", WAIT_BITS, Expr::from(full).mux(now, Expr::from(now) + one));
    let goes_on = m.define("goes_on", WAIT_BITS, Expr::from(waits).repeat(WAIT_BITS) & more);
    let is_longest = Expr::from(waits) & Expr::from(now).equals(longest);
    let counted = |net: Net, step: Net| cleared(Expr::from(net) + wide(step, net.width), net.width);
    m.registers(vec![
        held(flits, 0, counted(flits, passes)),
        held(stalls, 0, counted(stalls, waits)),
        free(now, goes_on),
        held(longest, 0, Expr::from(clear).mux(goes_on, is_longest.mux(more, longest))),
    ]);

    m.section("Whether a word has waited for too long");
    m.comment(
        "What the cycles before this one leave of the limit: with 1 or less, this one reaches it.",
    );
    let wide = |net: Net| Expr::concat([Expr::constant(1, 0), net.into()]);
    let left = m.define("left", WAIT_BITS + 1, wide(limit) - wide(now));
    m.gather_unused("left", left.bit(0));
    let at_most_one = left.bit(WAIT_BITS) | !left.slice(1, WAIT_BITS - 1).any();
    let reached = Expr::from(limit).any() & at_most_one;
    m.registers(vec![held(late, 0, Expr::from(waits) & reached)]);

    m.section("The register that is asked for");
    let both = Expr::concat([Expr::from(longest), now.into()]);
    let of = [(FLITS, flits.into()), (STALLS, stalls.into()), (WAITS, both)];
    let of = of.into_iter().map(|(register, value)| {
        let number = Expr::constant(2, u64::from(register.offset / 4));
        (Expr::from(selected) & Expr::from(which).equals(number)).repeat(32) & value
    });
    m.registers(vec![free(word, Expr::any_of(of))]);
    m.finish()
}

/// A register that no reset sets: what it holds does not count before it is set.
fn free(net: Net, next: impl Into<Expr>) -> Register {
    Register { net, reset: None, enable: None, next: next.into() }
}

/// One bit as a number of `width` bits.
fn wide(bit: Net, width: u32) -> Expr {
    Expr::concat([Expr::constant(width - 1, 0), bit.into()])
}

fn ones(width: u32) -> Expr {
    Expr::constant(width, u64::MAX >> (64 - width))
}
