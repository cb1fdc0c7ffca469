//! A job on the reference router, from the start to the last delivery.

use super::least::least;
use super::report::{JobOutcome, JobReport, MessageTimes};
use super::{Job, successors};
use crate::reference::{Beat, Delivery, Reference, ReferenceError, Standstill};
use crate::report::per;
use crate::samples::Samples;
use crate::terminals::TerminalSet;
use crate::workload::Progress;
use std::collections::{BTreeMap, VecDeque};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::report::Configuration;
use turnpike_network::topology::Terminal;

/// Cycles after which nothing moves in an empty network.
const AT_REST: u64 = 64;

/// Fault of a run.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum JobRunError {
    /// A plan that the reference router does not take.
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    /// A message between terminals of which one does not send, or not to the other.
    #[error(
        "message {message} goes from {from} to {to}, between which this network carries nothing"
    )]
    Ends {
        /// Place of the message in the job.
        message: u32,
        /// Label of its source.
        from: String,
        /// Label of its destination.
        to: String,
    },
    /// A message that arrived at another terminal, or not whole.
    #[error("message {message} was delivered at terminal {terminal} as it was not sent")]
    Misdelivered {
        /// Place of the message in the job.
        message: u32,
        /// Number of the terminal.
        terminal: u32,
    },
}

/// Runs a job. Gives its report, and the times of each message. `progress` is called every 256 cycles.
///
/// # Errors
/// [`JobRunError`] where plan and job do not go together, or a packet arrives as it was not sent. A network
/// that deadlocks is no error: see [`JobReport::outcome`].
pub fn run(
    plan: &FabricPlan,
    job: &Job,
    progress: &mut dyn FnMut(Progress),
) -> Result<(JobReport, Vec<MessageTimes>), JobRunError> {
    let topology = plan.topology();
    for (message, own) in (0..).zip(job.messages()) {
        let [from, to] = [own.source, own.destination].map(Terminal);
        if !topology.sends_to(from, to) {
            let [from, to] = [from, to].map(|end| topology.terminal_label(end));
            return Err(JobRunError::Ends { message, from, to });
        }
    }
    let mut run = Run::new(job, Reference::new(plan)?);
    let outcome = run.until_all_arrived(progress)?;
    Ok((run.report(plan, outcome), run.times))
}

/// Packet on offer, and the number of its flits that were taken.
type Offered = (u32, u32);

struct Run<'a> {
    job: &'a Job,
    reference: Reference,
    /// By message: those that wait for it.
    successors: Vec<Vec<u32>>,
    /// By message: those that it still waits for.
    waits: Vec<u32>,
    /// Messages that are to be released, by cycle.
    calendar: BTreeMap<u64, Vec<u32>>,
    /// By terminal: messages released and not begun, and the one on offer.
    released: Vec<VecDeque<u32>>,
    offered: Vec<Option<Offered>>,
    /// Terminals that have something to send.
    sending: TerminalSet,
    sinks: TerminalSet,
    times: Vec<MessageTimes>,
    /// Cycles that were left out, in which nothing was to do.
    skipped: u64,
    delivered: u64,
    delivered_flits: u64,
    latency: Samples,
    network_latency: Samples,
}

impl<'a> Run<'a> {
    fn new(job: &'a Job, reference: Reference) -> Self {
        let (terminals, messages) = (reference.terminals(), job.messages());
        let mut run = Self {
            job,
            successors: successors(messages),
            waits: messages.iter().map(|message| message.after.len() as u32).collect(),
            calendar: BTreeMap::new(),
            released: vec![VecDeque::new(); terminals as usize],
            offered: vec![None; terminals as usize],
            sending: TerminalSet::none(terminals),
            sinks: TerminalSet::all(terminals),
            times: vec![MessageTimes::default(); messages.len()],
            skipped: 0,
            delivered: 0,
            delivered_flits: 0,
            latency: Samples::new(),
            network_latency: Samples::new(),
            reference,
        };
        for (message, own) in (0..).zip(messages).filter(|(_, own)| own.after.is_empty()) {
            run.calendar.entry(own.delay).or_default().push(message);
        }
        run
    }

