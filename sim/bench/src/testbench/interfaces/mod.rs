//! Bench of a fabric whose terminals have words of widths or clocks of their own: what goes in at one
//! terminal comes out at another, bit by bit.

mod arrival;
mod endless;
mod packets;
mod reset;
mod shaped;
mod stream;

pub use endless::Endless;
pub use packets::words_of_a_packet;

use super::ticks::Ticks;
use arrival::{Arrival, word_at};
use packets::{Packet, Word, packets_of};
use std::collections::VecDeque;
use stream::Stream;
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_sim_rtl::dut::Dut;

/// Cycles within which a packet arrives, each beat of all the others before it.
const CYCLES_A_BEAT: u64 = 64;

/// Traffic of the bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Packets of each terminal that sends.
    pub packets: u32,
    /// Cycles of eight in which a source that has a word offers it, and a sink is ready, 1 to 8.
    pub eagerness: u64,
    /// Edge of a reset in the middle, after which all packets are sent anew.
    pub reset: Option<u64>,
    /// Edges of the network's clock under that reset, at least 1.
    pub reset_edges: u64,
    /// Seed of all that is drawn.
    pub seed: u64,
}

/// Extent of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Packets that arrived.
    pub packets: u64,
    /// Words that terminals sent and took.
    pub words: [u64; 2],
    /// Edges of clocks, those at once as one: cycles, where there is one clock.
    pub cycles: u64,
    /// Words and waits of each stream since the last reset: sources, then sinks.
    pub seen: Vec<Seen>,
}

/// Words and waits of a stream, in cycles of its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Words that passed, but those of packets that a shaper refuses.
    pub words: u64,
    /// Cycles in which a word waited.
    pub waits: u64,
    /// Cycles that a word waited at most in one go, and until now.
    pub longest: u64,
    now: u64,
}

impl Seen {
    fn cycle(&mut self, valid: bool, ready: bool, enters: bool) {
        self.words += u64::from(valid && ready && enters);
        let waits = valid && !ready;
        self.waits += u64::from(waits);
        self.now = if waits { self.now + 1 } else { 0 };
        self.longest = self.longest.max(self.now);
    }
}

/// Drives the top module of a plan with packets between all terminals that send to each other, and
/// compares each that arrives with what was sent.
///
/// # Errors
/// The first fault, in words: what arrives where, and what should.
pub fn run_interfaces(dut: &mut Dut, plan: &FabricPlan, work: Work) -> Result<Extent, String> {
    let mut ticks = Ticks::new(dut, plan, work.seed);
    let streams = |side| {
        let of = |&t| Stream::of(dut, plan, &ticks, side, t);
        plan.terminals_of(side).iter().map(of).collect::<Vec<Stream>>()
    };
    let (sources, sinks) = (streams(Side::Source), streams(Side::Sink));
    let packets: Vec<Vec<Packet>> =
        sources.iter().map(|source| packets_of(plan, source, work)).collect();
    let bench = Bench { plan, sources: &sources, sinks: &sinks, work };
    if let Some(at) = work.reset {
        bench.round(dut, &mut ticks, &packets, Some(at))?;
    }
    bench.round(dut, &mut ticks, &packets, None)
}

struct Bench<'a> {
    plan: &'a FabricPlan,
    sources: &'a [Stream],
    sinks: &'a [Stream],
    work: Work,
}

