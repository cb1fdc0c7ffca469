//! Proofs of the parts: queues, arbiters, the injector.

use super::{Context, EmitError, Kind, Proofs, Task, bits_for, files_below, gather, literal};
use crate::routing::Header;
use crate::rtl::Module;
use crate::topology::Node;
use askama::Template;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits of a word in the proof of a queue, which only stores words.
const QUEUE_WIDTH: u32 = 2;

/// Queues up to this depth are proven for ever; deeper ones for as long as it takes to fill and
/// drain them.
const PROVEN_DEPTH: u32 = 8;

/// Differences whose headers are covered, at most.
const COVERED: usize = 16;

#[derive(Template)]
#[template(path = "formal/queue.v.askama", escape = "none")]
struct QueueFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    width: u32,
    depth: u32,
    bits: u32,
    /// Whether a word may be on the way when the queue says whether it has room.
    in_flight: bool,
}

#[derive(Template)]
#[template(path = "formal/arbiter.v.askama", escape = "none")]
struct ArbiterFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    n: &'a u32,
    bits: u32,
}

#[derive(Template)]
#[template(path = "formal/registered_arbiter.v.askama", escape = "none")]
struct RegisteredArbiterFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    n: &'a u32,
    most: u32,
    bits: u32,
}

#[derive(Template)]
#[template(path = "formal/injector.v.askama", escape = "none")]
struct InjectorFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    address: u32,
    flit: u32,
    header: u32,
    rows: Vec<(String, String)>,
    covered: &'a [(String, String)],
}

/// The modules of a kind with their size: `NAME_<kind>_<size>`.
fn sized<'a>(
    context: &Context<'_>,
    modules: &'a [Arc<Module>],
    kind: &str,
) -> Vec<(&'a Arc<Module>, u32)> {
    let prefix = format!("{}_{kind}_", context.plan.name);
    let size = |m: &Arc<Module>| m.name.strip_prefix(&prefix)?.parse().ok();
    modules.iter().filter_map(|m| Some((m, size(m)?))).collect()
}

/// The queues of a fabric by module.
pub(super) fn queue_modules<'a>(
    context: &Context<'_>,
    modules: &'a [Arc<Module>],
) -> Vec<&'a Arc<Module>> {
    ["fifo", "shift_fifo"]
        .into_iter()
        .flat_map(|kind| sized(context, modules, kind))
        .map(|(module, _)| module)
        .collect()
}

pub(super) fn queues(
    context: &Context<'_>,
    modules: &[Arc<Module>],
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    let ram = sized(context, modules, "fifo").into_iter().map(|m| ("", m));
    let shift = sized(context, modules, "shift_fifo").into_iter().map(|m| ("shift_", m));
    for (style, (module, depth)) in ram.chain(shift) {
        let name = format!("{}_formal", module.name);
        let about = [
            "A queue never overflows, never underflows, and keeps order and data: any one word is",
            "followed through it. Words have 2 bits here, for a queue only stores them.",
        ];
        let heading = context.head(&name, &about);
        let (dut, bits) = (&module.name, bits_for(depth));
        let in_flight = context.plan.parameters.pipeline.in_flight() > 0;
        let width = QUEUE_WIDTH;
        let text =
            QueueFile { heading, name: &name, dut, width, depth, bits, in_flight }.render()?;
        let mut files = files_below(module);
        files.push(proofs.module(&name, text));
        let proof = if depth <= PROVEN_DEPTH { Kind::Proof } else { Kind::Bounded(depth + 8) };
        for (kind, properties) in [
            (proof, "never overflows or underflows, order and data kept, nothing lost"),
            (Kind::Cover(depth + 4), "full, empty, both ways at once are reached"),
        ] {
            let task = format!("{}_{style}{depth}", kind.word());
            let (module, top, files) = (module.name.clone(), name.clone(), files.clone());
            tasks.push(Task { name: task, kind, module, properties, define: None, top, files });
        }
    }
    proofs.proof("queue", "The queues.", tasks);
    Ok(())
}

