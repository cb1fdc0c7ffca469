//! The terminal's side: makes a packet's header from `tdest`, once, at injection.

use super::{Expr, Module, ModuleBuilder, Net, Register, RtlError};
use crate::plan::FabricPlan;
use crate::routing::FirstPort;
use std::sync::Arc;

/// The injector of a fabric; one module serves every terminal. Ports:
/// - `address`: this node's (a constant at the instance);
/// - `in_valid`, `in_ready`, `in_dest`, `in_flit`: the terminal; `in_dest` counts on the first
///   flit of a packet only;
/// - `out_valid`, `out_ready`, `out_header`, `out_flit`: the injection queue. Every flit
///   carries the header of its packet.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn injector(plan: &FabricPlan) -> Result<Arc<Module>, RtlError> {
    let bits = plan.injection.difference_bits;
    let flit_width = plan.flit_width();
    let first_port = plan.injection.first_port.as_ref();
    // Bits that no switch looks at are left out.
    let carried = plan.injected_header();
    let header_width = carried.len() as u32;

    let mut m = ModuleBuilder::new(format!("{}_injector", plan.name));
    m.about("Makes the header of a packet at injection: source XOR destination, the bits still");
    m.about("to be corrected.");
    if first_port.is_some() {
        m.about("Above them, one-hot, the first port that the packet takes.");
    }
    let address = m.input("address", bits);
    let in_valid = m.input("in_valid", 1);
    let in_ready = m.output("in_ready", 1);
    let in_dest = m.input("in_dest", bits);
    let in_flit = m.input("in_flit", flit_width);
    let out_valid = m.output("out_valid", 1);
    let out_ready = m.input("out_ready", 1);
    let out_header = m.output("out_header", header_width);
    let out_flit = m.output("out_flit", flit_width);

    m.section("Bits to correct");
    m.comment("Taken on a packet's first flit, kept for the others.");
    let accept = m.define("accept", 1, Expr::from(in_valid) & in_ready);
    let inside = m.reg("inside_packet", 1);
    let kept = m.reg("kept_difference", bits);
    let fresh = Expr::from(in_dest) ^ address;
    let difference = Expr::from(inside).mux(kept, fresh);
    let difference = m.define("difference", bits, difference);
    let enabled = |net, reset, next| Register { net, reset, enable: Some(accept.into()), next };
    m.registers(vec![enabled(inside, Some(0), !in_flit.bit(flit_width - 1))]);
    m.registers(vec![enabled(kept, None, difference.into())]);

    match first_port {
        Some(first) if first.registered => {
            m.section("Register before the table");
            let full = m.reg("stage_full", 1);
            let staged = m.reg("stage_flit", flit_width);
            let free = !Expr::from(full) | out_ready;
            m.assign(in_ready, free);
            let next = Expr::from(accept) | (Expr::from(full) & !Expr::from(out_ready));
            m.registers(vec![Register { net: full, reset: Some(0), enable: None, next }]);
            m.registers(vec![enabled(staged, None, in_flit.into())]);
            m.assign(out_valid, full);
            m.assign(out_flit, staged);
            m.comment("`kept_difference` belongs to the flit in the register.");
            header(&mut m, first, kept, &carried, out_header);
        }
        Some(first) => {
            pass(&mut m, [(in_ready, out_ready), (out_valid, in_valid), (out_flit, in_flit)]);
            header(&mut m, first, difference, &carried, out_header);
        }
        None => {
            pass(&mut m, [(in_ready, out_ready), (out_valid, in_valid), (out_flit, in_flit)]);
            let bits = carried.iter().rev().map(|&b| difference.bit(b));
            m.assign(out_header, Expr::concat(bits));
        }
    }
    m.finish()
}

fn pass(m: &mut ModuleBuilder, pairs: [(Net, Net); 3]) {
    m.section("To the injection queue");
    for (to, from) in pairs {
        m.assign(to, from);
    }
}

fn header(m: &mut ModuleBuilder, first: &FirstPort, difference: Net, carried: &[u32], out: Net) {
    m.section("First port, by table from the bits to correct");
    let port = m.wire("first_port", first.bits);
    m.table(port, difference, first.rows.clone());
    let bit = |&at: &u32| match at.checked_sub(difference.width) {
        Some(above) => port.bit(above),
        None => difference.bit(at),
    };
    m.assign(out, Expr::concat(carried.iter().rev().map(bit)));
}
