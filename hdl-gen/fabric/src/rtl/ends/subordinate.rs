//! End of a subordinate: packets of requests become transactions, and its answers replies.

use super::axi::{PortNets, ports};
use super::manager::words;
use super::zeros;
use crate::rtl::fifo::end_fifo;
use crate::rtl::registers::held;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_ends::packet::{Field, Layout, RESP, SOURCE, TAG, WRITE};
use turnpike_ends::protocol::axi4::{ATTRIBUTES, Channel};
use turnpike_ends::{Protocol, Role, SUBORDINATE_ID, Widths};
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError, Stream};

/// Shape of a subordinate's end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SubordinateShape {
    /// Bits of words, and fields of packets.
    pub layout: Layout,
    /// Most transactions in flight of one direction.
    pub outstanding: u32,
}

impl SubordinateShape {
    /// Widths of the ports.
    pub fn widths(&self) -> Widths {
        let Layout { address, data, .. } = self.layout;
        Widths { address, data, id: SUBORDINATE_ID }
    }
}

/// End of a subordinate. Ports: the channels of AXI4 (`awvalid` ...); the streams `request`, in, and
/// `reply`, out.
///
/// All its transactions have ID 0, so that it answers them in order. Answers to writes have room before a
/// write is handed over, so that no data of a read waits behind one.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn subordinate(
    prefix: &str,
    name: &str,
    shape: &SubordinateShape,
) -> Result<Arc<Module>, RtlError> {
    let SubordinateShape { layout, outstanding } = *shape;
    let mut m = ModuleBuilder::new(name);
    m.about("End of an AXI4 subordinate: packets become transactions, and its answers replies.");
    m.about(format!("Up to {outstanding} reads and {outstanding} writes are with it at a time."));
    m.about(
        "All have ID 0, so that it answers each kind in order. It may answer a write at any time:",
    );
    m.about("there is room for that before the write is handed over.");
    let widths = shape.widths();
    let axi = ports(&mut m, "", Role::Subordinate, Protocol::Axi4, widths);
    let request = m.stream_in("request", words(&layout, false));
    let reply = m.stream_out("reply", words(&layout, true));
    let senders = end_fifo(prefix, layout.terminal + layout.tag, outstanding)?;
    let answers = end_fifo(prefix, 2, outstanding)?;
    let mut builder = Builder { m, layout, axi, request, reply };
    let [reads, writes] = ["read", "write"].map(|what| builder.senders(what, &senders));
    builder.requests(&reads, &writes);
    builder.replies(&reads, &writes, &answers);
    builder.m.finish()
}

struct Builder {
    m: ModuleBuilder,
    layout: Layout,
    axi: PortNets,
    request: Stream,
    reply: Stream,
}

/// Senders that wait for replies to transactions of one direction, in order.
struct Senders {
    /// Whether there is room for one more.
    room: Net,
    /// One more.
    push: Net,
    /// Address of that on the network, and its tag above.
    new: Net,
    /// Whether anybody waits.
    waits: Net,
    /// The first has its reply.
    pop: Net,
    /// First of those who wait.
    first: Net,
}

impl Builder {
    fn senders(&mut self, what: &str, queue: &Arc<Module>) -> Senders {
        let bits = self.layout.terminal + self.layout.tag;
        let m = &mut self.m;
        m.section(format!("Who waits for the reply to a {what}, in order"));
        let [room, push, waits, pop] =
            ["room", "handed_over", "pending", "replied"].map(|s| m.wire(format!("{what}_{s}"), 1));
        let [new, first] = ["new", "first"].map(|s| m.wire(format!("{what}_{s}"), bits));
        let connections = [
            ("in_valid", Expr::from(push)),
            ("in_ready", room.into()),
            ("in_data", new.into()),
            ("out_valid", waits.into()),
            ("out_ready", pop.into()),
            ("out_data", first.into()),
        ];
        m.instance(format!("{what}s"), queue, connections);
        Senders { room, push, new, waits, pop, first }
    }