pub(super) fn arbiters(
    context: &Context<'_>,
    modules: &[Arc<Module>],
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for (module, n) in sized(context, modules, "arbiter") {
        let name = format!("{}_formal", module.name);
        let about = [
            "An arbiter grants one request at a time, holds it through its packet, and passes over",
            "no request for more packets than there are other requests.",
        ];
        let heading = context.head(&name, &about);
        let bits = bits_for(2 * n);
        let text = ArbiterFile { heading, name: &name, dut: &module.name, n: &n, bits }.render()?;
        let mut files = files_below(module);
        files.push(proofs.module(&name, text));
        for (kind, properties) in [
            (Kind::Proof, "one-hot, within requests, held through a packet, bounded wait"),
            (Kind::Cover(n + 4), "every grant, a pause in a packet, the longest wait are reached"),
        ] {
            let task = format!("{}_{n}", kind.word());
            let (module, top, files) = (module.name.clone(), name.clone(), files.clone());
            tasks.push(Task { name: task, kind, module, properties, define: None, top, files });
        }
    }
    proofs.proof("arbiter", "The arbiters.", tasks);
    Ok(())
}

/// The arbiters whose grant is a register.
pub(super) fn registered_arbiters(
    context: &Context<'_>,
    modules: &[Arc<Module>],
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for (module, n) in sized(context, modules, "registered_arbiter") {
        let name = format!("{}_formal", module.name);
        let about = [
            "An arbiter grants one request at a time out of a register, holds it through its",
            "packet, and passes over no request for as many packets as twice the other requests.",
        ];
        let heading = context.head(&name, &about);
        let (dut, bits) = (&module.name, bits_for(2 * n));
        let most = (2 * n).saturating_sub(3);
        let text = RegisteredArbiterFile { heading, name: &name, dut, n: &n, most, bits };
        let text = text.render()?;
        let mut files = files_below(module);
        files.push(proofs.module(&name, text));
        for (kind, properties) in [
            (Kind::Proof, "one-hot, within requests, held through a packet, bounded wait"),
            (
                Kind::Cover(2 * n + 6),
                "every grant, a pause in a packet, the longest wait are reached",
            ),
        ] {
            let task = format!("{}_{n}", kind.word());
            let (module, top, files) = (module.name.clone(), name.clone(), files.clone());
            tasks.push(Task { name: task, kind, module, properties, define: None, top, files });
        }
    }
    proofs.proof("arbiter", "The arbiters.", tasks);
    Ok(())
}

pub(super) fn injector(
    context: &Context<'_>,
    modules: &[Arc<Module>],
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let dut = format!("{}_injector", plan.name);
    let Some(module) = modules.iter().find(|m| m.name == dut) else { return Ok(()) };
    let name = format!("{dut}_formal");
    let address = plan.injection.difference_bits;
    let carried = plan.injected_header();
    let header = carried.len() as u32;
    let row = |(difference, value): (u64, Header)| {
        (literal(address, difference), literal(header, gather(value, &carried)))
    };
    let rows: Vec<_> = headers_by_difference(context)?.into_iter().map(row).collect();
    let about = [
        "The injector makes the header that the relation gives a packet, takes the destination",
        "from its first flit, keeps every flit and its order, and what it offers stays offered.",
    ];
    let heading = context.head(&name, &about);
    let flit = plan.flit_width();
    let covered = &rows.clone()[..rows.len().min(COVERED)];
    let text =
        InjectorFile { heading, name: &name, dut: &dut, address, flit, header, rows, covered };
    let text = text.render()?;
    let mut files = files_below(module);
    files.push(proofs.module(&name, text));
    let task = |(kind, properties): (Kind, &'static str)| Task {
        name: kind.word().to_owned(),
        kind,
        module: dut.clone(),
        properties,
        define: None,
        top: name.clone(),
        files: files.clone(),
    };
    let kinds = [
        (Kind::Proof, "the relation's header, flits kept in order, valid and flit stable"),
        (Kind::Cover(8), "packets of several flits, back-pressure, headers are reached"),
    ];
    proofs.proof("injector", "The injector.", kinds.into_iter().map(task).collect());
    Ok(())
}

/// What the relation injects, by source XOR destination: the same for every pair of one
/// difference, or there would be no such injector.
fn headers_by_difference(context: &Context<'_>) -> Result<BTreeMap<u64, Header>, EmitError> {
    let (topology, relation) = (context.plan.topology(), context.plan.network.relation());
    let mut rows = BTreeMap::new();
    let sources = if context.plan.network.is_invariant() { 1 } else { topology.nodes() };
    for source in (0..sources).map(Node) {
        for destination in topology.all_nodes() {
            let difference = u64::from(source.0 ^ destination.0);
            let header = relation.inject(source, destination);
            if *rows.entry(difference).or_insert(header) != header {
                let what = format!("headers at injection differ for difference {difference:b}");
                return Err(EmitError::Expectation(what));
            }
        }
    }
    Ok(rows)
}
