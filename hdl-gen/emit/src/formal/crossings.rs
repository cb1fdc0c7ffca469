//! Proofs of what passes between two clocks: the queue, and the reset that both clocks are under.

use super::{Context, EmitError, Kind, Proofs, files_below, parts::tasks_of};
use askama::Template;
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_netlist::Module;

/// Steps of induction: fewer do not do, for a register takes on what was there a step before.
const STEPS: u32 = 6;
/// Steps in which what must be reached is looked for: an edge of a clock takes two.
const REACH: u32 = 60;
/// Properties of the queue, in words.
const QUEUE: &str =
    "nothing lost, doubled, made up or out of order, no overflow, whatever two clocks";
/// Properties of the reset, in words.
const RESET: &str =
    "a reset of any length at any time leaves both ends empty, and each sees the other so";

/// Ends of a queue, for both property modules.
struct Ends<'a> {
    writer: &'a Arc<Module>,
    reader: &'a Arc<Module>,
    depth: u32,
    /// Bits of a pointer.
    pointer: u32,
    /// Stages of each synchroniser.
    stages: u32,
}

/// Register of a module, the name of the wire that the script connects to it, and its bits.
type Inner = (String, String, u32);

impl Ends<'_> {
    /// Stages of the synchronisers, through which the pointers pass.
    fn pointers(&self) -> Vec<Inner> {
        let stages = (1..=self.stages).flat_map(|stage| {
            ["writer.head", "reader.tail"].map(|of| {
                let pointer = of.rsplit('.').next().unwrap_or(of);
                (format!("{of}_sync{stage}"), format!("{pointer}_sync{stage}"), self.pointer)
            })
        });
        stages.collect()
    }

    /// Registers of [`Ends::pointers`], numbers, whether a word is on offer, and the words.
    fn all(&self) -> Vec<Inner> {
        let numbers = ["writer", "reader"]
            .map(|end| (format!("{end}.number"), format!("{end}_number"), self.pointer));
        let offers = [("reader.offers".to_owned(), "reader_offers".to_owned(), 1)];
        let words =
            (0..self.depth).map(|at| (format!("writer.words[{at}]"), format!("word{at}"), 1));
        numbers.into_iter().chain(offers).chain(self.pointers()).chain(words).collect()
    }
}

#[derive(Template)]
#[template(path = "formal/async_queue.v.askama", escape = "none")]
struct QueueFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    writer: &'a str,
    reader: &'a str,
    depth: u32,
    pointer: u32,
    stages: u32,
    inner: &'a [Inner],
}

impl QueueFile<'_> {
    /// Number of a pointer in Gray code.
    fn number(&self, gray: &str) -> String {
        let shifted = (1..self.pointer).map(|by| format!(" ^ ({gray} >> {by})"));
        gray.to_owned() + &shifted.collect::<String>()
    }

    /// Pointers as numbers, each with what it is: before its other end was seen, what stands beside it.
    fn numbers(&self) -> Vec<(String, String)> {
        let seen = |edges: &str, least: u32, gray: &str, beside: &str| {
            format!("{edges} > {least} ? {} : {beside}", self.number(gray))
        };
        let mut numbers = vec![
            ("head_at".to_owned(), self.number("head")),
            ("tail_at".to_owned(), self.number("tail")),
            ("head_late_at".to_owned(), seen("in_edges", 0, "head_late", "head_at")),
            ("tail_late_at".to_owned(), seen("out_edges", 0, "tail_late", "tail_at")),
        ];
        let mut beside = "head_late_at".to_owned();
        for stage in 1..=self.stages {
            let gray = format!("head_sync{stage}");
            numbers.push((format!("{gray}_at"), seen("in_edges", stage, &gray, &beside)));
            beside = format!("{gray}_at");
        }
        let mut beside = "head_at".to_owned();
        for stage in (1..=self.stages).rev() {
            let gray = format!("tail_sync{stage}");
            numbers.push((format!("{gray}_at"), seen("out_edges", stage, &gray, &beside)));
            beside = format!("{gray}_at");
        }
        numbers
    }

    /// Neighbours around the ring, the later first.
    fn neighbours(&self) -> Vec<(String, String)> {
        let stages = |of: &str| -> Vec<String> {
            (1..=self.stages).rev().map(|stage| format!("{of}_sync{stage}_at")).collect()
        };
        let mut ring = stages("head");
        ring.extend(["head_late_at", "head_at"].map(str::to_owned));
        ring.extend(stages("tail"));
        ring.extend(["tail_late_at", "tail_at"].map(str::to_owned));
        ring.windows(2).map(|pair| (pair[1].clone(), pair[0].clone())).collect()
    }
}

