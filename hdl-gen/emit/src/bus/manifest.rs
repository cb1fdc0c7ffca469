//! The manifest of a bus fabric.

use crate::VERSION;
use crate::formal::Proof;
use crate::manifest::{ProofFile, SCHEMA_VERSION, Selftest, proof};
use serde::Serialize;
use turnpike_bus::BusPlan;

#[derive(Serialize)]
struct Manifest<'a> {
    schema_version: u32,
    generator: String,
    digest: &'a str,
    name: &'a str,
    /// `bus`.
    kind: &'static str,
    configuration: &'a str,
    topology: String,
    files: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    selftest: Option<Selftest<'a>>,
    /// SymbiYosys files and their tasks.
    proofs: Vec<ProofFile<'a>>,
    parameters: Parameters,
    terminal: Terminal,
    protocol: Protocol,
    busses: Vec<Busses>,
    /// Pairs of a sender and a receiver on one bus.
    crosspoints: u64,
    /// What a user has to know.
    rules: Vec<&'static str>,
}

#[derive(Serialize)]
struct Parameters {
    width: u32,
    depth: u32,
    source_id: bool,
    /// `high` or `low`.
    reset: &'static str,
    /// Where senders draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_seed: Option<u64>,
}

#[derive(Serialize)]
struct Terminal {
    count: u32,
    address_bits: u32,
    /// The address of each terminal.
    addresses: Vec<u64>,
    protocol: &'static str,
}

#[derive(Serialize)]
struct Protocol {
    name: &'static str,
    /// With its numbers.
    options: String,
    source: &'static str,
    keeps_order: bool,
    /// Random bits that a sender draws at once.
    draw_bits: u32,
}

const DRAWN: &str = "Every word that was taken from a source is delivered, once, as long as sinks drain. When a word arrives depends on what is drawn: there is no bound on its time, and \
                     senders that meet more often than the protocol's numbers foresee may take very \
                     long.";
const IN_TURN: &str = "No words meet: in each slot every node may send to one receiver, and no two to \
                       the same. A word waits for its turn, which comes every k - 1 slots on a bus of \
                       k nodes. It is delivered once, when its receiver has room in its turn: a \
                       receiver that is busy in step with the turns, as its sink stalls or its own \
                       words come, may starve a sender for as long as it is.";

/// The busses of a dimension.
#[derive(Serialize)]
struct Busses {
    dimension: &'static str,
    count: u32,
    nodes: u32,
    /// Bits of a word on the bus, beside the receiver's coordinate.
    word_bits: u32,
}

const RULES: [&str; 3] = [
    "A beat is a packet: there is no tlast.",
    "Slots for data and slots for acknowledgements take turns, a cycle each.",
    "A word arrives if its receiver gets no other in that slot and has room; its sender is told so in \
     the next slot, and else sends it again.",
];

pub(super) fn render(
    plan: &BusPlan,
    configuration: &str,
    files: &[String],
    selftest: Option<Selftest<'_>>,
    proofs: &[Proof],
    digest: &str,
) -> Result<String, serde_json::Error> {
    let (grid, p) = (&plan.grid, plan.parameters);
    let kind = plan.protocol.kind();
    let order = match kind.keeps_order() {
        true => "Words of one source to one destination arrive in order.",
        false => "Words of one source to one destination may overtake each other.",
    };
    let time = if plan.protocol.draw_bits() > 0 { DRAWN } else { IN_TURN };
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        generator: format!("turnpike {VERSION}"),
        digest,
        name: &plan.name,
        kind: "bus",
        configuration,
        topology: grid.to_string(),
        files,
        selftest,
        proofs: proofs.iter().map(proof).collect(),
        parameters: Parameters {
            width: p.width,
            depth: p.depth,
            source_id: p.source_id,
            reset: if p.reset_low { "low" } else { "high" },
            draw_seed: (plan.protocol.draw_bits() > 0).then_some(p.draw_seed),
        },
        terminal: Terminal {
            count: plan.terminals(),
            address_bits: grid.address_bits(),
            addresses: (0..grid.nodes()).map(|node| grid.address(node)).collect(),
            protocol: "AXI4-Stream without tlast",
        },
        protocol: Protocol {
            name: kind.name,
            options: plan.protocol.to_string(),
            source: kind.source,
            keeps_order: kind.keeps_order(),
            draw_bits: plan.protocol.draw_bits(),
        },
        busses: (0..grid.dimensions())
            .map(|dimension| Busses {
                dimension: grid.name(dimension),
                count: grid.lines(dimension),
                nodes: grid.sides()[dimension],
                word_bits: plan.word_bits(dimension),
            })
            .collect(),
        crosspoints: grid.crosspoints(),
        rules: RULES.into_iter().chain([time, order]).collect(),
    };
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}
