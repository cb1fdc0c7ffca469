//! Storage in a ring of words: the pointers, and the memory read in the same cycle.

use super::Ports;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// The next place in a ring of `depth`. Four places are gone through in Gray order: an
/// inverter in place of an adder.
fn successor(at: Net, depth: u32) -> Expr {
    let bits = at.width;
    if depth == 4 {
        return Expr::concat([at.bit(0), !at.bit(1)]);
    }
    let next = Expr::from(at) + Expr::constant(bits, 1);
    match depth == 1 << bits {
        true => next,
        false => {
            let last = Expr::constant(bits, u64::from(depth - 1));
            Expr::from(at).equals(last).mux(Expr::constant(bits, 0), next)
        }
    }
}

/// A pointer into a ring of `depth` words that moves on where `step` is high.
pub(in crate::rtl) fn pointer(net: Net, step: Net, depth: u32) -> Register {
    Register { net, reset: Some(0), enable: Some(step.into()), next: successor(net, depth) }
}

/// A memory that is written at the tail where `write` is high; the tail follows `push`.
pub(super) fn storage(
    m: &mut ModuleBuilder,
    ports: &Ports,
    write: Net,
    push: Net,
    pop: Net,
    depth: u32,
) {
    m.section("Storage");
    if write != push {
        m.comment(
            "Every cycle with room writes the input, word or not; the next word goes to that place.",
        );
    }
    let words = m.memory("words", ports.in_data.width, depth);
    let bits = address_bits(depth);
    let (tail, head) = (m.reg("tail", bits), m.reg("head", bits));
    m.write(words, write.into(), tail.into(), ports.in_data.into());
    m.assign(ports.out_data, Expr::Read { memory: words, address: Box::new(head.into()) });
    m.registers(vec![pointer(tail, push, depth), pointer(head, pop, depth)]);
}
