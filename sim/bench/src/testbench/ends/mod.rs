//! Bench of memory-mapped ends: managers issue transactions of every kind, subordinates answer them, and
//! each answer is held to what is due.

mod manager;
mod port;
mod subordinate;
mod transaction;

use manager::ManagerBench;
use port::Port;
use std::collections::{BTreeMap, VecDeque};
use subordinate::{Manners, SubordinateBench};
use transaction::{Transaction, widths};
use turnpike_base::hash::hash;
use turnpike_ends::{Ends, Role};
use turnpike_fabric::plan::FabricPlan;
use turnpike_sim_rtl::dut::Dut;

/// Cycles in which nothing is handed over before the bench gives up.
const STILL: u64 = 500;
/// Cycles within which a run ends, and more for each beat.
const CYCLES: u64 = 10_000;
const CYCLES_A_BEAT: u64 = 64;
/// Most cycles before a reset.
const MOST_BEFORE_RESET: u64 = 200;
/// Cycles of a reset.
const RESET: u64 = 2;
/// Bits of the ID of a subordinate's port.
const SUBORDINATE_ID: u32 = 1;

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
    /// Transactions among them that a subordinate answered.
    pub by_subordinates: u64,
    /// Cycles of the run.
    pub cycles: u64,
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

/// Managers and numbers of transactions, by digest: several that are alike, in order.
type Due = BTreeMap<u64, VecDeque<(usize, usize)>>;

struct Bench {
    managers: Vec<ManagerBench>,
    subordinates: Vec<SubordinateBench>,
    /// By subordinate and digest, whose transactions are due there, by their numbers: writes and reads.
    due: Vec<[Due; 2]>,
    work: Transactions,
}

impl Bench {
    fn new(dut: &Dut, plan: &FabricPlan, ends: &Ends, work: Transactions) -> Self {
        let mut due = vec![[Due::new(), Due::new()]; ends.subordinates.len()];
        let mut managers = Vec::new();
        for (number, end) in ends.managers.iter().enumerate() {
            let drawn = [true, false].map(|is_write| {
                let own = (0..work.each).map(|at| {
                    let of = [number as u64, u64::from(is_write), at.into()];
                    Transaction::drawn(ends, end, is_write, hash(work.seed, &of))
                });
                own.collect::<Vec<_>>()
            });
            for (kind, list) in drawn.iter().enumerate() {
                for (at, transaction) in list.iter().enumerate() {
                    if let Some(target) = transaction.target {
                        let alike = due[target][kind].entry(transaction.digest()).or_default();
                        alike.push_back((number, at));
                    }
                }
            }
            let prefix = plan.end_port(&end.name, Role::Manager);
            let port = Port::of(dut, &prefix, widths(ends, end.id_width));
            let manner = |odds| hash(work.seed, &[odds, number as u64]).is_multiple_of(odds);
            let manager =
                ManagerBench::new(&end.name, port, ends.data_width, [manner(4), manner(2)], drawn);
            managers.push(manager);
        }
        let subordinates = ends.subordinates.iter().enumerate().map(|(number, end)| {
            let prefix = plan.end_port(&end.name, Role::Subordinate);
            let port = Port::of(dut, &prefix, widths(ends, SUBORDINATE_ID));
            let manners = Manners::drawn(hash(work.seed, &[number as u64]));
            SubordinateBench::new(&end.name, port, ends.data_width, manners)
        });
        Self { managers, subordinates: subordinates.collect(), due, work }
    }

