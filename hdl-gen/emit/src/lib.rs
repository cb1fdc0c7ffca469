//! Emission: a fabric as a folder of files. Verilog is the netlist of [`turnpike_fabric::rtl`], laid out
//! by templates; nothing here decides what the hardware is.

mod addresses;
pub mod bus;
pub mod circuit;
mod cocotb;
mod cocotb_ends;
mod cycles;
pub mod folder;
pub mod formal;
mod given;
mod instance;
mod ipxact;
mod known;
pub mod manifest;
mod memory_map;
pub mod origin;
mod part;
pub mod picture;
mod recording;
mod registers;
mod selftest;
pub mod slotted;
pub mod terminals;
mod testbench;
pub mod verilog;
mod vlnv;
pub mod whole;

pub use part::{ModuleGroup, verilog_files};
pub use vlnv::{Vlnv, VlnvError};

use askama::Template;
use sha2::{Digest, Sha256};
use terminals::TerminalMap;
use turnpike_base::bits::hexadecimal;
use turnpike_base::delivery;
use turnpike_fabric::board::{Board, Flow};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::expected::ExpectedError;
use turnpike_fabric::rtl::selftest::SelftestError;
use turnpike_fabric::rtl::selftest::subject::Subject;
use turnpike_fabric::rtl::{fabric, interface};
use turnpike_netlist::RtlError;
use turnpike_network::routing::walk::RouteError;
use whole::{Folder, Whole};

/// Turnpike's version, as it stands in every file.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Place of a file's digest in the line of the version: see [`File::sealed`].
const DIGEST: &str = ", digest 0000000000000000";

/// A file of a fabric folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Name of the file, a plain file name; or a path in a folder of the fabric's:
    /// `formal/queue.sby`.
    pub name: String,
    /// Text of the file.
    pub contents: String,
}

impl File {
    /// The file with its digest at its head: sixteen hexadecimal digits over all that it holds, the
    /// configuration and the version among it, with zeros in the digest's own place. So a change
    /// to one module shows in that module's file.
    fn sealed(self) -> Self {
        let digest = shortened(&Sha256::digest(&self.contents));
        let contents = self.contents.replacen(DIGEST, &format!(", digest {digest}"), 1);
        Self { contents, ..self }
    }
}

/// The first sixteen digits of a hash.
fn shortened(hash: &[u8]) -> String {
    hexadecimal(&hash[..8])
}

/// Reason that a fabric could not be rendered: a bug in Turnpike, but for a self-test that has no
/// room.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// A fabric without room for a self-test.
    #[error(transparent)]
    Selftest(#[from] SelftestError),
    /// A netlist that does not hold together.
    #[error(transparent)]
    Rtl(#[from] RtlError),
    #[error("internal error: {0}")]
    Template(#[from] askama::Error),
    /// A relation that does not say one thing for one header.
    #[error("internal error: {0}")]
    Expectation(String),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    #[error("internal error: manifest: {0}")]
    Manifest(#[from] serde_json::Error),
}

impl From<ExpectedError> for EmitError {
    fn from(error: ExpectedError) -> Self {
        match error {
            ExpectedError::Route(route) => Self::Route(route),
            ExpectedError::TwoWays { .. } => Self::Expectation(error.to_string()),
        }
    }
}

#[derive(Template)]
#[template(path = "Makefile.askama", escape = "none")]
struct MakefileFile<'a> {
    name: &'a str,
    version: &'a str,
    /// Whether there are proofs.
    proofs: bool,
    /// Whether there is a test by cocotb.
    cocotb: bool,
    /// Rules of the self-test, where there is one.
    selftest: String,
}

#[derive(Template)]
#[template(path = "fusesoc.core.askama", escape = "none")]
struct CoreFile<'a> {
    name: &'a str,
    /// The whole name of the core.
    core: String,
    summary: String,
    modules: &'a [String],
    /// Files that the user's Verilog may include.
    includes: &'a [String],
    /// The board and the Verilog of the self-test, where there is one.
    selftest: Option<(&'a Board, &'a [String])>,
    /// Data files that the testbench reads.
    data: &'a [String],
}

#[derive(Template)]
#[template(path = "clock.sdc", escape = "none")]
struct ClockFile<'a> {
    name: &'a str,
    /// Whether there is anything that a clock moves.
    clocked: bool,
    /// Clocks of terminals beside that of the network.
    others: &'a [String],
}

