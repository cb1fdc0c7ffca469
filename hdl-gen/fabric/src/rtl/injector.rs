//! The terminal's side: makes a packet's header from `tdest`, once, at injection.

use super::switch::port::channel;
use crate::plan::{FabricPlan, InjectorPlan};
use std::sync::Arc;
use turnpike_base::bits::in_words;
use turnpike_netlist::{
    Expr, Handshake, Module, ModuleBuilder, Net, Register, RtlError, Stream, StreamType,
};
use turnpike_network::routing::Vc;
use turnpike_network::routing::{FieldTable, Injection, View};
use turnpike_network::topology::Terminal;

/// The module of a class of injectors. Ports:
/// - `address`: this terminal's (a constant at the instance), as many low bits as are seen as a
///   difference;
/// - `in_valid`, `in_ready`, `in_dest`, `in_flit`: the terminal; `in_dest` counts on the first
///   flit of a packet only;
/// - `in_error`, where there are addresses without a terminal: the first flit of a packet to
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
        _ => about(&mut m, injection),
    }
    let is_seen = header_width > 0 && view.source_bits() > 0;
    let address = is_seen.then(|| m.input("address", view.source_bits()));
    let comes = [("dest", view.address_bits()), ("flit", flit_width)];
    let from = m.stream_in("in", StreamType::plain(comes));
    let in_error = plan.has_unknown_addresses().then(|| m.output("in_error", 1));
    let to = m.stream_out("out", channel(&[Vc(0)], carried, flit_width));
    let Handshake { valid: in_valid, ready: in_ready } = from.lanes[0];
    let Handshake { valid: out_valid, ready: out_ready } = to.lanes[0];
    let field = |stream: &Stream, name| stream.field(name).expect("addresses and flits have bits");
    let (in_dest, in_flit) = (field(&from, "dest"), field(&from, "flit"));
    let (out_header, out_flit) = (to.field("header"), field(&to, "flit"));

    let fresh = out_header.map(|_| fresh(&mut m, view, in_dest, address));
    if fresh.is_none() {
        m.section("Packets");
    }
    m.comment("The first flit of a packet says it; it is kept for the packet's other flits.");
    let accept = m.define("accept", 1, Expr::from(in_valid) & in_ready);
    let inside = m.reg("inside_packet", 1);
    let seen = fresh.map(|(name, fresh)| {
        let kept = m.reg(format!("kept_{name}"), view.bits());
        (name, kept, m.define(name, view.bits(), Expr::from(inside).mux(kept, fresh)))
    });
    let last = flit_width - 1;
    let enabled = |net, reset, next| Register { net, reset, enable: Some(accept.into()), next };
    m.registers(vec![enabled(inside, Some(0), !in_flit.bit(last))]);
    if let Some((_, kept, seen)) = seen {
        m.registers(vec![enabled(kept, None, seen.into())]);
    }

    let refused = in_error.map(|error| {
        m.section("Addresses without a terminal");
        let unknown = m.define("unknown", 1, unknown(plan, in_dest));
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
        if let Some((name, ..)) = seen {
            m.comment(format!("`kept_{name}` belongs to the flit in the register."));
        }
    } else {
        m.section("To the injection queue");
        m.assign(in_ready, out_ready);
        m.assign(out_valid, goes_on(in_valid.into()));
        m.assign(out_flit, in_flit);
    }
    if let (Some(out_header), Some((_, kept, seen))) = (out_header, seen) {
        let seen = if injection.registered { kept } else { seen };
        let header = header(&mut m, injection, seen, carried);
        m.assign(out_header, header);
    }
    m.finish()
}

/// What is seen of the destination of a packet that comes in, with its name.
fn fresh(
    m: &mut ModuleBuilder,
    view: View,
    in_dest: Net,
    address: Option<Net>,
) -> (&'static str, Expr) {
    let (section, name) = match (view.difference_bits, view.plain_bits) {
        _ if view.is_by_offset() => ("How far the destination is, by coordinates", "offset"),
        (_, 0) => ("Bits to correct", "difference"),
        (0, _) => ("Destination", "destination"),
        _ => ("Ring bits to correct, and the position as it is", "way"),
    };
    m.section(section);
    let low = view.difference_bits;
    let place = match view.local_bits {
        0 => in_dest,
        local => {
            m.define("in_place", in_dest.width - local, in_dest.slice(local, in_dest.width - local))
        }
    };
    let fresh = match (address, view.plain_bits) {
        (None, _) => place.into(),
        (Some(address), _) if view.is_by_offset() => offsets(view, place, address),
        (Some(address), 0) => Expr::from(place) ^ address,
        (Some(address), plain) => {
            Expr::concat([place.slice(low, plain), place.slice(0, low) ^ address])
        }
    };
    let fresh = match view.local_bits {
        0 => fresh,
        local => Expr::concat([in_dest.slice(0, local), fresh]),
    };
    (name, fresh)
}

/// The header bits that are carried, of what is seen.
fn header(m: &mut ModuleBuilder, injection: &Injection, seen: Net, carried: &[u32]) -> Expr {
    let view = injection.view;
    let header: Vec<Option<Expr>> = match injection.keeps_view {
        true => (0..view.place_bits()).map(|bit| Some(seen.bit(bit))).collect(),
        false => Vec::new(),
    };
    let mut header = fields(m, header, &injection.fields, seen, carried);
    if view.local_bits > 0 {
        header.resize(injection.local_at as usize, None);
        let number = (0..view.local_bits).map(|bit| Some(seen.bit(view.place_bits() + bit)));
        header.extend(number);
    }
    let bit = |at: &u32| header[*at as usize].clone().unwrap_or(Expr::constant(1, 0));
    Expr::concat(carried.iter().rev().map(bit))
}

