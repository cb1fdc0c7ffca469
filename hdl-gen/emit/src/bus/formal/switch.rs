//! Proof of the switch of a node.

use super::Context;
use crate::EmitError;
use crate::formal::{Kind, Proofs, files_below, tasks_of};
use askama::Template;
use turnpike_bus::BusPlan;

/// A reset, a word, and its acknowledgement.
const REACH: u32 = 4;

struct Dimension {
    name: &'static str,
    bits: u32,
    heard: u32,
    queue: u32,
}

/// The source, or a bus.
struct Candidate {
    /// The port of its word.
    word: String,
}

/// A queue, or the sink.
struct Target {
    number: usize,
    name: &'static str,
    port: String,
    bits: u32,
    /// By candidate, when its word is for this target, and what stands there then.
    coming: Vec<(String, String)>,
}

impl Target {
    /// The numbers of its candidates, the last first, as bits are written.
    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.coming.len()).rev()
    }
}

#[derive(Template)]
#[template(path = "formal/bus/switch.v.askama", escape = "none")]
struct SwitchFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    dut: &'a str,
    source: u32,
    sink: u32,
    dimensions: Vec<Dimension>,
    candidates: Vec<Candidate>,
    targets: Vec<Target>,
}

pub(super) fn switch(context: &Context<'_>, proofs: &mut Proofs) -> Result<(), EmitError> {
    let plan = context.plan;
    let grid = &plan.grid;
    let module = context.part("switch");
    let name = format!("{}_formal", module.name);
    let about = [
        "The switch of a node: takes exactly the words that it acknowledges, each into the one queue",
        "that it has to go to.",
    ];
    let count = grid.dimensions();
    let dimension = |d: usize| Dimension {
        name: grid.name(d),
        bits: grid.coordinate_bits(d),
        heard: plan.word_bits(d),
        queue: grid.coordinate_bits(d) + plan.word_bits(d),
    };
    let busses = (0..count).map(|d| Candidate { word: format!("{}_heard", grid.name(d)) });
    let source = Candidate { word: "source_word".into() };
    let text = SwitchFile {
        heading: context.head(&name, &about),
        name: &name,
        dut: &module.name,
        source: grid.address_bits() + plan.parameters.width,
        sink: plan.payload_bits(),
        dimensions: (0..count).map(dimension).collect(),
        candidates: std::iter::once(source).chain(busses).collect(),
        targets: (0..=count).map(|number| target(plan, number)).collect(),
    };
    let mut files = files_below(module)?;
    files.push(proofs.module(&name, text.render()?));
    let kinds = [
        (
            Kind::Proof,
            "takes exactly the words that it acknowledges, each into the one queue that it has to go \
             to, and idles no queue",
        ),
        (Kind::Cover(REACH), "words from everywhere to every queue, and one of two"),
    ];
    proofs.proof(
        "switch",
        "The switch of a node.",
        tasks_of(module, &name, "", &files, kinds).collect(),
    );
    Ok(())
}

/// The queue for the bus of a dimension; past the last, the sink.
fn target(plan: &BusPlan, number: usize) -> Target {
    let grid = &plan.grid;
    let count = grid.dimensions();
    let is_sink = number == count;
    // The source, and the busses of lower dimensions.
    let coming = (0..=number).map(|candidate| {
        let from = candidate;
        let (word, valid) = match candidate {
            0 => ("source_word".to_owned(), "source_valid".to_owned()),
            bus => {
                let name = grid.name(bus - 1);
                (format!("{name}_heard"), format!("{name}_only"))
            }
        };
        let field = |d: usize| {
            let low = match candidate {
                0 => plan.parameters.width,
                _ => plan.payload_bits(),
            } + (from..d).map(|below| grid.coordinate_bits(below)).sum::<u32>();
            format!("{word}[{low} +: {}]", grid.coordinate_bits(d))
        };
        let here = |d: usize| format!("{} == {}_position", field(d), grid.name(d));
        let mut conditions = vec![valid];
        conditions.extend((from..number).map(here));
        if !is_sink {
            conditions.push(format!("{} != {}_position", field(number), grid.name(number)));
        }
        let own: Vec<String> =
            (0..count).rev().map(|d| format!("{}_position", grid.name(d))).collect();
        let payload = match (candidate, plan.id_bits()) {
            (0, 0) => format!("{word}[0 +: {}]", plan.parameters.width),
            (0, _) => format!("{}, {word}[0 +: {}]", own.join(", "), plan.parameters.width),
            _ => format!("{word}[0 +: {}]", plan.payload_bits()),
        };
        let mut parts: Vec<String> = Vec::new();
        if !is_sink {
            parts.push(field(number));
            parts.extend((number + 1..count).rev().map(field));
        }
        parts.push(payload);
        (conditions.join(" & "), format!("{{{}}}", parts.join(", ")))
    });
    Target {
        number,
        name: if is_sink { "sink" } else { grid.name(number) },
        port: if is_sink { "sink".into() } else { format!("{}_queue", grid.name(number)) },
        bits: match is_sink {
            true => plan.payload_bits(),
            false => grid.coordinate_bits(number) + plan.word_bits(number),
        },
        coming: coming.collect(),
    }
}
