//! The traffic generator of one terminal.

use super::cast::Cast;
use super::numbers::{Clear, numbers};
use super::pattern::{BEAT_BITS, Pattern};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Bits of the random generator.
pub const RANDOM_BITS: u32 = 16;

/// The value with which the random generator of a terminal starts: never 0, and all different
/// up to 2^16 - 1 terminals.
pub fn seed(terminal: u32) -> u64 {
    // An odd multiple modulo 2^16 takes no value twice.
    ((u64::from(terminal) + 1) * 0x9e37) & 0xffff
}

/// The module. Ports: `address` and `seed`, constants at the instance; `clear`, `slot`: the
/// packet numbers are cleared one by one before the test; `pause`: gaps are wanted; the
/// terminal's `tvalid`, `tready`, `tdest`, `word` and, unless each beat is a packet, `tlast`; `chance`,
/// a random bit for the sink.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn source(prefix: &str, pattern: Pattern, cast: &Cast) -> Result<Arc<Module>, RtlError> {
    let a = pattern.address;
    let packets = cast.packet_bits();
    let mut m = ModuleBuilder::new(format!("{prefix}_selftest_source"));
    let beats = if pattern.single { "one beat" } else { "1 to 16 beats" };
    m.about(format!(
        "Traffic generator of one terminal: {} packets of {beats}, first one to",
        1u32 << packets
    ));
    m.about("each terminal in turn, then to random ones.");
    m.about("What a packet holds follows from source, destination and the packet's number among");
    m.about("those of this pair, from the lowest bit up the start of `state`; the sink knows it.");
    let address = m.input("address", a);
    let start = m.input("seed", RANDOM_BITS);
    let clear = m.input("clear", 1);
    let slot = m.input("slot", a);
    let pause = m.input("pause", 1);
    let tvalid = m.output("tvalid", 1);
    let tready = m.input("tready", 1);
    let tdest = m.output("tdest", a);
    let word = m.output("word", pattern.word);
    let tlast = (!pattern.single).then(|| m.output("tlast", 1));
    let chance = m.output("chance", 1);

    m.section("Random bits");
    m.comment("A shift register with feedback: x^16 + x^15 + x^13 + x^4 + 1.");
    let random = m.reg("random", RANDOM_BITS);
    let feedback = Expr::Xor([15, 14, 12, 3].map(|i| random.bit(i)).to_vec());
    let shifted = Expr::concat([random.slice(0, RANDOM_BITS - 1), feedback]);
    let next = Expr::from(clear).mux(start, shifted);
    m.registers(vec![Register { net: random, reset: None, enable: None, next }]);
    m.assign(chance, random.bit(11));

    m.section("Beats");
    m.comment("`active`: a packet is under way. `offered`: its beat is; it stays until taken.");
    let active = m.reg("active", 1);
    let offered = m.reg("offered", 1);
    let sent = m.reg("sent", packets + 1);
    let state = m.reg("state", pattern.state());
    let beat = (!pattern.single).then(|| m.reg("beat", BEAT_BITS));
    let taken = m.define("taken", 1, Expr::from(offered) & tready);
    let ends = beat.map(|beat| {
        let full = Expr::from(beat).equals(Expr::constant(BEAT_BITS, (1 << BEAT_BITS) - 1));
        m.define("ends", 1, !pattern.goes_on(state).any() | full)
    });
    let done = match ends {
        Some(ends) => m.define("done", 1, Expr::from(taken) & ends),
        None => taken,
    };
    let free = m.define("free", 1, !Expr::from(active) | done);
    let begin = Expr::all([free.into(), !sent.bit(packets), !Expr::from(clear)]);
    let begin = m.define("begins", 1, begin);
    let more = m.define("more", 1, Expr::from(begin) | !Expr::from(free));
    let willing = m.define("willing", 1, !(Expr::from(pause) & random.bit(15)));
    let waits = Expr::from(offered) & !Expr::from(tready);
    let reset = |net, next| Register { net, reset: Some(0), enable: None, next };
    m.registers(vec![
        reset(active, more.into()),
        reset(offered, Expr::from(more) & (waits | willing)),
    ]);
    let one = Expr::constant(packets + 1, 1);
    m.registers(vec![Register {
        net: sent,
        reset: Some(0),
        enable: Some(begin.into()),
        next: Expr::from(sent) + one,
    }]);

    m.section("Packets: their destination and their number");
    let pairs = m.define("pairs", 1, !sent.slice(a, packets + 1 - a).any());
    let drawn = Expr::from(pairs).mux(sent.slice(0, a), random.slice(0, a));
    let destination = match cast.destinations() {
        None => m.define("destination", a, drawn),
        Some(rows) => {
            m.comment("Packets for an address without a terminal go to an address that has one.");
            let drawn = m.define("drawn", a, drawn);
            let destination = m.wire("destination", a);
            m.table(destination, drawn, rows);
            destination
        }
    };
    let number = numbers(&mut m, pattern, destination, begin, Clear { clear, slot });
    let to = m.reg("to", a);
    let first = pattern.first(address, destination, number);
    let first = m.define("first_state", pattern.state(), first);
    let enabled = |net, by: Net, next| Register { net, reset: None, enable: Some(by.into()), next };
    let mut registers = vec![enabled(to, begin, destination.into())];
    match beat {
        None => registers.push(enabled(state, begin, first.into())),
        Some(beat) => {
            let next_state = m.define("next_state", pattern.state(), pattern.next(state));
            let step = m.define("step", 1, Expr::from(begin) | taken);
            let more = Expr::from(beat) + Expr::constant(BEAT_BITS, 1);
            registers.extend([
                enabled(state, step, Expr::from(begin).mux(first, next_state)),
                enabled(beat, step, (!Expr::from(begin)).repeat(BEAT_BITS) & more),
            ]);
        }
    }
    m.registers(registers);

    m.section("The terminal");
    m.assign(tvalid, offered);
    match beat {
        None => m.assign(tdest, to),
        Some(beat) => {
            m.comment(
                "The destination counts on a packet's first beat only: another one on the others.",
            );
            let opens = m.define("opens", 1, !Expr::from(beat).any());
            m.assign(tdest, (!Expr::from(opens)).repeat(a) ^ to);
        }
    }
    for (tlast, ends) in tlast.into_iter().zip(ends) {
        m.assign(tlast, ends);
    }
    m.assign(word, pattern.word(state));
    m.finish()
}
