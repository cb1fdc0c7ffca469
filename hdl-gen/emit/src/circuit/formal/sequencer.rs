//! Proof of the sequencer of slots.

use super::{Context, Port, ports};
use crate::EmitError;
use crate::formal::{Kind, Proofs, files_below, tasks_of};
use askama::Template;

/// Cycles within which everything is reached: a schedule of two slots goes round, and another swap
/// is asked for.
const REACH: u32 = 10;

#[derive(Template)]
#[template(path = "formal/circuit/sequencer.v.askama", escape = "none")]
struct SequencerFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    reset: (&'static str, String),
    ports: Vec<Port>,
    bits: u32,
}

pub(super) fn sequencer(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let module = context.part("sequencer");
    let name = format!("{}_formal", module.name);
    let about = [
        "Slots come in order, from the first to the last of a schedule. Banks are swapped where that",
        "was asked for, after the last slot and never before, or where nothing runs yet.",
    ];
    let text = SequencerFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &module.name,
        reset: module.reset_port("rst").expect("it has registers"),
        ports: ports(module),
        bits: context.plan.map().slot_bits,
    };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let kinds = [
        (Kind::Proof, "slots in order; swaps as asked for, after the last slot and never before"),
        (Kind::Cover(REACH), "schedules go round, swaps wait for the end"),
    ];
    let tasks = tasks_of(module, &name, "", &files, kinds).collect();
    proofs.proof("sequencer", "The sequencer of slots.", tasks);
    Ok(())
}
