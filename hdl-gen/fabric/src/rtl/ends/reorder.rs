//! Reorder buffer of a manager: transactions of one ID may be with several subordinates at a time, and
//! end in order all the same.

use super::axi::{ChannelNets, PortNets, ports};
use super::bridge::INNER;
use super::zeros;
use crate::rtl::registers::{at_index, held, is_at};
use std::sync::Arc;
use turnpike_ends::protocol::axi4::{Channel, MOST_BEATS};
use turnpike_ends::{Protocol, Role, Widths, tag_bits};
use turnpike_netlist::{Expr, MemoryId, Module, ModuleBuilder, Net, Register, RtlError};

/// Shape of a reorder buffer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReorderShape {
    /// Widths of the manager's port.
    pub outer: Widths,
    /// Beats of reads that it holds, a power of two.
    pub beats: u32,
    /// Most transactions in flight of one direction.
    pub outstanding: u32,
}

impl ReorderShape {
    /// Widths of the end's port: a transaction has an ID of its own there, the number of its entry.
    pub fn inner(&self) -> Widths {
        Widths { id: tag_bits(self.outstanding), ..self.outer }
    }

    /// Whether reads may be longer than the buffer.
    pub fn has_longer(&self) -> bool {
        self.beats < MOST_BEATS
    }
}

/// Reorder buffer: as a manager's port on one side, and as a subordinate's (`end_...`) on the other. Each transaction
/// has an entry, by turns, and a read has room for all its beats before it goes: so replies are taken
/// whatever the manager takes, and are handed over in the order in which transactions were asked for.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub(super) fn reorder(name: &str, shape: &ReorderShape) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(name);
    let ReorderShape { beats, outstanding, outer } = *shape;
    m.about(format!(
        "Reorder buffer of {beats} beats: up to {outstanding} reads and {outstanding} writes are in flight, whatever their IDs,"
    ));
    m.about("and end in the order in which they were asked for. A read goes once all its beats have room.");
    if shape.has_longer() {
        m.about(format!("A read of more than {beats} beats goes alone, and its beats pass by."));
    }
    let own = ports(&mut m, "", Role::Manager, Protocol::Axi4, outer);
    let end = ports(&mut m, INNER, Role::Subordinate, Protocol::Axi4, shape.inner());
    let mut buffer = Buffer { m, shape, own, end };
    buffer.writes();
    buffer.reads();
    buffer.m.finish()
}

struct Buffer<'a> {
    m: ModuleBuilder,
    shape: &'a ReorderShape,
    own: PortNets,
    end: PortNets,
}

/// Entries of transactions in flight, given by turns.
struct Entries {
    /// Entry that the next transaction gets, and whether it is free.
    next: Net,
    free: Net,
    /// Number of those that are taken.
    there: Net,
    /// Entry of the oldest, and its ID.
    oldest: Net,
    id: Net,
    /// Signal that a transaction gets its entry, and that the oldest is over.
    taken: Net,
    over: Net,
    /// Number of entries.
    count: u32,
}

/// Room for the beats of reads.
struct Room {
    /// Whether the read that waits may go.
    may: Net,
    /// Place of the next beat that goes, and of the first beat of the next read.
    first: Net,
    next: Net,
    /// Signal that a beat comes to its place.
    comes: Net,
    /// Whether a read that is longer than the buffer is under way, where there are such.
    alone: Option<Net>,
}

/// Beats that have come.
struct Beats {
    /// By entry, the place of the beat that comes next.
    places: Vec<Net>,
    words: MemoryId,
    /// By entry, whether all have come.
    there: Vec<Net>,
}

