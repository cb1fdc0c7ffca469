//! Proofs of what split&hash networks have of their own: the busses between levels, where words
//! enter a node, and whose slot it is.

use super::{Context, medium};
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, files_below, tasks_of};
use askama::Template;
use turnpike_bus::Funnels;
use turnpike_bus::rtl::leveled::bus;

/// The most senders of a bus that is proven whole; of larger ones, a receiver is.
const MOST_SENDERS: u32 = 32;
/// The most bits of all words of a bus that is proven whole.
const MOST_BITS: u32 = 4096;
/// Cycles from reset. The modules hold nothing: the first cycle is as good as any.
const REACH: u32 = 1;
/// A reset, a word, and its acknowledgement.
const ENTRY_REACH: u32 = 4;

const GATED: &str = "in the slots of its function, and in no others, a word comes to its receiver, as \
                     it was sent, if and only if no other is sent there; its sender is told what its \
                     receiver says, and in no other slot";
const ENTRY: &str = "a node takes exactly the words that it acknowledges, in slots for data alone";
const FUNCTIONS: &str = "exactly one function has each slot and that of the acknowledgements after it, \
                         then the next: a sender is told so by one bus at most";

#[derive(Template)]
#[template(path = "formal/bus/level.v.askama", escape = "none")]
struct LevelFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    senders: &'a u32,
    parts: &'a u32,
    bits: u32,
    word: u32,
    /// Whether the bus is one of a function.
    gated: bool,
}

#[derive(Template)]
#[template(path = "formal/bus/entry.v.askama", escape = "none")]
struct EntryFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
}

#[derive(Template)]
#[template(path = "formal/bus/functions.v.askama", escape = "none")]
struct FunctionsFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    count: &'a u32,
}

/// The busses from level to level, those of as many senders once, and their receivers.
pub(super) fn media(
    context: &Context<'_>,
    funnels: &Funnels,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let mut tasks = Vec::new();
    for level in 0..funnels.network().levels() {
        let at = level as usize;
        let (bits, word) = (plan.grid.coordinate_bits(at), plan.word_bits(at));
        // Busses to the sinks have all slots.
        let properties = if level > 0 { GATED } else { medium::WHOLE };
        for senders in funnels.sizes(level) {
            let part = |what| bus::name(plan, funnels, level, senders, what);
            let module = context.part(&part("bus"));
            if senders <= MOST_SENDERS && senders * word <= MOST_BITS {
                let name = format!("{}_formal", module.name);
                let about = ["A bus: a word comes if it is alone in a slot of its function."];
                let text = LevelFile {
                    heading: context.head(&name, &about),
                    name: &name,
                    dut: &module.name,
                    senders: &senders,
                    parts: &plan.grid.sides()[at],
                    bits,
                    word,
                    gated: level > 0,
                };
                let mut files = files_below(module)?;
                files.push(proofs.module(&name, text.render()?));
                let kinds = [
                    (Kind::Proof, properties),
                    (Kind::Cover(REACH), "words alone, words that meet, acknowledgements"),
                ];
                let suffix = format!("_{}", part("bus"));
                tasks.extend(tasks_of(module, &name, &suffix, &files, kinds));
            } else {
                proofs.nothing_to_show.push(Nothing {
                    module: module.name.clone(),
                    properties,
                    why: "it takes long for more than 32 senders, or 4096 bits of all their words",
                });
            }
            let receiver = context.part(&part("receiver"));
            let suffix = format!("_{}", part("receiver"));
            let size = (senders, bits, word);
            tasks.extend(medium::receiver(context, receiver, size, &suffix, proofs)?);
        }
    }
    proofs.proof("medium", "The busses and their receivers.", tasks);
    Ok(())
}

/// Proof of the module by which words enter a node.
pub(super) fn entry(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let module = context.part("entry");
    let name = format!("{}_formal", module.name);
    let about = ["Where words enter a node: it takes exactly those that it acknowledges."];
    let heading = context.head(&name, &about);
    let text = EntryFile { heading, name: &name, dut: &module.name }.render()?;
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text));
    let kinds = [
        (Kind::Proof, ENTRY),
        (Kind::Cover(ENTRY_REACH), "a word that is taken, and one for which there is no room"),
    ];
    let tasks = tasks_of(module, &name, "", &files, kinds).collect();
    proofs.proof("entry", "Where words enter a node.", tasks);
    Ok(())
}

/// Proof of the modules that give each slot its owner.
pub(super) fn functions(
    context: &Context<'_>,
    funnels: &Funnels,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for level in 1..funnels.network().levels() {
        let at = level as usize;
        let module = context.part_along(at, "functions");
        let name = format!("{}_formal", module.name);
        let about = ["Whose slot it is: that of one function, then of the next."];
        let count = &funnels.network().functions(level);
        let heading = context.head(&name, &about);
        let text = FunctionsFile { heading, name: &name, dut: &module.name, count }.render()?;
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text));
        let kinds = [
            (Kind::Proof, FUNCTIONS),
            // A turn of two cycles for each function, and the first again.
            (Kind::Cover(2 * count + 4), "a slot of every function, and the first again"),
        ];
        tasks.extend(tasks_of(module, &name, &context.suffix(at), &files, kinds));
    }
    proofs.proof("functions", "Whose slot it is.", tasks);
    Ok(())
}
