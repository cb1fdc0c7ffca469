//! Proofs of the parts: queues and arbiters.

use super::{Context, EmitError, Kind, Nothing, Proofs, Task, files_below};
use askama::Template;
use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_fabric::plan::Granting;
use turnpike_fabric::rtl::fifo::END_FIFO;
use turnpike_netlist::Module;

/// Bits of a word in the proof of a queue, which only stores words.
pub(super) const QUEUE_WIDTH: u32 = 2;

/// Words of the deepest queue of an end that is shown.
const MOST_END_DEPTH: u32 = 32;

/// Properties of a queue, in words.
const OF_QUEUES: &str = "never overflows or underflows, order and data kept, nothing lost";

/// Queues up to this depth are proven for ever; deeper ones for as long as it takes to fill and
/// drain them.
pub(super) const PROVEN_DEPTH: u32 = 8;

#[derive(Template)]
#[template(path = "formal/queue.v.askama", escape = "none")]
struct QueueFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    width: u32,
    depth: u32,
    bits: u32,
    /// Words that may be on the way when the queue says whether it has room.
    in_flight: u32,
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
    /// Whether requests are of the cycle in which the grant stands.
    ahead: bool,
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    n: &'a u32,
    most: u32,
    bits: u32,
}

#[derive(Template)]
#[template(path = "formal/matrix_arbiter.v.askama", escape = "none")]
struct MatrixArbiterFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    n: &'a u32,
    bits: u32,
}

/// The modules of a kind with their size.
pub(super) fn sized<'a>(modules: &'a [Arc<Module>], kind: &str) -> Vec<(&'a Arc<Module>, u32)> {
    let size =
        |module: &Arc<Module>| module.kind.filter(|own| own.name == kind).map(|own| own.size);
    modules.iter().filter_map(|module| Some((module, size(module)?))).collect()
}

/// The queues of a fabric by module.
pub(super) fn queue_modules(modules: &[Arc<Module>]) -> Vec<&Arc<Module>> {
    ["fifo", "shift_fifo"]
        .into_iter()
        .flat_map(|kind| sized(modules, kind))
        .map(|(module, _)| module)
        .collect()
}

/// A task of each kind for a part: its properties are those of `top`, its name ends with
/// `suffix`.
pub(crate) fn tasks_of<'a, const N: usize>(
    module: &'a Module,
    top: &'a str,
    suffix: &'a str,
    files: &'a [String],
    kinds: [(Kind, &'static str); N],
) -> impl Iterator<Item = Task> + use<'a, N> {
    kinds.into_iter().map(move |(kind, properties)| Task {
        name: format!("{}{suffix}", kind.word()),
        kind,
        module: module.name.clone(),
        properties,
        define: None,
        top: top.to_owned(),
        files: files.to_vec(),
        inner: Vec::new(),
        has_clocks: false,
    })
}

/// Proofs of the queues. `in_flight`: words that may be on the way when a queue of a depth says
/// whether it has room.
pub(crate) fn queues<P>(
    context: &Context<'_, P>,
    in_flight: impl Fn(u32) -> u32,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    let of_kind = |kind| sized(&context.own.modules, kind).into_iter();
    let ram = of_kind("fifo").map(|(m, depth)| ("", m, depth, in_flight(depth)));
    let shift = of_kind("shift_fifo").map(|(m, depth)| ("shift_", m, depth, in_flight(depth)));
    let of_ends = of_kind(END_FIFO).map(|(m, depth)| ("end_", m, depth, 0));
    for (style, module, depth, in_flight) in ram.chain(shift).chain(of_ends) {
        if style == "end_" && depth > MOST_END_DEPTH {
            proofs.nothing_to_show.push(Nothing {
                module: module.name.clone(),
                properties: OF_QUEUES,
                why: "more than 32 words take too long; the check of the ends runs it",
            });
            continue;
        }
        let name = format!("{}_formal", module.name);
        let about = [
            "A queue never overflows, never underflows, and keeps order and data: any one word is",
            "followed through it. Words have 2 bits here, for a queue only stores them.",
        ];
        let heading = context.head(&name, &about);
        let (dut, bits) = (&module.name, bits_for(depth + 1));
        let width = QUEUE_WIDTH;
        let text =
            QueueFile { heading, name: &name, dut, width, depth, bits, in_flight }.render()?;
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text));
        let proof =
            if depth <= PROVEN_DEPTH { Kind::Proof } else { Kind::Bounded(depth + in_flight + 8) };
        let kinds = [
            (proof, OF_QUEUES),
            (
                Kind::Cover(depth + in_flight.saturating_sub(1) + 4),
                "full, empty, both ways at once are reached",
            ),
        ];
        tasks.extend(tasks_of(module, &name, &format!("_{style}{depth}"), &files, kinds));
    }
    proofs.proof("queue", "The queues.", tasks);
    Ok(())
}

