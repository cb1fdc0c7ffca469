//! The queue of one (input port, VC): first in, first out, one flit in and one flit out per
//! cycle at any depth.

use super::check::address_bits;
use super::{Expr, Module, ModuleBuilder, Net, Register, RtlError};
use std::sync::Arc;

/// Queues up to this depth keep their flits in a memory read in the same cycle, which maps to
/// LUT-RAM or flip-flops; deeper ones in block RAM behind two flip-flop words.
pub const DISTRIBUTED_DEPTH: u32 = 32;

/// Queues up to this depth count their words in a thermometer code, deeper ones in binary.
const THERMOMETER_DEPTH: u32 = 8;

/// A queue for `depth` words (2 or more) of `width` bits. Ports:
/// - `in_valid`, `in_data`; `in_ready`: there is room (from a register);
/// - `out_valid` (from a register), `out_data`: the oldest word; `out_ready`: taken this cycle.
///
/// A word that goes in can come out in the next cycle. There is no combinational path from
/// `in_*` to `out_*` or from `out_ready` to `in_ready`.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn fifo(prefix: &str, width: u32, depth: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_fifo_{depth}"));
    m.width_parameter(width);
    m.about(format!("First-in first-out queue of {depth} words, one word per cycle in and out."));
    m.about("Ready and valid come from registers; a word can leave in the cycle after it came.");
    let ports = Ports {
        in_valid: m.input("in_valid", 1),
        in_ready: m.output("in_ready", 1),
        in_data: m.input("in_data", width),
        out_valid: m.output("out_valid", 1),
        out_ready: m.input("out_ready", 1),
        out_data: m.output("out_data", width),
    };
    m.parametric(ports.in_data);
    m.parametric(ports.out_data);

    m.section("Transfers");
    let push = m.define("push", 1, Expr::from(ports.in_valid) & ports.in_ready);
    let pop = m.define("pop", 1, Expr::from(ports.out_valid) & ports.out_ready);

    if depth <= THERMOMETER_DEPTH {
        thermometer(&mut m, &ports, push, pop, depth);
        distributed_storage(&mut m, &ports, push, pop, depth);
        return m.finish();
    }
    m.section("Fill level");
    let bits = depth.ilog2() + 1;
    let count = m.reg("count", bits);
    let constant = |value| Expr::constant(bits, value);
    let more = Expr::from(push) & !Expr::from(pop);
    let fewer = Expr::from(pop) & !Expr::from(push);
    let step = fewer.mux(Expr::from(count) - constant(1), count);
    let next = more.mux(Expr::from(count) + constant(1), step);
    let next = m.define("count_next", bits, next);
    let state = |net, reset, next| Register { net, reset: Some(reset), enable: None, next };
    m.registers(vec![
        state(count, 0, next.into()),
        state(ports.in_ready, 1, !Expr::from(next).equals(constant(u64::from(depth)))),
        state(ports.out_valid, 0, Expr::from(next).any()),
    ]);
    if depth <= DISTRIBUTED_DEPTH {
        distributed_storage(&mut m, &ports, push, pop, depth);
    } else {
        block_storage(&mut m, &ports, push, pop, count, depth);
    }
    m.finish()
}

/// The fill level as a thermometer: ready and valid are two of its bits.
fn thermometer(m: &mut ModuleBuilder, ports: &Ports, push: Net, pop: Net, depth: u32) {
    m.section("Fill level");
    m.comment("Bit i is set while there are more than i words.");
    let filled = m.reg("filled", depth);
    let one = |value| Expr::constant(1, value);
    let up = Expr::concat([filled.slice(0, depth - 1), one(1)]);
    let down = Expr::concat([one(0), filled.slice(1, depth - 1)]);
    let next = Expr::from(pop).mux(down, up);
    let enable = Some(Expr::from(push) ^ pop);
    m.registers(vec![Register { net: filled, reset: Some(0), enable, next }]);
    m.assign(ports.in_ready, !filled.bit(depth - 1));
    m.assign(ports.out_valid, filled.bit(0));
}

struct Ports {
    in_valid: Net,
    in_ready: Net,
    in_data: Net,
    out_valid: Net,
    out_ready: Net,
    out_data: Net,
}

/// The next place in a ring of `depth`.
fn successor(at: Net, depth: u32) -> Expr {
    let bits = at.width;
    let next = Expr::from(at) + Expr::constant(bits, 1);
    match depth == 1 << bits {
        true => next,
        false => {
            let last = Expr::constant(bits, u64::from(depth - 1));
            Expr::from(at).equals(last).mux(Expr::constant(bits, 0), next)
        }
    }
}