    /// Takes packets, and hands their transactions over.
    fn requests(&mut self, reads: &Senders, writes: &Senders) {
        let layout = self.layout;
        let fields = layout.request();
        let words = layout.words(&fields);
        let [aw, w, ar] = [Channel::Aw, Channel::W, Channel::Ar].map(|own| self.axi.channel(own));
        let from = self.request.lanes[0];
        let field = |name: &str| self.request.field(name).expect("a field of its type");
        let (data, last) = (field("data"), field("last"));
        let m = &mut self.m;

        m.section("The header, and what of its transaction is handed over");
        let head = m.reg("head", words * layout.word());
        let full = m.reg("header_is_there", 1);
        let aw_done = m.reg("address_done", 1);
        let w_done = m.reg("data_done", 1);
        let of = |name: &str| {
            let Field { low, bits, .. } = *fields.iter().find(|f| f.name == name).expect("a field");
            head.slice(low, bits)
        };
        let is_write = of(WRITE);
        let write = m.define("write", 1, Expr::from(full) & is_write.clone());
        let read = m.define("read", 1, Expr::from(full) & !is_write);
        m.assign(ar.valid, Expr::all([!Expr::Reset, read.into(), reads.room.into()]));
        let address = Expr::all([write.into(), !Expr::from(aw_done), writes.room.into()]);
        m.assign(aw.valid, !Expr::Reset & address);
        m.comment("Data need not wait for the address, but for room for the answer.");
        let may = Expr::from(aw_done) | writes.room;
        let may = Expr::all([!Expr::Reset, write.into(), !Expr::from(w_done), may]);
        let may = m.define("data_may", 1, may);
        m.assign(w.valid, Expr::from(may) & from.valid);
        m.assign(w.field("data"), data.slice(0, layout.data));
        m.assign(w.field("strb"), data.slice(layout.data, layout.data / 8));
        m.assign(w.field("last"), last);
        for channel in [&aw, &ar] {
            m.assign(channel.field("id"), zeros(SUBORDINATE_ID));
            m.assign(channel.field("addr"), of("addr"));
            for (name, _) in ATTRIBUTES {
                m.assign(channel.field(name), of(name));
            }
        }
        let sender = Expr::concat([of(TAG), of(SOURCE)]);
        m.assign(reads.new, sender.clone());
        m.assign(writes.new, sender);
        m.assign(reads.push, ar.fires());
        m.assign(writes.push, aw.fires());

        let last_beat =
            m.define("last_beat", 1, Expr::all([w.valid, w.ready, last].map(Expr::from)));
        let after_data = m.define("after_data", 1, Expr::from(w_done) & writes.push);
        let address_there = Expr::from(aw_done) | writes.push;
        let data_there = Expr::from(w_done) | last_beat;
        let ends =
            Expr::all([write.into(), address_there.clone(), data_there.clone()]) | reads.push;
        let ends = m.define("ends", 1, ends);
        m.comment(
            "The next header comes while the transaction goes, but for one whose last beat does.",
        );
        let header_may = Expr::any_of([!Expr::from(full), reads.push.into(), after_data.into()]);
        let in_data = Expr::from(write) & !Expr::from(w_done);
        let ready = in_data.mux(Expr::from(may) & w.ready, header_may.clone());
        m.assign(from.ready, !Expr::Reset & ready);
        let takes = Expr::from(from.valid) & header_may & !Expr::Reset;
        let takes = m.define("takes_header", 1, takes);
        let whole = match words {
            1 => Expr::from(takes),
            _ => {
                let bits = bits_for(words);
                let count = m.reg("header_words", bits);
                let is_last = Expr::from(count).equals(Expr::constant(bits, u64::from(words - 1)));
                let is_last = m.define("header_ends", 1, is_last);
                let next = Expr::from(count) + Expr::constant(bits, 1);
                let next = Expr::from(is_last).mux(zeros(bits), next);
                m.registers(vec![Register {
                    net: count,
                    reset: Some(0),
                    enable: Some(takes.into()),
                    next,
                }]);
                Expr::from(takes) & is_last
            }
        };
        let shifted = match head.width - layout.word() {
            0 => Expr::from(data),
            rest => Expr::concat([data.into(), head.slice(layout.word(), rest)]),
        };
        let goes_on = |expr: Expr| expr & !Expr::from(ends);
        m.registers(vec![
            Register { net: head, reset: None, enable: Some(takes.into()), next: shifted },
            held(full, 0, whole | (Expr::from(full) & !Expr::from(ends))),
            held(aw_done, 0, goes_on(address_there)),
            held(w_done, 0, goes_on(data_there)),
        ]);
        let known: u32 = fields.iter().map(|field| field.bits).sum();
        if head.width > known {
            m.gather_unused("head", head.slice(known, head.width - known));
        }
    }

