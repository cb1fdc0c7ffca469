//! A workload on the reference router, from the first release to the last delivery.

use super::report::{WorkloadOutcome, WorkloadReport};
use super::terminal::{Packet, Terminals};
use super::{Schedule, WorkloadConfig, WorkloadError};
use crate::reference::{Delivery, Reference, Standstill};
use crate::samples::Samples;
use crate::stimulus::{Stimulus, StimulusPacket};
use turnpike_fabric::plan::FabricPlan;

/// Progress of a run, for progress bars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Packets delivered.
    pub delivered: u64,
    /// Packets in all.
    pub of: u64,
}

/// A run that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkloadRun {
    /// Report of the run.
    pub report: WorkloadReport,
    /// By message (see [`Schedule`]): the cycle in which it was delivered.
    pub delivered: Vec<Option<u64>>,
    /// By terminal: what it has sent, acknowledgements included, where that was asked for.
    record: Option<Vec<Vec<StimulusPacket>>>,
}

impl WorkloadRun {
    /// Stimulus of the packets that the terminals have sent, for another engine; `None` where they
    /// were not recorded.
    ///
    /// An acknowledgement is to be offered in the cycle in which it was here. That is the cycle
    /// after the one in which an engine delivers the message, as long as its outputs are those of
    /// the reference router; the engine is compared with it in every cycle.
    pub fn stimulus(&mut self, plan: &FabricPlan, seed: u64) -> Option<Stimulus> {
        let record = self.record.take()?;
        let mut stimulus = Stimulus::new(plan, seed);
        for (packets, sent) in stimulus.packets.iter_mut().zip(record) {
            *packets = sent;
        }
        Some(stimulus)
    }
}

/// Runs a workload with the destinations of `schedule`. With `record`, what the terminals send
/// is remembered. `progress` is called every 256 cycles.
///
/// # Errors
/// [`WorkloadError`] where plan, workload and schedule do not go together, or not with the
/// reference router, or where a packet is delivered twice or in the wrong place. A network that
/// deadlocks is no error: see [`WorkloadReport::outcome`].
pub fn run(
    plan: &FabricPlan,
    config: &WorkloadConfig,
    schedule: &Schedule,
    record: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<WorkloadRun, WorkloadError> {
    let reference = Reference::new(plan)?;
    config.check(schedule.per_round())?;
    if !schedule.fits(plan.topology(), config.rounds()) {
        return Err(WorkloadError::Schedule { schedule: schedule.messages() });
    }
    let mut run = Run::new(plan, config, schedule, reference, record);
    let outcome = run.until_all_arrived(progress)?;
    let report = run.report(outcome)?;
    Ok(WorkloadRun { report, delivered: run.delivered, record: run.terminals.record })
}

/// A run under way.
pub(super) struct Run<'a> {
    pub plan: &'a FabricPlan,
    pub config: &'a WorkloadConfig,
    pub schedule: &'a Schedule,
    pub reference: Reference,
    pub terminals: Terminals<'a>,
    arrivals: Vec<Delivery>,

    delivered: Vec<Option<u64>>,
    /// By message, with acknowledgements.
    acknowledged: Vec<bool>,
    pub delivered_messages: u64,
    pub delivered_flits: u64,
    pub acknowledged_messages: u64,
    pub last_delivery: u64,
    pub last_acknowledgement: u64,
    /// By round: messages not delivered.
    missing: Vec<u32>,
    /// By round: messages of earlier rounds not delivered when it was released.
    pub before: Vec<u64>,
    /// By terminal: messages to it that are released and not acknowledged.
    unacknowledged: Vec<u32>,
    pub most_unacknowledged: u32,

    pub latency: Samples,
    pub network_latency: Samples,
    pub round_time: Samples,
    pub round_trip: Samples,
    /// Sums over all cycles.
    pub network_flits: u64,
    pub backlog: u64,
    /// Messages delivered in the second half of the rounds.
    pub sustained: u64,
}

impl<'a> Run<'a> {
    fn new(
        plan: &'a FabricPlan,
        config: &'a WorkloadConfig,
        schedule: &'a Schedule,
        reference: Reference,
        record: bool,
    ) -> Self {
        let messages = schedule.messages() as usize;
        let (terminals, flits) = (reference.terminals(), config.message_flits);
        Self {
            plan,
            config,
            schedule,
            terminals: Terminals::new(schedule, terminals, flits, config.room, record),
            arrivals: Vec::new(),
            delivered: vec![None; messages],
            acknowledged: vec![false; if config.acknowledge { messages } else { 0 }],
            delivered_messages: 0,
            delivered_flits: 0,
            acknowledged_messages: 0,
            last_delivery: 0,
            last_acknowledgement: 0,
            missing: vec![schedule.per_round(); config.rounds() as usize],
            before: Vec::new(),
            unacknowledged: vec![0; if config.acknowledge { terminals as usize } else { 0 }],
            most_unacknowledged: 0,
            latency: Samples::new(),
            network_latency: Samples::new(),
            round_time: Samples::new(),
            round_trip: Samples::new(),
            network_flits: 0,
            backlog: 0,
            sustained: 0,
            reference,
        }
    }

