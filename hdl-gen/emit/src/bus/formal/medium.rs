//! Proofs of the busses, and of their receivers.

use super::Context;
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, files_below, tasks_of};
use askama::Template;

/// The most nodes of a bus that is proven whole; of larger ones, a receiver is.
const MOST_NODES: u32 = 16;
/// The most bits of all words of a bus that is proven whole, or of those that a receiver hears.
const MOST_BITS: u32 = 4096;
/// Nothing is held: the first cycle is as good as any.
const REACH: u32 = 1;

const WHOLE: &str = "a word comes to its receiver, as it was sent, if and only if no other is sent \
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
        let receiver = context.part_along(dimension, "receiver");
        if (nodes - 1) * word > MOST_BITS {
            proofs.nothing_to_show.push(Nothing {
                module: receiver.name.clone(),
                properties: RECEIVER,
                why: "it takes long for more than 4096 bits of all words that it hears",
            });
            continue;
        }
        let name = format!("{}_formal", receiver.name);
        let about = ["A receiver anywhere on its bus: understands what exactly one sends to it."];
        let heading = context.head(&name, &about);
        let senders = nodes - 1;
        let text = ReceiverFile {
            heading,
            name: &name,
            dut: &receiver.name,
            senders: &senders,
            bits,
            word,
        };
        let mut files = files_below(receiver)?;
        files.push(proofs.module(&name, text.render()?));
        let kinds = [
            (Kind::Proof, RECEIVER),
            (Kind::Cover(REACH), "words from every sender, and two that meet"),
        ];
        tasks.extend(tasks_of(receiver, &name, &format!("_receiver{suffix}"), &files, kinds));
    }
    proofs.proof("medium", "The busses and their receivers.", tasks);
    Ok(())
}
