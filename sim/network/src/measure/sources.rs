//! The sources: packets that were released and wait to be sent, and packets under way.

use super::config::Replies;
use super::observer::Sample;
use crate::reference::{Beat, Delivery, FlitRef, Reference};
use crate::stimulus::StimulusPacket;
use crate::terminals::{Bits, TerminalSet};
use crate::traffic::Release;
use rustc_hash::FxHashMap;
use std::hint::black_box;
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
    /// The next packet of the same source.
    next: u32,
    /// Whether it was released while the run was measuring; of a reply, whether its request was.
    pub measured: bool,
    /// Whether it answers another.
    pub is_reply: bool,
    /// Class of the packet, or of the packet that it answers.
    pub class: u8,
}

impl Packet {
    /// Sample of the packet as this terminal took it, in this cycle.
    pub fn delivered(&self, terminal: u32, cycle: u64) -> Sample {
        Sample {
            source: self.source,
            destination: terminal,
            flits: self.flits,
            released: self.released,
            injected: self.released + u64::from(self.waited),
            delivered: cycle,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Source {
    /// First and last packet that waits; [`NONE`] where none does.
    first: u32,
    last: u32,
    /// Beats of the first packet that were accepted.
    sent: u32,
    /// Whether the first packet is on offer: no other comes before it then. Known where replies or a
    /// record ask for it.
    offered: bool,
    /// Flits that wait.
    backlog: u64,
    /// The last reply that waits; [`NONE`] where none does.
    last_reply: u32,
    /// Replies that wait, or are being sent.
    replies: u32,
}

/// Every source, an endless queue each: replies, where there are any, then what the traffic releases.
/// What a source has once offered it finishes first, as AXI4-Stream has it.
#[derive(Debug)]
pub(super) struct Sources {
    packets: Vec<Packet>,
    /// By packet, of replies: the cycle in which the request was released.
    requested: Vec<u64>,
    /// By packet, of replies: the terminal that sent the request.
    asked_by: Vec<u32>,
    /// Places in `packets` of packets that are over, the last one on top. A stack beside them: in a list
    /// through them every look would wait for memory.
    free: Vec<u32>,
    most: u32,
    sources: Vec<Source>,
    waiting: TerminalSet,
    replies: Option<Replies>,
    /// Terminals that take in what arrives: all but those that hold as many replies as they have
    /// room for.
    pub sinks: TerminalSet,
    /// By the terminal that sends replies, those at which their requests come, where they are others.
    pub askers: FxHashMap<u32, Vec<u32>>,
    /// Most replies that one terminal has held.
    pub most_replies: u32,
    /// By terminal: what it has offered, from the cycle in which it first did.
    pub record: Option<Vec<Vec<StimulusPacket>>>,
    /// Flits that wait, over all sources.
    pub backlog: u64,
    /// Most flits that have waited at one source.
    pub largest_backlog: u64,
    /// Packets whose first beat was accepted; flits accepted.
    pub injected_packets: u64,
    pub injected_flits: u64,
}

/// The terminals at which requests come whose replies this one sends: itself, where no others are.
fn asked_at<'a>(askers: &'a FxHashMap<u32, Vec<u32>>, terminal: &'a u32) -> &'a [u32] {
    askers.get(terminal).map_or(std::slice::from_ref(terminal), Vec::as_slice)
}

impl Sources {
    /// Sources of so many terminals, with at most so many packets; with a record where `records`.
    pub fn new(terminals: u32, most: u32, replies: Option<Replies>, records: bool) -> Self {
        let source = Source {
            first: NONE,
            last: NONE,
            sent: 0,
            offered: false,
            backlog: 0,
            last_reply: NONE,
            replies: 0,
        };
        Self {
            packets: Vec::new(),
            requested: Vec::new(),
            asked_by: Vec::new(),
            free: Vec::new(),
            // The last number stands for none.
            most: most.min(NONE - 1),
            sources: vec![source; terminals as usize],
            waiting: TerminalSet::none(terminals),
            replies,
            sinks: TerminalSet::all(terminals),
            askers: FxHashMap::default(),
            most_replies: 0,
            record: records.then(|| vec![Vec::new(); terminals as usize]),
            backlog: 0,
            largest_backlog: 0,
            injected_packets: 0,
            injected_flits: 0,
        }
    }

    /// Takes a new packet in; false where there is room for no more.
    #[inline]
    pub fn release(&mut self, cycle: u64, release: &Release, measured: bool) -> bool {
        let Release { source, destination, flits, class } = *release;
        let packet = Packet {
            released: cycle,
            waited: 0,
            source,
            destination,
            flits,
            next: NONE,
            measured,
            is_reply: false,
            class,
        };
        if self.free.is_empty() && self.packets.len() as u64 >= u64::from(self.most) {
            return false;
        }
        let id = self.add(packet);
        let state = &mut self.sources[source as usize];
        match state.last {
            NONE => state.first = id,
            last => self.packets[last as usize].next = id,
        }
        state.last = id;
        self.waits(source, flits);
        true
    }

    /// Takes in the reply to a request that has arrived, between these ends, to be sent from `cycle` on: behind the replies
    /// that wait and what is on offer, before all else. It has the place that its request has left.
    pub fn reply(
        &mut self,
        cycle: u64,
        request: &Packet,
        [source, destination]: [u32; 2],
        flits: u32,
    ) -> Packet {
        let packet = Packet {
            released: cycle,
            waited: 0,
            source,
            destination,
            flits,
            next: NONE,
            measured: request.measured,
            is_reply: true,
            class: request.class,
        };
        let id = self.add(packet);
        self.requested.resize(self.packets.len(), 0);
        self.requested[id as usize] = request.released;
        self.asked_by.resize(self.packets.len(), 0);
        self.asked_by[id as usize] = request.source;
        let state = &mut self.sources[packet.source as usize];
        let before = match state.last_reply {
            NONE if state.offered => state.first,
            last => last,
        };
        let next = match before {
            NONE => std::mem::replace(&mut state.first, id),
            before => std::mem::replace(&mut self.packets[before as usize].next, id),
        };
        self.packets[id as usize].next = next;
        if next == NONE {
            state.last = id;
        }
        state.last_reply = id;
        state.replies += 1;
        self.most_replies = self.most_replies.max(state.replies);
        if self.replies.and_then(|replies| replies.room).is_some_and(|room| state.replies >= room) {
            asked_at(&self.askers, &packet.source).iter().for_each(|&at| self.sinks.remove(at));
        }
        self.waits(packet.source, flits);
        packet
    }

    #[inline]
    fn add(&mut self, packet: Packet) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self.packets[id as usize] = packet;
                id
            }
            None => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
        }
    }

