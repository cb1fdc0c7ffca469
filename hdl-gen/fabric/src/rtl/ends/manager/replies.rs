//! Packets of replies: answers to writes, and the beats of reads.

use super::{Builder, Errors, Waiting};
use crate::rtl::registers::held;
use std::sync::Arc;
use turnpike_ends::packet::{RESP, TAG};
use turnpike_ends::protocol::axi4::{Channel, DECERR};
use turnpike_netlist::{Expr, Module, Register};

impl Builder<'_> {
    /// Hands replies on to the channels of answers, and gives those of the end's own.
    pub(super) fn replies(
        &mut self,
        reads: &Waiting,
        writes: &Waiting,
        errors: Errors,
        answers: &Arc<Module>,
    ) {
        let layout = self.shape.layout;
        let fields = layout.reply();
        debug_assert_eq!(layout.words(&fields), 1, "the header of a reply is a word");
        let (b, r) = (self.axi.channel(Channel::B), self.axi.channel(Channel::R));
        let from = self.reply.lanes[0];
        let field = |name: &str| self.reply.field(name).expect("a field of its type");
        let (data, last) = (field("data"), field("last"));
        let of_header = |name: &str, bits: u32| {
            let found = fields.iter().find(|field| field.name == name);
            data.slice(found.expect("a field of a reply").low, bits)
        };
        let tag_bits = reads.tag.width;
        self.m.section("Replies: a header, and the beats of a read");
        let walk = self.walk("read");
        let beat_data = self.narrowed(walk.as_ref(), data);
        let m = &mut self.m;

        let in_data = m.reg("in_data", 1);
        let header = m.define("reply_header", 1, Expr::from(from.valid) & !Expr::from(in_data));
        let to_write = data.bit(0);
        let answers_write = Expr::from(header) & to_write.clone() & !Expr::from(errors.write);
        let answers_write = m.define("answers_write", 1, answers_write);
        let header_taken =
            to_write.clone().mux(!Expr::from(errors.write), !Expr::from(errors.reading));
        let taken = Expr::from(in_data).mux(r.ready, header_taken);
        m.assign(from.ready, !Expr::Reset & taken);
        let accept = m.define("reply_taken", 1, Expr::from(from.valid) & from.ready);
        let begins =
            m.define("data_begins", 1, Expr::all([accept.into(), header.into(), !to_write]));
        let goes_on = Expr::from(in_data) & !(Expr::from(accept) & last);
        let tag = m.reg("reply_tag", tag_bits);
        let load =
            |net, next: Expr| Register { net, reset: None, enable: Some(begins.into()), next };
        m.registers(vec![
            held(in_data, 0, Expr::from(begins) | goes_on),
            load(tag, of_header(TAG, tag_bits)),
        ]);
        let known = 1 + layout.tag + 2;
        let tag_above = layout.tag - tag_bits;
        if tag_above > 0 {
            m.gather_unused("tag", data.slice(1 + tag_bits, tag_above));
        }

        m.section("Answers to writes: there is room for each that is in flight");
        let answer = |own: Expr, other: Expr| Expr::from(errors.write).mux(own, other);
        let own = Expr::concat([Expr::from(errors.write_tag), errors.write_answer.into()]);
        let other = Expr::concat([of_header(TAG, tag_bits), of_header(RESP, 2)]);
        let word = m.wire("answer", tag_bits + 2);
        let [room, valid] = ["answer_room", "answer_valid"].map(|name| m.wire(name, 1));
        m.gather_unused("room", room);
        let connections = [
            ("in_valid", Expr::from(errors.write) | answers_write),
            ("in_ready", room.into()),
            ("in_data", answer(own, other)),
            ("out_valid", valid.into()),
            ("out_ready", Expr::from(b.ready) & !Expr::Reset),
            ("out_data", word.into()),
        ];
        m.instance("answers", answers, connections);
        m.assign(b.valid, !Expr::Reset & valid);
        m.assign(b.field("resp"), word.slice(0, 2));
        m.assign(b.field("id"), writes.done_id);
        m.assign(writes.done_tag, word.slice(2, tag_bits));
        m.assign(writes.done, b.fires());

        m.section("Reads to nobody, one at a time, between those that the network answers");
        let error_tag = m.reg("read_error_tag", tag_bits);
        let error_left = m.reg("read_error_left", 8);
        let waits = m.reg("read_error_is_there", 1);
        m.assign(errors.reading, waits);
        let error_data = Expr::from(waits) & !Expr::from(in_data);
        let error_data = m.define("read_error_data", 1, error_data);
        let beat = m.define("read_error_beat", 1, Expr::from(error_data) & r.ready);
        let error_last = m.define("read_error_last", 1, !Expr::from(error_left).any());
        let stays = Expr::from(waits) & !(Expr::from(beat) & error_last);
        let begin = |next: Expr, other: Expr| Expr::from(errors.read).mux(next, other);
        let fewer = Expr::from(error_left) - Expr::constant(8, 1);
        m.registers(vec![
            held(waits, 0, Expr::from(errors.read) | stays),
            Register {
                net: error_tag,
                reset: None,
                enable: Some(errors.read.into()),
                next: reads.tag.into(),
            },
            Register {
                net: error_left,
                reset: None,
                enable: Some(Expr::from(errors.read) | beat),
                next: begin(reads.field("len").into(), fewer),
            },
        ]);

        m.section("Data of reads");
        let by = |data: Expr, error: Expr| Expr::from(in_data).mux(data, error);
        m.assign(r.valid, !Expr::Reset & by(from.valid.into(), waits.into()));
        m.assign(r.field("data"), Expr::from(in_data).repeat(self.shape.data) & beat_data);
        m.assign(r.field("resp"), by(data.slice(layout.data, 2), Expr::constant(2, DECERR)));
        m.assign(r.field("last"), by(last.into(), error_last.into()));
        m.assign(r.field("id"), reads.done_id);
        m.assign(reads.done_tag, by(tag.into(), error_tag.into()));
        m.assign(reads.done, r.fires() & r.field("last"));
        let most = known.max(layout.data + 2);
        if layout.word() > most {
            m.gather_unused("word", data.slice(most, layout.word() - most));
        }
        if let Some(walk) = walk {
            let of = m.define("header_tag", tag_bits, of_header(TAG, tag_bits));
            let step = Expr::from(accept) & in_data;
            self.follow_read(&walk, reads, [begins, of], step);
        }
    }
}
