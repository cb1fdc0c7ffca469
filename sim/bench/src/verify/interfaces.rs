//! The top module of a fabric whose terminals have words of widths of their own: packets between
//! all of them, bit by bit.

use super::Outcome;
use crate::testbench::interfaces::{Work, run_interfaces};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::interface;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::Evaluator;

/// Packets in all, about.
const PACKETS: u32 = 1_024;

/// Packets at full rate, and with pauses and a reset in the middle.
pub fn check(plan: &FabricPlan) -> Outcome {
    let of_rtl = |error: turnpike_netlist::RtlError| error.to_string();
    let top = interface::top(plan, &fabric(plan).map_err(of_rtl)?).map_err(of_rtl)?;
    let mut dut = Dut::of(Evaluator::of_ports(&top));
    let packets = (PACKETS / plan.sources().len().max(1) as u32).clamp(2, 64);
    let (mut all, mut words, mut cycles) = (0, [0; 2], 0);
    for (eagerness, reset, seed) in [(8, None, 1), (5, Some(100), 2)] {
        let extent = run_interfaces(&mut dut, plan, Work { packets, eagerness, reset, seed })?;
        all += extent.packets;
        words = [words[0] + extent.words[0], words[1] + extent.words[1]];
        cycles += extent.cycles;
    }
    Ok(format!(
        "{all} packets ({} words in, {} out) over {cycles} cycles on the RTL, at full rate and with \
         pauses and a reset: each bit as it was sent",
        words[0], words[1]
    ))
}