    /// Runs until everything is answered, or up to a cycle.
    fn run(mut self, dut: &mut Dut, until: Option<u64>) -> Result<Answered, String> {
        self.reset(dut)?;
        let beats: u64 = self.managers.iter().map(ManagerBench::beats).sum();
        let most = CYCLES + CYCLES_A_BEAT * beats;
        let (mut cycle, mut still) = (0, 0);
        let is_over = |bench: &Self, cycle| {
            until == Some(cycle) || bench.managers.iter().all(ManagerBench::is_done)
        };
        while !is_over(&self, cycle) {
            let Transactions { seed, eagerness, .. } = self.work;
            let eager = |port: usize| {
                move |channel: u64| hash(seed, &[7, port as u64, channel, cycle]) % 8 < eagerness
            };
            let otherwise = hash(seed, &[8, cycle]);
            let count = self.managers.len();
            for (at, manager) in self.managers.iter_mut().enumerate() {
                manager.drive(dut, eager(at), otherwise);
            }
            dut.settle();
            for (at, end) in self.subordinates.iter_mut().enumerate() {
                end.drive(dut, eager(count + at), otherwise);
            }
            dut.settle();
            let mut moved = false;
            for manager in &mut self.managers {
                moved |= manager.watch(dut)?;
            }
            for end in &mut self.subordinates {
                moved |= end.watch(dut)?;
            }
            dut.clock();
            cycle += 1;
            still = if moved { 0 } else { still + 1 };
            if still > STILL || cycle > most {
                let managers = self.managers.iter().map(ManagerBench::waits_for);
                let ends = self.subordinates.iter().map(SubordinateBench::waits_for);
                let all: Vec<String> = managers.chain(ends).collect();
                return Err(format!(
                    "no end after {cycle} cycles, {still} without a handshake; {}",
                    all.join("; ")
                ));
            }
        }
        if until.is_none() {
            self.check_asked()?;
        }
        let transactions = self.managers.iter().map(|manager| manager.answered).sum();
        let asked = self.subordinates.iter().flat_map(|end| &end.asked);
        let by_subordinates = asked.map(|list| list.len() as u64).sum();
        Ok(Answered { transactions, by_subordinates, cycles: cycle })
    }

    /// Whether each subordinate was asked what it is to answer, once, and each manager's in its order.
    fn check_asked(&mut self) -> Result<(), String> {
        for (end, due) in self.subordinates.iter().zip(&mut self.due) {
            for (asked, due) in end.asked.iter().zip(due) {
                let mut last: BTreeMap<usize, usize> = BTreeMap::new();
                for digest in asked {
                    let alike = due.get_mut(digest).and_then(VecDeque::pop_front);
                    let Some((manager, number)) = alike else {
                        return Err(format!("{}: a transaction that no manager issued", end.name));
                    };
                    if last.insert(manager, number).is_some_and(|before| before >= number) {
                        let name = &self.managers[manager].name;
                        return Err(format!("{}: transactions of {name} out of order", end.name));
                    }
                }
                let missing = due.values().map(VecDeque::len).sum::<usize>();
                if missing > 0 {
                    return Err(format!("{}: {missing} transactions did not come", end.name));
                }
            }
        }
        Ok(())
    }

    /// A reset, under which nothing is handed over.
    fn reset(&mut self, dut: &mut Dut) -> Result<(), String> {
        dut.set_reset(true);
        for cycle in 0..RESET {
            let managers = self.managers.iter_mut().map(|end| (&mut end.port, true));
            let subordinates = self.subordinates.iter_mut().map(|end| (&mut end.port, false));
            for (port, is_manager) in managers.chain(subordinates) {
                for (channel, of_manager) in port.channels() {
                    // Whoever is outside is eager.
                    match of_manager == is_manager {
                        true => channel.offer(dut, None, cycle),
                        false => channel.take(dut, true),
                    }
                }
            }
            dut.settle();
            for (port, is_manager) in (self.managers.iter_mut().map(|end| (&mut end.port, true)))
                .chain(self.subordinates.iter_mut().map(|end| (&mut end.port, false)))
            {
                for (channel, of_manager) in port.channels() {
                    channel.check_silent(dut, of_manager == is_manager)?;
                }
            }
            dut.clock();
        }
        dut.set_reset(false);
        Ok(())
    }
}
