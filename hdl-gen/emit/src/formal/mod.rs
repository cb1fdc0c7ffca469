//! Proofs beside the RTL: property modules in Verilog, and the SymbiYosys files that run them.
//!
//! Properties speak of ports alone, so that they hold for every micro-architecture. What a
//! switch must do is read from the routes of the relation, not from the RTL's route logic.

mod addresses;
mod crossings;
mod ends;
mod injector;
mod links;
mod names;
pub(crate) mod parts;
mod shapers;
mod switch;
mod switch_module;
mod terminals;
mod widths;

pub(crate) use injector::DrawFile;
pub(crate) use parts::tasks_of;

use super::{EmitError, File, VERSION};
use crate::part::ModuleGroup;
use askama::Template;
use std::collections::BTreeSet;
use std::sync::Arc;
use turnpike_fabric::plan::{FabricPlan, Granting, Parameters};
use turnpike_netlist::{Design, Module};

/// The folder of the proofs, inside that of the fabric.
pub const FOLDER: &str = "formal";

/// Kind of a run of SymbiYosys, by what the run is to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Proof that no reachable state breaks a property.
    Proof,
    /// Proof of that by induction over so many steps.
    Induction(u32),
    /// Proof that no state within so many cycles breaks a property.
    Bounded(u32),
    /// Search for a trace to each cover, within so many cycles: covers keep proofs from being
    /// vacuous.
    Cover(u32),
}

impl Kind {
    /// `prove`, `bounded`, `cover`: how tasks are called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proof | Self::Induction(_) => "prove",
            Self::Bounded(_) => "bounded",
            Self::Cover(_) => "cover",
        }
    }

    /// Whether it begins in any state: tables that Yosys takes for memories are then to be logic, for a
    /// memory might hold anything.
    fn is_induction(self) -> bool {
        matches!(self, Self::Induction(_))
    }

    /// SymbiYosys' mode.
    fn mode(self) -> &'static str {
        match self {
            Self::Proof | Self::Induction(_) => "prove",
            Self::Bounded(_) => "bmc",
            Self::Cover(_) => "cover",
        }
    }

    /// SymbiYosys' engine.
    pub fn engine(self) -> &'static str {
        match self {
            Self::Proof => "abc pdr",
            Self::Bounded(_) => "abc bmc3",
            Self::Induction(_) | Self::Cover(_) => "smtbmc z3",
        }
    }

    /// Depth of the run in cycles, where it has a bound.
    pub fn cycles(self) -> Option<u32> {
        match self {
            Self::Proof | Self::Induction(_) => None,
            Self::Bounded(cycles) | Self::Cover(cycles) => Some(cycles),
        }
    }

    /// SymbiYosys' depth: steps of induction, or the bound of the run.
    fn depth(self) -> Option<u32> {
        match self {
            Self::Induction(steps) => Some(steps),
            other => other.cycles(),
        }
    }
}

/// One run of SymbiYosys: a task of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Name of the task in the file.
    pub name: String,
    /// Kind of the run.
    pub kind: Kind,
    /// Module that the task is about.
    pub module: String,
    /// The properties, in words.
    pub properties: &'static str,
    /// The macro that picks a part of the properties.
    pub(crate) define: Option<&'static str>,
    /// The property module.
    top: String,
    /// Files that the task reads, relative to the fabric's folder.
    files: Vec<String>,
    /// Registers inside, each with the wire of the property module that is to be it.
    inner: Vec<(String, String)>,
    /// Whether clocks are inputs, each with edges of its own; else the clock is that of every step.
    has_clocks: bool,
}

impl Task {
    /// The task with registers inside that the property module names, each with its wire and its bits.
    fn with_inner(self, inner: &[(String, String, u32)]) -> Self {
        let inner = inner.iter().map(|(register, wire, _)| (register.clone(), wire.clone()));
        Self { inner: inner.collect(), ..self }
    }

    /// The task with clocks that are inputs, each with edges of its own, and registers inside.
    fn with_clocks(self, inner: &[(String, String, u32)]) -> Self {
        Self { has_clocks: true, ..self.with_inner(inner) }
    }
}

/// A SymbiYosys file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Path of the file in the fabric's folder.
    pub path: String,
    /// Tasks of the file.
    pub tasks: Vec<Task>,
    about: &'static str,
}

/// A property that is not claimed of this fabric.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nothing {
    /// Name of the module.
    pub module: String,
    /// The properties, in words.
    pub properties: &'static str,
    /// Reason that the property is not claimed.
    pub why: &'static str,
}

/// The proofs of a fabric and the property modules that they read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proofs {
    /// The SymbiYosys files.
    pub proofs: Vec<Proof>,
    /// Properties that are not claimed.
    pub nothing_to_show: Vec<Nothing>,
    /// The property modules.
    modules: Vec<File>,
}

