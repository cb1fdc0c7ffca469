//! Storage of a deep queue: a block RAM behind two words in flip-flops.

use super::Ports;
use super::ring::{Ring, pointer};
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Two words in flip-flops (`front` is the oldest, then `second`), the rest in a memory with a
/// registered read. A word goes straight to the front pair while the memory and its read
/// register are empty; the pair is refilled from the memory one cycle ahead of need.
pub(super) fn storage(
    m: &mut ModuleBuilder,
    ports: &Ports,
    push: Net,
    pop: Net,
    count: Net,
    depth: u32,
) {
    let width = ports.in_data.width;
    m.section("Storage: two words in front of a block RAM");
    let ring = Ring::of(m, width, depth);
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
    m.write(ring.words, store.into(), ring.tail.into(), ports.in_data.into());
    m.registers(vec![Register {
        net: fetched,
        reset: None,
        enable: Some(fetch.into()),
        next: ring.oldest(),
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
        pointer(ring.tail, store, depth),
        pointer(ring.head, fetch, depth),
    ]);
    m.assign(ports.out_data, front);
}
