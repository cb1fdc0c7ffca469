//! A manager of the bench: it issues its transactions, and checks the answers.

use super::port::{Payload, Port};
use super::transaction::{Transaction, answer, read_beat};
use std::collections::VecDeque;
use turnpike_ends::axi4::DECERR;
use turnpike_sim_rtl::dut::Dut;

/// A manager, with what it is to issue and what it waits for.
pub(super) struct ManagerBench {
    pub name: String,
    pub port: Port,
    data: u32,
    /// Whether it holds the data of writes back until its reads are answered.
    reads_first: bool,
    /// Whether its first read waits for the answer to its first write.
    write_first: bool,
    /// Transactions that were not issued yet: writes, and reads.
    writes: VecDeque<Transaction>,
    reads: VecDeque<Transaction>,
    /// Beats of writes that were not sent yet, each with its `last`.
    beats: VecDeque<Payload>,
    /// Writes that were issued, and those of which all beats were taken.
    issued: u64,
    sent: u64,
    /// Transactions without an answer, in order: writes with their number, reads with the beats that came.
    unanswered: Vec<(Transaction, u64)>,
    unread: Vec<(Transaction, u64)>,
    /// Whether something is offered on each channel of addresses and of data.
    offers: [bool; 3],
    pub answered: u64,
}

impl ManagerBench {
    pub fn new(
        name: &str,
        port: Port,
        data: u32,
        [reads_first, write_first]: [bool; 2],
        [writes, reads]: [Vec<Transaction>; 2],
    ) -> Self {
        let last = |beat: &Payload, is_last: bool| {
            beat.iter().cloned().chain([vec![u64::from(is_last)]]).collect::<Payload>()
        };
        let of = |write: &Transaction| {
            let count = write.beats.len();
            let beats = write.beats.iter().enumerate();
            beats.map(|(at, beat)| last(beat, at + 1 == count)).collect::<Vec<_>>()
        };
        Self {
            name: name.to_owned(),
            port,
            data,
            reads_first,
            write_first,
            beats: writes.iter().flat_map(of).collect(),
            writes: writes.into(),
            reads: reads.into(),
            issued: 0,
            sent: 0,
            unanswered: Vec::new(),
            unread: Vec::new(),
            offers: [false; 3],
            answered: 0,
        }
    }

    /// Beats of its transactions.
    pub fn beats(&self) -> u64 {
        self.writes.iter().chain(&self.reads).map(|transaction| transaction.count).sum()
    }

    /// Whether every transaction was answered.
    pub fn is_done(&self) -> bool {
        let issued = self.writes.is_empty() && self.reads.is_empty() && self.beats.is_empty();
        issued && self.unanswered.is_empty() && self.unread.is_empty()
    }

    /// Drives the channels. `eager` says of each channel whether it offers or takes.
    pub fn drive(&mut self, dut: &mut Dut, eager: impl Fn(u64) -> bool, otherwise: u64) {
        let next = [
            self.writes.front().map(|write| &write.address),
            self.beats.front(),
            self.reads.front().map(|read| &read.address),
        ];
        let channels = [&self.port.aw, &self.port.w, &self.port.ar];
        for (at, (channel, next)) in channels.into_iter().zip(next).enumerate() {
            // What is offered stays.
            let may = match at {
                1 => !self.reads_first || self.unread.is_empty(),
                2 => !self.write_first || self.answered > 0 || self.writes.is_empty(),
                _ => true,
            };
            self.offers[at] = next.is_some() && (self.offers[at] || (may && eager(at as u64)));
            channel.offer(dut, next.filter(|_| self.offers[at]), otherwise);
        }
        self.port.b.take(dut, eager(3));
        self.port.r.take(dut, eager(4));
    }

    /// Looks at a settled cycle; returns whether anything was handed over.
    ///
    /// # Errors
    /// An answer that is not due, or another than is due.
    pub fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
        let mut moved = false;
        if self.port.aw.fires(dut) {
            let number = self.issued;
            self.unanswered.extend(self.writes.pop_front().map(|write| (write, number)));
            self.issued += 1;
            (self.offers[0], moved) = (false, true);
        }
        if self.port.w.fires(dut) {
            let beat = self.beats.pop_front();
            self.sent += beat.map_or(0, |beat| beat[2][0]);
            (self.offers[1], moved) = (false, true);
        }
        if self.port.ar.fires(dut) {
            self.unread.extend(self.reads.pop_front().map(|read| (read, 0)));
            (self.offers[2], moved) = (false, true);
        }
        let name = self.name.clone();
        let named = |fault: String| format!("{name}: {fault}");
        if let Some(payload) = self.port.b.watch(dut).map_err(named)? {
            self.write_answered(payload[0][0], payload[1][0]).map_err(named)?;
            moved = true;
        }
        if let Some(payload) = self.port.r.watch(dut).map_err(named)? {
            self.beat_read(&payload).map_err(named)?;
            moved = true;
        }
        Ok(moved)
    }

    fn write_answered(&mut self, id: u64, resp: u64) -> Result<(), String> {
        let oldest = self.unanswered.iter().position(|(write, _)| write.id == id);
        let oldest = oldest.ok_or_else(|| format!("an answer to no write, of ID {id}"))?;
        let (write, number) = self.unanswered.remove(oldest);
        let due = write.target.map_or(write.refusal, |_| answer(write.digest()));
        if resp != due {
            return Err(format!("the oldest write of ID {id} is answered {resp}, not {due}"));
        }
        if number >= self.sent {
            return Err(format!("a write of ID {id} is answered before its last beat was taken"));
        }
        self.answered += 1;
        Ok(())
    }

    fn beat_read(&mut self, payload: &Payload) -> Result<(), String> {
        let [id, data, resp, last] = &payload[..] else { unreachable!("four signals") };
        let id = id[0];
        let oldest = self.unread.iter().position(|(read, _)| read.id == id);
        let oldest = oldest.ok_or_else(|| format!("a beat of no read, of ID {id}"))?;
        let (read, beat) = &mut self.unread[oldest];
        let (due, due_resp) = match read.target {
            Some(_) => read_beat(read.digest(), *beat, self.data),
            None => (vec![0; data.len()], DECERR),
        };
        if (data, resp[0]) != (&due, due_resp) {
            return Err(format!(
                "beat {beat} of the oldest read of ID {id} is another than is due"
            ));
        }
        *beat += 1;
        let is_last = *beat == read.count;
        if (last[0] == 1) != is_last {
            return Err(format!("RLAST is wrong at beat {beat} of {}, of ID {id}", read.count));
        }
        if is_last {
            self.unread.remove(oldest);
            self.answered += 1;
        }
        Ok(())
    }

    /// State of a manager that waits, in words.
    pub fn waits_for(&self) -> String {
        format!(
            "{}: {} writes and {} reads not issued, {} and {} not answered",
            self.name,
            self.writes.len(),
            self.reads.len(),
            self.unanswered.len(),
            self.unread.len()
        )
    }
}