    fn until_all_arrived(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobOutcome, JobRunError> {
        let mut standstill = Standstill::default();
        let of = self.job.messages().len() as u64;
        let mut arrivals: Vec<Delivery> = Vec::new();
        let mut idle = 0;
        while self.delivered < of {
            if self.reference.cycle().is_multiple_of(256) {
                progress(Progress { delivered: self.delivered, of });
            }
            let is_idle = self.reference.flits() == 0 && self.sending.is_empty();
            idle = if is_idle { idle + 1 } else { 0 };
            let cycle = self.reference.cycle() + self.skipped;
            let cycle = match self.calendar.first_key_value() {
                Some((&next, _)) if idle > AT_REST => cycle.max(next),
                _ => cycle,
            };
            self.skipped = cycle - self.reference.cycle();
            self.release(cycle);
            self.offer(cycle);
            arrivals.clear();
            arrivals.extend_from_slice(self.reference.clock(&self.sinks));
            for &arrival in &arrivals {
                self.take(cycle, arrival)?;
            }
            if standstill.after_cycle(&self.reference) {
                return Ok(JobOutcome::Deadlocked);
            }
        }
        Ok(JobOutcome::Delivered)
    }

    /// Releases what is due, in the order of the job.
    fn release(&mut self, cycle: u64) {
        let Some(mut due) = self.calendar.remove(&cycle) else { return };
        due.sort_unstable();
        for message in due {
            let source = self.job.messages()[message as usize].source;
            self.times[message as usize].released = Some(cycle);
            self.released[source as usize].push_back(message);
            self.sending.insert(source);
        }
    }

    fn offer(&mut self, cycle: u64) {
        let sending: Vec<u32> = self.sending.iter().collect();
        for at in sending {
            let next = || self.released[at as usize].pop_front().map(|message| (message, 0));
            let Some((message, taken)) = self.offered[at as usize].take().or_else(next) else {
                self.sending.remove(at);
                continue;
            };
            self.offered[at as usize] = Some((message, taken));
            let own = &self.job.messages()[message as usize];
            let last = taken + 1 == own.flits;
            let beat = Beat { packet: message, destination: Terminal(own.destination), last };
            if !self.reference.offer(at, beat) {
                continue;
            }
            self.times[message as usize].accepted.get_or_insert(cycle);
            self.offered[at as usize] = (!last).then_some((message, taken + 1));
            if last {
                self.know(message, cycle, at);
            }
        }
    }

    /// A terminal knows that a message is over: it sent it, or took it in. Messages to itself it takes in.
    fn know(&mut self, message: u32, cycle: u64, terminal: u32) {
        let messages = self.job.messages();
        let destination = messages[message as usize].destination;
        for &next in &self.successors[message as usize] {
            let own = &messages[next as usize];
            let by_taking = own.source == destination;
            let is_taken = self.times[message as usize].delivered == Some(cycle);
            if own.source != terminal || by_taking != is_taken {
                continue;
            }
            let waits = &mut self.waits[next as usize];
            *waits -= 1;
            if *waits == 0 {
                self.calendar.entry(cycle + 1 + own.delay).or_default().push(next);
            }
        }
    }

    /// A terminal takes a flit in.
    fn take(&mut self, cycle: u64, arrival: Delivery) -> Result<(), JobRunError> {
        self.delivered_flits += 1;
        if !arrival.flit.last {
            return Ok(());
        }
        let (message, terminal) = (arrival.flit.packet, arrival.terminal);
        let own = &self.job.messages()[message as usize];
        let times = &mut self.times[message as usize];
        let whole = arrival.flit.beat + 1 == own.flits && times.delivered.is_none();
        let (Some(released), Some(accepted)) = (times.released, times.accepted) else {
            return Err(JobRunError::Misdelivered { message, terminal });
        };
        if own.destination != terminal || !whole {
            return Err(JobRunError::Misdelivered { message, terminal });
        }
        times.delivered = Some(cycle);
        self.delivered += 1;
        self.latency.record(cycle - released);
        self.network_latency.record(cycle - accepted);
        self.know(message, cycle, terminal);
        Ok(())
    }

    fn report(&self, plan: &FabricPlan, outcome: JobOutcome) -> JobReport {
        let last = self.times.iter().filter_map(|times| times.delivered).max();
        let cycles = last.map_or(0, |last| last + 1);
        let sinks = plan.topology().sinks().count() as u64;
        let hops = per(self.reference.flit_hops(), self.delivered_flits);
        JobReport {
            schema_version: 1,
            configuration: Configuration::of(plan),
            job: self.job.name.clone(),
            outcome,
            messages: self.job.messages().len() as u64,
            delivered_messages: self.delivered,
            flits: self.job.flits(),
            cycles,
            least_cycles: least(plan, self.job) + 1,
            latency: self.latency.report(),
            network_latency: self.network_latency.report(),
            throughput: per(self.delivered_flits, cycles * sinks),
            hops_per_flit: (self.delivered_flits > 0).then_some(hops),
            largest_queue_flits: self.reference.largest_queue(),
        }
    }
}
