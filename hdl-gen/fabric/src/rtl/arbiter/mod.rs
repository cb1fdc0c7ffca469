//! A fair round-robin arbiter that holds its choice for a whole packet.

mod ahead;
mod matrix;
mod registered;

use ahead::ahead_arbiter;
pub use matrix::matrix_arbiter;
use registered::registered_arbiter;

use crate::plan::Granting;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// Up to this many requests the choice is written out, one sum of products per grant: fewest
/// LUTs and levels. Its size grows with the cube of the requests, so that wider arbiters look
/// for the lowest request above the owner by a carry chain instead.
const WRITTEN_OUT: u32 = 8;

/// The arbiter over `n` requests whose choice counts so; 2 or more where it counts at once, else 1 or
/// more.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn arbiter_of(granting: Granting, prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    match granting {
        Granting::AtOnce => arbiter(prefix, n),
        Granting::Registered => registered_arbiter(prefix, n),
        Granting::Ahead => ahead_arbiter(prefix, n),
    }
}

/// An arbiter over `n` requests, 2 or more. Ports:
/// - `request` [n]: who has a flit for this output;
/// - `done`: the granted flit leaves in this cycle and is its packet's last;
/// - `grant` [n]: one-hot within the requests, or 0.
///
/// The search starts after the last owner, so nobody is passed over twice. A choice is held
/// from the cycle in which it is made until `done`: a flit that is offered stays offered (as
/// AXI4-Stream asks), and packets are never interleaved.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn arbiter(prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "arbiter", n);
    m.about(format!("Round-robin arbiter over {n} requests. A choice is held until its packet's"));
    m.about("last flit has left; the next search starts after the last owner.");
    let request = m.input("request", n);
    let done = m.input("done", 1);
    let grant = m.output("grant", n);

    let owner = m.reg("owner", n);
    let locked = m.reg("locked", 1);

    m.section("Choice");
    m.comment("`owner` is the last winner, one-hot; `locked`: its packet is still on the way,");
    m.comment("and no other request counts.");
    let counts = (!Expr::from(locked)).repeat(n) | owner;
    let live = m.define("live", n, Expr::from(request) & counts);
    let choice = if n <= WRITTEN_OUT {
        m.comment("A request is granted if none stands between the owner and it.");
        written_out(owner, live)
    } else {
        by_carry(&mut m, owner, live)
    };
    m.assign(grant, choice);

    m.section("Next state");
    let busy = m.define("busy", 1, Expr::from(grant).any());
    let register =
        |net, reset, next| Register { net, reset: Some(reset), enable: Some(busy.into()), next };
    m.registers(vec![
        register(owner, 1 << (n - 1), grant.into()),
        register(locked, 0, !Expr::from(done)),
    ]);
    m.finish()
}

fn written_out(owner: Net, live: Net) -> Expr {
    let n = owner.width;
    // With the owner `distance` before request `at`, the requests in between must be absent.
    let after = |at: u32, distance: u32| {
        let absent = (1..distance).map(|step| !live.bit((at + step + n - distance) % n));
        Expr::all([owner.bit((at + n - distance) % n)].into_iter().chain(absent))
    };
    let granted = |at| live.bit(at) & Expr::any_of((1..=n).map(|distance| after(at, distance)));
    Expr::concat((0..n).rev().map(granted))
}

fn by_carry(m: &mut ModuleBuilder, owner: Net, live: Net) -> Expr {
    let n = owner.width;
    m.comment("Requests above the owner come first, then all from request 0 up.");
    let above = (0..n).rev().map(|i| match i {
        0 => Expr::constant(1, 0),
        1 => owner.bit(0),
        _ => owner.slice(0, i).any(),
    });
    let above = m.define("above_owner", n, Expr::concat(above));
    let first = m.define("live_above", n, Expr::from(live) & above);
    let pool = Expr::from(first).any().mux(first, live);
    let pool = m.define("pool", n, pool);
    m.comment("The lowest request of the pool.");
    lowest(pool)
}

/// The lowest bit of `pool` that is set, by a carry chain.
fn lowest(pool: Net) -> Expr {
    Expr::from(pool) & (!Expr::from(pool) + Expr::constant(pool.width, 1))
}
