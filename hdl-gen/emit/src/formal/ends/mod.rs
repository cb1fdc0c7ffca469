//! Proofs of memory-mapped ends.

mod around;
mod bridges;
mod reorder;

use super::{Context, EmitError, Kind, Nothing, Proofs, Task};
use around::{Around, ChannelText, stays};
use askama::Template;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_ends::packet::{Field, Layout, SOURCE, TAG};
use turnpike_ends::{Ends, Protocol, Widths, tag_bits};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::rtl::ends::{ManagerShape, Order, SubordinateShape, modules};
use turnpike_netlist::Module;

/// Transactions in flight up to which a table is proven: seconds.
const MOST_IN_FLIGHT: u32 = 8;
/// Transactions in flight up to which an end is proven: a minute or two.
const MOST_OF_ENDS: u32 = 3;
/// Beats of a buffer of writes up to which a manager's end is proven.
const MOST_BEATS: u32 = 2;

/// Properties of a table.
fn of_table(order: Order) -> &'static str {
    match order {
        Order::OneTarget => {
            "transactions of an ID are with one target at a time, each has a tag of its own, and its ID back"
        }
        Order::OneInFlight => {
            "one transaction of an ID at a time, each has a tag of its own, and its ID back"
        }
        Order::Unlike => "each transaction has a tag of its own, and its ID back",
    }
}

const OF_MANAGER: &str = "AXI4 handshakes, a packet that began goes on, no tag twice, answers to writes have room, silence under reset";
const OF_SUBORDINATE: &str = "AXI4 handshakes, each reply goes to whom it is due, answers to writes have room, silence under reset";

#[derive(Template)]
#[template(path = "formal/ends/in_flight.v.askama", escape = "none")]
struct TableFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    entries: u32,
    id: u32,
    target: u32,
    tag_bits: u32,
    order: Order,
    /// Whether all entries can be taken: there are as many IDs, where each has one transaction.
    fills: bool,
}

#[derive(Template)]
#[template(path = "formal/ends/manager.v.askama", escape = "none")]
struct ManagerFile<'a> {
    around: Around<'a>,
    outstanding: u32,
    tag_bits: u32,
    /// Bits of tags of others that are longer.
    tag_above: u32,
    word_bits: u32,
    header_words: u32,
    header_bits: u32,
    header_next: String,
    len_low: u32,
    source_low: u32,
    source_bits: u32,
    data: u32,
    has_nobody: bool,
}

#[derive(Template)]
#[template(path = "formal/ends/subordinate.v.askama", escape = "none")]
struct SubordinateFile<'a> {
    around: Around<'a>,
    outstanding: u32,
    tag_bits: u32,
    word_bits: u32,
    header_words: u32,
    header_bits: u32,
    header_next: String,
    /// Tag and address of the sender in a header.
    sender: String,
    sender_bits: u32,
    /// Bits of counters of transactions.
    count_bits: u32,
    data: u32,
}

/// The rule that what is offered stays, of each channel and of both streams.
fn channels(widths: Widths, layout: &Layout, is_manager: bool) -> Result<Vec<String>, EmitError> {
    let mut texts = stays(Protocol::Axi4, widths, "", !is_manager)?;
    // Requests go out of a manager's end, replies out of a subordinate's, with a destination.
    for (stream, is_out) in [("request", is_manager), ("reply", !is_manager)] {
        let dest = if is_out { layout.terminal } else { 0 };
        let names = ["data", "last", "dest"].into_iter().take(if is_out { 3 } else { 2 });
        let names: Vec<String> = names.map(|name| format!("{stream}_{name}")).collect();
        let text = ChannelText {
            about: format!("The stream of {stream}s."),
            prefix: format!("{stream}_"),
            bits: layout.word() + 1 + dest,
            word: format!("{{{}}}", names.join(", ")),
            assumes: !is_out,
        };
        texts.push(text.render()?);
    }
    Ok(texts)
}

