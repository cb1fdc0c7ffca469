//! Bench of memory-mapped ends: managers issue transactions of every kind, subordinates answer them, and
//! each answer is held to what is due.

mod access;
mod bursts;
mod manager;
mod nets;
mod port;
mod serial;
mod subordinate;
mod transaction;
mod transfer;

use access::AccessBench;
use manager::ManagerBench;
use port::Port;
use serial::SerialBench;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use subordinate::{Manners, SubordinateBench};
use transaction::Transaction;
use transfer::TransferBench;
use turnpike_base::hash::hash;
use turnpike_ends::{EndPort, Ends, Protocol};
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_rtl::dut::Dut;

/// Cycles in which nothing is handed over before the bench gives up.
const STILL: u64 = 500;
/// Cycles within which a run ends, and more for each beat.
const CYCLES: u64 = 10_000;
const CYCLES_A_BEAT: u64 = 64;
/// Most cycles before a reset.
const MOST_BEFORE_RESET: u64 = 200;
/// Most cycles of a reset.
const MOST_RESET: u64 = 3;

/// Traffic of the bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transactions {
    /// Writes, and as many reads, of each manager.
    pub each: u32,
    /// Cycles of eight in which a channel offers or takes, 1 to 8.
    pub eagerness: u64,
    /// Resets in the middle, after each of which all begins anew.
    pub resets: u64,
    /// Seed of all that is drawn.
    pub seed: u64,
}

/// Extent of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answered {
    /// Transactions that were answered.
    pub transactions: u64,
    /// Transactions and accesses that subordinates were asked.
    pub asked: u64,
    /// Cycles of the run.
    pub cycles: u64,
}

impl AddAssign for Answered {
    fn add_assign(&mut self, Self { transactions, asked, cycles }: Self) {
        self.transactions += transactions;
        self.asked += asked;
        self.cycles += cycles;
    }
}

/// Runs transactions through the top module of a plan with ends.
///
/// # Errors
/// The first fault, in words.
pub fn run_ends(
    dut: &mut Dut,
    plan: &FabricPlan,
    ends: &Ends,
    work: Transactions,
) -> Result<Answered, String> {
    for reset in 0..work.resets {
        let at = 1 + hash(work.seed, &[9, reset]) % MOST_BEFORE_RESET;
        let work = Transactions { seed: hash(work.seed, &[10, reset]), ..work };
        Bench::new(dut, plan, ends, work).run(dut, Some(at))?;
    }
    Bench::new(dut, plan, ends, work).run(dut, None)
}

/// Digests of what a subordinate was asked, in order: writes, and reads.
type Asked = [Vec<u64>; 2];

/// Model of who is at a port of the fabric.
trait Model {
    /// Drives its signals. `eager` says of each channel whether it offers or takes; what says nothing is
    /// `otherwise`.
    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64);

    /// Looks at a settled cycle; returns whether anything was handed over.
    ///
    /// # Errors
    /// A rule that is broken, or an answer that is not due.
    fn watch(&mut self, dut: &Dut) -> Result<bool, String>;

    /// Drives its signals under reset: it takes all, and answers all.
    fn rest(&mut self, dut: &mut Dut, otherwise: u64);

    /// Whether the fabric is silent, as under reset.
    ///
    /// # Errors
    /// What the fabric does.
    fn check_silent(&mut self, dut: &Dut) -> Result<(), String>;

    /// State of it, where it waits, in words.
    fn waits_for(&self) -> String;

    /// Beats that it is to send or to get.
    fn beats(&self) -> u64 {
        0
    }

    /// Whether all is answered that it asks.
    fn is_done(&self) -> bool {
        true
    }

    /// Transactions of its own that were answered.
    fn answered(&self) -> u64 {
        0
    }

    /// Digests of what it was asked, where it is a subordinate.
    fn asked(&self) -> Option<&Asked> {
        None
    }
}

/// Digests of what is asked of a subordinate, in order: by each manager, and by each of its IDs where
/// packets may overtake one another.
type Due = BTreeMap<(usize, u64), Vec<u64>>;

struct Bench {
    managers: Vec<Box<dyn Model>>,
    subordinates: Vec<Box<dyn Model>>,
    names: Vec<String>,
    /// By subordinate, what is due there: writes and reads.
    due: Vec<[Due; 2]>,
    work: Transactions,
}

impl Bench {
    fn new(dut: &Dut, plan: &FabricPlan, ends: &Ends, work: Transactions) -> Self {
        let mut due = vec![[Due::new(), Due::new()]; ends.subordinates.len()];
        let mut managers = Vec::new();
        for (number, end) in ends.managers.iter().enumerate() {
            let port = ends.manager_port(end);
            let drawn = [true, false].map(|is_write| {
                let own = (0..work.each).map(|at| {
                    let of = [number as u64, u64::from(is_write), at.into()];
                    Transaction::drawn(ends, (end, &port), is_write, hash(work.seed, &of))
                });
                own.collect::<Vec<_>>()
            });
            for (kind, list) in drawn.iter().enumerate() {
                for transaction in list {
                    let Some(target) = transaction.target else { continue };
                    let id = if plan.keeps_order() { 0 } else { transaction.id };
                    let own = due[target][kind].entry((number, id)).or_default();
                    own.extend(&transaction.asks);
                }
            }
            managers.push(manager(dut, plan, (number, &port), drawn, work.seed));
        }
        let subordinates = ends.subordinates.iter().enumerate();
        let subordinates = subordinates.map(|(number, end)| -> Box<dyn Model> {
            let port = ends.subordinate_port(end);
            let prefix = plan.end_port(&port);
            match port.protocol {
                Protocol::Axi4 if port.widths.data == ends.data_width => {
                    let manners = Manners::drawn(hash(work.seed, &[number as u64]));
                    let own = Port::of(dut, &prefix, &port);
                    Box::new(SubordinateBench::new(port.name, own, ends.data_width, manners))
                }
                Protocol::Axi4 | Protocol::Axi4Lite => {
                    Box::new(AccessBench::new(dut, &prefix, &port))
                }
                _ => Box::new(TransferBench::new(dut, &prefix, &port)),
            }
        });
        let names = ends.ports().map(|port| port.name.to_owned()).collect();
        Self { managers, subordinates: subordinates.collect(), names, due, work }
    }

