//! Addresses of the transfers of a burst, one after another (IHI 0022 H, A3.4.1).

use crate::rtl::registers::is_at;
use turnpike_ends::protocol::axi4::{FIXED, WRAP};
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// Signals of a request that say how its addresses go on.
pub(super) struct Burst {
    pub len: Net,
    pub size: Net,
    pub burst: Net,
}

/// Number of so many bits that follows from a size, of up to `2^most` bytes.
pub(super) fn by_size(size: Net, most: u32, bits: u32, of: impl Fn(u32) -> Expr) -> Expr {
    Expr::any_of((0..=most).map(|own| is_at(size, own).repeat(bits) & of(own)))
}

/// Bytes of a transfer of a size up to `2^most`, where `2^narrow` go at a time: one bit is high.
pub(super) fn bytes(size: Net, [most, narrow]: [u32; 2], bits: u32) -> Expr {
    by_size(size, most, bits, |own| Expr::constant(bits, 1 << own.min(narrow)))
}

/// Low bits of an address that change from one transfer of the burst to the next: all of `INCR`, those
/// within the burst of `WRAP`, and of `FIXED` those within the longest transfer, where it is made in parts
/// (`parts`): the sum of no part goes beyond its transfer.
///
/// Sizes are up to `2^most` bytes.
pub(super) fn mask(
    m: &mut ModuleBuilder,
    name: &str,
    of: &Burst,
    most: u32,
    bits: u32,
    parts: bool,
) -> Net {
    let is_kind = |kind| Expr::from(of.burst).equals(Expr::constant(of.burst.width, kind));
    let [fixed, wraps] = [FIXED, WRAP].map(is_kind);
    let ones = |count: u32| (count > 0).then(|| Expr::constant(count, (1 << count) - 1));
    // A burst that wraps has (len + 1) * 2^size bytes, a power of two, in up to 16 transfers.
    let within = |size: u32| {
        let len = 4.min(bits - size.min(bits));
        let above = bits - len - size.min(bits);
        let above = (above > 0).then(|| Expr::constant(above, 0));
        let len = (len > 0).then(|| of.len.slice(0, len));
        Expr::concat([above, len, ones(size.min(bits))].into_iter().flatten())
    };
    let within = by_size(of.size, most, bits, within);
    let within = m.define(format!("{name}_of_wrap"), bits, within);
    let low = |count: u32| Expr::constant(bits, (1 << count) - 1);
    let (of_fixed, all) = (low(if parts { most } else { 0 }), low(bits));
    m.define(name, bits, wraps.mux(within, fixed.mux(of_fixed, all)))
}

/// Low bits of the address behind this one: as they would be without an end of the burst, and as they are.
/// `bytes` is the length of a transfer, one bit of which is high; bits that are not in `mask` stay.
pub(super) fn next(m: &mut ModuleBuilder, name: &str, at: Net, bytes: Net, mask: Net) -> [Net; 2] {
    let one = Expr::constant(at.width, 1);
    let aligned = Expr::from(at) & !(Expr::from(bytes) - one);
    let sum = m.define(format!("{name}_sum"), at.width, aligned + bytes);
    let next = (Expr::from(at) & !Expr::from(mask)) | (Expr::from(sum) & mask);
    [sum, m.define(format!("{name}_next"), at.width, next)]
}