/// Text of the header of a request with the word that comes, and its bits.
fn header(layout: &Layout) -> (u32, u32, String) {
    let words = layout.words(&layout.request());
    let bits = words * layout.word();
    let next = match words {
        1 => "request_data".to_owned(),
        _ => format!("{{request_data, shifted[{}:{}]}}", bits - 1, layout.word()),
    };
    (words, bits, next)
}

fn field(layout: &Layout, name: &str) -> Field {
    let fields = layout.request();
    *fields.iter().find(|field| field.name == name).expect("a field of a request")
}

/// Proofs of the ends of a fabric, where it has any.
pub(super) fn ends(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let Some(ends) = context.plan.ends() else { return Ok(()) };
    let built = modules(context.plan, ends)?;
    let managers: BTreeMap<ManagerShape, Arc<Module>> = built.managers.into_iter().collect();
    let subordinates: BTreeMap<SubordinateShape, Arc<Module>> =
        built.subordinates.into_iter().collect();
    tables(context, &managers, proofs)?;
    let mut tasks = Vec::new();
    for (shape, module) in &managers {
        let is_small = shape.outstanding <= MOST_OF_ENDS && shape.burst <= MOST_BEATS;
        let part = Part {
            module,
            kind: Kind::Proof,
            properties: OF_MANAGER,
            not_shown: (!is_small).then_some(
                "more than 3 transactions in flight or 2 beats; the check of the ends runs it",
            ),
            cover: 8 * shape.outstanding + 16 + 2 * shape.burst.min(8),
            reached: "answers of each kind, all in flight, a reset with some",
        };
        let text = |name: &str| manager(context, ends, shape, module, name);
        tasks.extend(part.tasks(&context.plan.name, proofs, text)?);
    }
    proofs.proof("manager", "The ends of managers.", tasks);
    let mut tasks = Vec::new();
    for (shape, module) in &subordinates {
        let is_small = shape.outstanding <= MOST_OF_ENDS;
        let part = Part {
            module,
            kind: Kind::Proof,
            properties: OF_SUBORDINATE,
            not_shown: (!is_small)
                .then_some("more than 3 transactions in flight; the check of the ends runs it"),
            cover: 8 * shape.outstanding + 16,
            reached: "replies that were followed, all in flight, a reset with some",
        };
        let text = |name: &str| subordinate(context, shape, module, name);
        tasks.extend(part.tasks(&context.plan.name, proofs, text)?);
    }
    proofs.proof("subordinate", "The ends of subordinates.", tasks);
    reorder::of_reorders(context, ends, proofs)?;
    bridges::of_bridges(context, ends, proofs)
}

/// A module of ends, and its proof.
struct Part<'a> {
    module: &'a Arc<Module>,
    /// Kind of the proof.
    kind: Kind,
    /// The properties, in words.
    properties: &'static str,
    /// Reason that they are not shown, where they are not.
    not_shown: Option<&'static str>,
    /// Cycles within which all is reached that is to be, and that in words.
    cover: u32,
    reached: &'static str,
}

impl Part<'_> {
    /// Tasks of the proof, whose property module `text` writes under its name; none where it takes too long.
    fn tasks(
        &self,
        fabric: &str,
        proofs: &mut Proofs,
        text: impl FnOnce(&str) -> Result<String, EmitError>,
    ) -> Result<Vec<Task>, EmitError> {
        let Self { module, kind, properties, not_shown, cover, reached } = *self;
        if let Some(why) = not_shown {
            proofs.nothing_to_show.push(Nothing { module: module.name.clone(), properties, why });
            return Ok(Vec::new());
        }
        let name = format!("{}_formal", module.name);
        let kinds = [(kind, properties), (Kind::Cover(cover), reached)];
        proofs.tasks(fabric, module, text(&name)?, kinds)
    }
}

