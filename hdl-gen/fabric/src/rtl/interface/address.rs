//! Exchange of the addresses that users chose for those of the network, and back.

use super::{Fields, field};
use crate::plan::{AddressPair, FabricPlan, Side};
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError, Stream};

/// Exchange of addresses on the streams of a side, of words of `bits` bits.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub(super) fn exchange(plan: &FabricPlan, side: Side, bits: u32) -> Result<Arc<Module>, RtlError> {
    match side {
        Side::Source => entering(plan, bits),
        Side::Sink => leaving(plan, bits),
    }
}

/// Exchange of `tdest` where packets enter. A packet with the address of nobody is taken and goes no
/// further; `error` is high in the cycle in which its first beat is taken.
/// Ports: the streams `in`, with a terminal's addresses, and `out`, with those of the network; `error`,
/// where there are addresses of nobody.
fn entering(plan: &FabricPlan, bits: u32) -> Result<Arc<Module>, RtlError> {
    let side = Side::Source;
    let mut m = ModuleBuilder::new(format!("{}_s_address", plan.name));
    m.about("Addresses at the ports become those of the network.");
    let refuses = plan.has_addresses_of_nobody();
    if refuses {
        m.about("A packet with the address of nobody is taken, and goes no further.");
    }
    let from = m.stream_in("in", Fields::outer(plan, side).stream(bits));
    let to = m.stream_out("out", Fields::inner(plan, side).stream(bits));
    let error = refuses.then(|| m.output("error", 1));
    let (arrives, leaves) = (from.lanes[0], to.lanes[0]);

    let pairs = plan.address_pairs();
    let is_of = places(&mut m, field(&from, "dest"), pairs.iter().map(|pair| pair.outer), &pairs);
    m.assign(
        field(&to, "dest"),
        chosen(is_of, &pairs, field(&to, "dest").width, |pair| pair.inner),
    );

    m.assign(arrives.ready, leaves.ready);
    match error {
        None => m.assign(leaves.valid, arrives.valid),
        Some(error) => refuse(&mut m, (&from, &to), is_of, error),
    }
    pass(&mut m, (&from, &to), "dest");
    m.finish()
}

/// Takes packets to nobody, and says so.
fn refuse(m: &mut ModuleBuilder, (from, to): (&Stream, &Stream), is_of: Net, error: Net) {
    let (arrives, leaves) = (from.lanes[0], to.lanes[0]);
    m.section("Packets to nobody");
    let in_packet = m.reg("in_packet", 1);
    let refused = m.reg("refused", 1);
    let nobody = !Expr::from(is_of).any();
    let refuse = m.define("refuse", 1, Expr::from(in_packet).mux(refused, nobody));
    m.assign(leaves.valid, Expr::from(arrives.valid) & !Expr::from(refuse));
    let accept = m.define("accept", 1, Expr::from(arrives.valid) & leaves.ready);
    m.assign(error, Expr::from(accept) & refuse & !Expr::from(in_packet));
    let register = |net, reset, next| Register { net, reset, enable: Some(accept.into()), next };
    m.registers(vec![
        register(in_packet, Some(0), !Expr::from(field(from, "last"))),
        register(refused, None, refuse.into()),
    ]);
}

/// Exchange of `tid` where packets leave.
/// Ports: the streams `in`, with addresses of the network, and `out`, with those of the ports.
fn leaving(plan: &FabricPlan, bits: u32) -> Result<Arc<Module>, RtlError> {
    let side = Side::Sink;
    let mut m = ModuleBuilder::new(format!("{}_m_address", plan.name));
    m.about("Addresses of the network become those at the ports.");
    let from = m.stream_in("in", Fields::inner(plan, side).stream(bits));
    let to = m.stream_out("out", Fields::outer(plan, side).stream(bits));
    let (arrives, leaves) = (from.lanes[0], to.lanes[0]);
    let pairs = plan.address_pairs();
    let is_of = places(&mut m, field(&from, "id"), pairs.iter().map(|pair| pair.inner), &pairs);
    m.assign(field(&to, "id"), chosen(is_of, &pairs, field(&to, "id").width, |pair| pair.outer));
    m.assign(arrives.ready, leaves.ready);
    m.assign(leaves.valid, arrives.valid);
    pass(&mut m, (&from, &to), "id");
    m.finish()
}

/// A bit for each terminal: whether the address is its.
fn places(
    m: &mut ModuleBuilder,
    address: Net,
    own: impl Iterator<Item = u32>,
    pairs: &[AddressPair],
) -> Net {
    m.section("The terminal of the address");
    for (place, AddressPair { label, outer, inner }) in pairs.iter().enumerate() {
        m.comment(format!("Bit {place}: {label}, {outer} at the ports, {inner} in the network."));
    }
    let is_its =
        own.map(|own| Expr::from(address).equals(Expr::constant(address.width, own.into())));
    let bits: Vec<Expr> = is_its.collect();
    m.define("is_of", pairs.len() as u32, Expr::concat(bits.into_iter().rev()))
}

/// The address of the terminal whose bit is high.
fn chosen(is_of: Net, pairs: &[AddressPair], bits: u32, to: impl Fn(&AddressPair) -> u32) -> Expr {
    let bit = |bit: u32| {
        let those = pairs.iter().enumerate().filter(|(_, pair)| to(pair) >> bit & 1 == 1);
        let those: Vec<Expr> = those.map(|(place, _)| is_of.bit(place as u32)).collect();
        match those.is_empty() {
            true => Expr::constant(1, 0),
            false => Expr::any_of(those),
        }
    };
    Expr::concat((0..bits).rev().map(bit))
}

/// Hands on all fields but one.
fn pass(m: &mut ModuleBuilder, (from, to): (&Stream, &Stream), but: &str) {
    let names: Vec<&'static str> = from.of.fields.iter().map(|(name, _)| *name).collect();
    for name in names.into_iter().filter(|name| *name != but) {
        m.assign(field(to, name), field(from, name));
    }
}
