//! Counter of slots: goes through the schedule of one bank, and changes the bank between the last
//! slot and the first.

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The module `<prefix>_sequencer` for slot numbers of so many bits, at most 16.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn sequencer(prefix: &str, bits: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_sequencer"));
    m.about("Which bank and slot the words of this cycle travel in. A swap that was asked for");
    m.about("takes place after the last slot, or at once where no schedule runs yet.");
    let enable = m.input("enable", 1);
    let swap = m.input("swap", 1);
    let last = m.input("last", bits);
    let pending = m.output("pending", 1);
    let running = m.output("running", 1);
    let bank = m.output("bank", 1);
    let slot = m.output("slot", bits);
    let next_bank = m.output("next_bank", 1);
    let next_slot = m.output("next_slot", bits);
    let active_last = m.output("active_last", bits);
    let ends = Expr::from(slot).equals(active_last) | !Expr::from(running);
    let ends = m.define("ends", 1, ends);
    let swaps = m.define("swaps", 1, Expr::from(pending) & ends);
    let next_running = m.define("next_running", 1, Expr::from(running) | pending);
    m.assign(next_bank, Expr::from(bank) ^ swaps);
    let zero = Expr::constant(bits, 0);
    let following = Expr::from(slot) + Expr::constant(bits, 1);
    m.assign(next_slot, Expr::from(ends).mux(zero, following));
    let taken = Expr::from(enable) & swaps;
    let enabled = || Some(Expr::from(enable));
    let register = |net, enable, next| Register { net, reset: Some(0), enable, next };
    m.registers(vec![
        register(running, enabled(), next_running.into()),
        register(bank, enabled(), next_bank.into()),
        register(slot, enabled(), next_slot.into()),
        register(active_last, Some(taken.clone()), last.into()),
        // Asking is not bound to `enable`; nothing is asked for while a swap is pending.
        register(pending, None, Expr::from(swap) | (Expr::from(pending) & !taken)),
    ]);
    m.finish()
}