#[derive(Template)]
#[template(path = "formal/async_reset.v.askama", escape = "none")]
struct ResetFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    writer: &'a str,
    reader: &'a str,
    request: &'a str,
    answer: &'a str,
    /// Clocks that answer, beside the one of the queue.
    others: u32,
    pointer: u32,
    stages: u32,
    inner: &'a [Inner],
    /// Ends of the queue: that of the network and the other, `in` and `out`, or the other way about.
    network: &'static str,
    other: &'static str,
    /// Pointer that the network sees of the other end.
    seen: &'static str,
}

/// Proofs of the queues between two clocks, where terminals have clocks.
pub(super) fn crossings(
    context: &Context<'_, FabricPlan>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let plan = context.plan;
    let of_kind = |kind: &str| -> Option<&Arc<Module>> {
        context.own.modules.iter().find(|module| module.kind.is_some_and(|k| k.name == kind))
    };
    let found = [of_kind("async_writer"), of_kind("async_reader"), of_kind("reset_request")];
    let [Some(writer), Some(reader), Some(request)] = found else { return Ok(()) };
    let answer = context.module(&format!("{}_reset_answer", plan.name)).expect("clocks answer");
    let size = |module: &Module| module.kind.expect("a module of a kind").size;
    let ends = Ends {
        writer,
        reader,
        depth: size(writer),
        pointer: writer.port("tail").expect("a writer has a tail").width,
        stages: plan.sync_stages(),
    };
    queue(context, &ends, proofs)?;
    let mut tasks = Vec::new();
    for (side, direction, [network, other], seen) in [
        (Side::Source, "to_network", ["out", "in"], "tail"),
        (Side::Sink, "from_network", ["in", "out"], "head"),
    ] {
        if plan.terminals_of(side).iter().all(|&terminal| plan.clock(terminal).is_none()) {
            continue;
        }
        let name = format!("{}_async_reset_{direction}_formal", plan.name);
        let about = [
            "A reset in two clocks of which nothing is known, with synchronisers that settle late: neither",
            "clock goes on before the other was under it, and then the queue between them is empty.",
        ];
        let inner = ends.pointers();
        let text = ResetFile {
            heading: context.head(&name, &about),
            name: &name,
            writer: &writer.name,
            reader: &reader.name,
            request: &request.name,
            answer: &answer.name,
            others: size(request) - 1,
            pointer: ends.pointer,
            stages: ends.stages,
            inner: &inner,
            network,
            other,
            seen,
        };
        let text = text.render()?;
        let mut files = Vec::new();
        for module in [writer, reader, request, answer] {
            files.extend(files_below(module)?);
        }
        files.push(proofs.module(&name, text));
        let kinds = [
            (Kind::Proof, RESET),
            (Kind::Cover(REACH), "both clocks going on and a reset with words inside are reached"),
        ];
        let suffix = format!("_{direction}");
        let own = tasks_of(request, &name, &suffix, &files, kinds);
        tasks.extend(own.map(|task| task.with_clocks(&inner)));
    }
    proofs.proof("async_reset", "The reset of several clocks.", tasks);
    Ok(())
}

/// Proof of the queue, from a reset on.
fn queue(
    context: &Context<'_, FabricPlan>,
    ends: &Ends<'_>,
    proofs: &mut Proofs,
) -> Result<(), EmitError> {
    let name = format!("{}_async_queue_formal", context.plan.name);
    let about = [
        "A queue between two clocks of which nothing is known, with synchronisers that settle late: from a",
        "reset on nothing is lost, doubled, made up or out of order.",
    ];
    let inner = ends.all();
    let text = QueueFile {
        heading: context.head(&name, &about),
        name: &name,
        writer: &ends.writer.name,
        reader: &ends.reader.name,
        depth: ends.depth,
        pointer: ends.pointer,
        stages: ends.stages,
        inner: &inner,
    };
    let text = text.render()?;
    let mut files = files_below(ends.writer)?;
    files.extend(files_below(ends.reader)?);
    files.push(proofs.module(&name, text));
    let kinds = [
        (Kind::Induction(STEPS), QUEUE),
        (Kind::Cover(REACH), "a full queue and a word followed to its end are reached"),
    ];
    let tasks = tasks_of(ends.writer, &name, "", &files, kinds);
    let tasks = tasks.map(|task| task.with_clocks(&inner)).collect();
    proofs.proof("async_queue", "The queues between two clocks.", tasks);
    Ok(())
}