fn pointer(net: Net, step: Net, depth: u32) -> Register {
    Register { net, reset: Some(0), enable: Some(step.into()), next: successor(net, depth) }
}

fn distributed_storage(m: &mut ModuleBuilder, ports: &Ports, push: Net, pop: Net, depth: u32) {
    m.section("Storage");
    let words = m.memory("words", ports.in_data.width, depth);
    let bits = address_bits(depth);
    let (tail, head) = (m.reg("tail", bits), m.reg("head", bits));
    m.write(words, push.into(), tail.into(), ports.in_data.into());
    m.assign(ports.out_data, Expr::Read { memory: words, address: Box::new(head.into()) });
    m.registers(vec![pointer(tail, push, depth), pointer(head, pop, depth)]);
}

/// Two words in flip-flops (`front` is the oldest, then `second`), the rest in a memory with a
/// registered read. A word goes straight to the front pair while the memory and its read
/// register are empty; the pair is refilled from the memory one cycle ahead of need.
fn block_storage(
    m: &mut ModuleBuilder,
    ports: &Ports,
    push: Net,
    pop: Net,
    count: Net,
    depth: u32,
) {
    let width = ports.in_data.width;
    m.section("Storage: two words in front of a block RAM");
    let words = m.memory("words", width, depth);
    let bits = address_bits(depth);
    let (tail, head) = (m.reg("tail", bits), m.reg("head", bits));
    let front = m.reg("front", width);
    let second = m.reg("second", width);
    let fetched = m.reg("fetched", width);
    for net in [front, second, fetched] {
        m.parametric(net);
    }
    m.comment("Words in the front pair, and whether a word read last cycle is about to join.");
    let in_front = m.reg("in_front", 2);
    let joining = m.reg("joining", 1);
    let two = |value| Expr::constant(2, value);
    let bit_to_two = |net: Net| Expr::concat([Expr::constant(1, 0), net.into()]);
    let left = m.define("left_in_front", 2, Expr::from(in_front) - bit_to_two(pop));
    let known = m.define("in_front_and_joining", 2, Expr::from(left) + bit_to_two(joining));
    let widen = |e: Expr, from: u32| match count.width - from {
        0 => e,
        more => Expr::concat([Expr::constant(more, 0), e]),
    };
    let ahead = Expr::from(in_front) + bit_to_two(joining);
    let ahead = m.define("ahead_of_memory", 2, ahead);
    let in_memory =
        m.define("memory_has_words", 1, !Expr::from(count).equals(widen(ahead.into(), 2)));
    m.comment("Read when the pair will have room; write unless the pair takes the new word.");
    let room = m.define("room", 1, !Expr::from(known).equals(two(2)));
    let fetch = m.define("fetch", 1, Expr::from(in_memory) & room);
    let direct =
        m.define("direct", 1, Expr::all([push.into(), !Expr::from(in_memory), room.into()]));
    let store = m.define("store", 1, Expr::from(push) & !Expr::from(direct));
    m.write(words, store.into(), tail.into(), ports.in_data.into());
    let read = Expr::Read { memory: words, address: Box::new(head.into()) };
    m.registers(vec![Register {
        net: fetched,
        reset: None,
        enable: Some(fetch.into()),
        next: read,
    }]);
    m.comment("The pair: first the shift of a word taken, then a joining or a new word.");
    let joined = m.define("joined", width, Expr::from(joining).mux(fetched, ports.in_data));
    m.parametric(joined);
    let shifted = m.define("shifted", width, Expr::from(pop).mux(second, front));
    m.parametric(shifted);
    let joins = m.define("joins", 1, Expr::from(joining) | direct);
    let empty = m.define("left_none", 1, Expr::from(left).equals(two(0)));
    // A joining word is older than a direct one, and both may come in one cycle.
    let both = m.define("both", 1, Expr::from(joining) & direct);
    let second_next = Expr::from(both).mux(ports.in_data, joined);
    let second_next = m.define("second_next", width, second_next);
    m.parametric(second_next);
    let front_next = (Expr::from(joins) & empty).mux(joined, shifted);
    m.registers(vec![
        Register { net: front, reset: None, enable: None, next: front_next },
        Register { net: second, reset: None, enable: Some(joins.into()), next: second_next.into() },
    ]);
    let filled = Expr::from(known) + bit_to_two(direct);
    m.registers(vec![
        Register { net: in_front, reset: Some(0), enable: None, next: filled },
        Register { net: joining, reset: Some(0), enable: None, next: fetch.into() },
        pointer(tail, store, depth),
        pointer(head, fetch, depth),
    ]);
    m.assign(ports.out_data, front);
}