/// Proofs of the tables of transactions in flight.
fn tables(
    context: &Context<'_, FabricPlan>,
    managers: &BTreeMap<ManagerShape, Arc<Module>>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    let shapes = managers.keys().map(|shape| {
        (
            shape.table_name(&context.plan.name),
            (shape.outstanding, shape.id_width, shape.target_bits(), shape.order),
        )
    });
    let shapes: BTreeMap<String, (u32, u32, u32, Order)> = shapes.collect();
    for (dut, (entries, id, target, order)) in &shapes {
        let module = context.module(dut).expect("a manager has its table");
        let (entries, id, target, order) = (*entries, *id, *target, *order);
        let part = Part {
            module,
            kind: Kind::Proof,
            properties: of_table(order),
            not_shown: (entries > MOST_IN_FLIGHT)
                .then_some("more than 8 transactions in flight; the check of the ends runs it"),
            cover: entries + 4,
            reached: match order {
                Order::Unlike => "full, a reset in flight",
                _ => "full, a wait for another of the ID, a reset in flight",
            },
        };
        let text = |name: &str| {
            let about = match order {
                Order::OneTarget => [
                    "Transactions of one ID are with one target at a time, so that they end in order; each has",
                    "a tag of its own, whatever goes and ends when.",
                ],
                Order::OneInFlight => [
                    "One transaction of an ID is in flight at a time, so that they end in order; each has a tag",
                    "of its own, whatever goes and ends when.",
                ],
                Order::Unlike => [
                    "Each transaction has a tag of its own, whatever goes and ends when, and its ID back. The",
                    "reorder buffer in front gives each an ID of its own.",
                ],
            };
            let about = about.map(|line| line);
            let heading = context.head(name, &about);
            let tag_bits = tag_bits(entries);
            let fills = order == Order::OneTarget || u64::from(entries) <= 1 << id;
            let file =
                TableFile { heading, name, dut, entries, id, target, tag_bits, order, fills };
            Ok(file.render()?)
        };
        tasks.extend(part.tasks(&context.plan.name, proofs, text)?);
    }
    proofs.proof("in_flight", "The tables of transactions in flight.", tasks);
    Ok(())
}

fn manager(
    context: &Context<'_, FabricPlan>,
    ends: &Ends,
    shape: &ManagerShape,
    module: &Module,
    name: &str,
) -> Result<String, EmitError> {
    let about = [
        "The end of a manager: what it offers stays until it is taken, a packet that it began waits",
        "for the network alone, and it takes the answers to its writes whatever else waits. Replies",
        "are to what was asked.",
    ];
    let layout = &shape.layout;
    let (header_words, header_bits, header_next) = header(layout);
    let [len, source] = ["len", SOURCE].map(|name| field(layout, name));
    let tag_bits = tag_bits(shape.outstanding);
    let text = ManagerFile {
        around: Around::of(context, module, name, &about, channels(shape.widths(), layout, true)?),
        outstanding: shape.outstanding,
        tag_bits,
        tag_above: layout.tag - tag_bits,
        word_bits: bits_for(header_words + 1),
        header_words,
        header_bits,
        header_next,
        len_low: len.low,
        source_low: source.low,
        source_bits: source.bits,
        data: layout.data,
        has_nobody: ends.nobody().is_some(),
    };
    Ok(text.render()?)
}

fn subordinate(
    context: &Context<'_, FabricPlan>,
    shape: &SubordinateShape,
    module: &Module,
    name: &str,
) -> Result<String, EmitError> {
    let about = [
        "The end of a subordinate: what it offers stays until it is taken, each reply goes to whom it",
        "is due, and it takes the answers to writes whatever else waits. The subordinate answers what",
        "it took, in order.",
    ];
    let layout = &shape.layout;
    let (header_words, header_bits, header_next) = header(layout);
    let [tag, source] = [TAG, SOURCE].map(|name| field(layout, name));
    let slice = |field: Field| format!("header[{}:{}]", field.low + field.bits - 1, field.low);
    let text = SubordinateFile {
        around: Around::of(context, module, name, &about, channels(shape.widths(), layout, false)?),
        outstanding: shape.outstanding,
        tag_bits: layout.tag,
        word_bits: bits_for(header_words + 1),
        header_words,
        header_bits,
        header_next,
        sender: format!("{{{}, {}}}", slice(tag), slice(source)),
        sender_bits: tag.bits + source.bits,
        count_bits: bits_for(shape.outstanding + 4),
        data: layout.data,
    };
    Ok(text.render()?)
}
