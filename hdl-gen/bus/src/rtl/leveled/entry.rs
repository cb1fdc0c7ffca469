//! Entry of words into a node: takes words, and acknowledges them.

use crate::plan::BusPlan;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The module through which words come from a bus into a queue. Ports:
/// - `data_slot`: whether this is a slot for data; words come in those alone;
/// - `only`: a word comes over the bus, and no other is for this node;
/// - `enter`, `room`: the queue is offered it, and has room;
/// - `take`, in the cycle after: it was taken.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn entry(plan: &BusPlan) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{}_entry", plan.name));
    m.about(
        "Brings a word from a bus into a queue that has room. It is acknowledged in the next slot.",
    );
    let data_slot = m.input("data_slot", 1);
    let only = m.input("only", 1);
    let room = m.input("room", 1);
    let enter = m.output("enter", 1);
    let take = m.output("take", 1);
    m.assign(enter, Expr::from(data_slot) & only);
    let taken = m.reg("taken", 1);
    m.assign(take, taken);
    let next = Expr::from(enter) & room;
    m.registers(vec![Register { net: taken, reset: Some(0), enable: None, next }]);
    m.finish()
}
