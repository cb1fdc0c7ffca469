//! The top module of a fabric whose terminals have words or clocks of their own: packets between all of
//! them, bit by bit.

use super::Outcome;
use crate::testbench::interfaces::{Work, run_interfaces, words_of_a_packet};
use crate::testbench::late::late_synchronisers;
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::interface;
use turnpike_netlist::RtlError;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::Evaluator;

/// Words that sources send in all, about.
const WORDS: u32 = 8_192;
/// Runs with clocks of unlike ratios.
const RATIOS: u64 = 6;

/// Packets at full rate, and with pauses and a reset in the middle.
pub fn check(plan: &FabricPlan) -> Outcome {
    let of_rtl = |error: RtlError| error.to_string();
    let top = interface::streams_design(plan).map_err(of_rtl)?;
    let several = !plan.clocks().is_empty();
    let mut dut = match several {
        false => Dut::of(Evaluator::of_ports(&top)),
        true => Dut::new(&late_synchronisers(&top).map_err(of_rtl)?),
    };
    let runs = if several { RATIOS } else { 2 };
    let packets = packets(plan, runs as u32);
    let (mut all, mut words, mut cycles) = (0, [0; 2], 0);
    for seed in 1..=runs {
        let work = match seed {
            1 => Work { packets, eagerness: 8, reset: None, reset_edges: 2, seed },
            2 => Work { packets, eagerness: 5, reset: Some(100), reset_edges: 2, seed },
            // A reset of one cycle, whatever the clocks.
            _ => Work { packets, eagerness: 5, reset: Some(50 * seed), reset_edges: 1, seed },
        };
        let extent = run_interfaces(&mut dut, plan, work)?;
        all += extent.packets;
        words = [words[0] + extent.words[0], words[1] + extent.words[1]];
        cycles += extent.cycles;
    }
    let [words_in, words_out] = words;
    let counted = match several {
        false => format!("{cycles} cycles on the RTL, at full rate and with pauses and a reset"),
        true => format!(
            "{cycles} clock edges on the RTL, at {RATIOS} drawn ratios of the clocks of 1 to 7, phases that \
             drift, synchronisers that settle late at random, pauses and resets of a cycle"
        ),
    };
    Ok(format!(
        "{all} packets ({words_in} words in, {words_out} out) over {counted}: each bit as it was sent"
    ))
}

/// Packets of each source in one of so many runs: fewer, where they have many words.
fn packets(plan: &FabricPlan, runs: u32) -> u32 {
    let narrowest = plan.narrowest();
    // What is sent as a few words arrives as a whole flit.
    let of_flit = plan.parameters.width.div_ceil(narrowest);
    let most = words_of_a_packet(narrowest).max(of_flit) * plan.sources().len().max(1) as u32;
    (WORDS / most / (runs / 2)).clamp(2, 64)
}
