//! Emission: a fabric as a folder of files. Verilog is the netlist of [`turnpike_fabric::rtl`], laid out
//! by templates; nothing here decides what the hardware is.

pub mod folder;
pub mod formal;
mod given;
mod known;
pub mod manifest;
pub mod origin;
pub mod picture;
mod selftest;
pub mod testbench;
pub mod verilog;

use askama::Template;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use turnpike_base::bits::hexadecimal;
use turnpike_fabric::board::{Board, Flow};
use turnpike_fabric::plan::FabricPlan;
use turnpike_fabric::plan::expected::ExpectedError;
use turnpike_fabric::rtl::fabric;
use turnpike_fabric::rtl::selftest::{SelftestError, top};
use turnpike_netlist::{Design, Module, RtlError};
use turnpike_network::routing::walk::RouteError;

/// Turnpike's version, as it stands in every file.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the digest of a file goes, in the line of the version: see [`File::sealed`].
const DIGEST: &str = ", digest 0000000000000000";

/// A file of a fabric folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, a plain file name; or one in a folder of the fabric's: `formal/queue.sby`.
    pub name: String,
    /// What is in it.
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

/// Why a fabric could not be rendered: a bug in Turnpike, but for a self-test that has no room.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// A fabric without room for a self-test.
    #[error(transparent)]
    Selftest(#[from] SelftestError),
    /// A netlist that does not hold together.
    #[error(transparent)]
    Rtl(#[from] RtlError),
    /// A template.
    #[error("internal error: {0}")]
    Template(#[from] askama::Error),
    /// A relation that does not say one thing for one header.
    #[error("internal error: {0}")]
    Expectation(String),
    /// A route that does not arrive.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// The manifest.
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
#[template(path = "module.v.askama", escape = "none")]
struct ModuleFile<'a> {
    heading: Vec<String>,
    name: &'a str,
    text: &'a verilog::ModuleText,
}

#[derive(Template)]
#[template(path = "Makefile.askama", escape = "none")]
struct MakefileFile<'a> {
    name: &'a str,
    version: &'a str,
    /// Rules of the self-test, where there is one.
    selftest: String,
}

#[derive(Template)]
#[template(path = "fusesoc.core.askama", escape = "none")]
struct CoreFile<'a> {
    name: &'a str,
    version: &'a str,
    summary: String,
    modules: &'a [String],
    /// The board and the Verilog of the self-test, where there is one.
    selftest: Option<(&'a Board, &'a [String])>,
}

#[derive(Template)]
#[template(path = "clock.sdc", escape = "none")]
struct ClockFile<'a> {
    name: &'a str,
}

/// All files of a fabric, in order of name.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn render(plan: &FabricPlan) -> Result<Vec<File>, EmitError> {
    render_with(plan, None)
}

/// All files of a fabric, in order of name, and of its self-test on `board`. The files of the
/// fabric's own hardware are the same with and without.
///
/// # Errors
/// [`EmitError::Selftest`] where the fabric is too narrow for a self-test.
pub fn render_with(plan: &FabricPlan, board: Option<&Board>) -> Result<Vec<File>, EmitError> {
    let name = &plan.name;
    let configuration = configuration(plan, board);
    let fabric = fabric::fabric(plan)?;
    let own = Part::new(plan.canonical(), fabric.modules().to_vec());
    let mut files = own.files(plan)?;
    let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    let mut added = Vec::new();
    if let Some(board) = board {
        let mut modules = top::top(plan, &fabric, board)?.modules().to_vec();
        modules.retain(|module| own.modules.iter().all(|known| known.name != module.name));
        let part = Part::new(configuration.clone(), modules);
        let verilog = part.files(plan)?;
        added.extend(verilog.iter().map(|f| f.name.clone()));
        files.extend(verilog);
        files.extend(selftest::files(name, board)?);
        let about =
            ["Runs the self-test to its end, as the board would. Ends with PASS or FAIL.".into()];
        let heading = part.heading(plan, &format!("{name}_selftest_tb"), &about);
        files.push(selftest::testbench(plan, board, heading)?);
        let list = added.iter().chain(&names);
        let contents = list.map(|n| format!("{n}\n")).collect();
        files.push(File { name: format!("{name}_selftest.f"), contents });
    }
    let head = |name: &str, about: &[String]| own.heading(plan, name, about);
    let proofs = formal::Proofs::of(plan, &own.modules, &head)?;
    let mut add = |name: String, contents: String| files.push(File { name, contents });
    if let Some(description) = plan.network().description() {
        add(description.file_name(), description.text());
    }
    if let Some(given) = plan.network().given_relation() {
        add(given.file_name(), given.text());
    }
    add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
    let selftest = board.map(|board| manifest::Selftest::new(name, board, &added));
    add(
        format!("{name}.json"),
        manifest::render(plan, &configuration, &names, selftest, &proofs.proofs, &own.digest)?,
    );
    let about = [
        "Self-checking testbench: every source-destination pair, random bursts, a flood of long"
            .to_owned(),
        "packets; random gaps and back-pressure. Ends with PASS or FAIL.".to_owned(),
    ];
    let tb_heading = own.heading(plan, &format!("{name}_tb"), &about);
    add(format!("{name}_tb.v"), testbench::render(plan, &own.modules[0], tb_heading)?);
    let rules = board.map(|board| selftest::make_rules(name, board)).transpose()?;
    let selftest = rules.unwrap_or_default();
    add("Makefile".into(), MakefileFile { name, version: VERSION, selftest }.render()?);
    let summary = format!("Turnpike fabric: {configuration}");
    let selftest = board.map(|board| (board, added.as_slice()));
    let core = CoreFile { name, version: VERSION, summary, modules: &names, selftest };
    add(format!("{name}.core"), core.render()?);
    add(format!("{name}.sdc"), ClockFile { name }.render()?);
    files.extend(proofs.render()?);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files.into_iter().map(File::sealed).collect())
}

