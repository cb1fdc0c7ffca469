//! The terminal's side: makes a packet's header from `tdest`, once, at injection.

mod about;
mod header;
mod seen;

use super::draw;
use super::registers::at_least;
use super::switch::port::channel;
use crate::plan::draw::STATE_BITS;
use crate::plan::{FabricPlan, InjectorPlan};
use seen::Seen;
use std::sync::Arc;
use turnpike_netlist::{
    Expr, Handshake, Module, ModuleBuilder, Net, Register, RtlError, Stream, StreamType,
};
use turnpike_network::routing::Vc;
use turnpike_network::topology::Terminal;

/// The module of a class of injectors. Ports:
/// - `address`: this terminal's (a constant at the instance), as many low bits as are seen as a
///   difference;
/// - `seed`, where packets draw: the state of the generator under reset ([`draw`]);
/// - `in_valid`, `in_ready`, `in_dest`, `in_flit`: the terminal; `in_dest` counts on the first
///   flit of a packet only;
/// - `in_error`, where there are addresses without a terminal, or without a flow: the first flit of a packet to
///   one of them is taken in this cycle. No flit of it goes on;
/// - `out_valid`, `out_ready`, `out_header`, `out_flit`: the injection queue. Every flit
///   carries the header of its packet. Where switches look at none, as on the way to the one sink
///   of a network, there is no `out_header`, and no `address`.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn injector(plan: &FabricPlan, class: &InjectorPlan) -> Result<Arc<Module>, RtlError> {
    let injection = &class.injection;
    let view = injection.view;
    let flit_width = plan.flit_width();
    let carried = &class.header;
    let header_width = carried.len() as u32;

    let mut m = ModuleBuilder::new(&class.name);
    match header_width {
        0 => m.about("Lets packets in. They need no header: all go one way."),
        _ => about::about(&mut m, injection),
    }
    let is_seen = header_width > 0 && view.source_bits() > 0;
    let address = is_seen.then(|| m.input("address", view.source_bits()));
    let drawing = plan.draw_bits().filter(|_| header_width > 0);
    let seed = drawing.map(|_| m.input("seed", STATE_BITS));
    let comes = [("dest", view.address_bits()), ("flit", flit_width)];
    let from = m.stream_in("in", StreamType::plain(comes));
    let in_error = plan.refuses(class).then(|| m.output("in_error", 1));
    let to = m.stream_out("out", channel(&[Vc(0)], carried, flit_width));
    let Handshake { valid: in_valid, ready: in_ready } = from.lanes[0];
    let Handshake { valid: out_valid, ready: out_ready } = to.lanes[0];
    let field = |stream: &Stream, name| stream.field(name).expect("addresses and flits have bits");
    let (in_dest, in_flit) = (field(&from, "dest"), field(&from, "flit"));
    let (out_header, out_flit) = (to.field("header"), field(&to, "flit"));

    let drawn = drawing.map(|bits| m.wire("drawn", bits));
    let fresh = out_header.map(|_| {
        let dest = destination(&mut m, class, in_dest);
        seen::seen(&mut m, injection, dest, address, drawn)
    });
    if fresh.is_none() {
        m.section("Packets");
    }
    m.comment("The first flit of a packet says it; it is kept for the packet's other flits.");
    let accept = m.define("accept", 1, Expr::from(in_valid) & in_ready);
    let inside = m.reg("inside_packet", 1);
    let keep = |m: &mut ModuleBuilder, Seen { name, width, fresh }| {
        let kept = m.reg(format!("kept_{name}"), width);
        (name, kept, m.define(name, width, Expr::from(inside).mux(kept, fresh)))
    };
    let seen: Vec<(&str, Net, Net)> =
        fresh.into_iter().flatten().map(|fresh| keep(&mut m, fresh)).collect();
    let last = flit_width - 1;
    let enabled = |net, reset, next| Register { net, reset, enable: Some(accept.into()), next };
    m.registers(vec![enabled(inside, Some(0), !in_flit.bit(last))]);
    for &(_, kept, seen) in &seen {
        m.registers(vec![enabled(kept, None, seen.into())]);
    }
    if let (Some(bits), Some(seed), Some(drawn)) = (drawing, seed, drawn) {
        m.section("What is drawn");
        let module = draw::draw(plan, bits)?;
        let next = m.define("next_draw", 1, Expr::from(accept) & !Expr::from(inside));
        let connections = [("seed", seed.into()), ("next", next.into()), ("drawn", drawn.into())];
        m.instance("draw", &module, connections);
    }

    let refused = in_error.map(|error| {
        m.section(match class.destinations {
            None => "Addresses without a terminal",
            Some(_) => "Addresses to which there is no flow",
        });
        let unknown = m.define("unknown", 1, unknown(plan, class, in_dest));
        let refusing = m.reg("refusing", 1);
        let refused = Expr::from(inside).mux(refusing, unknown);
        let refused = m.define("refused", 1, refused);
        m.registers(vec![enabled(refusing, None, refused.into())]);
        m.assign(error, Expr::from(accept) & !Expr::from(inside) & unknown);
        refused
    });
    let goes_on = |valid: Expr| match refused {
        Some(refused) => valid & !Expr::from(refused),
        None => valid,
    };

    if injection.registered {
        m.section("Register before the table");
        let full = m.reg("stage_full", 1);
        let staged = m.reg("stage_flit", flit_width);
        let free = !Expr::from(full) | out_ready;
        m.assign(in_ready, free);
        let next = goes_on(accept.into()) | (Expr::from(full) & !Expr::from(out_ready));
        m.registers(vec![Register { net: full, reset: Some(0), enable: None, next }]);
        m.registers(vec![enabled(staged, None, in_flit.into())]);
        m.assign(out_valid, full);
        m.assign(out_flit, staged);
        let names: Vec<String> = seen.iter().map(|(name, ..)| format!("`kept_{name}`")).collect();
        match &names[..] {
            [] => {}
            [name] => m.comment(format!("{name} belongs to the flit in the register.")),
            names => m.comment(format!("{} belong to the flit in the register.", names.join(", "))),
        }
    } else {
        m.section("To the injection queue");
        m.assign(in_ready, out_ready);
        m.assign(out_valid, goes_on(in_valid.into()));
        m.assign(out_flit, in_flit);
    }
    if let Some(out_header) = out_header {
        let of =
            |&(_, kept, seen): &(&str, Net, Net)| if injection.registered { kept } else { seen };
        let seen: Vec<Net> = seen.iter().map(of).collect();
        let header = header::header(&mut m, injection, &seen, carried);
        m.assign(out_header, header);
    }
    m.finish()
}