impl Bench<'_> {
    /// Sends the packets after a reset, until all are there or up to a cycle.
    fn round(
        &self,
        dut: &mut Dut,
        ticks: &mut Ticks,
        packets: &[Vec<Packet>],
        until: Option<u64>,
    ) -> Result<Extent, String> {
        let mut queues: Vec<VecDeque<Packet>> =
            packets.iter().map(|list| list.iter().cloned().collect()).collect();
        let mut sent = vec![0usize; self.sources.len()];
        // Packets on the way by source, and what has arrived of one at each sink.
        let mut on_the_way: Vec<Vec<Packet>> = vec![Vec::new(); self.sources.len()];
        let mut partial: Vec<Vec<Word>> = vec![Vec::new(); self.sinks.len()];
        let mut offered: Vec<bool> = vec![false; self.sources.len()];
        let streams = self.sources.len() + self.sinks.len();
        let mut extent = Extent { seen: vec![Seen::default(); streams], ..Extent::default() };
        let every = || packets.iter().flatten();
        let total = every().filter(|packet| packet.destination.is_some()).count();
        let (refused, mut told) = (every().count() - total, 0);
        let beats: usize = every().map(|packet| packet.words.len()).sum();
        let edges = ticks.slowest() * ticks.count() as u64;
        let held = shaped::cycles(self.plan);
        let most = until.unwrap_or((1_000 + held + CYCLES_A_BEAT * beats as u64) * edges);
        self.reset(dut, ticks)?;
        while extent.packets < total as u64 && extent.cycles < most {
            let eager = |side: u64, at: usize| {
                hash(self.work.seed, &[side, at as u64, extent.cycles]) % 8 < self.work.eagerness
            };
            let has_edge = ticks.coming();
            for (at, source) in self.sources.iter().enumerate() {
                if !has_edge[source.clock] {
                    continue;
                }
                // What is offered stays.
                offered[at] = !queues[at].is_empty() && (offered[at] || eager(0, at));
                let packet = queues[at].front().filter(|_| offered[at]);
                source.drive(dut, packet, sent[at], self.work.seed);
            }
            // Sinks that wait for a word before they are ready, under every other seed.
            let waits = !self.work.seed.is_multiple_of(2);
            let ready = self.sinks.iter().enumerate();
            let ready =
                ready.map(|(at, sink)| eager(1, at) && (!waits || dut.get(sink.valid.port) == 1));
            let ready: Vec<bool> = ready.collect();
            for (sink, ready) in self.sinks.iter().zip(&ready).filter(|(s, _)| has_edge[s.clock]) {
                dut.set(sink.ready.port, u64::from(*ready));
            }
            dut.settle();
            if has_edge[ticks.of(None)] {
                let errors = self.sources.iter().filter_map(|source| source.error);
                told += errors.filter(|error| dut.get(error.port) == 1).count();
            }
            for (at, source) in self.sources.iter().enumerate() {
                if !has_edge[source.clock] {
                    continue;
                }
                let is_ready = dut.get(source.ready.port) == 1;
                let goes = || queues[at].front().is_some_and(|packet| packet.destination.is_some());
                let enters = !source.is_shaped || goes();
                extent.seen[at].cycle(offered[at], is_ready, enters);
                if !offered[at] || !is_ready {
                    continue;
                }
                offered[at] = false;
                extent.words[0] += 1;
                sent[at] += 1;
                // A packet is on the way from its first word on.
                let packet = queues[at].front().expect("a word was offered");
                if sent[at] == 1 && packet.destination.is_some() {
                    on_the_way[at].push(packet.clone());
                }
                if sent[at] == packet.words.len() {
                    queues[at].pop_front();
                    sent[at] = 0;
                }
            }
            for (at, sink) in self.sinks.iter().enumerate() {
                if !has_edge[sink.clock] {
                    continue;
                }
                let is_valid = dut.get(sink.valid.port) == 1;
                extent.seen[self.sources.len() + at].cycle(is_valid, ready[at], true);
                if !ready[at] || !is_valid {
                    continue;
                }
                extent.words[1] += 1;
                partial[at].push(word_at(dut, sink));
                if dut.get(sink.last.port) == 1 {
                    let words = std::mem::take(&mut partial[at]);
                    let id = sink.address.map(|signal| dut.get_bits(signal.port, 0, signal.width));
                    let arrival = Arrival::new(self.plan, sink, &words, id)?;
                    arrival.take_from(self.plan, self.sources, &mut on_the_way)?;
                    extent.packets += 1;
                }
            }
            ticks.edge(dut, &has_edge);
            extent.cycles += 1;
        }
        if until.is_none() && extent.packets < total as u64 {
            return Err(format!(
                "{} of {total} packets arrived within {most} cycles",
                extent.packets
            ));
        }
        // Behind each packet to nobody came one that arrived.
        if until.is_none() && told != refused {
            return Err(format!("{refused} packets go to nobody, and {told} are told of"));
        }
        Ok(extent)
    }
}
