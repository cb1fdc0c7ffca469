//! A packet number per terminal: those that a source has sent to it, or a sink has had from it.

use super::pattern::Pattern;
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// The signals by which the numbers are cleared before the test, one after another.
#[derive(Clone, Copy)]
pub struct Clear {
    /// Whether the number of terminal `slot` is cleared in this cycle.
    pub clear: Net,
    /// Number of the slot that is cleared.
    pub slot: Net,
}

/// The number of terminal `of`; it is counted up with `count`.
pub fn numbers(m: &mut ModuleBuilder, pattern: Pattern, of: Net, count: Net, by: Clear) -> Net {
    let bits = pattern.sequence;
    let numbers = m.memory("numbers", bits, 1 << pattern.address);
    let read = Expr::Read { memory: numbers, address: Box::new(of.into()) };
    let number = m.define("number", bits, read);
    let next = Expr::from(number) + Expr::constant(bits, 1);
    m.write(
        numbers,
        Expr::from(by.clear) | count,
        Expr::from(by.clear).mux(by.slot, of),
        (!Expr::from(by.clear)).repeat(bits) & next,
    );
    number
}
