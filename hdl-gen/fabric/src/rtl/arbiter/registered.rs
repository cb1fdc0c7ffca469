//! The round-robin arbiter whose grant is a register.

use super::{WRITTEN_OUT, lowest};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// An arbiter over `n` requests, 1 or more. Ports:
/// - `request` [n]: who has a packet for this output;
/// - `done`: the granted flit leaves in this cycle and is its packet's last;
/// - `grant` [n], a register: one-hot, or 0.
///
/// A choice made in one cycle is the grant from the next on, until `done`. In the cycle of
/// `done` the next one is chosen among the others: whoever is granted cannot have shown its
/// next packet yet. The search starts after the owner of the cycle before, one cycle behind
/// the grant: so a request is passed over by at most 2n-3 packets (n > 1), and where all request
/// all the time by n-1. Both are proven beside the RTL.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn registered_arbiter(prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "registered_arbiter", n);
    m.about(match n {
        1 => "Grants the only request, out of a register, until its packet's last flit has left."
            .to_owned(),
        _ => format!("Round-robin arbiter over {n} requests with its grant in a register. A grant"),
    });
    if n > 1 {
        m.about("stands until its packet's last flit has left; the next is chosen in that cycle.");
    }
    let request = m.input("request", n);
    let done = m.input("done", 1);
    let grant = m.output("grant", n);
    if n == 1 {
        m.comment("The head of the queue that is granted is the packet that leaves.");
        let enable = Some(!Expr::from(grant) | done);
        let next = Expr::from(request) & !Expr::from(grant);
        m.registers(vec![Register { net: grant, reset: Some(0), enable, next }]);
        return m.finish();
    }
    let after_owner = m.reg("after_owner", n - 1);
    let busy = m.reg("busy", 1);

    m.section("Choice");
    m.comment("A granted queue still shows the packet that leaves: its request does not count.");
    let live = m.define("live", n, Expr::from(request) & !Expr::from(grant));
    m.comment("Requests behind the last owner come first, then all from request 0 up.");
    let first = m.define("live_after", n - 1, live.slice(1, n - 1) & after_owner);
    let choice = in_turn(&mut m, live, first);

    m.section("Next state");
    let free = m.define("free", 1, !Expr::from(busy) | done);
    let register = |net, enable: Net, next| Register {
        net,
        reset: Some(0),
        enable: Some(enable.into()),
        next,
    };
    let behind = (0..n - 1).rev().map(|i| match i {
        0 => grant.bit(0),
        _ => grant.slice(0, i + 1).any(),
    });
    m.registers(vec![
        register(grant, free, choice.into()),
        register(busy, free, Expr::from(live).any()),
    ]);
    m.comment("Bit i: request i+1 comes after the owner. One cycle behind, off the longest path.");
    m.registers(vec![register(after_owner, busy, Expr::concat(behind))]);
    m.finish()
}

/// The choice in turn: the first of `first` (requests 1 and up), or where there is none of `live`.
pub(super) fn in_turn(m: &mut ModuleBuilder, live: Net, first: Net) -> Net {
    let n = live.width;
    let choice = if n <= WRITTEN_OUT {
        let any = m.define("any_after", 1, Expr::from(first).any());
        written_out(live, first, any)
    } else {
        let padded = Expr::concat([first.into(), Expr::constant(1, 0)]);
        let pool = m.define("pool", n, Expr::from(first).any().mux(padded, live));
        lowest(pool)
    };
    m.define("choice", n, choice)
}

/// The lowest of `first` (requests 1 and up), or where there is none the lowest of all.
fn written_out(live: Net, first: Net, any_first: Net) -> Expr {
    let lowest =
        |of: Net, at: u32| Expr::all([of.bit(at)].into_iter().chain((0..at).map(|i| !of.bit(i))));
    let choice = |at: u32| {
        let otherwise = !Expr::from(any_first) & lowest(live, at);
        match at {
            0 => otherwise,
            _ => lowest(first, at - 1) | otherwise,
        }
    };
    Expr::concat((0..live.width).rev().map(choice))
}
