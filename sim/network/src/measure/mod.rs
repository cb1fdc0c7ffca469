//! A measured run of the reference router: warm-up, measurement, drain.
//!
//! Sources have endless queues: a packet that is released waits there until its terminal
//! takes it. Sinks are always ready. Packets that are released during the measurement are
//! *measured*; traffic goes on in the drain, so that they meet the load to the end, until the
//! last of them is delivered. Where that does not come to pass, the network is left to
//! *settle*: sources finish the packets that they have begun and start no others. It then
//! either empties, or what is left in it is deadlocked. (A deadlock need not stop all: at
//! saturation, a few nodes may go on for ever beside it.) A trace is measured to its last
//! delivery.
//!
//! Where packets are answered ([`Replies`]), a terminal has its reply to send from the cycle after the one
//! in which it took the request in. It sends replies before requests; what it has offered goes first, as
//! AXI4-Stream has it. A reply is measured where its request is, so that every measured round trip is
//! whole. Where a terminal has so many requests under way at most, it releases no more until a reply has
//! come, from the cycle after that on. The verdict is on the work that is asked for: a request counts from its release with the flits of
//! its reply, which are not released before it is delivered, and would be missing from what is offered and
//! from the backlog where requests wait. Sinks take everything in, so that replies add no dependency between channels
//! ([`crate::workload`] says why), but where a terminal has room for so many replies alone. In the settling
//! replies are still sent.

mod config;
mod deadlines;
mod early;
mod observer;
mod parts;
mod phases;
mod record;
mod recorded;
mod reply;
mod sources;
mod summary;
mod under_way;
mod warm_up;

use crate::reference::{Reference, ReferenceError, Standstill};
use crate::report::Report;
use crate::samples::Samples;
use crate::traffic::{Release, Traffic};
pub use config::{Phase, Progress, Replies, RunConfig, RunError, WarmUp, WhenSaturated};
pub use deadlines::{Deadlines, LateFlow};
pub use observer::{Crossing, Observer, Sample, Unobserved};
use parts::Parts;
use phases::Stop;
use record::{Cycle, Record};
pub use recorded::Recorded;
use reply::{Answers, RoundTrips};
use sources::{Packet, Sources};
use std::hint::black_box;
use turnpike_fabric::plan::FabricPlan;
use under_way::UnderWay;

/// Runs `traffic` on the fabric and reports. `progress` is called every 256 cycles.
///
/// # Errors
/// [`RunError`] where plan and traffic do not go together, or not with the reference router. A
/// network that saturates or deadlocks is no error: see [`Report::outcome`].
pub fn run(
    plan: &FabricPlan,
    traffic: &mut dyn Traffic,
    config: &RunConfig,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, RunError> {
    observe(plan, traffic, config, progress, &mut Unobserved)
}

/// Runs as [`run`] does, with an observer of packets and channels.
///
/// # Errors
/// As [`run`].
pub fn observe(
    plan: &FabricPlan,
    traffic: &mut dyn Traffic,
    config: &RunConfig,
    progress: &mut dyn FnMut(Progress),
    observer: &mut dyn Observer,
) -> Result<Report, RunError> {
    let (traffic_nodes, fabric) = (traffic.nodes(), plan.topology().terminals());
    if traffic_nodes != fabric {
        return Err(RunError::Nodes { traffic: traffic_nodes, fabric });
    }
    let mut run = Run::new(plan, traffic, config, progress, observer)?;
    if let Some(replies) = config.replies {
        replies.check()?;
        if replies.outstanding.is_some() && !run.traffic.hold(0, false) {
            return Err(RunError::Fixed);
        }
        run.answers = Answers::of(plan.topology())?;
        run.sources.askers = run.answers.askers();
    }
    let outcome = run.phases();
    let report = run.report(plan, outcome);
    if let Some(record) = run.sources.record.take() {
        run.observer.sent(record);
    }
    Ok(report)
}

struct Run<'a> {
    reference: Reference,
    traffic: &'a mut dyn Traffic,
    config: &'a RunConfig,
    progress: &'a mut dyn FnMut(Progress),
    observer: &'a mut dyn Observer,
    /// Whether the observer takes packets.
    is_observed: bool,
    sources: Sources,
    released: Vec<Release>,
    /// Requests that have arrived in this cycle.
    answered: Vec<(Packet, [u32; 2])>,
    standstill: Standstill,

    released_packets: u64,
    released_flits: u64,
    delivered_packets: u64,
    delivered_flits: u64,
    /// Flits of the replies to the requests that were released and are not answered yet.
    owed_flits: u64,
    measured_released: u64,
    measured_delivered: u64,
    latency: Samples,
    network_latency: Samples,
    /// Flits that were delivered during the measurement, by source.
    delivered_from: Vec<u64>,

    /// Cycles of each phase.
    lengths: [u64; 4],
    warm_up_found: Option<bool>,
    record: Record,
    parts: Parts,
    round_trips: Option<RoundTrips>,
    answers: Answers,
    under_way: Option<UnderWay>,
    window: Window,
}

