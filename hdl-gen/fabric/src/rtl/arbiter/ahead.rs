//! The round-robin arbiter with a register for its grant, whose requests are of the cycle in which the
//! grant stands.

use super::registered::in_turn;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// An arbiter over `n` requests, 1 or more. Ports:
/// - `request` [n]: who has a packet for this output and no grant in the next cycle. That of the queue
///   which is granted counts in the cycle of `done` alone, and is its next packet's then;
/// - `done`: the granted flit leaves in this cycle and is its packet's last;
/// - `grant` [n], a register: one-hot, or 0.
///
/// A choice made in one cycle is the grant from the next on, until `done`. The search starts after who is
/// granted, who comes last; where nobody is, at request 0. While a request waits, somebody is
/// granted: so nobody is passed over twice.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn ahead_arbiter(prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "ahead_arbiter", n);
    match n {
        1 => m.about(
            "Grants the only request, out of a register, until its packet's last flit has left.",
        ),
        _ => {
            m.about(format!(
                "Round-robin arbiter over {n} requests with its grant in a register. A grant"
            ));
            m.about(
                "stands until its packet's last flit has left; the next is chosen in that cycle.",
            );
        }
    }
    let request = m.input("request", n);
    let done = m.input("done", 1);
    let grant = m.output("grant", n);
    let register = |net, enable, next| Register { net, reset: Some(0), enable, next };
    if n == 1 {
        let free = !Expr::from(grant) | done;
        m.registers(vec![register(grant, Some(free), request.into())]);
        return m.finish();
    }

    m.section("Choice");
    m.comment("Bit i: request i+1 comes after the owner, who is granted.");
    let behind = (0..n - 1).rev().map(|i| match i {
        0 => grant.bit(0),
        _ => grant.slice(0, i + 1).any(),
    });
    let after = m.define("after_owner", n - 1, Expr::concat(behind));
    m.comment("Requests behind the owner come first, then all from request 0 up.");
    let first = m.define("request_after", n - 1, request.slice(1, n - 1) & after);
    let choice = in_turn(&mut m, request, first);

    m.section("Next state");
    let free = m.define("free", 1, !Expr::from(grant).any() | done);
    m.registers(vec![register(grant, Some(free.into()), choice.into())]);
    m.finish()
}