#[derive(Template)]
#[template(path = "crossings.xdc", escape = "none")]
struct CrossingsFile<'a> {
    name: &'a str,
    others: &'a [String],
}

/// Folder of a switched fabric with a self-test on `board`, and a FuseSoC core
/// of this vendor, library and version. The files of the fabric's own hardware are the same with and
/// without a self-test.
///
/// # Errors
/// [`EmitError::Selftest`] where the fabric is too narrow for a self-test.
pub fn render(plan: &FabricPlan, board: Option<&Board>, vlnv: &Vlnv) -> Result<Folder, EmitError> {
    let name = &plan.name;
    let inner = fabric::fabric(plan)?;
    let top = interface::top(plan, &inner)?;
    let own = ModuleGroup::new(plan.canonical(), warning(plan), top.modules().to_vec())
        .with_claim(plan.deadlock_free_condition().map(delivery::claim_under));
    let about = [
        "Self-checking testbench: every source-destination pair, random bursts, a flood of long",
        "packets; random gaps and back-pressure; then what the reference router does, cycle for cycle.",
        "Ends with PASS or FAIL.",
    ];
    let heading = own.heading(&format!("{name}_tb"), &about);
    let cycles = cycles::record(plan);
    let terminals = plan.ends().is_none().then(|| TerminalMap::of(plan));
    let subject = |board| Ok::<_, EmitError>((Subject::of(plan)?, board));
    let cocotb = match plan.ends() {
        Some(ends) => cocotb_ends::render(top.top(), plan, ends, &own)?,
        None => cocotb::render(top.top(), &TerminalMap::of(plan), &own)?,
    };
    let whole = Whole {
        what: "Turnpike fabric",
        design: &top,
        network: &inner,
        own: &own,
        testbench: testbench::render(plan, inner.top(), cycles.as_ref(), heading)?,
        data: cycles.iter().map(|cycles| cycles.file(name)).collect(),
        given: given::files(plan),
        selftest: board.map(subject).transpose()?,
        proofs: formal::Proofs::of(plan, &own)?,
        terminals: terminals.as_ref(),
        ends: plan.ends().map(|ends| (plan, ends)),
        cocotb: Some(cocotb),
        fields: manifest::switched::fields(plan, inner.top()),
    };
    whole.folder(vlnv)
}

/// Warning in every file of a fabric that can deadlock.
fn warning(plan: &FabricPlan) -> Option<&'static str> {
    let warning = "WARNING: NOT deadlock-free. Emitted because --allow-deadlock was given.";
    (!plan.is_deadlock_free()).then_some(warning)
}

/// Masks of the terminals with a slice of the `s_axis` ports that send, and of those with a slice
/// of the `m_axis` ports that take packets: a bit each, the highest first; empty where none failed.
fn live(plan: &FabricPlan) -> [String; 2] {
    let topology = plan.topology();
    [
        mask(plan.sources().iter().map(|&terminal| topology.source(terminal).is_some())),
        mask(plan.sinks().iter().map(|&terminal| topology.sink(terminal).is_some())),
    ]
}

/// A bit for each, the last first; empty where all are 1.
fn mask(bits: impl DoubleEndedIterator<Item = bool>) -> String {
    let bits: String = bits.rev().map(|bit| if bit { '1' } else { '0' }).collect();
    if bits.contains('0') { bits } else { String::new() }
}