/// The address that headers are made of. Bits that all destinations have alike are constants, so that
/// synthesis makes nothing of them: packets to other addresses are refused.
fn destination(m: &mut ModuleBuilder, class: &InjectorPlan, in_dest: Net) -> Net {
    let destinations = class.destinations.as_deref().unwrap_or_default();
    let alike = |bit: u32| {
        let mut values = destinations.iter().map(|to| to.0 >> bit & 1);
        let first = values.next()?;
        values.all(|value| value == first).then(|| Expr::constant(1, first.into()))
    };
    let bits: Vec<Option<Expr>> = (0..in_dest.width).map(alike).collect();
    if bits.iter().all(Option::is_none) {
        return in_dest;
    }
    m.section("Destinations: bits that all of them have alike are constants");
    let bit = |(at, known): (u32, &Option<Expr>)| known.clone().unwrap_or(in_dest.bit(at));
    let bits: Vec<Expr> = (0..).zip(&bits).map(bit).collect();
    m.define("to", in_dest.width, Expr::concat(bits.into_iter().rev()))
}

/// Whether no terminal that takes packets from this class of injectors has this address.
fn unknown(plan: &FabricPlan, class: &InjectorPlan, dest: Net) -> Expr {
    let topology = plan.topology();
    if let Some(destinations) = &class.destinations {
        let is = |t: &Terminal| Expr::from(dest).equals(Expr::constant(dest.width, t.0.into()));
        return !Expr::any_of(destinations.iter().map(is));
    }
    let terminals = topology.terminals();
    let mut terms = Vec::new();
    if u64::from(terminals) < 1 << dest.width {
        terms.push(at_least(dest, terminals.into()));
    }
    let dead = (0..terminals).map(Terminal).filter(|&sink| topology.sink(sink).is_none());
    let equals = |t: Terminal| Expr::from(dest).equals(Expr::constant(dest.width, t.0.into()));
    terms.extend(dead.map(equals));
    Expr::any_of(terms)
}
