//! Proofs of what a bus for flows has of its own: a medium on which each receiver hears the senders of
//! its flows, and sources that refuse words without a flow.

use super::{Context, medium};
use crate::EmitError;
use crate::formal::{Kind, Nothing, Proofs, files_below, tasks_of};
use askama::Template;
use std::collections::BTreeSet;
use turnpike_bus::BusFlows;
use turnpike_bus::rtl::flows::receiver_name;
use turnpike_bus::rtl::sender::SEED_BITS;

/// The most senders, or receivers, of a bus that is proven whole; of larger ones, a receiver is.
const MOST_NODES: usize = 16;
/// The most bits of all words of a bus that is proven whole.
const MOST_BITS: u32 = 4096;
/// Cycles from reset. The medium holds nothing: the first cycle is as good as any.
const REACH: u32 = 1;
/// A reset, and a word.
const SOURCE_REACH: u32 = 4;

const WHOLE: &str = "a word comes to its receiver, as it was sent, if and only if no other is sent there by \
                     those that have a flow to it, and nothing comes from others; its sender is told what \
                     its receiver says";
const SOURCE: &str = "a word to an address without a flow is refused and flagged, and no other is";

#[derive(Template)]
#[template(path = "formal/bus/flows.v.askama", escape = "none")]
struct FlowsFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    senders: &'a [u32],
    takers: &'a [u32],
    /// By sender, the places of its receivers.
    flows: Vec<Vec<usize>>,
    /// Whether some receiver hears two senders.
    meet: bool,
    bits: u32,
    word: u32,
}

#[derive(Template)]
#[template(path = "formal/bus/source.v.askama", escape = "none")]
struct SourceFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    bits: u32,
    width: u32,
    id: u32,
    word: u32,
    /// Port that tells the sender from others, and its bits.
    own: &'static str,
    own_bits: u32,
}

/// The bus, its receivers, and the sources.
pub(super) fn media(
    context: &Context<'_>,
    flows: &BusFlows,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let (bits, word) = (plan.grid.coordinate_bits(0), plan.word_bits(0));
    let (senders, takers) = (flows.sources(), flows.sinks());
    let mut tasks = Vec::new();
    let bus = context.part("bus");
    let fits = senders.len().max(takers.len()) <= MOST_NODES;
    if fits && senders.len() as u32 * word <= MOST_BITS {
        let name = format!("{}_formal", bus.name);
        let about = ["A bus for flows: a receiver hears those that have a flow to it."];
        let places = |node: &u32| {
            let of = flows.of_source(*node).into_iter();
            of.filter_map(|to| takers.binary_search(&to).ok()).collect()
        };
        let text = FlowsFile {
            heading: context.head(&name, &about),
            name: &name,
            dut: &bus.name,
            senders: &senders,
            takers: &takers,
            flows: senders.iter().map(places).collect(),
            meet: flows.most_senders() > 1,
            bits,
            word,
        };
        let mut files = files_below(bus)?;
        files.push(proofs.module(&name, text.render()?));
        let kinds = [
            (Kind::Proof, WHOLE),
            (Kind::Cover(REACH), "words alone, words that meet, acknowledgements"),
        ];
        tasks.extend(tasks_of(bus, &name, "_bus", &files, kinds));
    } else {
        proofs.nothing_to_show.push(Nothing {
            module: bus.name.clone(),
            properties: WHOLE,
            why: "it takes long for more than 16 nodes, or 4096 bits of all their words",
        });
    }
    let sizes: BTreeSet<u32> =
        takers.iter().map(|&node| flows.of_sink(node).len() as u32).collect();
    for count in sizes {
        let module = context.module(&receiver_name(plan, count)).expect("every size has it");
        let suffix = format!("_receiver_of_{count}");
        tasks.extend(medium::receiver(context, module, (count, bits, word), &suffix, proofs)?);
    }
    proofs.proof("medium", "The bus and its receivers.", tasks);
    source(context, proofs)
}

fn source(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let plan = context.plan;
    let module = context.part("source");
    let name = format!("{}_formal", module.name);
    let about = ["A source: refuses the words that it has no flow for."];
    let bits = plan.grid.address_bits();
    let (own, own_bits) = match plan.protocol.draw_bits() {
        0 => ("position", plan.grid.coordinate_bits(0)),
        _ => ("seed", SEED_BITS),
    };
    let text = SourceFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &module.name,
        bits,
        width: plan.parameters.width,
        id: plan.id_bits(),
        word: plan.word_bits(0),
        own,
        own_bits,
    };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let kinds = [
        (Kind::Proof, SOURCE),
        (Kind::Cover(SOURCE_REACH), "a word that is refused, and one that goes on"),
    ];
    let tasks = tasks_of(module, &name, "", &files, kinds).collect();
    proofs.proof("source", "Words that a source has no flow for.", tasks);
    Ok(())
}
