//! The state machine of a fixed window: it has no state but that of the generator.

use super::{Nets, below, drawn, queue};
use crate::plan::BusPlan;
use crate::protocol::Window;
use turnpike_netlist::{Expr, ModuleBuilder, RtlError};

pub(super) fn build(
    plan: &BusPlan,
    window: Window,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<(), RtlError> {
    queue(plan, m, nets)?;
    m.section("Whether to send");
    m.comment(format!("One slot in {}, drawn for each slot.", window.slots()));
    let drawn = drawn(plan, m, nets, "slot", nets.data_slot.into())?;
    let now = m.define("now", 1, below(drawn, 0, window.draw_bits(), window.threshold()));
    m.assign(nets.send, Expr::all([nets.data_slot.into(), nets.waiting.into(), now.into()]));
    Ok(())
}
