//! A fabric, emitted to a temporary folder for the tools to read.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use turnpike_hdl_gen::board::{self, Board};
use turnpike_hdl_gen::emit::{self, folder};
use turnpike_hdl_gen::network::Network;
use turnpike_hdl_gen::plan::{FabricPlan, Parameters};

use crate::lockstep::Terminals;
use crate::sources::Sources;

/// An emitted fabric.
#[derive(Debug)]
pub struct Fabric {
    /// What it is.
    pub plan: FabricPlan,
    folder: TempDir,
}

impl Fabric {
    /// The hypercube of this routing, dimension and parameters.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn hypercube(routing: &str, dimension: u32, parameters: Parameters) -> Self {
        Self::emitted("hypercube", routing, dimension, parameters, None)
    }

    /// A topology's fabric of this routing, dimension and parameters.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn of(topology: &str, routing: &str, dimension: u32, parameters: Parameters) -> Self {
        Self::emitted(topology, routing, dimension, parameters, None)
    }

    /// The same with its self-test on the board of this name.
    ///
    /// # Panics
    /// Where it cannot be planned or written.
    pub fn with_selftest(
        routing: &str,
        dimension: u32,
        parameters: Parameters,
        board: &str,
    ) -> Self {
        let topology = "hypercube";
        Self::emitted(topology, routing, dimension, parameters, Some(board::find(board).unwrap()))
    }

    fn emitted(
        topology: &str,
        routing: &str,
        dimension: u32,
        parameters: Parameters,
        board: Option<&Board>,
    ) -> Self {
        let network = Network::new(topology, dimension, Some(routing), None).unwrap();
        let plan = FabricPlan::new(Arc::new(network), parameters, None).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = emit::render_with(&plan, board).unwrap();
        folder::write(&folder.path().join("fabric"), &files, false).unwrap();
        Self { plan, folder }
    }

    /// The folder that was written.
    pub fn folder(&self) -> std::path::PathBuf {
        self.folder.path().join("fabric")
    }

    /// Its Verilog, without the testbench.
    pub fn sources(&self) -> Sources {
        sources(&self.folder(), &self.plan.name)
    }

    /// The same with the self-checking testbench on top.
    pub fn with_testbench(&self) -> Sources {
        with_testbench(&self.folder(), &self.plan.name)
    }

    /// The Verilog of its self-test, the fabric's included.
    pub fn selftest(&self) -> Sources {
        sources(&self.folder(), &format!("{}_selftest", self.plan.name))
    }

    /// The same with its testbench on top.
    pub fn selftest_with_testbench(&self) -> Sources {
        with_testbench(&self.folder(), &format!("{}_selftest", self.plan.name))
    }

    /// One switch alone.
    pub fn switch(&self) -> Sources {
        Sources { top: self.plan.switches[0].name.clone(), ..self.sources() }
    }

    /// The shape of its terminals.
    pub fn terminals(&self) -> Terminals {
        Terminals::of(&self.plan)
    }
}

/// The Verilog of a fabric folder, without the testbench.
///
/// # Panics
/// Where there is no such folder.
pub fn sources(folder: &Path, name: &str) -> Sources {
    Sources::from_list(folder, name).unwrap()
}

/// The same with the self-checking testbench on top.
///
/// # Panics
/// Where there is no such folder.
pub fn with_testbench(folder: &Path, name: &str) -> Sources {
    let top = format!("{name}_tb");
    sources(folder, name).with(folder.join(format!("{top}.v")), &top).unwrap()
}