    /// Sends the subordinate's answers back.
    fn replies(&mut self, reads: &Senders, writes: &Senders, answers: &Arc<Module>) {
        let layout = self.layout;
        let [b, r] = [Channel::B, Channel::R].map(|own| self.axi.channel(own));
        let to = self.reply.lanes[0];
        let field = |name: &str| self.reply.field(name).expect("a field of its type");
        let (data, dest, last) = (field("data"), field("dest"), field("last"));
        let m = &mut self.m;

        m.section("Answers to writes");
        let [valid, room] = ["answer_valid", "answer_room"].map(|name| m.wire(name, 1));
        let answer = m.wire("answer", 2);
        m.assign(b.ready, !Expr::Reset & room);
        let connections = [
            ("in_valid", b.fires()),
            ("in_ready", room.into()),
            ("in_data", b.field("resp").into()),
            ("out_valid", valid.into()),
            ("out_ready", writes.pop.into()),
            ("out_data", answer.into()),
        ];
        m.instance("answers", answers, connections);

        m.section("Replies by turns, each a packet: a header, and the beats of a read");
        let in_data = m.reg("in_data", 1);
        let reads_next = m.reg("reads_next", 1);
        m.comment("What is offered stays until it is taken.");
        let offered = m.reg("offered", 1);
        let offered_write = m.reg("offered_write", 1);
        let write_may = m.define("write_may", 1, Expr::from(valid) & writes.waits);
        let read_may = m.define("read_may", 1, Expr::from(r.valid) & reads.waits);
        let next = Expr::from(write_may) & !(Expr::from(read_may) & reads_next);
        let chosen = Expr::from(offered).mux(offered_write, next);
        let is_write = m.define("answers_write", 1, !Expr::from(in_data) & chosen);
        let header = Expr::from(write_may) | read_may;
        m.assign(to.valid, !Expr::Reset & Expr::from(in_data).mux(r.valid, header));
        let leaves = m.define("word_leaves", 1, Expr::from(to.valid) & to.ready);
        let sender = Expr::from(is_write).mux(writes.first, reads.first);
        let sender = m.define("sender", writes.first.width, sender);
        m.assign(dest, sender.slice(0, layout.terminal));
        let value = |name: &str| match name {
            WRITE => is_write.into(),
            TAG => sender.slice(layout.terminal, layout.tag),
            // What a read is answered stands with its beats.
            RESP => Expr::from(is_write).repeat(2) & answer,
            other => unreachable!("a reply has no {other}"),
        };
        let fields = layout.reply();
        let unused = layout.word() - fields.iter().map(|field| field.bits).sum::<u32>();
        let above = (unused > 0).then(|| zeros(unused));
        let values = fields.iter().rev().map(|field| value(field.name));
        let words = Expr::concat(above.into_iter().chain(values));
        let beat = [Expr::from(r.field("resp")), r.field("data").into()];
        let above = layout.side() - 2;
        let above = (above > 0).then(|| zeros(above));
        let beat = Expr::concat(above.into_iter().chain(beat));
        m.assign(data, Expr::from(in_data).mux(beat, words));
        m.assign(last, Expr::from(in_data).mux(r.field("last"), is_write));
        m.assign(r.ready, Expr::all([!Expr::Reset, in_data.into(), to.ready.into()]));
        let header_leaves = Expr::from(leaves) & !Expr::from(in_data);
        let header_leaves = m.define("header_leaves", 1, header_leaves);
        m.assign(writes.pop, Expr::from(header_leaves) & is_write);
        m.assign(reads.pop, r.fires() & r.field("last"));
        let begins = Expr::from(header_leaves) & !Expr::from(is_write);
        let goes_on = Expr::from(in_data) & !Expr::from(reads.pop);
        let waits = Expr::all([Expr::from(to.valid), !Expr::from(to.ready), !Expr::from(in_data)]);
        m.registers(vec![
            held(in_data, 0, begins | goes_on),
            held(offered, 0, waits),
            Register { net: offered_write, reset: None, enable: None, next: is_write.into() },
            Register {
                net: reads_next,
                reset: Some(0),
                enable: Some(header_leaves.into()),
                next: is_write.into(),
            },
        ]);
        m.comment("There is one ID, so the subordinate's says nothing.");
        let ids = [Expr::from(b.field("id")), r.field("id").into()];
        m.gather_unused("id", Expr::concat(ids));
    }
}