    /// Adds so many flits to the backlog of a source.
    #[inline]
    fn waits(&mut self, source: u32, flits: u32) {
        let state = &mut self.sources[source as usize];
        state.backlog += u64::from(flits);
        self.backlog += u64::from(flits);
        self.largest_backlog = self.largest_backlog.max(state.backlog);
        self.waiting.insert(source);
    }

    /// Offers the next beat of every source that has one; without `start`, of those alone that are within
    /// a packet, or where there are replies have one to send or something on offer.
    pub fn offer(&mut self, cycle: u64, reference: &mut Reference, start: bool) {
        let (mut packets_sent, mut flits_sent) = (0, 0);
        let has_replies = self.replies.is_some();
        let notes_offers = has_replies || self.record.is_some();
        for word in 0..self.waiting.word_count() {
            let waiting = self.waiting.word(word);
            if reference.is_large() {
                black_box(self.touch(word, waiting, reference));
            }
            for bit in Bits(waiting) {
                let terminal = (word as u32) << 6 | bit;
                let source = &mut self.sources[terminal as usize];
                let goes_on =
                    || source.sent > 0 || has_replies && (source.offered || source.replies > 0);
                if !(start || goes_on()) {
                    continue;
                }
                let (id, sent) = (source.first, source.sent + 1);
                if notes_offers && !source.offered {
                    source.offered = true;
                    if let Some(record) = &mut self.record {
                        let Packet { destination, flits, .. } = self.packets[id as usize];
                        let packet = StimulusPacket { release: cycle, destination, flits };
                        record[terminal as usize].push(packet);
                    }
                }
                let packet = &mut self.packets[id as usize];
                let beat = || {
                    let Packet { destination, flits, .. } = *packet;
                    let destination = Terminal(destination);
                    Beat { packet: id, destination, last: sent == flits }
                };
                if !reference.offer_by(terminal, beat) {
                    continue;
                }
                let last = sent == packet.flits;
                if sent == 1 {
                    packet.waited = (cycle - packet.released) as u32;
                    packets_sent += 1;
                }
                flits_sent += 1;
                source.backlog -= 1;
                source.sent = if last { 0 } else { sent };
                if last {
                    source.offered = false;
                    source.first = packet.next;
                    if source.first == NONE {
                        source.last = NONE;
                        self.waiting.remove(terminal);
                    }
                    if packet.is_reply {
                        source.replies -= 1;
                        if source.last_reply == id {
                            source.last_reply = NONE;
                        }
                        for &at in asked_at(&self.askers, &terminal) {
                            self.sinks.insert(at);
                        }
                    }
                }
            }
        }
        self.injected_packets += packets_sent;
        self.injected_flits += flits_sent;
        self.backlog -= flits_sent;
    }

    /// Reads what these sources of a word will offer, and where: many reads wait for memory at once.
    #[inline(never)]
    fn touch(&self, word: usize, sources: u64, reference: &Reference) -> u64 {
        let touched = Bits(sources).map(|bit| {
            let terminal = (word as u32) << 6 | bit;
            let packet = &self.packets[self.sources[terminal as usize].first as usize];
            u64::from(packet.flits) ^ u64::from(reference.s_ready(terminal))
        });
        touched.fold(0, |all, one| all ^ one)
    }

    /// The sources of the packets of these flits, read as [`Sources::touch`] reads.
    #[inline(never)]
    pub fn touch_arrived(&self, deliveries: &[Delivery], by_source: &[u64]) -> u64 {
        let source = |delivery: &Delivery| self.packets[delivery.flit.packet as usize].source;
        deliveries.iter().fold(0, |all, one| all ^ by_source[source(one) as usize])
    }

    /// Whether no source is within a packet, nor has a reply to send or something on offer beside one.
    pub fn are_between_packets(&self) -> bool {
        let has_replies = self.replies.is_some();
        let rests = |s: &Source| s.sent == 0 && !(has_replies && (s.offered || s.replies > 0));
        self.sources.iter().all(rests)
    }

    /// The packet of a flit that arrived; on its last flit it is forgotten.
    pub fn arrived(&mut self, flit: FlitRef) -> Packet {
        let packet = self.packets[flit.packet as usize];
        if flit.last {
            self.free.push(flit.packet);
        }
        packet
    }

    /// The terminal that sent the request of a reply that has just arrived.
    pub fn asked_by(&self, flit: FlitRef) -> u32 {
        self.asked_by[flit.packet as usize]
    }

    /// The cycle in which the request of a reply was released that has just arrived; of another packet,
    /// that in which it was itself.
    pub fn begun(&self, flit: FlitRef, packet: &Packet) -> u64 {
        match packet.is_reply {
            true => self.requested[flit.packet as usize],
            false => packet.released,
        }
    }
}