impl Buffer<'_> {
    fn channels(&self, channel: Channel) -> [ChannelNets; 2] {
        [self.own.channel(channel), self.end.channel(channel)]
    }

    /// Hands a channel of addresses on, where `may`, under the number of an entry.
    fn ask(&mut self, channel: Channel, may: Net, entry: Net) {
        let [from, to] = self.channels(channel);
        let m = &mut self.m;
        m.assign(to.valid, Expr::from(from.valid) & may);
        m.assign(from.ready, Expr::from(to.ready) & may);
        for (name, net) in &to.payload {
            let value = if name == "id" { entry } else { from.field(name) };
            m.assign(*net, value);
        }
    }

    /// Entries of a direction: one is taken where `takes`, and the oldest is over where `over`.
    fn entries(&mut self, what: &str, takes: Expr, id: Net, over: Expr) -> Entries {
        let outstanding = self.shape.outstanding;
        let m = &mut self.m;
        let bits = tag_bits(outstanding);
        let [next, oldest] = ["next", "oldest"].map(|n| m.reg(format!("{what}_{n}"), bits));
        let count_bits = u32::BITS - outstanding.leading_zeros();
        let count = m.reg(format!("{what}s_there"), count_bits);
        let takes = m.define(format!("{what}_taken"), 1, takes);
        let over = m.define(format!("{what}_over"), 1, over);
        let after = |net: Net| match outstanding.is_power_of_two() && outstanding > 1 {
            true => Expr::from(net) + Expr::constant(bits, 1),
            false => is_at(net, outstanding - 1)
                .mux(Expr::constant(bits, 0), Expr::from(net) + Expr::constant(bits, 1)),
        };
        let by_turns = |net: Net, enable: Net| {
            let enable = Some(Expr::from(enable));
            Register { net, reset: Some(0), enable, next: after(net) }
        };
        let one = || Expr::constant(count_bits, 1);
        let more = Expr::from(takes).mux(Expr::from(count) + one(), count);
        let fewer = Expr::from(takes).mux(count, Expr::from(count) - one());
        m.registers(vec![
            by_turns(next, takes),
            by_turns(oldest, over),
            held(count, 0, Expr::from(over).mux(fewer, more)),
        ]);
        let ids: Vec<Net> =
            (0..outstanding).map(|n| m.reg(format!("{what}_id{n}"), id.width)).collect();
        let load = |(net, n): (&Net, u32)| Register {
            net: *net,
            reset: None,
            enable: Some(Expr::from(takes) & is_at(next, n)),
            next: id.into(),
        };
        m.registers(ids.iter().zip(0..).map(load).collect());
        let free = m.define(format!("{what}_entry_free"), 1, !is_at(count, outstanding));
        let of_oldest = m.define(format!("{what}_oldest_id"), id.width, at_index(oldest, &ids));
        Entries {
            next,
            free,
            there: count,
            oldest,
            id: of_oldest,
            taken: takes,
            over,
            count: outstanding,
        }
    }

    fn writes(&mut self) {
        let outstanding = self.shape.outstanding;
        let [aw, _] = self.channels(Channel::Aw);
        let [b, end_b] = self.channels(Channel::B);
        self.m.section("Writes: the entries of those in flight");
        let entries = self.entries("write", aw.fires(), aw.field("id"), b.fires());
        self.ask(Channel::Aw, entries.free, entries.next);
        self.m.section("Data of writes passes by");
        let [w, end_w] = self.channels(Channel::W);
        let m = &mut self.m;
        m.assign(end_w.valid, w.valid);
        m.assign(w.ready, end_w.ready);
        for (name, net) in &end_w.payload {
            m.assign(*net, w.field(name));
        }
        m.section("Answers to writes: each is kept until it is that of the oldest");
        m.assign(end_b.ready, !Expr::Reset);
        let comes = m.define("answer_comes", 1, end_b.fires());
        let of = end_b.field("id");
        let there = there(m, "answer_there", comes, of, &entries);
        let answers: Vec<Net> = (0..outstanding).map(|n| m.reg(format!("answer{n}"), 2)).collect();
        let load = |(net, n): (&Net, u32)| Register {
            net: *net,
            reset: None,
            enable: Some(Expr::from(comes) & is_at(of, n)),
            next: end_b.field("resp").into(),
        };
        m.registers(answers.iter().zip(0..).map(load).collect());
        m.assign(b.valid, !Expr::Reset & at_index(entries.oldest, &there));
        m.assign(b.field("resp"), at_index(entries.oldest, &answers));
        m.assign(b.field("id"), entries.id);
    }

    fn reads(&mut self) {
        let [ar, _] = self.channels(Channel::Ar);
        let [r, _] = self.channels(Channel::R);
        self.m.section("Reads: the entries of those in flight");
        let over = r.fires() & r.field("last");
        let entries = self.entries("read", ar.fires(), ar.field("id"), over);
        let none = self.m.define("no_read", 1, is_at(entries.there, 0));
        let room = self.room(&entries, none);
        let beats = self.beats_come(&entries, &room);
        self.beats_go(&entries, none, &room, beats);
        self.ask(Channel::Ar, room.may, entries.next);
    }

    /// Places of beats, one behind the other; a read waits until those that it needs are free.
    fn room(&mut self, entries: &Entries, none: Net) -> Room {
        let beats = self.shape.beats;
        let bits = beats.ilog2();
        let [ar, _] = self.channels(Channel::Ar);
        let [r, end_r] = self.channels(Channel::R);
        let m = &mut self.m;
        m.section("Places for their beats, one behind the other, and how many are free");
        let [first, next] = ["first", "next_place"].map(|name| m.reg(name, bits));
        let free = m.reg("free", bits + 1);
        let len = ar.field("len");
        let sum = 9.max(bits + 1);
        let needed = Expr::concat([zeros(sum + 1 - 8), len.into()]) + Expr::constant(sum + 1, 1);
        let needed = m.define("needed", sum + 1, needed);
        let left = Expr::concat([zeros(sum - bits), free.into()]) - Expr::from(needed);
        let left = m.define("left", sum + 1, left);
        let may = m.wire("read_may_go", 1);
        let longer = self.shape.has_longer().then(|| {
            m.comment("A read that is longer than the buffer goes alone.");
            let is_longer = Expr::any_of((bits..8).map(|bit| len.bit(bit)));
            let is_longer = m.define("is_longer", 1, is_longer);
            (is_longer, m.reg("alone", 1))
        });
        let has_room = !left.bit(sum);
        let may_go = match longer {
            None => has_room,
            Some((is_longer, alone)) => {
                Expr::from(is_longer).mux(none, has_room) & !Expr::from(alone)
            }
        };
        m.assign(may, Expr::from(entries.free) & may_go);
        if sum > bits + 1 {
            m.gather_unused("left", left.slice(bits + 1, sum - bits - 1));
        }
        let kept = |expr: Expr| match longer {
            None => expr,
            Some((_, alone)) => expr & !Expr::from(alone),
        };
        let takes = longer.map_or(ar.fires(), |(longer, _)| ar.fires() & !Expr::from(longer));
        let takes = m.define("places_taken", 1, takes);
        let goes = m.define("beat_goes", 1, kept(r.fires()));
        let comes = m.define("beat_comes", 1, kept(end_r.fires()));
        let by = |next: Expr, net: Net| Expr::from(takes).mux(next, net);
        let after = by(left.slice(0, bits + 1), free);
        let behind = Expr::from(next) + needed.slice(0, bits);
        m.registers(vec![
            held(free, beats.into(), after + Expr::concat([zeros(bits), goes.into()])),
            held(next, 0, by(behind, next)),
            held(first, 0, Expr::from(first) + Expr::concat([zeros(bits - 1), goes.into()])),
        ]);
        if let Some((is_longer, alone)) = longer {
            let begins = ar.fires() & is_longer;
            let ends = r.fires() & r.field("last");
            m.registers(vec![held(alone, 0, begins | (Expr::from(alone) & !ends))]);
        }
        Room { may, first, next, comes, alone: longer.map(|(_, alone)| alone) }
    }

    /// Beats come to their places, whatever is in front of them.
    fn beats_come(&mut self, entries: &Entries, room: &Room) -> Beats {
        let ReorderShape { beats, outstanding, .. } = *self.shape;
        let [_, end_r] = self.channels(Channel::R);
        let m = &mut self.m;
        m.section("Beats come to their places, whatever is in front of them");
        let of = end_r.field("id");
        let bits = room.next.width;
        let places: Vec<Net> = (0..outstanding).map(|n| m.reg(format!("place{n}"), bits)).collect();
        let load = |(net, n): (&Net, u32)| {
            let begins = Expr::from(entries.taken) & is_at(entries.next, n);
            let comes = Expr::from(room.comes) & is_at(of, n);
            Register {
                net: *net,
                reset: None,
                enable: Some(begins.clone() | comes),
                next: begins.mux(room.next, Expr::from(*net) + Expr::constant(bits, 1)),
            }
        };
        m.registers(places.iter().zip(0..).map(load).collect());
        let words = m.memory("beats", end_r.field("data").width + 3, beats);
        let word = ["last", "resp", "data"].map(|name| Expr::from(end_r.field(name)));
        m.write(words, room.comes.into(), at_index(of, &places), Expr::concat(word));
        let ends = m.define("read_comes", 1, Expr::from(room.comes) & end_r.field("last"));
        let there = there(m, "read_there", ends, of, entries);
        Beats { places, words, there }
    }

    /// Beats of the oldest read go, or those of a longer one pass by.
    fn beats_go(&mut self, entries: &Entries, none: Net, room: &Room, beats: Beats) {
        let [r, end_r] = self.channels(Channel::R);
        let m = &mut self.m;
        m.section("Beats of the oldest go");
        let first = room.first;
        let oldest = at_index(entries.oldest, &beats.places);
        let oldest = m.define("oldest_place", first.width, oldest);
        let has_some = !Expr::from(none) & !Expr::from(first).equals(oldest);
        let has_beat = at_index(entries.oldest, &beats.there) | has_some;
        let data_bits = r.field("data").width;
        let word = Expr::Read { memory: beats.words, address: Box::new(first.into()) };
        let word = m.define("beat", data_bits + 3, word);
        let either = |own: Expr, passing: Net| match room.alone {
            None => own,
            Some(alone) => Expr::from(alone).mux(passing, own),
        };
        m.assign(r.valid, !Expr::Reset & either(has_beat, end_r.valid));
        m.assign(r.field("data"), either(word.slice(0, data_bits), end_r.field("data")));
        m.assign(r.field("resp"), either(word.slice(data_bits, 2), end_r.field("resp")));
        m.assign(r.field("last"), either(word.bit(data_bits + 2), end_r.field("last")));
        m.assign(r.field("id"), entries.id);
        let takes = match room.alone {
            None => !Expr::Reset,
            Some(alone) => !Expr::Reset & !(Expr::from(alone) & !Expr::from(r.ready)),
        };
        m.assign(end_r.ready, takes);
    }
}

/// Whether the reply of each entry is there as a whole.
fn there(m: &mut ModuleBuilder, name: &str, comes: Net, of: Net, entries: &Entries) -> Vec<Net> {
    let nets: Vec<Net> = (0..entries.count).map(|n| m.reg(format!("{name}{n}"), 1)).collect();
    let next = |(net, n): (&Net, u32)| {
        let goes = Expr::from(entries.over) & is_at(entries.oldest, n);
        held(*net, 0, (Expr::from(comes) & is_at(of, n)) | (Expr::from(*net) & !goes))
    };
    m.registers(nets.iter().zip(0..).map(next).collect());
    nets
}
