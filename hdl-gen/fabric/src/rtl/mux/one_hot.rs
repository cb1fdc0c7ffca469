//! An AND per source and an OR over them: five sources are three four-input LUTs per bit where
//! the mapper sees it, and no select is decoded on the way from an arbiter's grant.

use turnpike_netlist::{Expr, Net};

/// The selected one of `sources`; 0 where nothing is selected.
pub(super) fn chosen(select: Net, sources: &[Net]) -> Expr {
    let gated = |(i, &source): (usize, &Net)| select.bit(i as u32).fill(source.width) & source;
    Expr::any_of(sources.iter().enumerate().map(gated))
}
