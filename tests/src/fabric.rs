//! A fabric, emitted to a temporary folder for the tools to read.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use turnpike_hdl_gen::board::{self, Board};
use turnpike_hdl_gen::emit::{self, folder};
use turnpike_hdl_gen::network::{Network, Wanted};
use turnpike_hdl_gen::plan::{FabricPlan, Parameters, SwitchPlan};
use turnpike_hdl_gen::routing::given::{self, Given};

use crate::lockstep::Terminals;
use crate::sources::Sources;

/// A fabric as the command line names it: topology, dimension, relation; a relation that ends
/// in `.relation` is a file of docs/examples/, and one that ends in ` without LABEL` goes around
/// the node of that label, which failed.
pub type Named<'a> = (&'a str, u32, &'a str);

/// The small fabrics that tests go over: cubes, two kinds of switch, addresses without a terminal
/// (24 of 32 have one), routes by table at the source, switches without a terminal, a relation
/// given by pair around a failed node.
pub const FABRICS: &[Named] = &[
    ("hypercube", 1, "ecube"),
    ("hypercube", 2, "ecube"),
    ("hypercube", 3, "ecube"),
    ("hypercube", 4, "ecube"),
    ("hypercube", 1, "rotation"),
    ("hypercube", 2, "rotation"),
    ("hypercube", 3, "rotation"),
    ("hypercube", 4, "rotation"),
    ("hypercube", 4, "thacker"),
    ("directed-cube", 3, "static"),
    ("ccc", 3, "two-stage"),
    ("arc-cube", 2, "shortest"),
    ("hypercube", 3, "around_111.relation"),
];

/// More of them, which cost more than they add: for what is quick, and for `make test-all`.
pub const MORE_FABRICS: &[Named] = &[
    ("directed-cube", 4, "random-static"),
    ("ccc", 3, "shortest"),
    ("clever-dccc", 3, "two-stage"),
    ("pv-ccc", 3, "two-stage"),
    ("arc-cube-2", 2, "shortest"),
];

/// The plan of a fabric.
///
/// # Panics
/// Where it cannot be planned.
pub fn plan_of((topology, dimension, routing): Named, parameters: Parameters) -> FabricPlan {
    let network = match routing.ends_with(given::ENDING) {
        true => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples").join(routing);
            let given = Given::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
            Network::given(&given, None)
        }
        false => {
            let (routing, failed) = match routing.split_once(" without ") {
                None => (routing, Vec::new()),
                Some((routing, label)) => (routing, vec![label.to_owned()]),
            };
            let (routing, failed) = (Some(routing), &*failed);
            Network::wanted(&Wanted { topology, dimension, routing, failed, ..Wanted::default() })
        }
    };
    let network = network.unwrap();
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

/// An emitted fabric.
#[derive(Debug)]
pub struct Fabric {
    /// What it is.
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
        Self::of(("hypercube", dimension, routing), parameters)
    }

    /// The same with its self-test on the board of this name.
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
        Self::written(plan, None)
    }

    fn emitted(fabric: Named, parameters: Parameters, board: Option<&Board>) -> Self {
        Self::written(plan_of(fabric, parameters), board)
    }

    fn written(plan: FabricPlan, board: Option<&Board>) -> Self {
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

    /// One switch of each class alone.
    pub fn switches(&self) -> impl Iterator<Item = Sources> {
        let of = |switch: &SwitchPlan| Sources { top: switch.name.clone(), ..self.sources() };
        self.plan.built_switches().map(of)
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
