//! The state machine of exponential backoff: the range that is drawn from, and the slots to wait.

use super::{Nets, drawn, queue};
use crate::plan::BusPlan;
use crate::protocol::Backoff;
use turnpike_netlist::{Expr, ModuleBuilder, Register, RtlError};

pub(super) fn build(
    plan: &BusPlan,
    backoff: Backoff,
    m: &mut ModuleBuilder,
    nets: &Nets,
) -> Result<(), RtlError> {
    let bits = backoff.most();
    queue(plan, m, nets)?;
    m.section("Whether to send");
    m.comment("`failures` has a bit for each failure of this word; `wait_left` counts slots down.");
    let failures = (bits > 1).then(|| m.reg("failures", bits - 1));
    let wait = m.reg("wait_left", bits);
    let waits = m.define("waits", 1, Expr::from(wait).any());
    let failed = m.define("failed", 1, Expr::from(nets.sent) & !Expr::from(nets.done));
    let drawn = drawn(plan, m, nets, "failure", failed.into())?;
    let send = Expr::all([nets.data_slot.into(), nets.waiting.into(), !Expr::from(waits)]);
    m.assign(nets.send, send);
    let one = Expr::constant(1, 1);
    let range = Expr::concat(failures.map(Expr::from).into_iter().chain([one]));
    let range = m.define("range", bits, range);
    let counts = Expr::from(nets.data_slot) & waits;
    let less = Expr::from(wait) - Expr::constant(bits, 1);
    if let Some(net) = failures {
        let none = Expr::constant(bits - 1, 0);
        let next = Expr::from(failed).mux(range.slice(0, bits - 1), none);
        let enable = Some(nets.sent.into());
        m.registers(vec![Register { net, reset: Some(0), enable, next }]);
    }
    m.registers(vec![Register {
        net: wait,
        reset: Some(0),
        enable: Some(Expr::from(failed) | counts),
        next: Expr::from(failed).mux(Expr::from(drawn) & range, less),
    }]);
    Ok(())
}
