//! Parts of the packets that the report tells apart, each measured as all of them are: those of each
//! length.

use super::record::{Cycle, Findings, Intervals, Record};
use super::sources::Packet;
use crate::report::{LengthReport, PartReport};
use crate::samples::Samples;
use crate::statistics::Stability;
use crate::traffic::LengthShare;

/// The figures of one part.
#[derive(Debug)]
struct Part {
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

impl Part {
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

/// How a run is reported: what is the same for all parts.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    /// What the statistics say of the run.
    pub findings: &'a Findings,
    /// Terminals that send.
    pub terminals: u32,
    /// Cycles of the measurement.
    pub cycles: u64,
}

/// All parts. Without any, each call is one look at that.
#[derive(Debug)]
pub(super) struct Parts {
    lengths: Vec<LengthShare>,
    parts: Vec<Part>,
}

impl Parts {
    /// Those of packets of such lengths: none where they are fewer than two.
    pub fn new(lengths: &[LengthShare]) -> Self {
        let parts = lengths.iter().map(|_| Part::new()).collect();
        Self { lengths: lengths.to_vec(), parts }
    }

    /// The part of a packet of this length.
    #[inline]
    fn of(&mut self, flits: u32) -> Option<&mut Part> {
        if self.parts.is_empty() {
            return None;
        }
        let at = self.lengths.binary_search_by_key(&flits, |length| length.flits).ok()?;
        self.parts.get_mut(at)
    }

    /// The measurement begins in this cycle.
    pub fn start(&mut self, cycle: u64) {
        for part in &mut self.parts {
            part.record = Record::from(cycle);
        }
    }

    /// A packet of so many flits is released.
    #[inline]
    pub fn release(&mut self, flits: u32, measured: bool) {
        if let Some(part) = self.of(flits) {
            part.released += u64::from(measured);
            part.released_flits += u64::from(flits);
        }
    }

    /// A flit of a packet is delivered.
    #[inline]
    pub fn flit(&mut self, packet: &Packet) {
        if let Some(part) = self.of(packet.flits) {
            part.delivered_flits += 1;
        }
    }

    /// A measured packet is delivered.
    #[inline]
    pub fn packet(&mut self, packet: &Packet, latency: u64, network_latency: u64) {
        if let Some(part) = self.of(packet.flits) {
            part.delivered += 1;
            part.latency.record(latency);
            part.network_latency.record(network_latency);
            part.record.packet(packet.released, latency, network_latency);
        }
    }

    /// A cycle is over; whether it belongs to the measurement.
    pub fn cycle(&mut self, cycle: u64, measured: bool) {
        for part in &mut self.parts {
            let released = std::mem::take(&mut part.released_flits);
            let delivered = std::mem::take(&mut part.delivered_flits);
            if measured {
                part.offered += released;
                part.accepted += delivered;
                part.record.cycle(cycle, Cycle { backlog: 0, released, delivered });
            }
        }
    }

    /// What was found of the packets of each length.
    pub fn by_length(&self, whole: Whole<'_>) -> Option<Vec<LengthReport>> {
        let report = |(length, part): (&LengthShare, &Part)| LengthReport {
            flits: length.flits,
            share: length.share,
            figures: part.report(whole),
        };
        (!self.lengths.is_empty())
            .then(|| self.lengths.iter().zip(&self.parts).map(report).collect())
    }
}

impl Part {
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
