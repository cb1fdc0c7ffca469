//! The fabrics that the tests of every crate go over.

use crate::plan::{FabricPlan, Parameters};
use std::path::Path;
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_network::routing::given::{self, Given};

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

/// All of them.
pub fn every_fabric() -> impl Iterator<Item = Named<'static>> + Clone {
    FABRICS.iter().chain(MORE_FABRICS).copied()
}

/// Those whose terminals are all alive.
pub fn whole_fabrics() -> impl Iterator<Item = Named<'static>> + Clone {
    every_fabric().filter(|(_, _, routing)| !routing.ends_with(given::ENDING))
}

/// The plan of a fabric.
///
/// # Panics
/// Where it cannot be planned.
pub fn plan_of((topology, dimension, routing): Named, parameters: Parameters) -> FabricPlan {
    let network = match routing.ends_with(given::ENDING) {
        true => {
            let path =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(routing);
            let given = Given::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
            Network::given(&given, None)
        }
        false => {
            let (routing, failed) = match routing.split_once(" without ") {
                None => (routing, Vec::new()),
                Some((routing, label)) => (routing, vec![label.to_owned()]),
            };
            let (routing, failed) = (Some(routing), &*failed);
            Network::wanted(&Wanted { routing, failed, ..Wanted::new(topology, dimension) })
        }
    };
    let network = network.unwrap();
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

/// The same with queues of this depth.
///
/// # Panics
/// As [`plan_of`].
pub fn plan_deep(fabric: Named, depth: u32) -> FabricPlan {
    plan_of(fabric, Parameters { depth, ..Parameters::default() })
}

/// A cube's plan; `vcs` as for [`Network::new`].
///
/// # Panics
/// As [`plan_of`].
pub fn plan_with(routing: &str, k: u32, vcs: Option<u8>, depth: u32) -> FabricPlan {
    let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
    let parameters = Parameters { depth, ..Parameters::default() };
    FabricPlan::new(Arc::new(network), parameters, None).unwrap()
}

/// The same with the default depth and VCs.
///
/// # Panics
/// As [`plan_of`].
pub fn plan(routing: &str, k: u32) -> FabricPlan {
    plan_with(routing, k, None, 4)
}
