//! Bursts of AXI4 as accesses, one after another: each beat in as many as it needs at a narrower port.

use super::axi::of_word;
use super::{Access, Answer, BridgeShape};
use crate::rtl::ends::axi::{ChannelNets, PortNets};
use crate::rtl::ends::burst::{Burst, by_size, bytes, mask, next};
use crate::rtl::registers::{held, is_at};
use turnpike_ends::protocol::axi4::{ATTRIBUTES, Channel, FIXED};
use turnpike_ends::{PAGE, Protocol};
use turnpike_netlist::{Expr, ModuleBuilder, Net, Register};

/// Bits of an address that change within a burst (IHI 0022 H, A3.4.1).
const LOW: u32 = PAGE.ilog2();

/// Attributes that say how a burst goes on; others are the same in all its accesses.
const OF_BURST: [&str; 3] = ["len", "size", "burst"];

/// Accesses of the transactions that come in at a port.
pub(super) fn sequence(m: &mut ModuleBuilder, shape: &BridgeShape, end: &PortNets) -> Access {
    let sizes = [shape.inner.data, shape.outer.data].map(|bits| (bits / 8).ilog2());
    let channels = Channel::ALL.map(|channel| end.channel(channel));
    let flags = ["busy", "write", "answered", "beat_there"].map(|name| m.reg(name, 1));
    let mut sequence = Sequence { m, shape, sizes, channels, flags };
    let (taken, attributes) = sequence.transaction();
    sequence.accesses(taken, attributes)
}

struct Sequence<'a> {
    m: &'a mut ModuleBuilder,
    shape: &'a BridgeShape,
    /// Bytes of a word, and of the narrower port, as powers of two.
    sizes: [u32; 2],
    channels: [ChannelNets; 5],
    /// Whether a transaction goes, and is a write; whether a write waits for its answer to be taken, or a
    /// beat of a read.
    flags: [Net; 4],
}

/// The transaction that goes.
struct Taken {
    /// Signal that it begins.
    begins: Net,
    /// Bits of its address above those that change.
    page: Net,
    prot: Net,
    /// Size of its transfers, and the low bits of the address that change.
    size: Net,
    changes: Net,
    /// Address, length and kind of it, while it begins.
    first: Net,
    len: Net,
    burst: Net,
}

