//! The terminals: what each has to send, and what it offers.

use super::Schedule;
use crate::reference::{Beat, Reference};
use crate::stimulus::StimulusPacket;
use crate::terminals::{Bits, TerminalSet};
use std::collections::VecDeque;
use turnpike_network::topology::Terminal;

/// A packet of a workload. Its identity in the fabric: messages count from 0, their
/// acknowledgements on from the last of them, in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packet {
    Message(u32),
    Acknowledgement(u32),
}

#[derive(Clone, Debug, Default)]
struct TerminalState {
    /// Message of the terminal in the first round.
    first: u32,
    /// Rounds whose message was taken whole.
    finished: u32,
    /// Messages delivered here whose acknowledgement the fabric has not taken yet.
    to_acknowledge: VecDeque<u32>,
    /// Packet on offer, and the number of its flits that were taken.
    offered: Option<(Packet, u32)>,
}

/// Every terminal.
#[derive(Debug)]
pub(super) struct Terminals<'a> {
    schedule: &'a Schedule,
    message_flits: u32,
    room: usize,
    terminals: Vec<TerminalState>,
    /// Terminals that may have something to send.
    sending: TerminalSet,
    /// Terminals that take in what arrives.
    pub sinks: TerminalSet,
    /// Rounds released.
    pub rounds: u32,
    /// Messages released and not taken whole.
    pub backlog: u64,
    /// Most of them at one terminal.
    pub largest_backlog: u32,
    /// Most messages to acknowledge at one terminal.
    pub largest_to_acknowledge: usize,
    /// By message: the cycle in which its first flit was taken.
    pub accepted: Vec<u64>,
    /// By terminal: what it has offered, from the cycle in which it first did.
    pub record: Option<Vec<Vec<StimulusPacket>>>,
}

impl<'a> Terminals<'a> {
    /// Terminals of a fabric with `count` terminals, which those of the schedule are among. `room`:
    /// messages to acknowledge that a terminal holds; it takes nothing in while it has as many.
    pub fn new(
        schedule: &'a Schedule,
        count: u32,
        message_flits: u32,
        room: Option<u32>,
        record: bool,
    ) -> Self {
        let mut terminals = vec![TerminalState::default(); count as usize];
        for (first, &terminal) in (0..).zip(schedule.terminals()) {
            terminals[terminal as usize].first = first;
        }
        Self {
            schedule,
            message_flits,
            room: room.map_or(usize::MAX, |room| room as usize),
            terminals,
            sending: TerminalSet::none(count),
            sinks: TerminalSet::all(count),
            rounds: 0,
            backlog: 0,
            largest_backlog: 0,
            largest_to_acknowledge: 0,
            accepted: vec![0; schedule.messages() as usize],
            record: record.then(|| vec![Vec::new(); count as usize]),
        }
    }

    /// Every terminal gets the message of one round more.
    pub fn release_round(&mut self) {
        self.rounds += 1;
        self.backlog += u64::from(self.schedule.per_round());
        for &terminal in self.schedule.terminals() {
            self.sending.insert(terminal);
            let waiting = self.rounds - self.terminals[terminal as usize].finished;
            self.largest_backlog = self.largest_backlog.max(waiting);
        }
    }

    /// A terminal has a message to acknowledge from the next cycle on.
    pub fn acknowledge(&mut self, terminal: u32, message: u32) {
        let waiting = &mut self.terminals[terminal as usize].to_acknowledge;
        waiting.push_back(message);
        self.largest_to_acknowledge = self.largest_to_acknowledge.max(waiting.len());
        if waiting.len() >= self.room {
            self.sinks.remove(terminal);
        }
        self.sending.insert(terminal);
    }

    /// Every terminal offers its next flit, where it has one.
    pub fn offer(&mut self, reference: &mut Reference) {
        for word in 0..self.sending.word_count() {
            for bit in Bits(self.sending.word(word)) {
                let terminal = (word as u32) << 6 | bit;
                match self.choose(terminal, reference.cycle()) {
                    Some((packet, taken)) => self.offer_flit(terminal, packet, taken, reference),
                    None => self.sending.remove(terminal),
                }
            }
        }
    }

    /// Packet that a terminal offers: what it has begun to, else an acknowledgement, else a
    /// message.
    fn choose(&mut self, terminal: u32, cycle: u64) -> Option<(Packet, u32)> {
        let state = &mut self.terminals[terminal as usize];
        if state.offered.is_none() {
            let message = || state.finished * self.schedule.per_round() + state.first;
            let packet = match state.to_acknowledge.front() {
                Some(&message) => Packet::Acknowledgement(message),
                None if state.finished < self.rounds => Packet::Message(message()),
                None => return None,
            };
            state.offered = Some((packet, 0));
            let (destination, flits) = (self.destination(packet), self.flits(packet));
            if let Some(record) = &mut self.record {
                let packet = StimulusPacket { release: cycle, destination, flits };
                record[terminal as usize].push(packet);
            }
        }
        self.terminals[terminal as usize].offered
    }

    fn offer_flit(&mut self, at: u32, packet: Packet, taken: u32, reference: &mut Reference) {
        let last = taken + 1 == self.flits(packet);
        let destination = Terminal(self.destination(packet));
        let beat = Beat { packet: self.identity(packet), destination, last };
        let cycle = reference.cycle();
        if !reference.offer(at, beat) {
            return;
        }
        let state = &mut self.terminals[at as usize];
        state.offered = (!last).then_some((packet, taken + 1));
        match packet {
            Packet::Message(message) => {
                if taken == 0 {
                    self.accepted[message as usize] = cycle;
                }
                if last {
                    state.finished += 1;
                    self.backlog -= 1;
                }
            }
            Packet::Acknowledgement(_) => {
                state.to_acknowledge.pop_front();
                self.sinks.insert(at);
            }
        }
    }

    pub fn packet(&self, identity: u32) -> Packet {
        match identity.checked_sub(self.schedule.messages()) {
            None => Packet::Message(identity),
            Some(message) => Packet::Acknowledgement(message),
        }
    }

    fn identity(&self, packet: Packet) -> u32 {
        match packet {
            Packet::Message(message) => message,
            Packet::Acknowledgement(message) => self.schedule.messages() + message,
        }
    }

    /// The terminal that a packet goes to.
    pub fn destination(&self, packet: Packet) -> u32 {
        match packet {
            Packet::Message(message) => self.schedule.ends(message).1,
            Packet::Acknowledgement(message) => self.schedule.ends(message).0,
        }
    }

    pub fn flits(&self, packet: Packet) -> u32 {
        match packet {
            Packet::Message(_) => self.message_flits,
            Packet::Acknowledgement(_) => 1,
        }
    }
}
