//! A manager of AXI4 or AXI4-Lite: it issues its transactions, and checks the answers.

use super::Model;
use super::port::{Payload, Port};
use super::transaction::{DueBeat, Transaction, bytes_of};
use std::collections::VecDeque;
use turnpike_base::hash::hash;
use turnpike_sim_rtl::dut::Dut;

/// A manager, with what it is to issue and what it waits for.
pub(super) struct ManagerBench {
    name: String,
    port: Port,
    /// Low bits of an address that say nothing, for transfers are of whole words.
    without: u64,
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
    answered: u64,
}

impl ManagerBench {
    pub fn new(
        name: &str,
        port: Port,
        without: u64,
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
            without,
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

    fn write_answered(&mut self, id: u64, resp: u64) -> Result<(), String> {
        let oldest = self.unanswered.iter().position(|(write, _)| write.id == id);
        let oldest = oldest.ok_or_else(|| format!("an answer to no write, of ID {id}"))?;
        let (write, number) = self.unanswered.remove(oldest);
        let due = write.due_answer;
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
        check_beat(&read.due_beats[*beat as usize], data, resp[0])
            .map_err(|fault| format!("beat {beat} of the oldest read of ID {id}: {fault}"))?;
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
}

/// Whether a beat of a read is as it is due.
pub(super) fn check_beat((bytes, due): &DueBeat, data: &[u64], resp: u64) -> Result<(), String> {
    if resp != *due {
        return Err(format!("answered {resp}, not {due}"));
    }
    let own = bytes_of(data);
    match bytes.iter().zip(own).any(|(due, own)| *due != own) {
        true => Err("other data than is due".to_owned()),
        false => Ok(()),
    }
}

impl Model for ManagerBench {
    fn beats(&self) -> u64 {
        self.writes.iter().chain(&self.reads).map(|transaction| transaction.count).sum()
    }

    fn is_done(&self) -> bool {
        let issued = self.writes.is_empty() && self.reads.is_empty() && self.beats.is_empty();
        issued && self.unanswered.is_empty() && self.unread.is_empty()
    }

    fn answered(&self) -> u64 {
        self.answered
    }

    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64) {
        // AXI4-Lite says nothing by the lowest bits of an address; what is offered stays.
        let low = |transaction: &Transaction, list: &VecDeque<Transaction>| {
            let mut address = transaction.address.clone();
            address[1][0] |= hash(list.len() as u64, &[12]) & self.without;
            address
        };
        let next = [
            self.writes.front().map(|write| low(write, &self.writes)),
            self.beats.front().cloned(),
            self.reads.front().map(|read| low(read, &self.reads)),
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
            channel.offer(dut, next.as_ref().filter(|_| self.offers[at]), otherwise);
        }
        self.port.b.take(dut, eager(3));
        self.port.r.take(dut, eager(4));
    }

    fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
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

    fn rest(&mut self, dut: &mut Dut, otherwise: u64) {
        self.port.rest(dut, true, otherwise);
    }

    fn check_silent(&mut self, dut: &Dut) -> Result<(), String> {
        self.port.check_silent(dut, true)
    }

    fn waits_for(&self) -> String {
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
