//! Owner of a slot among the functions of a level's funnels.

use crate::funnels::Funnels;
use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The module that counts the functions of the funnels to a level, 1 or more. Ports:
/// - `data_slot`: whether this is a slot for data;
/// - `active`: a bit for each function, one of them set: in a slot for data and in that for
///   acknowledgements after it that of one function, then that of the next.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn functions(plan: &BusPlan, funnels: &Funnels, level: u32) -> Result<Arc<Module>, RtlError> {
    let count = funnels.network().functions(level);
    let name = format!("{}_{}", plan.name, plan.along(level as usize, "functions"));
    let mut m = ModuleBuilder::new(name);
    m.about(format!(
        "Which of {count} functions has the slot. They take turns, all nodes at once."
    ));
    let data_slot = m.input("data_slot", 1);
    let active = m.output("active", count);
    let one = m.reg("one", count);
    m.assign(active, one);
    m.comment("The next after the slot for acknowledgements.");
    m.registers(vec![Register {
        net: one,
        reset: Some(1),
        enable: Some(!Expr::from(data_slot)),
        next: Expr::concat([one.slice(0, count - 1), one.bit(count - 1)]),
    }]);
    m.finish()
}
