//! Storage in a ring of words: the pointers, and the memory read in the same cycle.

use super::Ports;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, MemoryId, ModuleBuilder, Net, Register};

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

/// A memory of so many words, and the places in it of the next word and of the oldest.
pub(super) struct Ring {
    pub words: MemoryId,
    pub tail: Net,
    pub head: Net,
}

impl Ring {
    pub fn of(m: &mut ModuleBuilder, width: u32, depth: u32) -> Self {
        let words = m.memory("words", width, depth);
        let bits = address_bits(depth);
        Self { words, tail: m.reg("tail", bits), head: m.reg("head", bits) }
    }

    /// Word at the head.
    pub fn oldest(&self) -> Expr {
        Expr::Read { memory: self.words, address: Box::new(self.head.into()) }
    }
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
    let ring = Ring::of(m, ports.in_data.width, depth);
    m.write(ring.words, write.into(), ring.tail.into(), ports.in_data.into());
    m.assign(ports.out_data, ring.oldest());
    m.registers(vec![pointer(ring.tail, push, depth), pointer(ring.head, pop, depth)]);
}
