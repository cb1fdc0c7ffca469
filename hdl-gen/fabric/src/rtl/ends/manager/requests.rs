//! Packets of requests: a header, and the beats of a write.

use super::{Beats, Builder, Errors, Waiting, bounds_writes};
use crate::rtl::ends::zeros;
use crate::rtl::registers::held;
use turnpike_base::bits::bits_for;
use turnpike_ends::packet::{self, SOURCE, TAG, WRITE};
use turnpike_ends::protocol::axi4::{DECERR, SLVERR};
use turnpike_netlist::{Expr, Net, Register};

impl Builder<'_> {
    /// Lets reads and writes go by turns, each as a packet.
    pub(super) fn requests(&mut self, reads: &Waiting, writes: &Waiting, beats: Beats) -> Errors {
        let layout = self.shape.layout;
        let fields = layout.request();
        let header_words = layout.words(&fields);
        let out = self.request.lanes[0];
        let field = |name: &str| self.request.field(name).expect("a field of its type");
        let (data, dest, last) = (field("data"), field("dest"), field("last"));
        let header = header_words * layout.word();
        self.m.section("The packet that goes: its header, then the beats of a write");
        self.m.comment("The next header is here while the beats go.");
        let walk = self.walk("write");
        let [beat_data, strobes] = self.widened(walk.as_ref(), beats.data, beats.strobes);
        let m = &mut self.m;

        let [in_header, in_beats, is_write] =
            ["in_header", "in_beats", "is_write"].map(|name| m.reg(name, 1));
        let head = m.reg("head", header);
        let [to, beats_to] = ["to", "beats_to"].map(|name| m.reg(name, layout.terminal));
        let of_beats = |beat: Expr, of_header: Expr| Expr::from(in_beats).mux(beat, of_header);
        let waits = of_beats(beats.valid.into(), in_header.into());
        m.assign(out.valid, !Expr::Reset & waits);
        m.assign(dest, of_beats(beats_to.into(), to.into()));
        let beat = match layout.side() - layout.data / 8 {
            0 => Expr::concat([strobes, beat_data]),
            more => Expr::concat([zeros(more), strobes, beat_data]),
        };
        m.assign(data, of_beats(beat, head.slice(0, layout.word())));
        let left = (header_words > 1).then(|| m.reg("header_left", bits_for(header_words)));
        let is_last = left.map_or(Expr::constant(1, 1), |left| !Expr::from(left).any());
        let header_ends = m.define("header_ends", 1, is_last);
        let alone = Expr::from(header_ends) & !Expr::from(is_write);
        m.assign(last, of_beats(beats.last.into(), alone));
        let of_header = [in_header.into(), !Expr::from(in_beats), out.ready.into()];
        let word_leaves = m.define("header_word_leaves", 1, Expr::all(of_header));
        let leaves = Expr::from(word_leaves) & header_ends;
        let leaves = m.define("header_leaves", 1, leaves);
        let begins_beats = m.define("beats_begin", 1, Expr::from(leaves) & is_write);
        let beat_leaves = Expr::all([in_beats, beats.valid, out.ready].map(Expr::from));
        let beat_leaves = m.define("beat_leaves", 1, beat_leaves);
        let beats_go_on = Expr::from(in_beats) & !(Expr::from(beat_leaves) & beats.last);

        m.section("A write that nobody takes: its beats are dropped, and the end answers it");
        m.comment("Reads go meanwhile: the manager may hold its data back until it has theirs.");
        let refused = writes.refused;
        let has_beats = Expr::from(in_beats) | (Expr::from(in_header) & is_write);
        let has_beats = m.define("has_beats", 1, has_beats);
        let drops = [writes.full.into(), writes.may.into(), refused.into(), !Expr::from(has_beats)];
        let drops = m.define("drops", 1, Expr::all(drops));
        let dropped = [drops, beats.valid, beats.last].map(Expr::from);
        let dropped = m.define("drop_ends", 1, Expr::all(dropped));
        let sends = Expr::from(in_beats) & out.ready;
        m.assign(beats.take, !Expr::Reset & (sends | drops));

        m.section("The next: reads and writes by turns, where both may go");
        let free = m.define("free", 1, !Expr::from(in_header) | leaves);
        let reading = m.wire("read_error_waits", 1);
        let wanted = !Expr::from(refused) & beats.whole;
        let write_may = [free.into(), writes.full.into(), writes.may.into(), wanted];
        let write_may = m.define("write_may_go", 1, Expr::all(write_may));
        let no_error = !(Expr::from(reads.nobody) & reading);
        let read_may = [free.into(), reads.full.into(), reads.may.into(), no_error];
        let read_may = m.define("read_may_go", 1, Expr::all(read_may));
        let writes_next = m.reg("writes_next", 1);
        let sent = Expr::from(write_may) & (Expr::from(writes_next) | !Expr::from(read_may));
        let sent = m.define("write_sent", 1, sent);
        m.assign(writes.take, Expr::from(sent) | dropped);
        m.assign(reads.take, Expr::from(read_may) & !Expr::from(sent));
        let read_error = Expr::from(reads.take) & reads.nobody;
        let read_error = m.define("read_error", 1, read_error);
        let begins = Expr::from(sent) | (Expr::from(reads.take) & !Expr::from(read_error));
        let begins = m.define("packet_begins", 1, begins);

        let goes = Expr::from(sent) | reads.take;
        let either = |read: Net, write: Net| Expr::from(sent).mux(write, read);
        let value = |name: &str| match name {
            WRITE => sent.into(),
            TAG => {
                let own = reads.tag.width;
                let tag = either(reads.tag, writes.tag);
                match layout.tag - own {
                    0 => tag,
                    more => Expr::concat([zeros(more), tag]),
                }
            }
            SOURCE => self.source.into(),
            name => either(reads.field(name), writes.field(name)),
        };
        let unused = header - packet::bits(&fields);
        let values = fields.iter().rev().map(|field| value(field.name));
        let above = (unused > 0).then(|| zeros(unused));
        let whole = Expr::concat(above.into_iter().chain(values));
        let next_word = match header - layout.word() {
            0 => zeros(header),
            rest => Expr::concat([zeros(layout.word()), head.slice(layout.word(), rest)]),
        };
        let load =
            |net: Net, next: Expr| Register { net, reset: None, enable: Some(begins.into()), next };
        let header_goes_on = Expr::from(in_header) & !Expr::from(leaves);
        let by = |next: Expr, other: Expr| Expr::from(begins).mux(next, other);
        m.registers(vec![
            held(in_header, 0, Expr::from(begins) | header_goes_on),
            held(in_beats, 0, Expr::from(begins_beats) | beats_go_on),
            Register {
                net: writes_next,
                reset: Some(0),
                enable: Some(goes),
                next: reads.take.into(),
            },
            load(is_write, sent.into()),
            load(to, either(reads.terminal, writes.terminal)),
            Register {
                net: beats_to,
                reset: None,
                enable: Some(begins_beats.into()),
                next: to.into(),
            },
            Register {
                net: head,
                reset: None,
                enable: Some(Expr::from(begins) | word_leaves),
                next: by(whole, next_word),
            },
        ]);
        if let Some(left) = left {
            let constant = |value: u32| Expr::constant(left.width, value.into());
            let next = by(constant(header_words - 1), Expr::from(left) - constant(1));
            let enable = Some(Expr::from(begins) | word_leaves);
            m.registers(vec![Register { net: left, reset: None, enable, next }]);
        }

        let [decerr, slverr] = [DECERR, SLVERR].map(|value| Expr::constant(2, value));
        let answer = match bounds_writes(self.shape) {
            true => Expr::from(writes.nobody).mux(decerr, slverr),
            false => decerr,
        };
        let write_answer = m.define("refusal", 2, answer);
        let write_tag = writes.tag;
        if let Some(walk) = walk {
            self.follow_write(&walk, writes, [sent, begins_beats], beat_leaves.into());
        }
        Errors { read: read_error, write: dropped, write_tag, write_answer, reading }
    }
}
