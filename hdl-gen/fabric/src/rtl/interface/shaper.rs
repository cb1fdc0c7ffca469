//! Shaper of a source: holds packets until they are there as a whole and their token buckets let them go.

use super::bucket::flits;
use crate::plan::{ShapedFlow, ShaperPlan};
use crate::rtl::registers::is_at;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError, Stream, StreamType};

/// The shaper of a class, for addresses of `address_bits` bits, beside the token buckets of its flows.
/// Ports:
/// - the streams `in` and `out`, whose words are all that a shaper does not look at;
/// - `error`: a packet is refused in this cycle, for it has no flow or is not as long as those of its flow.
///   It goes no further;
/// - `wants`, a bit for each flow: the next packet is there as a whole, and of this flow;
/// - `granted`: its token bucket lets it go.
///
/// A packet that may go leaves behind those before it, its flits one behind the other, from the cycle
/// after it was granted on.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn shaper(
    name: String,
    class: &ShaperPlan,
    width: u32,
    address_bits: u32,
) -> Result<Arc<Module>, RtlError> {
    let (words, places) = (class.words(), class.places());
    let mut m = ModuleBuilder::new(name);
    m.width_parameter(width);
    m.about(
        "Shaper: a packet waits here until all of it has come and the token bucket of its flow",
    );
    m.about("lets it go. Then its flits leave one behind the other.");
    m.about(
        "A packet without a flow, or of another length than those of its flow, is taken and goes",
    );
    m.about(format!("no further. There is room for {words} flits."));
    let fields = || StreamType::plain([("word", width), ("dest", address_bits), ("last", 1)]);
    let (from, to) = (m.stream_in("in", fields()), m.stream_out("out", fields()));
    let error = m.output("error", 1);
    let wants = m.output("wants", class.flows.len() as u32);
    let granted = m.input("granted", 1);
    for stream in [&from, &to] {
        m.parametric(field(stream, "word"));
    }
    let mut shaper = Shaper { m, class, from, to };

    let ring = Ring {
        words: shaper.m.memory("words", width, words),
        marks: shaper.m.memory("marks", address_bits + 1, words),
        write: shaper.m.reg("write", words.ilog2() + 1),
        read: shaper.m.reg("read", words.ilog2() + 1),
    };
    let [came, released, left] =
        ["came", "released", "left"].map(|name| shaper.m.reg(name, places.ilog2() + 1));
    let packet = shaper.arrive(&ring, error);
    shaper.release(wants, granted, packet, came, released);
    shaper.leave(&ring, released, left);
    shaper.m.finish()
}

/// Ring of words, each with its packet's address and whether it is the last.
struct Ring {
    words: turnpike_netlist::MemoryId,
    marks: turnpike_netlist::MemoryId,
    /// Place of the next word, with a bit above that tells a full ring from an empty one.
    write: Net,
    /// Place of the oldest word, likewise.
    read: Net,
}

/// A packet that comes in: a bit for each flow, and whether it is there as a whole with this flit.
struct Packet {
    flow: Net,
    comes: Net,
}

struct Shaper<'a> {
    m: ModuleBuilder,
    class: &'a ShaperPlan,
    from: Stream,
    to: Stream,
}

/// Number without the bit above its place.
fn place(net: Net) -> Expr {
    net.slice(0, net.width - 1)
}

fn one_more(net: Net) -> Expr {
    Expr::from(net) + Expr::constant(net.width, 1)
}

fn counts(net: Net, step: impl Into<Expr>) -> Register {
    Register { net, reset: Some(0), enable: Some(step.into()), next: one_more(net) }
}

