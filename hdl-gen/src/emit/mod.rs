//! Emission: a fabric as a folder of files. Verilog is the netlist of [`crate::rtl`], laid out
//! by templates; nothing here decides what the hardware is.

pub mod folder;
pub mod formal;
pub mod manifest;
pub mod testbench;
pub mod verilog;

use crate::plan::FabricPlan;
use crate::routing::walk::RouteError;
use crate::rtl::{Module, RtlError, fabric};
use askama::Template;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Turnpike's version, as it stands in every file.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file of a fabric folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, a plain file name; or one in a folder of the fabric's: `formal/queue.sby`.
    pub name: String,
    /// What is in it.
    pub contents: String,
}

/// Why a fabric could not be rendered: always a bug in Turnpike.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
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
}

#[derive(Template)]
#[template(path = "fusesoc.core.askama", escape = "none")]
struct CoreFile<'a> {
    name: &'a str,
    version: &'a str,
    summary: String,
    modules: &'a [String],
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
    let top = fabric::fabric(plan)?;
    let modules = fabric::modules(&top);
    let texts: Vec<verilog::ModuleText> = modules.iter().map(|m| verilog::module_text(m)).collect();
    let digest = digest(plan, &modules, &texts);
    let mut files = Vec::new();
    for (module, text) in modules.iter().zip(&texts) {
        let heading = heading(plan, &digest, &module.name, &module.about);
        let contents = ModuleFile { heading, name: &module.name, text }.render()?;
        files.push(File { name: format!("{}.v", module.name), contents });
    }
    let names: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    let mut add = |name: String, contents: String| files.push(File { name, contents });
    let name = &plan.name;
    let proofs =
        formal::Proofs::of(plan, &modules, &|name, about| heading(plan, &digest, name, about))?;
    add(format!("{name}.f"), names.iter().map(|n| format!("{n}\n")).collect());
    add(format!("{name}.json"), manifest::render(plan, &names, &proofs.proofs, &digest)?);
    let about = [
        "Self-checking testbench: every source-destination pair, random bursts, a flood of long"
            .to_owned(),
        "packets; random gaps and back-pressure. Ends with PASS or FAIL.".to_owned(),
    ];
    let tb_heading = heading(plan, &digest, &format!("{name}_tb"), &about);
    add(format!("{name}_tb.v"), testbench::render(plan, tb_heading)?);
    add("Makefile".into(), MakefileFile { name, version: VERSION }.render()?);
    let summary = format!("Turnpike fabric: {}", plan.canonical());
    add(
        format!("{name}.core"),
        CoreFile { name, version: VERSION, summary, modules: &names }.render()?,
    );
    add(format!("{name}.sdc"), ClockFile { name }.render()?);
    files.extend(proofs.render(&digest)?);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The proofs of a fabric: what [`render`] writes into [`formal::FOLDER`].
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn proofs(plan: &FabricPlan) -> Result<formal::Proofs, EmitError> {
    let modules = fabric::modules(&fabric::fabric(plan)?);
    formal::Proofs::of(plan, &modules, &|_, _| Vec::new())
}

/// A module and those below it as Verilog files alone, the top first: for proofs and tests of
/// parts.
///
/// # Errors
/// [`EmitError`] never, unless Turnpike is wrong.
pub fn verilog_files(top: &Arc<Module>) -> Result<Vec<File>, EmitError> {
    let file = |module: &Arc<Module>| {
        let text = verilog::module_text(module);
        let heading = std::iter::once(module.name.clone()).chain(module.about.clone()).collect();
        let contents = ModuleFile { heading, name: &module.name, text: &text }.render()?;
        Ok(File { name: format!("{}.v", module.name), contents })
    };
    fabric::modules(top).iter().map(file).collect()
}

/// The lines at the head of a Verilog file.
fn heading(plan: &FabricPlan, digest: &str, name: &str, about: &[String]) -> Vec<String> {
    let mut lines = vec![name.to_owned()];
    lines.extend(about.iter().cloned());
    lines.push(String::new());
    lines.extend(wrap_words(&format!("Configuration: {}", plan.canonical())));
    if plan.network.certificate().is_none() {
        lines
            .push("WARNING: NOT deadlock-free. Emitted because --allow-deadlock was given.".into());
    }
    lines.push(format!("Turnpike {VERSION}, digest {digest}"));
    lines
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

/// Sixteen hexadecimal digits over the configuration, the version and the hardware itself.
fn digest(plan: &FabricPlan, modules: &[Arc<Module>], texts: &[verilog::ModuleText]) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    add(VERSION);
    add(&plan.canonical());
    for (module, text) in modules.iter().zip(texts) {
        add(&module.name);
        text.ports.iter().chain(&text.body).for_each(|line| add(line));
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
