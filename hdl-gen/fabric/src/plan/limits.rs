//! Limits of RTL. A network is held to them before it is built, which may take long.

use super::{InterfaceError, Parameters, PlanError, PortStyle};
use turnpike_network::topology::{self, Limit, MOST_SWITCHES, Topology};

/// Vectors wider than this are beyond what IEEE 1364-2005 (section 4.3.1) asks of tools.
pub const MAX_VECTOR_BITS: u64 = 65_536;

/// Whether RTL of a topology, as it was before nodes failed, is not too large: neither the network,
/// by its dimension or its switches, nor the widest vector; and terminals to which a file gives addresses
/// have ports of their own.
///
/// # Errors
/// [`PlanError`] names the limit and what would fit.
pub fn check_rtl(topology: &dyn Topology, parameters: &Parameters) -> Result<(), PlanError> {
    check_size(topology)?;
    if parameters.ports == PortStyle::Named {
        return Ok(());
    }
    let is_other = |terminal| {
        topology.given_address(terminal).is_some_and(|given| given != topology.address(terminal).0)
    };
    if topology.all_terminals().any(is_other) {
        return Err(InterfaceError::SharedAddresses.into());
    }
    let terminals = topology.sources().count().max(topology.sinks().count()).max(1) as u64;
    for (port, width, field) in [
        ("s_axis_tdata", parameters.width, "width"),
        ("s_axis_tuser", parameters.user_width, "user_width"),
    ] {
        let bits = terminals * u64::from(width);
        if bits > MAX_VECTOR_BITS {
            let fits = MAX_VECTOR_BITS / terminals;
            return Err(PlanError::Vector { port, bits, field, fits });
        }
    }
    Ok(())
}

/// Whether there are not too many switches.
fn check_size(topology: &dyn Topology) -> Result<(), PlanError> {
    let (name, nodes) = (topology.name(), topology.nodes());
    let limit = topology::find(name).map(|kind| kind.sizes.limit);
    match (limit, topology.size().only_dim()) {
        (Ok(Limit::Rtl(limit)), Some(dimension)) if dimension > limit => {
            Err(PlanError::RtlDimension { topology: name, dimension, limit })
        }
        (Ok(Limit::Rtl(_)), _) => Ok(()),
        _ if nodes > MOST_SWITCHES => Err(PlanError::Switches { topology: name, nodes }),
        _ => Ok(()),
    }
}
