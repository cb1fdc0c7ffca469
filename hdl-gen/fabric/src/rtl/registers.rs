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
