//! Memory-mapped ends: transactions of all managers, on the RTL of the whole.

use super::Outcome;
use crate::testbench::ends::{Answered, Transactions, run_ends};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::interface;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::Evaluator;

/// Transactions of all managers in one run, about.
const TRANSACTIONS: u32 = 2_000;

/// Transactions at full rate, and with pauses and a reset in the middle.
pub fn check(plan: &FabricPlan) -> Outcome {
    let ends = plan.ends().ok_or("no ends")?;
    let top = interface::design(plan).map_err(|error| error.to_string())?;
    let mut dut = Dut::of(Evaluator::of_ports(&top));
    let each = (TRANSACTIONS / 2 / ends.managers.len() as u32).clamp(8, 400);
    let mut all = Answered::default();
    for (seed, eagerness, resets) in [(1, 8, 0), (2, 5, 8), (3, 2, 0), (4, 7, 8)] {
        let work = Transactions { each, eagerness, resets, seed };
        all += run_ends(&mut dut, plan, ends, work)?;
    }
    Ok(format!(
        "{} transactions of {} managers, for which {} subordinates were asked {} times, over {} cycles on the RTL, \
         at full rate and with pauses and resets: each answered as is due, in the order of its ID",
        all.transactions,
        ends.managers.len(),
        ends.subordinates.len(),
        all.asked,
        all.cycles
    ))
}