#[derive(Template)]
#[template(path = "formal/proof.sby.askama", escape = "none")]
struct ProofFile<'a> {
    about: &'a str,
    path: &'a str,
    version: &'a str,
    digest: &'static str,
    tasks: &'a [Task],
}

impl ProofFile<'_> {
    /// A file's name where SymbiYosys copies it to.
    fn base<'a>(&self, file: &'a str) -> &'a str {
        file.rsplit('/').next().unwrap_or(file)
    }

    /// Files that some task reads.
    fn files(&self) -> BTreeSet<&String> {
        self.tasks.iter().flat_map(|task| &task.files).collect()
    }
}

/// Inputs that the writers of property modules share: a plan of some kind, and its modules.
pub(crate) struct Context<'a, P> {
    pub plan: &'a P,
    pub own: &'a ModuleGroup,
}

impl<'a, P> Context<'a, P> {
    /// The heading of a property module.
    pub fn head(&self, name: &str, about: &[&str]) -> Vec<String> {
        self.own.heading(name, about)
    }

    /// The module of this name, where the fabric has it.
    pub fn module(&self, name: &str) -> Option<&'a Arc<Module>> {
        self.own.modules.iter().find(|module| module.name == name)
    }
}

impl Proofs {
    /// Every proof of a switched fabric, whose modules are `own`.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub(crate) fn of(plan: &FabricPlan, own: &ModuleGroup) -> Result<Self, EmitError> {
        let context = Context { plan, own };
        let mut proofs = Self::default();
        // Those that take longest are begun first.
        switch::switches(&context, &mut proofs)?;
        // A queue that is deeper than the others has room for what is on its link.
        let Parameters { depth, pipeline, .. } = plan.parameters;
        parts::queues(&context, |own| own - depth + pipeline.in_flight(), &mut proofs)?;
        links::links(&context, &mut proofs)?;
        match plan.parameters.pipeline.granting() {
            Granting::AtOnce => parts::arbiters(&context, &mut proofs)?,
            granting => parts::registered_arbiters(&context, granting, &mut proofs)?,
        }
        parts::matrix_arbiters(&context, &mut proofs)?;
        injector::injectors(&context, &mut proofs)?;
        terminals::terminals(&context, &mut proofs)?;
        widths::widths(&context, &mut proofs)?;
        addresses::addresses(&context, &mut proofs)?;
        shapers::shapers(&context, &mut proofs)?;
        crossings::crossings(&context, &mut proofs)?;
        ends::ends(&context, &mut proofs)?;
        Ok(proofs)
    }

    /// The files, in order of name.
    ///
    /// # Errors
    /// [`EmitError`] never, unless a template is wrong.
    pub fn render(&self) -> Result<Vec<File>, EmitError> {
        let mut files = self.modules.clone();
        for proof in &self.proofs {
            let contents = ProofFile {
                about: proof.about,
                path: &proof.path,
                version: VERSION,
                digest: super::DIGEST,
                tasks: &proof.tasks,
            };
            files.push(File { name: proof.path.clone(), contents: contents.render()? });
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    pub(crate) fn module(&mut self, name: &str, contents: String) -> String {
        let path = format!("{FOLDER}/{name}.v");
        self.modules.push(File { name: path.clone(), contents });
        path
    }

    /// A task of each kind for a module of a fabric, by its property module `<module>_formal`, which is
    /// `text`. Their names end as the module's does.
    fn tasks<const N: usize>(
        &mut self,
        fabric: &str,
        module: &Arc<Module>,
        text: String,
        kinds: [(Kind, &'static str); N],
    ) -> Result<Vec<Task>, EmitError> {
        let name = format!("{}_formal", module.name);
        let mut files = files_below(module)?;
        files.push(self.module(&name, text));
        let suffix = module.name.trim_start_matches(fabric);
        Ok(tasks_of(module, &name, suffix, &files, kinds).collect())
    }

    pub(crate) fn proof(&mut self, name: &str, about: &'static str, tasks: Vec<Task>) {
        if !tasks.is_empty() {
            self.proofs.push(Proof { path: format!("{FOLDER}/{name}.sby"), tasks, about });
        }
    }
}

/// A value as a sized binary literal.
fn literal(bits: u32, value: u64) -> String {
    format!("{bits}'b{value:0bits$b}", bits = bits as usize)
}

pub(crate) fn files_below(module: &Arc<Module>) -> Result<Vec<String>, EmitError> {
    let design = Design::new(module)?;
    Ok(design.modules().iter().map(|m| format!("{}.v", m.name)).collect())
}
