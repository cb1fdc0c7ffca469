//! Multiplexers of whole flits: by a one-hot select, and by an address.

mod one_hot;
mod stages;

pub(super) use stages::Chains;
pub use stages::Stages;

use crate::plan::MuxStyle;
use std::sync::Arc;
use turnpike_netlist::{Module, ModuleBuilder, Net, RtlError};

/// A multiplexer over `n` sources (2 or more) of `width` bits. Ports: `select` [n], at most one
/// bit set; `in0` ... `in<n-1>`; `out`, of no meaning where nothing is selected.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn mux(
    prefix: &str,
    n: u32,
    width: u32,
    style: MuxStyle,
    stages: &mut Stages,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "mux", n);
    if style == MuxStyle::OneHot {
        m.width_parameter(width);
    }
    m.about(format!("Multiplexer over {n} sources by a one-hot select."));
    let select = m.input("select", n);
    let sources: Vec<Net> = (0..n).map(|i| m.input(format!("in{i}"), width)).collect();
    let out = m.output("out", width);
    let chosen = match style {
        MuxStyle::OneHot => {
            for &net in sources.iter().chain([&out]) {
                m.parametric(net);
            }
            one_hot::chosen(select, &sources)
        }
        MuxStyle::Lut4 => Chains { m: &mut m, stages, prefix }.by_select(select, &sources)?,
    };
    m.assign(out, chosen);
    m.finish()
}