impl Shaper<'_> {
    /// Takes flits in, and packets that are refused out again.
    fn arrive(&mut self, ring: &Ring, error: Net) -> Packet {
        let Self { m, class, from, .. } = self;
        let (lane, last) = (from.lanes[0], field(from, "last"));
        m.section("Flits that come in");
        let Ring { write, read, .. } = *ring;
        let top = write.width - 1;
        let full = place(write).equals(place(read)) & (write.bit(top) ^ read.bit(top));
        m.assign(lane.ready, !full & !Expr::Reset);
        let accept = m.define("accept", 1, Expr::from(lane.valid) & lane.ready);
        let inside = m.reg("inside_packet", 1);
        let refused = m.reg("refused", 1);
        let flow = flow_of(m, class, field(from, "dest"), inside, accept);
        let ends = ends(m, class, flow, last, accept);

        m.comment(
            "A packet is refused with its first flit where it has no flow, and with the one that",
        );
        m.comment("ends it too early, or should end it and does not.");
        let wrong = !Expr::from(flow).any() | (Expr::from(last) ^ ends);
        let wrong = m.define("wrong", 1, wrong);
        let refusing = m.define("refusing", 1, Expr::from(refused) | wrong);
        m.assign(error, Expr::all([accept.into(), !Expr::from(refused), wrong.into()]));
        let enabled = |net, reset, next| Register { net, reset, enable: Some(accept.into()), next };
        m.registers(vec![
            enabled(inside, Some(0), !Expr::from(last)),
            enabled(refused, Some(0), Expr::from(refusing) & !Expr::from(last)),
        ]);

        m.comment("Those of a refused packet are written over: the next goes to where it began.");
        let start = m.reg("start", write.width);
        let next = m.define("after", write.width, one_more(write));
        let whole = Expr::all([accept.into(), last.into(), !Expr::from(refusing)]);
        let comes = m.define("comes", 1, whole);
        m.registers(vec![
            enabled(write, Some(0), Expr::from(refusing).mux(start, next)),
            Register { net: start, reset: Some(0), enable: Some(comes.into()), next: next.into() },
        ]);
        let word = field(from, "word").into();
        m.write(ring.words, accept.into(), place(write), word);
        let mark = Expr::concat([last.into(), field(from, "dest").into()]);
        m.write(ring.marks, accept.into(), place(write), mark);
        Packet { flow, comes }
    }

    /// Asks the token buckets for the packets that are there as a whole, in their order.
    fn release(&mut self, wants: Net, granted: Net, packet: Packet, came: Net, released: Net) {
        let Self { m, class, .. } = self;
        m.section("Packets that are there as a whole, and those that may go");
        let waits = m.define("waits", 1, !Expr::from(came).equals(released));
        match class.flow_bits() {
            0 => m.assign(wants, waits),
            bits => {
                let flows = m.memory("flows", bits, class.places());
                let number = m.define("number", bits, number_of(packet.flow, bits));
                m.write(flows, packet.comes.into(), place(came), number.into());
                let read = Expr::Read { memory: flows, address: Box::new(place(released)) };
                let next = m.define("next_flow", bits, read);
                let of = |flow: u32| Expr::from(waits) & is_at(next, flow);
                let bits = (0..wants.width).rev().map(of);
                m.assign(wants, Expr::concat(bits));
            }
        }
        m.registers(vec![counts(came, packet.comes), counts(released, granted)]);
    }

    /// Lets the flits of released packets out.
    fn leave(&mut self, ring: &Ring, released: Net, left: Net) {
        let Self { m, to, .. } = self;
        let (lane, last) = (to.lanes[0], field(to, "last"));
        m.section("Flits that leave");
        m.comment("The oldest flit is read a cycle ahead: it came two cycles before it may go.");
        m.assign(lane.valid, !Expr::from(released).equals(left));
        let pop = m.define("pop", 1, Expr::from(lane.valid) & lane.ready);
        let next = Expr::from(pop).mux(one_more(ring.read), ring.read);
        let next = m.define("read_next", ring.read.width, next);
        let read = |memory| Expr::Read { memory, address: Box::new(place(next)) };
        let (dest, word) = (field(to, "dest"), field(to, "word"));
        let oldest = m.reg("oldest_word", word.width);
        m.parametric(oldest);
        let mark = m.reg("oldest_mark", dest.width + 1);
        let held = |net, next| Register { net, reset: None, enable: None, next };
        m.registers(vec![
            held(oldest, read(ring.words)),
            held(mark, read(ring.marks)),
            Register { net: ring.read, reset: Some(0), enable: None, next: next.into() },
            counts(left, Expr::from(pop) & last),
        ]);
        m.assign(word, oldest);
        m.assign(dest, mark.slice(0, dest.width));
        m.assign(last, mark.bit(dest.width));
    }
}

/// The flow of the packet that comes in, a bit for each: its first flit says it.
fn flow_of(m: &mut ModuleBuilder, class: &ShaperPlan, dest: Net, inside: Net, accept: Net) -> Net {
    for (bit, ShapedFlow { destination, bucket }) in class.flows.iter().enumerate() {
        let flits = flits(bucket.packet);
        m.comment(format!("Bit {bit}: packets of {flits} to address {}.", destination));
    }
    let count = class.flows.len() as u32;
    let is_to = |flow: &ShapedFlow| {
        Expr::from(dest).equals(Expr::constant(dest.width, flow.destination.into()))
    };
    let first = m.define("flow_of_first", count, Expr::concat(class.flows.iter().rev().map(is_to)));
    let kept = m.reg("flow_kept", count);
    let flow = m.define("flow", count, Expr::from(inside).mux(kept, first));
    m.registers(vec![Register {
        net: kept,
        reset: None,
        enable: Some(accept.into()),
        next: flow.into(),
    }]);
    flow
}

/// Whether the flit that comes in is to be the last of its packet.
fn ends(m: &mut ModuleBuilder, class: &ShaperPlan, flow: Net, last: Net, accept: Net) -> Expr {
    if class.longest() == 1 {
        return Expr::constant(1, 1);
    }
    m.comment("Flits of the packet before this one.");
    let before = m.reg("flits_before", class.longest().ilog2() + 1);
    let next = Expr::from(last).mux(Expr::constant(before.width, 0), one_more(before));
    m.registers(vec![Register { net: before, reset: Some(0), enable: Some(accept.into()), next }]);
    let mut by_length: BTreeMap<u32, Vec<Expr>> = BTreeMap::new();
    for (bit, of) in (0..).zip(&class.flows) {
        by_length.entry(of.bucket.packet).or_default().push(flow.bit(bit));
    }
    if by_length.len() == 1 {
        return m.define("ends", 1, is_at(before, class.longest() - 1)).into();
    }
    let of_length =
        |(flits, flows): (u32, Vec<Expr>)| Expr::any_of(flows) & is_at(before, flits - 1);
    let ends = Expr::any_of(by_length.into_iter().map(of_length));
    m.define("ends", 1, ends).into()
}

/// The number of the bit that is high.
fn number_of(flow: Net, bits: u32) -> Expr {
    let bit = |bit: u32| {
        Expr::any_of((0..flow.width).filter(|at| at >> bit & 1 == 1).map(|at| flow.bit(at)))
    };
    Expr::concat((0..bits).rev().map(bit))
}

fn field(stream: &Stream, name: &str) -> Net {
    stream.field(name).expect("a shaper's streams have one type of fields")
}
