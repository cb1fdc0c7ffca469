//! Nets side by side in one.

use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// Nets side by side, the first in the lowest bits.
pub(super) fn together(nets: &[Net]) -> Expr {
    Expr::concat(nets.iter().rev().copied().map(Expr::from))
}

/// A wire for nets side by side; [`apart`] drives them by it.
pub(super) fn wire(m: &mut ModuleBuilder, name: String, nets: &[Net]) -> Net {
    m.wire(name, nets.iter().map(|net| net.width).sum())
}

/// Drives nets by their parts of one net, the first by its lowest bits.
pub(super) fn apart(m: &mut ModuleBuilder, whole: Net, nets: &[Net]) {
    let mut low = 0;
    for &net in nets {
        m.assign(net, whole.slice(low, net.width));
        low += net.width;
    }
}
