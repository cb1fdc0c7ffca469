//! Design that is handed to the tools: Verilog with a module on top.

use crate::cache::digest;
use crate::harness::{self, Loops};
use turnpike_emit::{EmitError, File, verilog_files};
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};

use turnpike_fabric::rtl::interface;
use turnpike_fabric::rtl::switch::{Parts, switch};

/// A design and the same behind few pins.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The design alone: what is counted.
    pub design: Design,
    /// The design behind registers: what is placed and timed.
    pub harnessed: Design,
}

/// Verilog with a module on top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    /// The module on top.
    pub top: String,
    /// Every file.
    pub files: Vec<File>,
    digest: String,
}

impl Design {
    fn of(design: &turnpike_netlist::Design) -> Result<Self, EmitError> {
        let files = verilog_files(design)?;
        let text: String = files.iter().map(|f| format!("{}\n{}\n", f.name, f.contents)).collect();
        Ok(Self { top: design.top().name.clone(), files, digest: digest(text) })
    }

    /// SHA-256 of its text.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

impl Subject {
    /// One switch; when timed, its channels lead back to itself.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub fn switch(plan: &FabricPlan, class: &SwitchPlan) -> Result<Self, EmitError> {
        let module = switch(plan, class, &mut Parts::new(plan))?;
        Self::of(&turnpike_netlist::Design::new(&module)?, &harness::loops(plan, class))
    }

    /// The whole fabric.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub fn fabric(plan: &FabricPlan) -> Result<Self, EmitError> {
        Self::of(&interface::design(plan)?, &Loops::new())
    }

    /// Subject of any design.
    ///
    /// # Errors
    /// [`EmitError`] never, unless Turnpike is wrong.
    pub fn of_design(design: &turnpike_netlist::Design) -> Result<Self, EmitError> {
        Self::of(design, &Loops::new())
    }

    fn of(design: &turnpike_netlist::Design, loops: &Loops) -> Result<Self, EmitError> {
        let harnessed = turnpike_netlist::Design::new(&harness::harness(design.top(), loops)?)?;
        Ok(Self { design: Design::of(design)?, harnessed: Design::of(&harnessed)? })
    }
}