/// Deliveries that are read ahead together.
const BATCH: usize = 64;

/// Counters, as differences over the measurement.
#[derive(Clone, Copy, Default)]
struct Window {
    released_flits: u64,
    delivered_flits: u64,
    flit_hops: u64,
}

impl<'a> Run<'a> {
    fn new(
        plan: &FabricPlan,
        traffic: &'a mut dyn Traffic,
        config: &'a RunConfig,
        progress: &'a mut dyn FnMut(Progress),
        observer: &'a mut dyn Observer,
    ) -> Result<Self, ReferenceError> {
        let mut reference = Reference::with_allocator(plan, config.allocator)?;
        if config.all_cores {
            reference.use_all_cores();
        }
        let terminals = reference.terminals();
        Ok(Self {
            sources: Sources::new(
                terminals,
                config.most_packets,
                config.replies,
                observer.records(),
            ),
            released: Vec::new(),
            answered: Vec::new(),
            standstill: Standstill::default(),
            released_packets: 0,
            released_flits: 0,
            delivered_packets: 0,
            delivered_flits: 0,
            owed_flits: 0,
            measured_released: 0,
            measured_delivered: 0,
            latency: Samples::new(),
            network_latency: Samples::new(),
            delivered_from: vec![0; terminals as usize],
            lengths: [0; 4],
            warm_up_found: None,
            record: Record::default(),
            parts: Parts::new(traffic.lengths(), traffic.classes(), config.replies.is_some()),
            round_trips: config.replies.map(|_| RoundTrips::default()),
            answers: Answers::default(),
            under_way: config
                .replies
                .and_then(|replies| Some(UnderWay::new(replies.outstanding?, terminals))),
            window: Window::default(),
            reference,
            traffic,
            config,
            progress,
            is_observed: observer.takes_packets(),
            observer,
        })
    }

    fn counters(&self) -> Window {
        Window {
            released_flits: self.released_flits,
            delivered_flits: self.delivered_flits,
            flit_hops: self.reference.flit_hops(),
        }
    }

    /// Flits that were released and are not delivered.
    fn in_system(&self) -> u64 {
        self.released_flits - self.delivered_flits
    }

    /// Flits that were asked for: a request asks for its own and for those of its reply.
    fn asked_flits(&self) -> u64 {
        self.released_flits + self.owed_flits
    }