    fn until_all_arrived(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<WorkloadOutcome, WorkloadError> {
        let mut standstill = Standstill::default();
        let messages = u64::from(self.schedule.messages());
        let of = messages * (1 + u64::from(self.config.acknowledge));
        loop {
            let delivered = self.delivered_messages + self.acknowledged_messages;
            if delivered == of {
                return Ok(WorkloadOutcome::Delivered);
            }
            let cycle = self.reference.cycle();
            if cycle.is_multiple_of(256) {
                progress(Progress { delivered, of });
            }
            let rounds = self.terminals.rounds;
            if rounds < self.config.rounds() && cycle == self.release(rounds) {
                self.release_round();
            }
            self.terminals.offer(&mut self.reference);
            let mut arrivals = std::mem::take(&mut self.arrivals);
            arrivals.clear();
            arrivals.extend_from_slice(self.reference.clock(&self.terminals.sinks));
            for &arrival in &arrivals {
                self.take(cycle, arrival)?;
            }
            self.arrivals = arrivals;
            self.network_flits += self.reference.flits();
            self.backlog += self.terminals.backlog;
            if standstill.after_cycle(&self.reference) {
                return Ok(WorkloadOutcome::Deadlocked);
            }
        }
    }

    /// The cycle in which a round is released.
    fn release(&self, round: u32) -> u64 {
        u64::from(round) * self.config.interval()
    }

    fn release_round(&mut self) {
        let round = self.terminals.rounds;
        let released = u64::from(round) * u64::from(self.schedule.per_round());
        self.before.push(released - self.delivered_messages);
        self.terminals.release_round();
        if self.config.acknowledge {
            for &to in self.schedule.round(round) {
                let count = &mut self.unacknowledged[to as usize];
                *count += 1;
                self.most_unacknowledged = self.most_unacknowledged.max(*count);
            }
        }
    }

    /// A terminal takes a flit in.
    fn take(&mut self, cycle: u64, arrival: Delivery) -> Result<(), WorkloadError> {
        self.delivered_flits += 1;
        let packet = self.terminals.packet(arrival.flit.packet);
        if !arrival.flit.last {
            return Ok(());
        }
        let wrong = |wrong| Err(self.misdelivered(arrival.terminal, packet, wrong));
        if self.terminals.destination(packet) != arrival.terminal {
            return wrong("goes to another terminal");
        }
        if arrival.flit.beat + 1 != self.terminals.flits(packet) {
            return wrong("has another length");
        }
        match packet {
            Packet::Message(message) if self.delivered[message as usize].is_some() => {
                wrong("it had taken in before")
            }
            Packet::Acknowledgement(message) if self.acknowledged[message as usize] => {
                wrong("it had taken in before")
            }
            Packet::Message(message) => {
                self.take_message(cycle, message);
                Ok(())
            }
            Packet::Acknowledgement(message) => {
                self.acknowledged[message as usize] = true;
                self.acknowledged_messages += 1;
                self.last_acknowledgement = cycle;
                self.unacknowledged[self.schedule.ends(message).1 as usize] -= 1;
                self.round_trip.record(cycle - self.release(self.round(message)));
                Ok(())
            }
        }
    }

    fn take_message(&mut self, cycle: u64, message: u32) {
        let round = self.round(message);
        let released = self.release(round);
        self.delivered[message as usize] = Some(cycle);
        self.delivered_messages += 1;
        self.last_delivery = cycle;
        self.latency.record(cycle - released);
        self.network_latency.record(cycle - self.terminals.accepted[message as usize]);
        let missing = &mut self.missing[round as usize];
        *missing -= 1;
        if *missing == 0 {
            self.round_time.record(cycle - released);
        }
        let rounds = self.config.rounds();
        let second_half = self.release(rounds / 2)..self.release(rounds);
        self.sustained += u64::from(second_half.contains(&cycle));
        if self.config.acknowledge {
            self.terminals.acknowledge(self.schedule.ends(message).1, message);
        }
    }

    fn round(&self, message: u32) -> u32 {
        message / self.schedule.per_round()
    }

    fn misdelivered(&self, terminal: u32, packet: Packet, wrong: &'static str) -> WorkloadError {
        let (what, message) = match packet {
            Packet::Message(message) => ("the message", message),
            Packet::Acknowledgement(message) => ("the acknowledgement of the message", message),
        };
        let (source, round) = (self.schedule.ends(message).0, self.round(message));
        let packet = format!("{what} of terminal {source} in round {round}");
        WorkloadError::Misdelivered { terminal, packet, wrong }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::FlitRef;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;

    /// Wrong deliveries are found out, which no fabric of ours makes.
    #[test]
    fn wrong_deliveries_are_refused() {
        let network = Arc::new(Network::new("hypercube", 2, None, None).unwrap());
        let plan = FabricPlan::new(network, Default::default(), None).unwrap();
        let workload = "bit-complement".to_owned();
        let config =
            WorkloadConfig { workload, message_flits: 2, acknowledge: true, ..Default::default() };
        let schedule = Schedule::draw(plan.network(), &config).unwrap();
        let reference = Reference::new(&plan).unwrap();
        let mut run = Run::new(&plan, &config, &schedule, reference, false);
        run.release_round();
        let last = |packet, beat| FlitRef { packet, beat, last: true };
        // Message 1 is from terminal 1 to 2; its acknowledgement is packet 5.
        for (terminal, flit, wrong) in [
            (2, last(1, 1), None),
            (2, last(1, 1), Some("the message of terminal 1 in round 0 in, which it had taken")),
            (1, last(2, 0), Some("has another length")),
            (3, last(2, 1), Some("goes to another terminal")),
            (2, last(5, 0), Some("the acknowledgement of the message of terminal 1")),
            (1, last(5, 0), None),
            (1, last(5, 0), Some("it had taken in before")),
        ] {
            match (run.take(9, Delivery { terminal, flit }), wrong) {
                (Ok(()), None) => {}
                (Err(error), Some(wrong)) if error.to_string().contains(wrong) => {}
                (found, _) => panic!("{terminal}, {flit:?}: {found:?}"),
            }
        }
        assert_eq!((run.delivered_messages, run.acknowledged_messages), (1, 1));
    }
}
