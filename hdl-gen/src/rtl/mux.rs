//! A one-hot multiplexer of one flit.

use super::{Expr, Module, ModuleBuilder, Net, RtlError};
use std::sync::Arc;

/// A multiplexer over `n` sources (2 or more) of `width` bits. Ports: `select` [n], at most one
/// bit set; `in0` ... `in<n-1>`; `out`, 0 where nothing is selected.
///
/// And-or: five sources are three four-input LUTs per bit, and no select is decoded on the way
/// from an arbiter's grant.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn mux(prefix: &str, n: u32, width: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_mux_{n}"));
    m.width_parameter(width);
    m.about(format!("Multiplexer over {n} sources by a one-hot select."));
    let select = m.input("select", n);
    let sources: Vec<Net> = (0..n)
        .map(|i| {
            let net = m.input(format!("in{i}"), width);
            m.parametric(net)
        })
        .collect();
    let out = m.output("out", width);
    m.parametric(out);
    let gated = |(i, &source)| select.bit(i as u32).repeat(width) & source;
    m.assign(out, Expr::any_of(sources.iter().enumerate().map(gated)));
    m.finish()
}
