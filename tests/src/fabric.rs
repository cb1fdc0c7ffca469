//! A fabric, emitted to a temporary folder for the tools to read.

use std::path::Path;

use tempfile::TempDir;
use turnpike_emit::{Vlnv, folder, verilog_files};
use turnpike_fabric::board::{self, Board};
use turnpike_fabric::plan::{FabricPlan, Parameters, SwitchPlan};
use turnpike_fabric::rtl::fabric::fabric;
use turnpike_fabric::rtl::flattened::flattened;
use turnpike_fabric::testing::{Named, plan_of};
use turnpike_netlist::Design;

use crate::sources::Sources;

/// An emitted fabric.
#[derive(Debug)]
pub struct Fabric {
    pub plan: FabricPlan,
    folder: TempDir,
}

impl Fabric {
    /// The fabric of this name and parameters.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn of(fabric: Named, parameters: Parameters) -> Self {
        Self::emitted(fabric, parameters, None)
    }

    /// The hypercube of this routing, dimension and parameters.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn hypercube(routing: &str, dimension: u32, parameters: Parameters) -> Self {
        Self::of(&format!("hypercube {dimension} {routing}"), parameters)
    }

    /// A fabric with its self-test on the board of this name.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn with_selftest(fabric: Named, parameters: Parameters, board: &str) -> Self {
        Self::emitted(fabric, parameters, Some(board::find(board).unwrap()))
    }

    /// The fabric of a plan.
    ///
    /// # Panics
    /// Where it cannot be written.
    pub fn of_plan(plan: FabricPlan) -> Self {
        Self::written(plan, None, &Vlnv::default())
    }

    /// A planned fabric with its self-test on a board.
    ///
    /// # Panics
    /// Where it cannot be written.
    pub fn on_board(plan: FabricPlan, board: &Board) -> Self {
        Self::written(plan, Some(board), &Vlnv::default())
    }

    /// The fabric of a plan with a FuseSoC core of this vendor, library and version.
    ///
    /// # Panics
    /// Where it cannot be written.
    pub fn with_core(plan: FabricPlan, vlnv: &Vlnv) -> Self {
        Self::written(plan, None, vlnv)
    }

    fn emitted(fabric: Named, parameters: Parameters, board: Option<&Board>) -> Self {
        Self::written(plan_of(fabric, parameters), board, &Vlnv::default())
    }

    fn written(plan: FabricPlan, board: Option<&Board>, vlnv: &Vlnv) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = turnpike_emit::render(&plan, board, vlnv).unwrap().files;
        folder::write(&folder.path().join("fabric"), &files, false).unwrap();
        Self { plan, folder }
    }

    /// The folder that was written.
    pub fn folder(&self) -> std::path::PathBuf {
        self.folder.path().join("fabric")
    }

    /// Verilog of the fabric, without the testbench.
    pub fn sources(&self) -> Sources {
        sources(&self.folder(), &self.plan.name)
    }

    /// Verilog of the fabric in a module with flattened terminals, where they are named: for a
    /// harness.
    pub fn flattened(&self) -> Sources {
        let design = fabric(&self.plan).unwrap();
        let Some(top) = flattened(&self.plan, design.top()).unwrap() else {
            return self.sources();
        };
        let files = verilog_files(&Design::new(&top).unwrap()).unwrap();
        let path = self.folder.path().join(&files[0].name);
        std::fs::write(&path, &files[0].contents).unwrap();
        self.sources().with(path, &top.name).unwrap()
    }

    /// Verilog of the fabric with the self-checking testbench on top.
    pub fn with_testbench(&self) -> Sources {
        with_testbench(&self.folder(), &self.plan.name)
    }

    /// The Verilog of its self-test, the fabric's included.
    pub fn selftest(&self) -> Sources {
        sources(&self.folder(), &format!("{}_selftest", self.plan.name))
    }

    /// Verilog of the self-test with its testbench on top.
    pub fn selftest_with_testbench(&self) -> Sources {
        with_testbench(&self.folder(), &format!("{}_selftest", self.plan.name))
    }

    /// One switch of each class alone.
    pub fn switches(&self) -> impl Iterator<Item = Sources> {
        let of = |switch: &SwitchPlan| Sources { top: switch.name.clone(), ..self.sources() };
        self.plan.built_switches().map(of)
    }

    /// The macros that the lockstep harness is built with.
    pub fn defines(&self) -> Vec<(String, String)> {
        turnpike_sim_bench::verilated::defines(&self.plan)
    }
}

/// The Verilog of a fabric folder, without the testbench.
///
/// # Panics
/// Where there is no such folder.
pub fn sources(folder: &Path, name: &str) -> Sources {
    Sources::from_list(folder, name).unwrap()
}

/// Verilog of a folder with the self-checking testbench on top.
///
/// # Panics
/// Where there is no such folder.
pub fn with_testbench(folder: &Path, name: &str) -> Sources {
    let top = format!("{name}_tb");
    sources(folder, name).with(folder.join(format!("{top}.v")), &top).unwrap()
}