    fn step(&mut self, phase: Phase, of: Option<u64>) -> Result<(), Stop> {
        let cycle = self.reference.cycle();
        let measured = phase == Phase::Measure;
        let settle = phase == Phase::Settle;
        let (asked, delivered) = (self.asked_flits(), self.delivered_flits);
        let reply_flits = self.config.replies.map_or(0, |replies| u64::from(replies.flits));
        self.released.clear();
        if !settle {
            self.release(cycle);
        }
        for release in &self.released {
            if !self.sources.release(cycle, release, measured) {
                return Err(Stop::PacketLimit);
            }
            self.released_packets += 1;
            self.released_flits += u64::from(release.flits);
            if self.answers.to([release.source, release.destination]).is_some() {
                self.owed_flits += reply_flits;
            }
            self.measured_released += u64::from(measured);
            self.parts.release((release.flits, false, release.class), measured);
        }
        self.sources.offer(cycle, &mut self.reference, !settle);
        let is_large = self.reference.is_large();
        for batch in self.reference.clock(&self.sources.sinks).chunks(BATCH) {
            if is_large {
                black_box(self.sources.touch_arrived(batch, &self.delivered_from));
            }
            for delivery in batch {
                self.delivered_flits += 1;
                let packet = self.sources.arrived(delivery.flit);
                self.delivered_from[packet.source as usize] += u64::from(measured);
                self.parts.flit(&packet);
                if delivery.flit.last {
                    let begun = self.sources.begun(delivery.flit, &packet);
                    self.delivered_packets += 1;
                    if let Some(under_way) = self.under_way.as_mut().filter(|_| packet.is_reply) {
                        under_way.answered(self.sources.asked_by(delivery.flit));
                    }
                    if packet.measured {
                        self.measured_delivered += 1;
                        let latency = cycle - packet.released;
                        let network_latency = latency - u64::from(packet.waited);
                        self.latency.record(latency);
                        self.network_latency.record(network_latency);
                        self.record.packet(begun, latency, network_latency);
                        self.parts.packet(&packet, begun, latency, network_latency);
                        if let Some(trips) = self.round_trips.as_mut().filter(|_| packet.is_reply) {
                            trips.reply(begun, cycle);
                        }
                        if self.is_observed {
                            self.observer.packet(&packet.delivered(delivery.terminal, cycle));
                        }
                    }
                    let ends = [packet.source, packet.destination];
                    if !packet.is_reply
                        && let Some(reply) = self.answers.to(ends)
                    {
                        self.answered.push((packet, reply));
                    }
                }
            }
        }
        self.answer(cycle);
        if matches!(phase, Phase::WarmUp | Phase::Measure) {
            let this = Cycle {
                backlog: self.asked_flits() - self.delivered_flits,
                released: self.asked_flits() - asked,
                delivered: self.delivered_flits - delivered,
            };
            self.record.cycle(cycle, this);
        }
        self.parts.cycle(cycle, measured);
        let length = &mut self.lengths[phase as usize];
        *length += 1;
        if length.is_multiple_of(256) {
            (self.progress)(Progress { phase, cycles: *length, of });
        }
        if self.standstill.after_cycle(&self.reference) { Err(Stop::Deadlock) } else { Ok(()) }
    }

    /// The packets that are released in a cycle.
    fn release(&mut self, cycle: u64) {
        let Some(under_way) = &mut self.under_way else {
            return self.traffic.release(cycle, &mut self.released);
        };
        let is_answered = |r: &Release| self.answers.to([r.source, r.destination]).is_some();
        under_way.go_on(self.traffic, is_answered, &mut self.released);
        let drawn = self.released.len();
        self.traffic.release(cycle, &mut self.released);
        let mut at = 0;
        self.released.retain(|r| {
            at += 1;
            at <= drawn || under_way.admits(r, is_answered(r), self.traffic)
        });
    }

    /// The terminals that took requests in have replies to send from the next cycle on.
    fn answer(&mut self, cycle: u64) {
        let Some(replies) = self.config.replies else { return };
        for (request, ends) in self.answered.drain(..) {
            let reply = self.sources.reply(cycle + 1, &request, ends, replies.flits);
            self.released_packets += 1;
            self.released_flits += u64::from(reply.flits);
            self.owed_flits -= u64::from(reply.flits);
            self.measured_released += u64::from(reply.measured);
            self.parts.release((reply.flits, true, reply.class), reply.measured);
        }
    }
}
