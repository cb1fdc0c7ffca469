//! Proofs of the busses, and of their receivers.

use super::Context;
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, Task, files_below, tasks_of};
use askama::Template;
use std::sync::Arc;
use turnpike_netlist::Module;

/// The most nodes of a bus that is proven whole; of larger ones, a receiver is.
const MOST_NODES: u32 = 16;
/// The most bits of all words of a bus that is proven whole, or of those that a receiver hears.
const MOST_BITS: u32 = 4096;
/// Cycles from reset. The modules hold nothing: the first cycle is as good as any.
const REACH: u32 = 1;

pub(super) const WHOLE: &str = "a word comes to its receiver, as it was sent, if and only if no other is sent \
                     there; its sender is told what its receiver says";
const RECEIVER: &str =
    "a receiver gets a word, as it was sent, if and only if exactly one is sent to it";

#[derive(Template)]
#[template(path = "formal/bus/medium.v.askama", escape = "none")]
struct MediumFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    nodes: &'a u32,
    bits: u32,
    word: u32,
}

#[derive(Template)]
#[template(path = "formal/bus/receiver.v.askama", escape = "none")]
struct ReceiverFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    senders: &'a u32,
    bits: u32,
    word: u32,
}

pub(super) fn media(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let plan = context.plan;
    let grid = &plan.grid;
    let mut tasks = Vec::new();
    for dimension in 0..grid.dimensions() {
        let nodes = grid.sides()[dimension];
        let (bits, word) = (grid.coordinate_bits(dimension), plan.word_bits(dimension));
        let suffix = context.suffix(dimension);
        let bus = context.part_along(dimension, "bus");
        if nodes <= MOST_NODES && nodes * word <= MOST_BITS {
            let name = format!("{}_formal", bus.name);
            let about =
                ["A bus: a word comes if no other is sent to its receiver; its sender is told."];
            let heading = context.head(&name, &about);
            let dut = &bus.name;
            let text = MediumFile { heading, name: &name, dut, nodes: &nodes, bits, word };
            let mut files = files_below(bus)?;
            files.push(proofs.module(&name, text.render()?));
            let kinds = [
                (Kind::Proof, WHOLE),
                (Kind::Cover(REACH), "words alone, words that meet, acknowledgements"),
            ];
            tasks.extend(tasks_of(bus, &name, &format!("_bus{suffix}"), &files, kinds));
        } else {
            proofs.nothing_to_show.push(Nothing {
                module: bus.name.clone(),
                properties: WHOLE,
                why: "it takes long for more than 16 nodes, or 4096 bits of all their words",
            });
        }
        let module = context.part_along(dimension, "receiver");
        let suffix = format!("_receiver{suffix}");
        tasks.extend(receiver(context, module, (nodes - 1, bits, word), &suffix, proofs)?);
    }
    proofs.proof("medium", "The busses and their receivers.", tasks);
    Ok(())
}

/// The tasks of a receiver of so many senders, receivers numbered by `bits` bits, words of `word`
/// bits; none where they would take long.
pub(super) fn receiver(
    context: &Context<'_>,
    module: &Arc<Module>,
    (senders, bits, word): (u32, u32, u32),
    suffix: &str,
    proofs: &mut Proofs,
) -> Result<Vec<Task>, EmitError> {
    if senders * word > MOST_BITS {
        proofs.nothing_to_show.push(Nothing {
            module: module.name.clone(),
            properties: RECEIVER,
            why: "it takes long for more than 4096 bits of all words that it hears",
        });
        return Ok(Vec::new());
    }
    let name = format!("{}_formal", module.name);
    let about = ["A receiver anywhere on its bus: understands what exactly one sends to it."];
    let heading = context.head(&name, &about);
    let dut = &module.name;
    let text = ReceiverFile { heading, name: &name, dut, senders: &senders, bits, word };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let kinds = [
        (Kind::Proof, RECEIVER),
        (Kind::Cover(REACH), "words from every sender, and two that meet"),
    ];
    Ok(tasks_of(module, &name, suffix, &files, kinds).collect())
}
