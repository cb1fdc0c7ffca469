//! Proof of the switches alone.

use super::Context;
use crate::EmitError;
use crate::formal::{Kind, Proofs, files_below, tasks_of};
use askama::Template;
use std::collections::BTreeSet;
use turnpike_base::bits::bits_for;

/// Bits of a word in the proof of a switch, which only passes them.
const WIDTH: u32 = 2;

/// Cycles from reset. The switch holds nothing: the first cycle is as good as any.
const REACH: u32 = 1;

#[derive(Template)]
#[template(path = "formal/circuit/switch.v.askama", escape = "none")]
struct SwitchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    /// Bits of a setting of an output.
    select: u32,
    width: u32,
    /// Whether it is one of 2 inputs and 2 outputs, straight or crossed.
    crossing: bool,
}

pub(super) fn switches(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let network = &context.plan.network;
    let size = |stage| (network.inputs(stage), network.outputs(stage));
    let sizes: BTreeSet<(u32, u32)> = (0..network.stages()).map(size).collect();
    let mut tasks = Vec::new();
    for (inputs, outputs) in sizes {
        let crossing = (inputs, outputs) == (2, 2);
        let module = context.part(&match crossing {
            true => "switch".to_owned(),
            false => format!("switch_{inputs}x{outputs}"),
        });
        let name = format!("{}_formal", module.name);
        let about = match crossing {
            true => [
                "A switch, straight or crossed: any one word that comes goes to one output. Words have 2",
                "bits here, for a switch only passes them.",
            ],
            false => [
                "A switch, its settings free: any one word that comes goes to the lowest of the outputs",
                "told to take it, and to no other. Words have 2 bits here, for a switch only passes them.",
            ],
        };
        let text = SwitchFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &module.name,
            inputs: (0..inputs).collect(),
            outputs: (0..outputs).collect(),
            select: bits_for(inputs + 1),
            width: WIDTH,
            crossing,
        };
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text.render()?));
        let kinds = match crossing {
            true => [
                (Kind::Proof, "whatever its setting is, no word is lost, doubled or made up"),
                (Kind::Cover(REACH), "words from every input and to every output"),
            ],
            false => [
                (
                    Kind::Proof,
                    "whatever its settings are, no word is doubled or made up, and each goes where \
                     it is told",
                ),
                (Kind::Cover(REACH), "words from every input and to every output"),
            ],
        };
        let suffix = format!("_{inputs}x{outputs}");
        tasks.extend(tasks_of(module, &name, &suffix, &files, kinds));
    }
    proofs.proof("switch", "The switches.", tasks);
    Ok(())
}
