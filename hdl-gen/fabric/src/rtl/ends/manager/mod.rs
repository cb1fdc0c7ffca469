//! End of a manager: its transactions become packets of requests, and replies its answers.

mod addresses;
mod lanes;
mod replies;
mod requests;

use super::axi::{PortNets, ports};
use super::decode::{Target, decode};
use super::in_flight::{Order, in_flight, table_name};
use crate::rtl::fifo::end_fifo;
use crate::rtl::registers::held;
use std::sync::Arc;
use turnpike_ends::packet::Layout;
use turnpike_ends::protocol::axi4::{Channel, MOST_BEATS};
use turnpike_ends::{Protocol, Role, Widths, tag_bits};
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError, Stream, StreamType};

/// Shape of a manager's end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ManagerShape {
    /// Bits of words, and fields of packets.
    pub layout: Layout,
    /// Bits of data of its port: those of a word, or fewer.
    pub data: u32,
    /// Bits of IDs.
    pub id_width: u32,
    /// Most transactions in flight of one direction.
    pub outstanding: u32,
    /// Beats of the longest write.
    pub burst: u32,
    /// Rule by which transactions of an ID end in order.
    pub order: Order,
    /// The terminals that it reaches.
    pub targets: Vec<Target>,
}

impl ManagerShape {
    /// Widths of the ports.
    pub fn widths(&self) -> Widths {
        Widths { address: self.layout.address, data: self.data, id: self.id_width }
    }

    /// Beats that the buffer of writes holds.
    fn buffer(&self) -> u32 {
        self.burst.max(2)
    }

    /// Name of the module of its table of transactions.
    pub fn table_name(&self, prefix: &str) -> String {
        table_name(prefix, self.outstanding, self.id_width, self.order)
    }

    /// Bits of a target in the table of transactions: the terminal, and whether it is nobody.
    pub fn target_bits(&self) -> u32 {
        self.layout.terminal + 1
    }
}

/// Stream of words to or from the network.
pub(super) fn words(layout: &Layout, has_destination: bool) -> StreamType {
    let dest = if has_destination { layout.terminal } else { 0 };
    StreamType::plain([("data", layout.word()), ("dest", dest), ("last", 1)])
}

/// End of a manager. Ports: the channels of AXI4 (`awvalid` ...); `source`, its address on the network;
/// the streams `request`, out, and `reply`, in.
///
/// - A write goes on its way once all its beats are there, and a read at once: a packet that has begun
///   waits for the network alone.
/// - Its answers have room before a write goes.
/// - A transaction to an address of nobody is answered here, with `DECERR`; a write that is longer than the
///   buffer, with `SLVERR`.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn manager(
    prefix: &str,
    name: &str,
    shape: &ManagerShape,
) -> Result<Arc<Module>, RtlError> {
    let layout = &shape.layout;
    let mut m = ModuleBuilder::new(name);
    m.about("End of an AXI4 manager: its transactions become packets, and replies its answers.");
    m.about(format!(
        "A write goes once all its beats are here ({} at most), a read at once. Up to {} reads and",
        shape.burst, shape.outstanding
    ));
    m.about(format!(
        "{} writes are in flight. {}",
        shape.outstanding,
        match shape.order {
            Order::OneTarget => "Those of one ID to another terminal wait until it has answered.",
            Order::OneInFlight => "Those of one ID wait until the one before is answered.",
            Order::Unlike => "Each has an ID of its own.",
        }
    ));
    let axi = ports(&mut m, "", Role::Manager, Protocol::Axi4, shape.widths());
    let source = m.input("source", layout.terminal);
    let request = m.stream_out("request", words(layout, true));
    let reply = m.stream_in("reply", words(layout, false));
    let decoder =
        decode(format!("{name}_decode"), &shape.targets, [layout.address, layout.terminal])?;
    let bits = [shape.id_width, shape.target_bits()];
    let table = in_flight(prefix, shape.outstanding, bits, shape.order)?;
    let beat = shape.data + shape.data / 8 + 1;
    let buffer = end_fifo(prefix, beat, shape.buffer())?;
    let answers = tag_bits(shape.outstanding) + 2;
    let answers = end_fifo(prefix, answers, shape.outstanding.max(2))?;
    let mut builder = Builder { m, shape, axi, source, request, reply, decoder, table };
    let reads = builder.addresses(Channel::Ar);
    let writes = builder.addresses(Channel::Aw);
    let beats = builder.beats(&buffer, writes.take);
    let errors = builder.requests(&reads, &writes, beats);
    builder.replies(&reads, &writes, errors, &answers);
    builder.m.finish()
}

