//! The generator of what an injector draws for each packet.

use crate::plan::FabricPlan;
use crate::plan::draw::{STATE_BITS, TAPS};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The name of the module of a fabric's generators.
pub fn name(plan: &FabricPlan) -> String {
    format!("{}_draw", plan.name)
}

/// The module of a fabric's generators: [`generator`] for packets.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn draw(plan: &FabricPlan, bits: u32) -> Result<Arc<Module>, RtlError> {
    generator(name(plan), "packet", bits)
}

/// A generator of `bits` random bits at once. `each` is what it draws for, in words. Ports:
/// - `seed`: the state under reset, not 0 (a constant at the instance);
/// - `next`: a packet (or what `each` says) is taken in this cycle;
/// - `drawn`: what is drawn for the next packet, or for the one that is taken.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn generator(name: String, each: &str, bits: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(name);
    m.about(format!("Draws {bits} random bits for each {each}: a shift register with feedback,"));
    m.about(format!(
        "x^31 + x^13 + x^8 + x^3 + 1, that moves on by as many bits behind a {each}. Its period is",
    ));
    m.about(format!("2^31 - 1 {each}s."));
    let seed = m.input("seed", STATE_BITS);
    let next = m.input("next", 1);
    let drawn = m.output("drawn", bits);
    let state = m.reg("state", STATE_BITS);
    m.section("Feedback");
    let sums = (0..bits).rev().map(|at| {
        let taps = [0].into_iter().chain(TAPS);
        Expr::Xor(taps.map(|tap| state.bit(at + tap)).collect())
    });
    let fresh = m.define("fresh", bits, Expr::concat(sums));
    let moved = Expr::concat([fresh.into(), state.slice(bits, STATE_BITS - bits)]);
    m.registers(vec![Register {
        net: state,
        reset: None,
        enable: None,
        next: Expr::Reset.mux(seed, Expr::from(next).mux(moved, state)),
    }]);
    m.assign(drawn, state.slice(0, bits));
    m.finish()
}
