//! The arbiter that proposes: whoever it picks may have a better offer.

use super::{WRITTEN_OUT, by_carry, written_out};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// An arbiter over `n` packets that may each be offered several outputs at once. Ports:
/// - `ask` [n]: who would take this output, now that it has room;
/// - `taken`: whoever is proposed to accepts;
/// - `done`: the flit that leaves in this cycle is its packet's last;
/// - `proposal` [n]: one-hot within `ask`, or 0; 0 while a packet holds the output;
/// - `holds` [n], from registers: the packet that holds the output, one-hot, or 0.
///
/// A packet holds the output from the cycle after it accepted until `done`. The search starts
/// after the last one proposed to, whether it accepted or not: so whoever asks is passed over
/// n-1 times at most, even by those who always have a better offer.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn proposing_arbiter(prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "proposing_arbiter", n);
    m.about(match n {
        1 => "Proposes an output to the only packet that asks, which may turn it down.".to_owned(),
        _ => format!("Proposes an output to one of {n} packets, which may turn it down, in turn."),
    });
    m.about("A packet that accepts holds it until its last flit has left.");
    let ask = m.input("ask", n);
    let taken = m.input("taken", 1);
    let done = m.input("done", 1);
    let proposal = m.output("proposal", n);
    let holds = m.output("holds", n);

    let locked = m.reg("locked", 1);
    let free = (!Expr::from(locked)).repeat(n);
    if n == 1 {
        m.assign(proposal, Expr::from(ask) & free);
        m.assign(holds, locked);
    } else {
        let owner = m.reg("owner", n);
        m.section("Choice");
        m.comment("`owner` is the last one proposed to, one-hot; `locked`: it accepted, and its");
        m.comment("packet is still on the way.");
        let live = m.define("live", n, Expr::from(ask) & free);
        let choice = match n <= WRITTEN_OUT {
            true => written_out(owner, live),
            false => by_carry(&mut m, owner, live),
        };
        m.assign(proposal, choice);
        m.assign(holds, Expr::from(locked).repeat(n) & owner);
        m.section("Next state");
        let proposes = m.define("proposes", 1, Expr::from(proposal).any());
        m.registers(vec![Register {
            net: owner,
            reset: Some(1 << (n - 1)),
            enable: Some(proposes.into()),
            next: proposal.into(),
        }]);
    }
    let next = (Expr::from(locked) | taken) & !Expr::from(done);
    m.registers(vec![Register { net: locked, reset: Some(0), enable: None, next }]);
    m.finish()
}
