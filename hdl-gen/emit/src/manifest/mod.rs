//! The manifest: all that the plan says, as JSON for other programs. Fabrics of every kind have the
//! same fields, and a kind's own stand among them.

mod certificate;
pub(crate) mod ends;
mod switch;
pub(crate) mod switched;

use super::VERSION;
use super::formal::{Proof, Task};
use crate::part::ModuleGroup;
use crate::terminals::{TerminalEntry, TerminalMap};
use ends::EndsField;
use serde::Serialize;
use std::collections::BTreeMap;
use turnpike_fabric::board::Board;

/// Raised when a field changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// Fields of a manifest that a kind of fabric gives: those that every kind has, and its own.
pub struct Fields<N, P, T, H> {
    /// Kind of the fabric.
    pub kind: &'static str,
    /// Network, in a few words.
    pub topology: String,
    /// Fields of the network.
    pub network: N,
    /// Parameters besides the network.
    pub parameters: P,
    /// Terminals of the fabric.
    pub terminal: Terminal,
    /// Fields of what travels.
    pub transport: T,
    /// Latency of the fabric.
    pub latency: Latency,
    /// Fields of the hardware.
    pub hardware: H,
    /// Promise of the fabric on the delivery of words, where it is not that of a certificate.
    pub delivery: Option<String>,
    /// Rules that a user has to keep to.
    pub rules: Vec<&'static str>,
}

/// Fields of their own that some kinds have not.
#[derive(Serialize)]
pub struct NoFields {}

#[derive(Serialize)]
struct Manifest<'a, N, P, T, H> {
    schema_version: u32,
    generator: String,
    digest: &'a str,
    name: &'a str,
    /// `switched`, `circuit`, `slotted` or `bus`.
    kind: &'static str,
    configuration: &'a str,
    topology: String,
    #[serde(flatten)]
    network: N,
    files: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    selftest: Option<Selftest<'a>>,
    /// SymbiYosys files and their tasks.
    proofs: Vec<ProofFile<'a>>,
    parameters: P,
    terminal: Terminal,
    #[serde(flatten)]
    transport: T,
    latency: Latency,
    #[serde(flatten)]
    hardware: H,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<&'static str>,
    /// Memory-mapped ends of the terminals, where they have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<EndsField<'a>>,
    /// Terminals with ports, where they have addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    terminals: Option<&'a [TerminalEntry]>,
}

/// Terminals of a fabric.
#[derive(Serialize, Default)]
pub struct Terminal {
    /// Number of terminals.
    pub count: u32,
    pub address_bits: u32,
    /// The address of each terminal, where it is not the terminal's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<u64>>,
    /// Protocol of the ports.
    pub protocol: &'static str,
    /// The addresses of the slices of the `s_axis` and of the `m_axis` ports, where not every
    /// address has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s_axis: Option<Vec<u32>>,
    /// The addresses of the slices of the `m_axis` ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m_axis: Option<Vec<u32>>,
    /// Message classes of the slices of the `s_axis` and of the `m_axis` ports, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub s_axis_classes: Vec<String>,
    /// Message classes of the slices of the `m_axis` ports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub m_axis_classes: Vec<String>,
    /// Names of terminals in the names of their ports, by label, where each terminal has ports of
    /// its own: those that differ from the label.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub port_names: BTreeMap<String, String>,
}

/// Latency in clock cycles.
#[derive(Serialize, Default)]
pub struct Latency {
    /// From acceptance at a terminal to the head of the injection queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injection_cycles: Option<u32>,
    /// From the head of one queue to the head of the next, for a packet's first flit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hop_cycles: Option<u32>,
    /// From the head of the last queue to `m_axis_tvalid`, for a packet's first flit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ejection_cycles: Option<u32>,
    /// Cycles of a slot of a bus: one for data, one for acknowledgements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot_cycles: Option<u32>,
    /// From acceptance to `m_axis_tvalid` over no channel (a packet to oneself).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_load_self_cycles: Option<u32>,
    /// Zero-load latency over the longest route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_load_longest_cycles: Option<u32>,
}

/// The self-test of the folder.
#[derive(Serialize)]
pub struct Selftest<'a> {
    board: &'static str,
    device: &'static str,
    clock_mhz: u32,
    top: String,
    /// Verilog beside the fabric's.
    files: &'a [String],
    constraints: String,
}

impl<'a> Selftest<'a> {
    /// Entry of the self-test of fabric `name` on `board`, with its Verilog files.
    pub fn new(name: &str, board: &Board, files: &'a [String]) -> Self {
        Self {
            board: board.name,
            device: board.device,
            clock_mhz: board.clock_mhz,
            top: format!("{name}_selftest"),
            files,
            constraints: format!("{name}_selftest.{}", board.constraints_ending()),
        }
    }
}

#[derive(Serialize)]
struct ProofFile<'a> {
    file: &'a str,
    tasks: Vec<ProofTask<'a>>,
}

#[derive(Serialize)]
struct ProofTask<'a> {
    name: &'a str,
    module: &'a str,
    properties: &'a str,
    engine: &'a str,
    /// Depth of the task in cycles; left out where it has no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u32>,
}

impl<N: Serialize, P: Serialize, T: Serialize, H: Serialize> Fields<N, P, T, H> {
    /// The manifest as JSON text, of the fabric of this name with these modules in `files`.
    ///
    /// # Errors
    /// [`serde_json::Error`] never, unless a field's type is wrong.
    pub(crate) fn render(
        self,
        (name, configuration): (&str, &str),
        own: &ModuleGroup,
        files: &[String],
        (terminals, ends): (Option<&TerminalMap>, Option<EndsField<'_>>),
        selftest: Option<Selftest<'_>>,
        proofs: &[Proof],
    ) -> Result<String, serde_json::Error> {
        let Self { kind, topology, network, parameters, terminal, transport, .. } = self;
        let Self { latency, hardware, delivery, rules, .. } = self;
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            generator: format!("turnpike {VERSION}"),
            digest: &own.digest,
            name,
            kind,
            configuration,
            topology,
            network,
            files,
            selftest,
            proofs: proofs.iter().map(proof).collect(),
            parameters,
            terminal,
            transport,
            latency,
            hardware,
            delivery,
            rules,
            ends,
            terminals: terminals.map(|map| &map.terminals[..]),
        };
        Ok(serde_json::to_string_pretty(&manifest)? + "\n")
    }
}

fn proof(proof: &Proof) -> ProofFile<'_> {
    fn task(task: &Task) -> ProofTask<'_> {
        let Task { name, module, properties, kind, .. } = task;
        ProofTask { name, module, properties, engine: kind.engine(), cycles: kind.cycles() }
    }
    ProofFile { file: &proof.path, tasks: proof.tasks.iter().map(task).collect() }
}