struct Builder<'a> {
    m: ModuleBuilder,
    shape: &'a ManagerShape,
    axi: PortNets,
    source: Net,
    request: Stream,
    reply: Stream,
    decoder: Arc<Module>,
    table: Arc<Module>,
}

/// A transaction that waits to go, and the table of those of its direction.
struct Waiting {
    /// Whether there is one.
    full: Net,
    /// Attributes, as in the payload of its channel.
    payload: Vec<(String, Net)>,
    /// Terminal that answers it.
    terminal: Net,
    /// Whether none does.
    nobody: Net,
    /// Whether the end answers it: nobody does, or the buffer has no room for it.
    refused: Net,
    /// Whether the table lets it go.
    may: Net,
    /// Tag that it gets.
    tag: Net,
    /// Signal that it goes.
    take: Net,
    /// Tag of a reply.
    done_tag: Net,
    /// ID of the transaction of that tag.
    done_id: Net,
    /// The transaction of that tag is over.
    done: Net,
}

/// The oldest beat of the buffer of writes.
struct Beats {
    /// Whether there is one.
    valid: Net,
    /// Signal that it goes.
    take: Net,
    /// Data, then strobes.
    data: Net,
    strobes: Net,
    /// Whether it is the last of its burst.
    last: Net,
    /// Whether a burst that has not begun is there as a whole.
    whole: Net,
}

/// Answers of the end's own.
struct Errors {
    /// Signal that a read to nobody goes.
    read: Net,
    /// Signal that a write without a subordinate ends, and its tag and answer.
    write: Net,
    write_tag: Net,
    write_answer: Net,
    /// Whether a read to nobody is being answered.
    reading: Net,
}

impl Waiting {
    fn field(&self, name: &str) -> Net {
        let found = self.payload.iter().find(|(known, _)| *known == name);
        found.expect("a signal of AXI4").1
    }
}

impl Builder<'_> {
    /// The buffer of writes, and how many bursts that have not begun are in it as a whole. `begins` says
    /// that one begins.
    fn beats(&mut self, buffer: &Arc<Module>, begins: Net) -> Beats {
        let w = self.axi.channel(Channel::W);
        let bits = self.shape.data;
        let m = &mut self.m;
        m.section(
            "Beats of writes, and how many writes that have not begun have all of theirs here",
        );
        let [valid, take, last, whole] =
            ["beat_valid", "beat_taken", "beat_last", "whole"].map(|name| m.wire(name, 1));
        let data = m.wire("beat_data", bits);
        let strobes = m.wire("beat_strobes", bits / 8);
        let word = m.wire("beat", bits + bits / 8 + 1);
        let room = m.wire("beat_room", 1);
        m.assign(w.ready, !Expr::Reset & room);
        let push = m.define("beat_comes", 1, w.fires());
        let beat = ["last", "strb", "data"].map(|name| Expr::from(w.field(name)));
        let connections = [
            ("in_valid", push.into()),
            ("in_ready", room.into()),
            ("in_data", Expr::concat(beat)),
            ("out_valid", valid.into()),
            ("out_ready", take.into()),
            ("out_data", word.into()),
        ];
        m.instance("beats", buffer, connections);
        m.assign(data, word.slice(0, bits));
        m.assign(strobes, word.slice(bits, bits / 8));
        m.assign(last, word.bit(bits + bits / 8));
        let bits = u32::BITS - self.shape.buffer().leading_zeros();
        let count = m.reg("whole_writes", bits);
        let one = || Expr::constant(bits, 1);
        let comes = m.define("last_comes", 1, Expr::from(push) & w.field("last"));
        let fewer = Expr::from(begins).mux(Expr::from(count) - one(), count);
        let both = Expr::from(begins).mux(count, Expr::from(count) + one());
        let next = Expr::from(comes).mux(both, fewer);
        m.registers(vec![held(count, 0, next)]);
        m.assign(whole, Expr::from(count).any());
        Beats { valid, take, data, strobes, last, whole }
    }
}

/// Whether writes may be longer than the buffer of an end.
fn bounds_writes(shape: &ManagerShape) -> bool {
    shape.burst < MOST_BEATS
}
