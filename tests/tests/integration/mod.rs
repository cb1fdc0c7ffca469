//! What a fabric's folder holds for software and for tools that put cores together, read by those
//! that it is for.

mod addresses;
mod cocotb;
mod ipxact;
mod registers;

use std::fs;
use std::sync::Arc;

use serde_json::Value;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters, PortStyle, ResetStyle};
use turnpike_fabric::testing::{Named, plan_for, plan_of};
use turnpike_tests::any_kind::instance_fits;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::hostile_names::hostile_network;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::require;

/// Terminals of every sort: all alike; some that only send or only take, with shared ports and with
/// their own; of widths of their own; with counters and addresses; failed ones, in message classes, of no flow and of one; several at a switch, by names of a user's.
const FABRICS: &[(Named, PortStyle)] = &[
    ("hypercube 2 ecube", PortStyle::Flat),
    ("wired mixed shortest", PortStyle::Flat),
    ("wired mixed shortest", PortStyle::Named),
    ("mesh 3x3 dimension-order without 1_1 for ask:0_*>2_1,say:2_1>0_*", PortStyle::Flat),
    ("mesh 3x3 dimension-order without 0_1 for ask:0_*>2_1,say:2_1>0_*", PortStyle::Named),
    ("mesh 2x2 dimension-order as 0_0=8,1_0=64,1_1=48", PortStyle::Named),
    ("mesh 2x2 dimension-order as counters,0_0=8,1_1=@9", PortStyle::Named),
    ("wired mixed shortest as counters", PortStyle::Named),
    (
        "mesh 3x2 dimension-order concentrated 2 at cpu0=0_0,mem=2_1,cpu1=0_0 for \
         ask:cpu*>mem,say:mem>cpu*",
        PortStyle::Named,
    ),
];

/// Flows of sources with shapers.
const SHAPED: &str = "source,destination,bandwidth,packet,burst\n\
                      0_0,1_1,0.25,3,\n0_0,1_0,0.1,1,4\n1_1,0_0,0.3,2,5\n1_0,0_0,0.000001,4,\n";

/// Networks with names that identifiers are hard to make of.
const HOSTILE: &[u64] = &[1, 2, 3, 4];

/// The fabrics, emitted.
fn fabrics() -> impl Iterator<Item = Fabric> {
    let base = Parameters { width: 16, ..Parameters::default() };
    let known = FABRICS
        .iter()
        .map(move |&(named, ports)| Fabric::of_plan(plan_of(named, Parameters { ports, ..base })));
    let hostile = HOSTILE.iter().map(move |&seed| {
        let description = hostile_network(seed);
        let network = Network::wanted(&Wanted::described(&description)).unwrap();
        let ports = if seed % 2 == 0 { PortStyle::Flat } else { PortStyle::Named };
        let parameters = Parameters { ports, ..base };
        Fabric::of_plan(FabricPlan::new(Arc::new(network), parameters, None).unwrap())
    });
    let shaped = move || {
        let named = "mesh 2x2 dimension-order as shaper,counters,0_0=8,1_1=@9";
        Fabric::of_plan(plan_for(named, SHAPED, Parameters { ports: PortStyle::Named, ..base }))
    };
    known.chain(hostile).chain(std::iter::once_with(shaped))
}

/// The manifest of a fabric.
fn manifest(fabric: &Fabric) -> Value {
    let file = fabric.folder().join(format!("{}.json", fabric.plan.name));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn instances_fit_their_modules() {
    let Some(icarus) = require::<Icarus>() else { return };
    for fabric in fabrics() {
        instance_fits(&icarus, &fabric.folder(), &fabric.plan.name);
    }
    let base = Parameters { width: 8, ports: PortStyle::Named, ..Parameters::default() };
    let low = Parameters { reset: ResetStyle::Low, ..base };
    for (named, parameters) in [
        ("mesh 2x2 dimension-order as 0_0=slow,1_1=fast", base),
        ("mesh 2x2 dimension-order as 0_0=slow,counters", low),
        ("hypercube 2 ecube", low),
    ] {
        let fabric = Fabric::of(named, parameters);
        instance_fits(&icarus, &fabric.folder(), &fabric.plan.name);
    }
    // A clock by the name that the instance would have.
    let mut plan = plan_of("mesh 2x2 dimension-order as 0_0=noc_instance", base);
    plan.name = "noc".to_owned();
    let fabric = Fabric::of_plan(plan);
    let text = fs::read_to_string(fabric.folder().join("noc_instance.vh")).unwrap();
    assert!(text.contains("  .noc_instance(noc_instance),\n"), "{text}");
    instance_fits(&icarus, &fabric.folder(), "noc");
}
