//! Between two clocks: queues whose ends are of one clock each, and resets that are in all clocks at
//! once.

mod queue;
mod reader;
pub mod reset;
mod writer;

pub use queue::async_fifo;

use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Words of a queue between two clocks whose synchronisers have so many stages: as many as keep a word
/// in every cycle of the slower clock. A word's place is free again after, at most, a cycle of each
/// clock for each stage of a synchroniser, one for the register behind it, and one in which a bit that
/// changes at the clock's edge is not seen yet.
pub fn async_depth(sync_stages: u32) -> u32 {
    (2 * (sync_stages + 2)).next_power_of_two()
}

/// Bits of a pointer into a queue of `depth` words, a power of two: an address, and a bit that tells a
/// full queue from an empty one.
fn pointer_bits(depth: u32) -> u32 {
    address_bits(depth) + 1
}

/// A pointer that moves on where `step` is high. Returns its number, and drives `port` with that in Gray
/// code: a register of its own, for nothing may stand between it and the other clock.
fn pointer(m: &mut ModuleBuilder, bits: u32, step: Net, port: Net) -> Net {
    let number = m.reg_from_zero("number", bits);
    let in_gray = m.reg_from_zero("in_gray", bits);
    let next = m.define("next", bits, Expr::from(number) + Expr::constant(bits, 1));
    let register = |net, next| Register { net, reset: Some(0), enable: Some(step.into()), next };
    m.registers(vec![register(number, next.into()), register(in_gray, gray(next))]);
    m.assign(port, in_gray);
    number
}

/// A number in Gray code, of which one bit changes from each to the next.
fn gray(binary: Net) -> Expr {
    let bits = binary.width;
    let above = Expr::concat([Expr::constant(1, 0), binary.slice(1, bits - 1)]);
    Expr::from(binary) ^ above
}
