//! The sources: packets that were released and wait to be sent, and packets under way.

use crate::reference::{Beat, FlitRef, Reference};
use crate::terminals::{Bits, TerminalSet};
use crate::traffic::Release;
use turnpike_network::topology::Terminal;

const NONE: u32 = u32::MAX;

/// A packet between its release and its delivery: 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub released: u64,
    /// Cycles from then to the one in which its first beat was accepted.
    pub waited: u32,
    pub source: u32,
    pub destination: u32,
    pub flits: u32,
    /// The next packet of the same source, or of the free list.
    next: u32,
    /// Whether it was released while the run was measuring.
    pub measured: bool,
}

#[derive(Clone, Copy, Debug)]
struct Source {
    /// First and last packet that waits; [`NONE`] where none does.
    first: u32,
    last: u32,
    /// Beats of the first packet that were accepted.
    sent: u32,
    /// Flits that wait.
    backlog: u64,
}

/// Every source, an endless queue each.
#[derive(Debug)]
pub(super) struct Sources {
    packets: Vec<Packet>,
    free: u32,
    most: u32,
    sources: Vec<Source>,
    waiting: TerminalSet,
    /// Flits that wait, over all sources.
    pub backlog: u64,
    /// Most flits that have waited at one source.
    pub largest_backlog: u64,
    /// Packets whose first beat was accepted; flits accepted.
    pub injected_packets: u64,
    pub injected_flits: u64,
}

impl Sources {
    pub fn new(terminals: u32, most: u32) -> Self {
        let source = Source { first: NONE, last: NONE, sent: 0, backlog: 0 };
        Self {
            packets: Vec::new(),
            free: NONE,
            // The last number stands for none.
            most: most.min(NONE - 1),
            sources: vec![source; terminals as usize],
            waiting: TerminalSet::none(terminals),
            backlog: 0,
            largest_backlog: 0,
            injected_packets: 0,
            injected_flits: 0,
        }
    }

    /// Takes a new packet in; false where there is room for no more.
    pub fn release(&mut self, cycle: u64, release: &Release, measured: bool) -> bool {
        let Release { source, destination, flits } = *release;
        let packet =
            Packet { released: cycle, waited: 0, source, destination, flits, next: NONE, measured };
        let id = match self.free {
            NONE if self.packets.len() as u64 >= u64::from(self.most) => return false,
            NONE => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
            id => {
                self.free = self.packets[id as usize].next;
                self.packets[id as usize] = packet;
                id
            }
        };
        let state = &mut self.sources[source as usize];
        match state.last {
            NONE => state.first = id,
            last => self.packets[last as usize].next = id,
        }
        state.last = id;
        state.backlog += u64::from(flits);
        self.backlog += u64::from(flits);
        self.largest_backlog = self.largest_backlog.max(state.backlog);
        self.waiting.insert(source);
        true
    }

    /// Offers the next beat of every source that has one; without `start`, of those alone
    /// that are within a packet.
    pub fn offer(&mut self, cycle: u64, reference: &mut Reference, start: bool) {
        let (mut packets_sent, mut flits_sent) = (0, 0);
        for word in 0..self.waiting.word_count() {
            for bit in Bits(self.waiting.word(word)) {
                let terminal = (word as u32) << 6 | bit;
                let source = &mut self.sources[terminal as usize];
                if !(start || source.sent > 0) {
                    continue;
                }
                let (id, sent) = (source.first, source.sent + 1);
                let packets = &self.packets;
                let beat = || {
                    let Packet { destination, flits, .. } = packets[id as usize];
                    let destination = Terminal(destination);
                    Beat { packet: id, destination, last: sent == flits }
                };
                if !reference.offer_by(terminal, beat) {
                    continue;
                }
                let packet = &mut self.packets[id as usize];
                let last = sent == packet.flits;
                if source.sent == 0 {
                    packet.waited = (cycle - packet.released) as u32;
                    packets_sent += 1;
                }
                flits_sent += 1;
                source.backlog -= 1;
                source.sent = sent;
                if last {
                    source.sent = 0;
                    source.first = packet.next;
                    if source.first == NONE {
                        source.last = NONE;
                        self.waiting.remove(terminal);
                    }
                }
            }
        }
        self.injected_packets += packets_sent;
        self.injected_flits += flits_sent;
        self.backlog -= flits_sent;
    }

    /// Whether no source is within a packet.
    pub fn are_between_packets(&self) -> bool {
        self.sources.iter().all(|source| source.sent == 0)
    }

    /// The packet of a flit that arrived; on its last flit it is forgotten.
    pub fn arrived(&mut self, flit: FlitRef) -> Packet {
        let packet = self.packets[flit.packet as usize];
        if flit.last {
            self.packets[flit.packet as usize].next = self.free;
            self.free = flit.packet;
        }
        packet
    }
}