pub(crate) fn arbiters<P>(context: &Context<'_, P>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for (module, n) in sized(&context.own.modules, "arbiter") {
        let name = format!("{}_formal", module.name);
        let about = [
            "An arbiter grants one request at a time, holds it through its packet, and passes over",
            "no request for more packets than there are other requests.",
        ];
        let heading = context.head(&name, &about);
        let bits = bits_for(2 * n + 1);
        let text = ArbiterFile { heading, name: &name, dut: &module.name, n: &n, bits }.render()?;
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text));
        let kinds = [
            (Kind::Proof, "one-hot, within requests, held through a packet, bounded wait"),
            (Kind::Cover(n + 4), "every grant, a pause in a packet, the longest wait are reached"),
        ];
        tasks.extend(tasks_of(module, &name, &format!("_{n}"), &files, kinds));
    }
    proofs.proof("arbiter", "The arbiters.", tasks);
    Ok(())
}

/// Packets of others that an arbiter over `n` requests passes a request over for at most.
pub(super) fn most_passed(granting: Granting, n: u32) -> u32 {
    match granting {
        Granting::Registered if n > 1 => 2 * n - 3,
        _ => n - 1,
    }
}

/// The arbiters whose grant is a register.
pub(super) fn registered_arbiters<P>(
    context: &Context<'_, P>,
    granting: Granting,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    let ahead = granting == Granting::Ahead;
    let kind = if ahead { "ahead_arbiter" } else { "registered_arbiter" };
    for (module, n) in sized(&context.own.modules, kind) {
        let name = format!("{}_formal", module.name);
        let bound = match ahead {
            false => {
                "packet, and passes over no request for as many packets as twice the other requests."
            }
            true => {
                "packet, and passes over no request for more packets than there are other requests."
            }
        };
        let about = [
            "An arbiter grants one request at a time out of a register, holds it through its",
            bound,
        ];
        let heading = context.head(&name, &about);
        let (dut, bits) = (&module.name, bits_for(2 * n + 1));
        let most = most_passed(granting, n);
        let text = RegisteredArbiterFile { heading, name: &name, dut, n: &n, most, bits, ahead };
        let text = text.render()?;
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text));
        let kinds = [
            (Kind::Proof, "one-hot, within requests, held through a packet, bounded wait"),
            (
                Kind::Cover(2 * n + 6),
                "every grant, a pause in a packet, the longest wait are reached",
            ),
        ];
        tasks.extend(tasks_of(module, &name, &format!("_{n}"), &files, kinds));
    }
    proofs.proof("arbiter", "The arbiters.", tasks);
    Ok(())
}

/// The arbiters of adaptive switches.
pub(super) fn matrix_arbiters<P>(
    context: &Context<'_, P>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let mut tasks = Vec::new();
    for (module, n) in sized(&context.own.modules, "matrix_arbiter") {
        let name = format!("{}_formal", module.name);
        let about = [
            "A matrix arbiter grants an output to one of those that ask, to none while a packet",
            "holds it. Who asks, now and then, loses to each of the others once at most.",
        ];
        let heading = context.head(&name, &about);
        let (dut, bits) = (&module.name, bits_for(2 * n + 1));
        let text = MatrixArbiterFile { heading, name: &name, dut, n: &n, bits }.render()?;
        let mut files = files_below(module)?;
        files.push(proofs.module(&name, text));
        let kinds = [
            (Kind::Proof, "one grant, within asks, held through a packet, lost to each other once"),
            (Kind::Cover(n + 4), "every grant in both rounds, the longest wait are reached"),
        ];
        tasks.extend(tasks_of(module, &name, &format!("_{n}"), &files, kinds));
    }
    proofs.proof("matrix_arbiter", "The matrix arbiters.", tasks);
    Ok(())
}
