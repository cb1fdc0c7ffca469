//! A subordinate of AXI4 that takes transactions as they are: it answers what it is asked, and notes it.

use super::port::{Payload, Port};
use super::transaction::{Seen, answer, masked, read_beat};
use super::{Asked, Model};
use std::collections::VecDeque;
use turnpike_base::hash::hash;
use turnpike_sim_rtl::dut::Dut;

/// Manners in which a subordinate may wait, all of which AXI4 allows (IHI 0022 H, A3.3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manners {
    /// Addresses of writes are taken once the data of the first beat is offered.
    pub address_after_data: bool,
    /// Addresses of writes are taken once the last beat was.
    pub address_after_last: bool,
    /// No beat of a read is offered while the answer to a write waits to be taken.
    pub reads_after_answers: bool,
    /// No answer to a write is offered while a read is under way.
    pub answers_after_reads: bool,
}

impl Manners {
    pub fn drawn(seed: u64) -> Self {
        let bit = |at: u64| hash(seed, &[6, at]) % 2 == 1;
        let [address_after_data, reads_after_answers, address_after_last] =
            [bit(0), bit(1), bit(3)];
        // Not both ways.
        let answers_after_reads = bit(2) && !reads_after_answers;
        Self { address_after_data, address_after_last, reads_after_answers, answers_after_reads }
    }
}

/// A subordinate, with what it was asked.
pub(super) struct SubordinateBench {
    name: String,
    port: Port,
    data: u32,
    manners: Manners,
    /// Reads, in order, each with the beats that were taken.
    reads: VecDeque<(Payload, u64)>,
    addresses: VecDeque<Payload>,
    /// Beats of the writes whose last is not there.
    beats: Vec<Payload>,
    written: VecDeque<Vec<Payload>>,
    /// Answers to writes.
    answers: VecDeque<u64>,
    offers: [bool; 2],
    asked: Asked,
}

impl SubordinateBench {
    pub fn new(name: &str, port: Port, data: u32, manners: Manners) -> Self {
        Self {
            name: name.to_owned(),
            port,
            data,
            manners,
            reads: VecDeque::new(),
            addresses: VecDeque::new(),
            beats: Vec::new(),
            written: VecDeque::new(),
            answers: VecDeque::new(),
            offers: [false; 2],
            asked: [Vec::new(), Vec::new()],
        }
    }
}

impl Model for SubordinateBench {
    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64) {
        let Manners { reads_after_answers, answers_after_reads, .. } = self.manners;
        let data_is_there = self.port.w.is_offered(dut) || !self.beats.is_empty();
        let is_written = self.written.len() > self.addresses.len();
        let Manners { address_after_data, address_after_last, .. } = self.manners;
        let may = (!address_after_data || data_is_there || is_written)
            && (!address_after_last || is_written);
        self.port.aw.take(dut, eager(0) && may);
        self.port.w.take(dut, eager(1));
        self.port.ar.take(dut, eager(2));
        let may_answer = !answers_after_reads || self.reads.is_empty();
        let answers = !self.answers.is_empty();
        self.offers[0] = answers && (self.offers[0] || (eager(3) && may_answer));
        let answer = self.answers.front().map(|resp| vec![vec![otherwise & 1], vec![*resp]]);
        self.port.b.offer(dut, answer.as_ref().filter(|_| self.offers[0]), otherwise);
        let may_read = !reads_after_answers || !answers;
        let reads = !self.reads.is_empty();
        self.offers[1] = reads && (self.offers[1] || (eager(4) && may_read));
        let beat = self.reads.front().map(|(address, beat)| {
            let (data, resp) = read_beat(seen(address, None).digest(), *beat, self.data);
            let last = *beat == address[2][0];
            vec![vec![otherwise & 1], data, vec![resp], vec![u64::from(last)]]
        });
        self.port.r.offer(dut, beat.as_ref().filter(|_| self.offers[1]), otherwise);
    }

    fn asked(&self) -> Option<&Asked> {
        Some(&self.asked)
    }

    fn rest(&mut self, dut: &mut Dut, otherwise: u64) {
        self.port.rest(dut, false, otherwise);
    }

    fn check_silent(&mut self, dut: &Dut) -> Result<(), String> {
        self.port.check_silent(dut, false)
    }

    fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
        let mut moved = false;
        let name = self.name.clone();
        let named = |fault: String| format!("{name}: {fault}");
        if self.port.b.fires(dut) {
            self.answers.pop_front();
            (self.offers[0], moved) = (false, true);
        }
        if self.port.r.fires(dut) {
            let (address, beat) = self.reads.front_mut().expect("a read is offered");
            *beat += 1;
            if *beat > address[2][0] {
                self.reads.pop_front();
            }
            (self.offers[1], moved) = (false, true);
        }
        if let Some(payload) = self.port.ar.watch(dut).map_err(named)? {
            check_id(&payload).map_err(named)?;
            self.asked[1].push(seen(&payload, None).digest());
            self.reads.push_back((payload, 0));
            moved = true;
        }
        if let Some(payload) = self.port.aw.watch(dut).map_err(named)? {
            check_id(&payload).map_err(named)?;
            self.addresses.push_back(payload);
            moved = true;
        }
        if let Some(mut payload) = self.port.w.watch(dut).map_err(named)? {
            let last = payload.pop().expect("three signals")[0] == 1;
            self.beats.push(payload);
            if last {
                self.written.push_back(std::mem::take(&mut self.beats));
            }
            moved = true;
        }
        while let (Some(address), Some(beats)) = (self.addresses.front(), self.written.front()) {
            if beats.len() as u64 != address[2][0] + 1 {
                let (len, count) = (address[2][0] + 1, beats.len());
                return Err(named(format!("WLAST ends a write of {len} beats after {count}")));
            }
            let digest = seen(address, Some(beats)).digest();
            self.asked[0].push(digest);
            self.answers.push_back(answer(digest));
            self.addresses.pop_front();
            self.written.pop_front();
        }
        Ok(moved)
    }

    fn waits_for(&self) -> String {
        let Self { name, addresses, written, reads, answers, .. } = self;
        format!(
            "{name}: {} addresses and {} data of writes, {} reads, {} answers",
            addresses.len(),
            written.len(),
            reads.len(),
            answers.len()
        )
    }
}

/// View of a transaction.
fn seen(address: &Payload, written: Option<&[Payload]>) -> Seen {
    let beats = written.unwrap_or_default().iter();
    Seen {
        is_write: written.is_some(),
        address: address[1][0],
        attributes: address[2..].iter().flatten().copied().collect(),
        beats: beats.map(|beat| masked(&beat[0], &beat[1])).collect(),
    }
}

/// Whether a transaction has ID 0, as all have at a subordinate.
fn check_id(address: &Payload) -> Result<(), String> {
    match address[0][0] {
        0 => Ok(()),
        id => Err(format!("a transaction of ID {id}")),
    }
}
