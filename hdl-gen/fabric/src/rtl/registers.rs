//! Registers in forms that several parts have, and a test of their value.

use turnpike_netlist::{Expr, Net, Register};

/// A register that takes on a value in every cycle.
pub(super) fn held(net: Net, reset: u64, next: impl Into<Expr>) -> Register {
    Register { net, reset: Some(reset), enable: None, next: next.into() }
}

/// Whether a net has a value.
pub(super) fn is_at(net: Net, value: u32) -> Expr {
    Expr::from(net).equals(Expr::constant(net.width, value.into()))
}

/// Net of the number that an index has, among nets of one width; 0 where there is none.
pub(super) fn at_index(index: Net, nets: &[Net]) -> Expr {
    let of = |(net, number): (&Net, u32)| is_at(index, number).repeat(net.width) & *net;
    Expr::any_of(nets.iter().zip(0..).map(of))
}