/// Each coordinate of the destination less that of the source, a bit wider than it.
fn offsets(view: View, place: Net, address: Net) -> Expr {
    let mut low = 0;
    let offsets = view.coordinates().map(|bits| {
        let coordinate = |net: Net| Expr::concat([Expr::constant(1, 0), net.slice(low, bits)]);
        let offset = coordinate(place) - coordinate(address);
        low += bits;
        offset
    });
    let low_first: Vec<Expr> = offsets.collect();
    Expr::concat(low_first.into_iter().rev())
}

fn about(m: &mut ModuleBuilder, injection: &Injection) {
    about_place(m, injection);
    if let Some(top) = injection.view.local_bits.checked_sub(1) {
        let bits = in_words(top, 0);
        m.about(format!(
            "The terminal's number at its switch, {bits} of its address, comes on top of"
        ));
        m.about("the header as it is; the above is of the other bits.");
    }
}

fn about_place(m: &mut ModuleBuilder, injection: &Injection) {
    let view = injection.view;
    if view.is_by_offset() {
        m.about("Makes the header of a packet at injection, by tables from the offset of the");
        m.about("destination in each coordinate: how far to go, and whether down.");
        return;
    }
    let (low, top) = (view.difference_bits, view.place_bits().saturating_sub(1));
    match (injection.keeps_view, view.plain_bits) {
        (false, _) => {
            m.about(
                "Looks the route of a packet up at injection. Rows go by source XOR destination,",
            );
            m.about(match view.plain_bits {
                0 => "of the whole address.".to_owned(),
                _ => format!("the destination's own bits from bit {low} of the address up."),
            });
            return;
        }
        (true, 0) => {
            m.about(
                "Makes the header of a packet at injection: source XOR destination, the bits still",
            );
            m.about("to be corrected.");
        }
        (true, _) if low == 0 => {
            m.about(
                "Keeps a packet's destination for its header, from the first flit to the last.",
            );
        }
        (true, _) => {
            m.about(
                "Makes the header of a packet at injection. An address is {position in the ring,",
            );
            m.about(format!(
                "ring [{}:0]}}. The header begins with the ring's bits still to be",
                { low - 1 }
            ));
            m.about(format!("corrected, source XOR destination; bits {top} to {low} are the"));
            m.about("destination's position.");
        }
    }
    for field in &injection.fields {
        match field.name {
            "first_port" => m.about("Above them, one-hot, the first port that the packet takes."),
            name => m.about(format!("Above them `{name}`, by table.")),
        }
    }
}

/// Whether no terminal that takes packets has this address.
fn unknown(plan: &FabricPlan, dest: Net) -> Expr {
    let topology = plan.topology();
    let terminals = topology.terminals();
    let mut terms = Vec::new();
    if u64::from(terminals) < 1 << dest.width {
        terms.push(at_least(dest, terminals));
    }
    let dead = (0..terminals).map(Terminal).filter(|&sink| topology.sink(sink).is_none());
    let equals = |t: Terminal| Expr::from(dest).equals(Expr::constant(dest.width, t.0.into()));
    terms.extend(dead.map(equals));
    Expr::any_of(terms)
}

/// Whether `net` is `bound` or more; `bound` is less than 2^width and not 0.
fn at_least(net: Net, bound: u32) -> Expr {
    // From the lowest bit of the bound that is set: below it nothing counts.
    let low = bound.trailing_zeros();
    let mut reaches = net.bit(low);
    for bit in low + 1..net.width {
        reaches = match bound >> bit & 1 {
            1 => net.bit(bit) & reaches,
            _ => net.bit(bit) | reaches,
        };
    }
    reaches
}

/// Every bit of the header, where one is carried: those that are there, and above them the
/// fields.
fn fields(
    m: &mut ModuleBuilder,
    mut bits: Vec<Option<Expr>>,
    tables: &[FieldTable],
    seen: Net,
    carried: &[u32],
) -> Vec<Option<Expr>> {
    for table in tables {
        let low = bits.len() as u32;
        bits.resize((low + table.bits) as usize, None);
        let kept: Vec<u32> = (0..table.bits).filter(|bit| carried.contains(&(low + bit))).collect();
        if kept.is_empty() {
            continue;
        }
        let title = match table.name {
            "first_port" => "First port, by table from the bits to correct".to_owned(),
            name => format!("{name}, by table", name = name.replace('_', " ")),
        };
        m.section(title);
        let index = match table.index_bits == seen.width {
            true => seen,
            false => {
                let slice = seen.slice(table.low, table.index_bits);
                m.define(format!("{}_index", table.name), table.index_bits, slice)
            }
        };
        if (kept.len() as u32) < table.bits {
            m.comment(format!(
                "Those of the table's {} bits that some switch looks at.",
                table.bits
            ));
        }
        let field = m.wire(table.name, kept.len() as u32);
        let packed = |row: &u64| {
            (0..).zip(&kept).fold(0, |packed, (at, bit)| packed | (row >> bit & 1) << at)
        };
        m.table(field, index, table.rows.iter().map(packed).collect());
        for (at, bit) in (0..).zip(&kept) {
            bits[(low + bit) as usize] = Some(field.bit(at));
        }
    }
    bits
}
