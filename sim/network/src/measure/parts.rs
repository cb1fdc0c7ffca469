//! Parts of the packets that the report tells apart, each measured as all of them are: those of each length
//! that the traffic draws, of each class, and requests and replies.

use super::record::{Cycle, Findings, Intervals, Record};
use super::sources::Packet;
use crate::report::{ClassReport, LengthReport, PartReport};
use crate::samples::Samples;
use crate::statistics::Stability;
use crate::traffic::{ClassDescription, LengthShare};

/// The figures of one part.
#[derive(Debug)]
struct PacketGroup {
    released: u64,
    delivered: u64,
    /// Flits of this cycle.
    released_flits: u64,
    delivered_flits: u64,
    /// Flits of the measurement.
    offered: u64,
    accepted: u64,
    latency: Samples,
    network_latency: Samples,
    record: Record,
}

impl PacketGroup {
    fn new() -> Self {
        Self {
            released: 0,
            delivered: 0,
            released_flits: 0,
            delivered_flits: 0,
            offered: 0,
            accepted: 0,
            latency: Samples::new(),
            network_latency: Samples::new(),
            record: Record::default(),
        }
    }
}

/// Figures of a run that are the same for all parts.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    /// Findings of the statistics on the run.
    pub findings: &'a Findings,
    /// Terminals that send.
    pub terminals: u32,
    /// Cycles of the measurement.
    pub cycles: u64,
}

/// All parts. Without any, each call is one look at that.
#[derive(Debug)]
pub(super) struct Parts {
    /// Whether there are any: most runs have none, and look no further.
    exist: bool,
    lengths: Vec<LengthShare>,
    /// By length, where there are several: of requests, where there are replies.
    by_length: Vec<PacketGroup>,
    classes: Vec<ClassDescription>,
    /// By class, where there are any: of requests, where there are replies.
    by_class: Vec<PacketGroup>,
    /// Requests, then replies; empty where there are none.
    kinds: Vec<PacketGroup>,
}

/// Key of the parts of a packet: its length, whether it is a reply, and its class.
type Key = (u32, bool, u8);

impl Packet {
    fn key(&self) -> Key {
        (self.flits, self.is_reply, self.class)
    }
}

impl Parts {
    /// Parts of packets of such lengths and of such classes, where there are any, and of requests
    /// and replies.
    pub fn new(lengths: &[LengthShare], classes: Vec<ClassDescription>, has_replies: bool) -> Self {
        let parts = |count: usize| (0..count).map(|_| PacketGroup::new()).collect();
        Self {
            exist: has_replies || !lengths.is_empty() || !classes.is_empty(),
            lengths: lengths.to_vec(),
            by_length: parts(lengths.len()),
            by_class: parts(classes.len()),
            classes,
            kinds: parts(if has_replies { 2 } else { 0 }),
        }
    }

    /// The parts of a packet.
    fn of(&mut self, (flits, is_reply, class): Key) -> impl Iterator<Item = &mut PacketGroup> {
        let has_length = !self.by_length.is_empty() && !is_reply;
        let length = has_length
            .then(|| self.lengths.binary_search_by_key(&flits, |length| length.flits).ok())
            .flatten();
        let length = length.and_then(|at| self.by_length.get_mut(at));
        let class = match is_reply {
            true => None,
            false => self.by_class.get_mut(usize::from(class)),
        };
        length.into_iter().chain(class).chain(self.kinds.get_mut(usize::from(is_reply)))
    }

    fn all(&mut self) -> impl Iterator<Item = &mut PacketGroup> {
        self.by_length.iter_mut().chain(&mut self.by_class).chain(&mut self.kinds)
    }

    /// The measurement begins in this cycle.
    pub fn start(&mut self, cycle: u64) {
        for part in self.all() {
            part.record = Record::from(cycle);
        }
    }

    /// A packet is released.
    #[inline]
    pub fn release(&mut self, packet: Key, measured: bool) {
        if !self.exist {
            return;
        }
        let flits = packet.0;
        for part in self.of(packet) {
            part.released += u64::from(measured);
            part.released_flits += u64::from(flits);
        }
    }

    /// A flit of a packet is delivered.
    #[inline]
    pub fn flit(&mut self, packet: &Packet) {
        if !self.exist {
            return;
        }
        for part in self.of(packet.key()) {
            part.delivered_flits += 1;
        }
    }

    /// A measured packet is delivered. It counts to the window of the cycle in which it, or the request that
    /// it answers, was released: `begun`.
    #[inline]
    pub fn packet(&mut self, packet: &Packet, begun: u64, latency: u64, network_latency: u64) {
        if !self.exist {
            return;
        }
        for part in self.of(packet.key()) {
            part.delivered += 1;
            part.latency.record(latency);
            part.network_latency.record(network_latency);
            part.record.packet(begun, latency, network_latency);
        }
    }

    /// A cycle is over; whether it belongs to the measurement.
    #[inline]
    pub fn cycle(&mut self, cycle: u64, measured: bool) {
        if self.exist {
            self.end_cycle(cycle, measured);
        }
    }

    fn end_cycle(&mut self, cycle: u64, measured: bool) {
        for part in self.all() {
            let released = std::mem::take(&mut part.released_flits);
            let delivered = std::mem::take(&mut part.delivered_flits);
            if measured {
                part.offered += released;
                part.accepted += delivered;
                part.record.cycle(cycle, Cycle { backlog: 0, released, delivered });
            }
        }
    }

    /// Reports of the packets of each length.
    pub fn by_length(&self, whole: Whole<'_>) -> Option<Vec<LengthReport>> {
        let report = |(length, part): (&LengthShare, &PacketGroup)| LengthReport {
            flits: length.flits,
            share: length.share,
            figures: part.report(whole),
        };
        (!self.lengths.is_empty())
            .then(|| self.lengths.iter().zip(&self.by_length).map(report).collect())
    }

    /// Reports of each class.
    pub fn by_class(&self, whole: Whole<'_>) -> Option<Vec<ClassReport>> {
        let report = |(class, part): (&ClassDescription, &PacketGroup)| ClassReport {
            class: class.clone(),
            figures: part.report(whole),
        };
        (!self.classes.is_empty())
            .then(|| self.classes.iter().zip(&self.by_class).map(report).collect())
    }

    pub fn requests_and_replies(&self, whole: Whole<'_>) -> Option<[PartReport; 2]> {
        match &self.kinds[..] {
            [requests, replies] => Some([requests.report(whole), replies.report(whole)]),
            _ => None,
        }
    }
}

impl PacketGroup {
    fn report(&self, whole: Whole<'_>) -> PartReport {
        let Whole { findings, terminals, cycles } = whole;
        let intervals = match findings.verdict {
            None => Intervals::default(),
            Some(verdict) => {
                self.record.intervals(terminals).if_steady(verdict == Stability::Steady)
            }
        };
        let terminal_cycles = f64::from(terminals) * cycles as f64;
        let per_terminal_cycle = |flits: u64| match cycles {
            0 => 0.0,
            _ => flits as f64 / terminal_cycles,
        };
        PartReport {
            measured_packets: self.released,
            measured_delivered_packets: self.delivered,
            offered_throughput: per_terminal_cycle(self.offered),
            accepted_throughput: per_terminal_cycle(self.accepted),
            accepted_throughput_interval: intervals.throughput,
            latency: self.latency.report(),
            latency_interval: intervals.latency,
            network_latency: self.network_latency.report(),
            network_latency_interval: intervals.network_latency,
        }
    }
}
