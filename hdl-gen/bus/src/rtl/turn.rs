//! Turns of the senders: the receiver to which a node may send in a slot, where senders take turns.

use super::sender::below;
use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The module of the turns on busses of a dimension, of three nodes or more. Ports:
/// - `data_slot`: whether this is a slot for data;
/// - `position`: the node's coordinate (a constant at the instance);
/// - `receiver`: the coordinate of the node that it may send to in this slot for data.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn turn(plan: &BusPlan, dimension: usize) -> Result<Arc<Module>, RtlError> {
    let (side, bits) = (plan.grid.sides()[dimension], plan.grid.coordinate_bits(dimension));
    let mut m = ModuleBuilder::new(format!("{}_{}", plan.name, plan.along(dimension, "turn")));
    m.about("To whom a node may send: in each slot every node to another. They all begin at once.");
    let data_slot = m.input("data_slot", 1);
    let position = m.input("position", bits);
    let receiver = m.output("receiver", bits);

    m.section("How far ahead the receiver is");
    m.comment(format!("1 to {}, and again.", side - 1));
    let ahead = m.reg("ahead", bits);
    let number = |value: u32| Expr::constant(bits, value.into());
    let last = Expr::from(ahead).equals(number(side - 1));
    m.registers(vec![Register {
        net: ahead,
        reset: Some(1),
        enable: Some(data_slot.into()),
        next: last.mux(number(1), Expr::from(ahead) + number(1)),
    }]);
    if side.is_power_of_two() {
        m.assign(receiver, Expr::from(position) + ahead);
        return m.finish();
    }
    m.comment("Counted on from 0 beyond the last.");
    let zero = || Expr::constant(1, 0);
    let wide = |net| Expr::concat([zero(), Expr::from(net)]);
    let sum = m.define("sum", bits + 1, wide(position) + wide(ahead));
    let fits = below(sum, 0, bits + 1, side);
    let low = sum.slice(0, bits);
    m.assign(receiver, fits.mux(low.clone(), low - number(side % (1 << bits))));
    m.finish()
}