    /// Runs until everything is answered, or up to a cycle.
    fn run(mut self, dut: &mut Dut, until: Option<u64>) -> Result<Answered, String> {
        self.reset(dut)?;
        let beats: u64 = self.managers.iter().map(|end| end.beats()).sum();
        let most = CYCLES + CYCLES_A_BEAT * beats;
        let (mut cycle, mut still) = (0, 0);
        let is_over = |bench: &Self, cycle| {
            until == Some(cycle) || bench.managers.iter().all(|end| end.is_done())
        };
        while !is_over(&self, cycle) {
            let Transactions { seed, eagerness, .. } = self.work;
            let eager = |port: usize| {
                move |channel: u64| hash(seed, &[7, port as u64, channel, cycle]) % 8 < eagerness
            };
            let otherwise = hash(seed, &[8, cycle]);
            let count = self.managers.len();
            for (at, manager) in self.managers.iter_mut().enumerate() {
                manager.drive(dut, &eager(at), otherwise);
            }
            dut.settle();
            for (at, end) in self.subordinates.iter_mut().enumerate() {
                end.drive(dut, &eager(count + at), otherwise);
            }
            dut.settle();
            let mut moved = false;
            for end in self.managers.iter_mut().chain(&mut self.subordinates) {
                moved |= end.watch(dut)?;
            }
            dut.clock();
            cycle += 1;
            still = if moved { 0 } else { still + 1 };
            if still > STILL || cycle > most {
                let all = self.managers.iter().chain(&self.subordinates);
                let all: Vec<String> = all.map(|end| end.waits_for()).collect();
                return Err(format!(
                    "no end after {cycle} cycles, {still} without a handshake; {}",
                    all.join("; ")
                ));
            }
        }
        if until.is_none() {
            self.check_asked()?;
        }
        let transactions = self.managers.iter().map(|manager| manager.answered()).sum();
        let asked = self.subordinates.iter().filter_map(|end| end.asked()).flatten();
        let asked = asked.map(|list| list.len() as u64).sum();
        Ok(Answered { transactions, asked, cycles: cycle })
    }

    /// Whether each subordinate was asked what it is to answer, once, and each manager's in its order.
    fn check_asked(&self) -> Result<(), String> {
        let names = &self.names[self.managers.len()..];
        for ((end, name), due) in self.subordinates.iter().zip(names).zip(&self.due) {
            for (asked, due) in end.asked().into_iter().flatten().zip(due) {
                check_order(asked, due).map_err(|fault| format!("{name}: {fault}"))?;
            }
        }
        Ok(())
    }

    /// A reset, under which nothing is handed over.
    fn reset(&mut self, dut: &mut Dut) -> Result<(), String> {
        dut.set_reset(true);
        for cycle in 0..1 + hash(self.work.seed, &[12]) % MOST_RESET {
            for end in self.managers.iter_mut().chain(&mut self.subordinates) {
                end.rest(dut, cycle);
            }
            dut.settle();
            for end in self.managers.iter_mut().chain(&mut self.subordinates) {
                end.check_silent(dut)?;
            }
            dut.clock();
        }
        dut.set_reset(false);
        Ok(())
    }
}

/// Whether what was asked is what all managers were to ask, each in its order, whoever was first. Two may
/// ask alike, so that there are several ways to tell whose it was.
fn check_order(asked: &[u64], due: &Due) -> Result<(), String> {
    let all: Vec<&[u64]> = due.values().map(Vec::as_slice).collect();
    let due = all.as_slice();
    let mut ways = BTreeSet::from([vec![0; due.len()]]);
    for digest in asked {
        let goes_on = |way: &Vec<usize>| {
            let way = way.clone();
            let next = move |manager: usize| {
                let mut way = way.clone();
                let is_it = due[manager].get(way[manager]) == Some(digest);
                way[manager] += 1;
                is_it.then_some(way)
            };
            (0..due.len()).filter_map(next)
        };
        ways = ways.iter().flat_map(goes_on).collect();
        if ways.is_empty() {
            return Err("a transaction that no manager issued, or out of order".to_owned());
        }
    }
    let missing = due.iter().map(|list| list.len()).sum::<usize>() - asked.len();
    match missing {
        0 => Ok(()),
        _ => Err(format!("{missing} transactions did not come")),
    }
}

/// The model of a manager, with its writes and reads.
fn manager(
    dut: &Dut,
    plan: &FabricPlan,
    (number, port): (usize, &EndPort<'_>),
    [writes, reads]: [Vec<Transaction>; 2],
    seed: u64,
) -> Box<dyn Model> {
    let prefix = plan.end_port(port);
    let facts = port.protocol.facts();
    if facts.is_serial {
        let both = writes.into_iter().zip(reads).flat_map(|(write, read)| [write, read]);
        return Box::new(SerialBench::new(dut, &prefix, port, both));
    }
    let manner = |odds| hash(seed, &[odds, number as u64]).is_multiple_of(odds);
    let without = if facts.has_bursts { 0 } else { u64::from(port.widths.data / 8) - 1 };
    let own = Port::of(dut, &prefix, port);
    let manners = [manner(4), manner(2)];
    Box::new(ManagerBench::new(port.name, own, without, manners, [writes, reads]))
}
