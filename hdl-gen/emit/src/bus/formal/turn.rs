//! Proofs that senders that take turns never send two words to one receiver.

use super::Context;
use crate::EmitError;
use crate::formal::{Kind, Proofs, files_below, tasks_of};
use askama::Template;
use turnpike_bus::Protocol;

const PROPERTIES: &str = "of any two nodes of a bus none may send to the receiver of the other in a \
                          slot, and none to itself: no words meet";

#[derive(Template)]
#[template(path = "formal/bus/turn.v.askama", escape = "none")]
struct TurnFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    bits: u32,
    side: u32,
    /// Whether some coordinates are of no node.
    partial: bool,
}

pub(super) fn turns(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let plan = context.plan;
    if plan.protocol != Protocol::Rotor {
        return Ok(());
    }
    let grid = &plan.grid;
    let mut tasks = Vec::new();
    // On a bus of two each has one other to send to.
    for dimension in (0..grid.dimensions()).filter(|&d| grid.sides()[d] > 2) {
        let module = context.part_along(dimension, "turn");
        let side = grid.sides()[dimension];
        let name = format!("{}_formal", module.name);
        let about = ["Any two nodes of a bus, in every slot: to whom they may send."];
        let text = TurnFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            bits: grid.coordinate_bits(dimension),
            side,
            partial: !side.is_power_of_two(),
        };
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text.render()?));
        let kinds = [
            (Kind::Proof, PROPERTIES),
            // Two turns, of two cycles for each slot.
            (Kind::Cover(4 * side), "each may send to the other, one after the other"),
        ];
        tasks.extend(tasks_of(module, &name, &context.suffix(dimension), &files, kinds));
    }
    proofs.proof("turn", "Whose turn it is.", tasks);
    Ok(())
}
