//! Registers in forms that several parts have, and tests of their values.

use turnpike_netlist::{Expr, Net, Register};

/// A register that takes on a value in every cycle.
pub(super) fn held(net: Net, reset: u64, next: impl Into<Expr>) -> Register {
    Register { net, reset: Some(reset), enable: None, next: next.into() }
}

/// Whether a net has a value.
pub(super) fn is_at(net: Net, value: u32) -> Expr {
    Expr::from(net).equals(Expr::constant(net.width, value.into()))
}

/// Whether a net is `bound` or more; `bound` is less than 2^width and not 0.
pub(super) fn at_least(net: Net, bound: u64) -> Expr {
    // From the lowest bit of the bound that is set: below it nothing counts.
    let low = bound.trailing_zeros();
    if bound.is_power_of_two() {
        return net.slice(low, net.width - low).any();
    }
    let mut reaches = net.bit(low);
    for bit in low + 1..net.width {
        reaches = match bound >> bit & 1 {
            1 => net.bit(bit) & reaches,
            _ => net.bit(bit) | reaches,
        };
    }
    reaches
}

/// Net of the number that an index has, among nets of one width; 0 where there is none.
pub(super) fn at_index(index: Net, nets: &[Net]) -> Expr {
    let of = |(net, number): (&Net, u32)| is_at(index, number).repeat(net.width) & *net;
    Expr::any_of(nets.iter().zip(0..).map(of))
}
