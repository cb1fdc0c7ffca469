//! AXI4-Lite, and AXI4 of single beats.

use super::{Access, BridgeShape};
use crate::rtl::ends::axi::PortNets;
use crate::rtl::registers::held;
use turnpike_ends::protocol::axi4::{Channel, INCR};
use turnpike_netlist::{Expr, ModuleBuilder, Net};

/// Attribute, by its name, of a transaction of one beat of all bytes of a port with `data` bits.
fn single(name: &str, bits: u32, data: u32) -> Expr {
    let value = match name {
        "size" => (data / 8).ilog2().into(),
        "burst" => INCR,
        _ => 0,
    };
    Expr::constant(bits, value)
}

/// Zeros above, to so many bits.
fn widened(net: Net, bits: u32) -> Expr {
    match bits - net.width {
        0 => net.into(),
        more => Expr::concat([Expr::constant(more, 0), net.into()]),
    }
}

/// Address of the word of `data` bits in which a byte is: the lowest bits are 0.
pub(super) fn of_word(address: Net, data: u32) -> Expr {
    match (data / 8).ilog2() {
        0 => address.into(),
        low => Expr::concat([address.slice(low, address.width - low), Expr::constant(low, 0)]),
    }
}

/// AXI4-Lite of a manager: each channel goes on as it is (IHI 0022 H, B1.1.1).
pub(super) fn from_lite(
    m: &mut ModuleBuilder,
    shape: &BridgeShape,
    own: &PortNets,
    end: &PortNets,
) {
    let data = shape.outer.data;
    m.section("The channels");
    for channel in [Channel::Aw, Channel::Ar, Channel::W] {
        let (from, to) = (own.channel(channel), end.channel(channel));
        m.assign(to.valid, from.valid);
        m.assign(from.ready, to.ready);
        for (name, net) in &to.payload {
            let value = match (name.as_str(), from.get(name)) {
                ("addr", Some(address)) => of_word(address, data),
                (_, Some(own)) => own.into(),
                ("last", None) => Expr::constant(1, 1),
                (name, None) => single(name, net.width, data),
            };
            m.assign(*net, value);
        }
    }
    for channel in [Channel::B, Channel::R] {
        let (to, from) = (own.channel(channel), end.channel(channel));
        m.assign(to.valid, from.valid);
        m.assign(from.ready, to.ready);
        for (name, net) in &to.payload {
            m.assign(*net, from.field(name));
        }
    }
    let low = (data / 8).ilog2();
    for channel in [Channel::Aw, Channel::Ar] {
        let name = channel.prefix();
        let address = own.channel(channel).field("addr");
        m.gather_unused(&format!("{name}addr"), address.slice(0, low));
    }
    let ids = [Channel::B, Channel::R].map(|channel| Expr::from(end.channel(channel).field("id")));
    m.gather_unused("id", Expr::concat(ids));
    m.gather_unused("last", end.channel(Channel::R).field("last"));
}

/// Issues accesses on the channels of a port of AXI4-Lite, or as AXI4 of one beat each, and takes their
/// answers.
pub(super) fn issue(m: &mut ModuleBuilder, port: &PortNets, access: &Access) {
    let Access { valid, write, address, data, strobes, prot, ref attributes, answer } = *access;
    let [aw, w, b, ar, r] = Channel::ALL.map(|channel| port.channel(channel));
    m.section("Its channels: the address, and the data of a write");
    let [address_done, data_done] = ["address_done", "data_done"].map(|name| m.reg(name, 1));
    let is_asked = |is_write: bool| {
        let write = Expr::from(write);
        Expr::from(valid) & if is_write { write } else { !write }
    };
    let offered =
        |is_write, done: Net| Expr::all([!Expr::Reset, is_asked(is_write), !Expr::from(done)]);
    m.assign(aw.valid, offered(true, address_done));
    m.assign(w.valid, offered(true, data_done));
    m.assign(ar.valid, offered(false, address_done));
    for channel in [&aw, &ar] {
        for (name, net) in &channel.payload {
            let given = attributes.iter().find(|(known, _)| known == name);
            let value = match (name.as_str(), given) {
                (_, Some((_, value))) => value.clone(),
                ("addr", None) => widened(address, net.width),
                ("prot", None) => prot.into(),
                (name, None) => single(name, net.width, data.width),
            };
            m.assign(*net, value);
        }
    }
    m.assign(w.field("data"), data);
    m.assign(w.field("strb"), strobes);
    if let Some(last) = w.get("last") {
        m.assign(last, Expr::constant(1, 1));
    }
    for channel in [&b, &r] {
        m.assign(channel.ready, !Expr::Reset & valid);
    }
    m.assign(answer.done, b.fires() | r.fires());
    m.assign(answer.data, r.field("data"));
    m.assign(answer.response, Expr::from(write).mux(b.field("resp"), r.field("resp")));
    let goes_on = |expr: Expr| expr & !Expr::from(answer.done);
    m.registers(vec![
        held(address_done, 0, goes_on(Expr::any_of([address_done.into(), aw.fires(), ar.fires()]))),
        held(data_done, 0, goes_on(Expr::from(data_done) | w.fires())),
    ]);
    let unused = [(&b, "id"), (&r, "id"), (&r, "last")];
    for (channel, name) in unused {
        if let Some(net) = channel.get(name) {
            let of = m.name_of(net).to_owned();
            m.gather_unused(&of, net);
        }
    }
}