impl Sequence<'_> {
    /// Takes transactions, one at a time.
    fn transaction(&mut self) -> (Taken, Vec<(&'static str, Expr)>) {
        let [word, narrow] = self.sizes;
        let [busy, write, ..] = self.flags;
        let [aw, _, _, ar, _] = &self.channels;
        let m = &mut *self.m;
        m.section("The transaction that goes: reads and writes by turns");
        let reads_next = m.reg("reads_next", 1);
        let yields = Expr::from(ar.valid) & reads_next;
        m.assign(aw.ready, Expr::all([!Expr::Reset, !Expr::from(busy), !yields]));
        let writes = m.define("write_begins", 1, aw.fires());
        m.assign(ar.ready, Expr::all([!Expr::Reset, !Expr::from(busy), !Expr::from(writes)]));
        let begins = m.define("begins", 1, Expr::from(writes) | ar.fires());
        let given = |name: &str| Expr::from(writes).mux(aw.field(name), ar.field(name));
        let load = |net, next| Register { net, reset: None, enable: Some(begins.into()), next };
        let bits = aw.field("addr").width;
        let first = m.define("first_address", bits, given("addr"));
        let [len, of_size, burst] = OF_BURST
            .map(|name| m.define(format!("first_{name}"), aw.field(name).width, given(name)));
        let [page, prot] =
            [("page", bits - LOW), ("prot", 3)].map(|(name, bits)| m.reg(name, bits));
        let [size, changes] = [("size", 3), ("changes", LOW)].map(|(name, bits)| m.reg(name, bits));
        let of_burst = Burst { len, size: of_size, burst };
        let mask = mask(m, "first_changes", &of_burst, word, LOW, narrow < word);
        let mut registers = vec![
            load(write, writes.into()),
            load(page, first.slice(LOW, bits - LOW)),
            load(prot, given("prot")),
            load(size, of_size.into()),
            load(changes, mask.into()),
            Register { reset: Some(0), ..load(reads_next, writes.into()) },
        ];
        let mut attributes = Vec::new();
        let others =
            ATTRIBUTES.into_iter().filter(|(name, _)| !OF_BURST.contains(name) && *name != "prot");
        for (name, bits) in others {
            if self.shape.protocol == Protocol::Axi4 {
                let net = m.reg(name, bits);
                registers.push(load(net, given(name)));
                attributes.push((name, Expr::from(net)));
            } else {
                let both = [aw, ar].map(|channel| Expr::from(channel.field(name)));
                m.gather_unused(name, Expr::concat(both));
            }
        }
        if self.shape.protocol == Protocol::Axi4 {
            let more = Expr::any_of((narrow + 1..=word).map(|more| is_at(size, more)));
            let most = Expr::constant(3, narrow.into());
            attributes.push(("size", more.mux(most, size)));
        }
        m.registers(registers);
        m.comment(
            "All have one ID, and one beat of a write says that it is the last: that is known.",
        );
        let ids = Expr::concat([aw, ar].map(|channel| Expr::from(channel.field("id"))));
        m.gather_unused("id", ids);
        m.gather_unused("last", self.channels[1].field("last"));
        (Taken { begins, page, prot, size, changes, first, len, burst }, attributes)
    }

    /// The accesses of the transaction, and its answers.
    fn accesses(&mut self, taken: Taken, attributes: Vec<(&'static str, Expr)>) -> Access {
        let [busy, write, answered, beat_there] = self.flags;
        let [_, w, ..] = self.channels.clone();
        let outer = self.shape.outer.data;
        let Taken { begins, page, prot, len, .. } = taken;
        let steps = self.m.wire("steps", 1);
        let (at, beat_ends) = self.addresses(&taken, steps);
        let lane = self.lane(at);
        let m = &mut *self.m;
        let left = m.reg("beats_left", 8);
        let is_last = m.define("is_last", 1, !Expr::from(left).any());
        let data = m.define("write_data", outer, part(lane, w.field("data"), outer));
        let strobes = m.define("write_strobes", outer / 8, part(lane, w.field("strb"), outer / 8));
        let answer = Answer::wires(m, outer);
        let some = m.define("writes_some", 1, Expr::from(strobes).any());
        let beat = [busy.into(), write.into(), w.valid.into(), !Expr::from(answered)];
        let beat = m.define("has_beat", 1, Expr::all(beat));
        let reads = [busy.into(), !Expr::from(write), !Expr::from(beat_there)];
        let valid = Expr::all(reads) | (Expr::from(beat) & some);
        let valid = m.define("access", 1, valid);
        m.assign(steps, Expr::from(answer.done) | (Expr::from(beat) & !Expr::from(some)));
        let ends = m.define("ends", 1, Expr::from(steps) & beat_ends.clone());
        m.assign(w.ready, Expr::all([!Expr::Reset, beat.into(), ends.into()]));
        let over = self.answers([ends, is_last, begins, steps], answer, lane, beat_ends);
        let m = &mut *self.m;
        let one = Expr::constant(8, 1);
        let fewer = Expr::from(begins).mux(len, Expr::from(left) - one);
        let goes_on = Expr::from(write).mux(ends, over.clone());
        let enable = Some(Expr::from(begins) | goes_on);
        let over = over & (Expr::from(write) | is_last);
        m.registers(vec![
            Register { net: left, reset: None, enable, next: fewer },
            held(busy, 0, Expr::from(begins) | (Expr::from(busy) & !over)),
        ]);
        let bytes = self.bytes(at, strobes, &taken);
        let m = &mut *self.m;
        // Others than AXI4 have no size: an access is to a whole word.
        let low = match self.shape.protocol {
            Protocol::Axi4 => Expr::from(at),
            _ => of_word(at, outer),
        };
        let whole = Expr::concat([Expr::from(page), low]);
        let address = m.define("access_address", page.width + LOW, whole);
        Access { valid, write, address, data, strobes: bytes, prot, attributes, answer }
    }

    /// Low bits of the address of an access, and whether it is the last of its beat.
    fn addresses(&mut self, taken: &Taken, steps: Net) -> (Net, Expr) {
        let [word, narrow] = self.sizes;
        let Taken { begins, size, changes, first, burst, .. } = *taken;
        let m = &mut *self.m;
        m.section("Its accesses");
        let at = m.reg("at", LOW);
        let length = m.define("bytes", LOW, bytes(size, self.sizes, LOW));
        let [sum, after] = next(m, "at", at, length, changes);
        let (beat_ends, after) = match narrow < word {
            false => (Expr::constant(1, 1), Expr::from(after)),
            true => {
                m.comment(
                    "A beat ends with the last of its bytes; the next of FIXED begins as it did.",
                );
                let [start, fixed] = [m.reg("start", word), m.reg("fixed", 1)];
                let load =
                    |net, next| Register { net, reset: None, enable: Some(begins.into()), next };
                m.registers(vec![
                    load(start, first.slice(0, word)),
                    load(fixed, Expr::from(burst).equals(Expr::constant(2, FIXED))),
                ]);
                let within = |bit: u32| {
                    Expr::any_of((bit + 1..=word).map(|more| is_at(size, more))) & sum.bit(bit)
                };
                let ends = m.define("beat_ends", 1, !Expr::any_of((narrow..word).map(within)));
                let again = Expr::concat([after.slice(word, LOW - word), start.into()]);
                (Expr::from(ends), (Expr::from(ends) & fixed).mux(again, after))
            }
        };
        let next = Expr::from(begins).mux(first.slice(0, LOW), after);
        let enable = Some(Expr::from(begins) | steps);
        m.registers(vec![Register { net: at, reset: None, enable, next }]);
        (at, beat_ends)
    }

    /// Part of the word in which an access is, where the port is narrower.
    fn lane(&mut self, at: Net) -> Option<Net> {
        let [word, narrow] = self.sizes;
        let bits = word - narrow;
        (bits > 0).then(|| self.m.define("lane", bits, at.slice(narrow, bits)))
    }

    /// Bytes of an access: those of its transfer in a read, where the protocol names them.
    fn bytes(&mut self, at: Net, strobes: Net, taken: &Taken) -> Net {
        let [word, narrow] = self.sizes;
        if !self.shape.protocol.facts().selects_reads {
            return strobes;
        }
        let [_, write, ..] = self.flags;
        let m = &mut *self.m;
        let count = strobes.width;
        let of = |size: u32| match narrow.saturating_sub(size) {
            0 => Expr::constant(count, (1 << count) - 1),
            above => {
                let is_there = |byte: u32| {
                    let part = Expr::constant(above, u64::from(byte >> size));
                    at.slice(size, above).equals(part)
                };
                Expr::concat((0..count).rev().map(is_there))
            }
        };
        let read = match narrow {
            0 => Expr::constant(1, 1),
            _ => by_size(taken.size, word, count, of),
        };
        let read = m.define("read_bytes", count, read);
        m.define("access_bytes", strobes.width, Expr::from(write).mux(strobes, read))
    }

    /// Gives answers; what is returned is that one is taken.
    fn answers(
        &mut self,
        [ends, is_last, begins, steps]: [Net; 4],
        answer: Answer,
        lane: Option<Net>,
        beat_ends: Expr,
    ) -> Expr {
        let [_, write, answered, beat_there] = self.flags;
        let [_, _, b, _, r] = self.channels.clone();
        let outer = self.shape.outer.data;
        let m = &mut *self.m;
        m.section(
            "Answers: the first error of a write, or of a beat that is read, is that of the whole",
        );
        let response = m.reg("error", 2);
        let is_error = Expr::from(response).any();
        let merged = is_error.mux(response, Expr::from(answer.done).repeat(2) & answer.response);
        let taken = m.define("answer_taken", 1, b.fires() | r.fires());
        let none = Expr::from(begins) | taken;
        let error = |expr: Expr| expr & !none.clone().repeat(2);
        let over = Expr::from(steps).mux(merged, response);
        let writes_end = Expr::all([ends, is_last, write].map(Expr::from));
        let beat_read = Expr::from(ends) & !Expr::from(write);
        let waits = |next: Expr, now: Net| next | (Expr::from(now) & !Expr::from(taken));
        m.registers(vec![
            Register { net: response, reset: None, enable: None, next: error(over) },
            held(answered, 0, waits(writes_end, answered)),
            held(beat_there, 0, waits(beat_read, beat_there)),
        ]);
        for (channel, valid) in [(&b, answered), (&r, beat_there)] {
            m.assign(channel.valid, !Expr::Reset & valid);
            m.assign(channel.field("resp"), response);
            let id = channel.field("id");
            m.assign(id, Expr::constant(id.width, 0));
        }
        m.assign(r.field("last"), is_last);
        let parts = r.field("data").width / outer;
        let kept: Vec<Net> = (0..parts).map(|at| m.reg(format!("read_part{at}"), outer)).collect();
        let first = (parts > 1).then(|| {
            m.comment("The first access of a beat fills all its parts: nothing of others is left in them.");
            let first = m.reg("first_of_beat", 1);
            let next = Expr::from(begins) | Expr::from(steps).mux(beat_ends, first);
            m.registers(vec![Register { net: first, reset: None, enable: None, next }]);
            first
        });
        let load = |(net, at): (&Net, u32)| {
            // The lowest part is the first of its beat.
            let own = first.zip(lane).map(|(first, lane)| match at {
                0 => Expr::from(first),
                _ => Expr::from(first) | is_at(lane, at),
            });
            let enable = Some(own.map_or(answer.done.into(), |own| own & answer.done));
            Register { net: *net, reset: None, enable, next: answer.data.into() }
        };
        m.registers(kept.iter().zip(0..).map(load).collect());
        m.assign(r.field("data"), Expr::concat(kept.iter().rev().map(|net| Expr::from(*net))));
        taken.into()
    }
}

/// The part of a word that stands in a lane.
fn part(lane: Option<Net>, net: Net, bits: u32) -> Expr {
    let Some(lane) = lane else { return net.into() };
    let of = |at: u32| is_at(lane, at).repeat(bits) & net.slice(at * bits, bits);
    Expr::any_of((0..net.width / bits).map(of))
}