/// The proofs of a fabric: what [`render`] writes into [`formal::FOLDER`].
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn proofs(plan: &FabricPlan) -> Result<formal::Proofs, EmitError> {
    formal::Proofs::of(plan, fabric::fabric(plan)?.modules(), &|_, _| Vec::new())
}

/// The words after `turnpike generate` that make the folder, without paths.
fn configuration(plan: &FabricPlan, board: Option<&Board>) -> String {
    let selftest = board.map(|board| format!(" --selftest {}", board.name));
    plan.canonical() + &selftest.unwrap_or_default()
}

/// Modules of one configuration, with what stands at the head of their files.
struct Part {
    configuration: String,
    modules: Vec<Arc<Module>>,
    texts: Vec<verilog::ModuleText>,
    digest: String,
}

impl Part {
    fn new(configuration: String, modules: Vec<Arc<Module>>) -> Self {
        let texts: Vec<_> = modules.iter().map(|m| verilog::module_text(m)).collect();
        let digest = digest(&configuration, &modules, &texts);
        Self { configuration, modules, texts, digest }
    }

    fn files(&self, plan: &FabricPlan) -> Result<Vec<File>, EmitError> {
        let file = |(module, text): (&Arc<Module>, &verilog::ModuleText)| {
            let heading = self.heading(plan, &module.name, &module.about);
            let contents = ModuleFile { heading, name: &module.name, text }.render()?;
            Ok(File { name: format!("{}.v", module.name), contents })
        };
        self.modules.iter().zip(&self.texts).map(file).collect()
    }

    /// The lines at the head of a Verilog file.
    fn heading(&self, plan: &FabricPlan, name: &str, about: &[String]) -> Vec<String> {
        let mut lines = vec![name.to_owned()];
        lines.extend(about.iter().cloned());
        lines.push(String::new());
        lines.extend(wrap_words(&format!("Configuration: {}", self.configuration)));
        if !plan.is_deadlock_free() {
            let warning = "WARNING: NOT deadlock-free. Emitted because --allow-deadlock was given.";
            lines.push(warning.into());
        }
        lines.push(format!("Turnpike {VERSION}{DIGEST}"));
        lines
    }
}

/// Which of the terminals with a slice of the `s_axis` ports send, and which of those with a slice
/// of the `m_axis` ports take packets: a bit each, the highest first; empty where none failed.
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

/// The modules of a design as Verilog files alone, the top first: for proofs and tests of parts.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn verilog_files(design: &Design) -> Result<Vec<File>, EmitError> {
    let file = |module: &Arc<Module>| {
        let text = verilog::module_text(module);
        let heading = std::iter::once(module.name.clone()).chain(module.about.clone()).collect();
        let contents = ModuleFile { heading, name: &module.name, text: &text }.render()?;
        Ok(File { name: format!("{}.v", module.name), contents })
    };
    design.modules().iter().map(file).collect()
}

fn wrap_words(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + word.len() > 95 {
            lines.push(format!("  {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

/// The digest in the manifest: over the configuration, the version and all of the hardware.
fn digest(configuration: &str, modules: &[Arc<Module>], texts: &[verilog::ModuleText]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    add(VERSION);
    add(configuration);
    for (module, text) in modules.iter().zip(texts) {
        add(&module.name);
        text.ports.iter().chain(&text.body).for_each(|line| add(line));
    }
    shortened(&hash.finalize())
}
