//! Settings as writes over AXI4-Lite.

use crate::circuits::slots::Slot;
use anyhow::{Context, bail};
use std::fmt::Write;
use turnpike_circuit::plan::CircuitPlan;
use turnpike_circuit::rtl::registers::Address;
use turnpike_schedule::permutation::PartialPermutation;

/// The writes that load a schedule into a fabric and start it, one on a line: the byte address and
/// the word, both in hexadecimal. `#` begins a comment.
///
/// # Errors
/// More slots than the fabric has.
pub fn text(plan: &CircuitPlan, slots: &[Slot]) -> anyhow::Result<String> {
    if slots.len() > plan.slots() as usize {
        bail!(
            "the schedule has {} slots, and the fabric {}; use --slots {} here and with generate, or \
             send fewer words",
            slots.len(),
            plan.slots(),
            slots.len()
        );
    }
    let (layout, map) = (plan.layout(), plan.map());
    let mut text = format!("# {}\n", plan.canonical());
    let mut write = |address: u32, data: u32| {
        writeln!(text, "{address:08x} {data:08x}").expect("a string takes any text");
    };
    for (number, Slot { connections, settings }) in (0..).zip(slots) {
        let permutation = PartialPermutation::new(plan.terminals(), connections.iter().copied());
        let permutation = permutation.context("internal error: a slot")?;
        for (word, data) in (0..).zip(layout.encode(settings, &permutation)) {
            write(map.address(number, word), data);
        }
    }
    write(Address::Count.bytes(), slots.len() as u32);
    write(Address::Swap.bytes(), 1);
    Ok(text)
}
