//! The proofs beside the RTL, run by SymbiYosys as a user would; and mutants of the RTL, each
//! of which a proof refutes.

mod addresses;
mod busses;
mod circuits;
mod converters;
mod crossings;
mod ends;
mod equivalence;
mod faults;
mod self_routing;
mod shapers;
mod slotted;
mod waits;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use faults::Fault;
use turnpike_emit::File;
use turnpike_emit::formal::Proof;
use turnpike_fabric::plan::{MuxStyle, Parameters, Pipeline, PortStyle, QueueStyle, ResetStyle};
use turnpike_fabric::testing::sample;
use turnpike_fabric::testing::{ADAPTIVE_FABRICS, Named, every_fabric, plan_of};
use turnpike_flow::sby::{self, Outcome};
use turnpike_flow::{jobs, tool};
use turnpike_tests::any_kind::{files, proofs};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::mutate::all_can_be_made;
use turnpike_tests::require;
use turnpike_tests::tools::Tool;

/// Each proof's. Most take seconds.
const LIMIT: Duration = Duration::from_secs(900);

/// SymbiYosys.
struct Sby(tool::Found);

impl Tool for Sby {
    const NAME: &'static str = "SymbiYosys";

    fn locate() -> Option<Self> {
        tool::SBY.find().ok().map(Sby)
    }
}

fn outcome(sby: &Sby, folder: &Path, file: &str, task: &str) -> Outcome {
    sby::run(&sby.0, folder, file, task, LIMIT)
        .unwrap_or_else(|e| panic!("{file} {task}: {e}"))
        .outcome
}

/// Every proof of a fabric holds, and every cover is reached.
fn holds(named: Named, parameters: Parameters) {
    let Some(sby) = require::<Sby>() else { return };
    let fabric = Fabric::of(named, parameters);
    let proofs = proofs(&fabric.plan).proofs;
    assert!(proofs.iter().map(|proof| proof.tasks.len()).sum::<usize>() >= 8);
    prove(&sby, &fabric.folder(), &proofs, named);
}

/// Runs the tasks of a fabric in a folder, or a sample of them.
fn prove(sby: &Sby, folder: &Path, proofs: &[Proof], named: &str) {
    let tasks: Vec<(&str, &str)> =
        proofs.iter().flat_map(|p| p.tasks.iter().map(|t| (&*p.path, &*t.name))).collect();
    let run = |&(file, task): &(&str, &str)| match outcome(sby, folder, file, task) {
        Outcome::Passed => Ok(()),
        other => Err(format!("{named:?}: {file} {task}: {other:?}")),
    };
    jobs::run(&sample(&format!("proofs of {named}"), &tasks), run)
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn ecube_2() {
    holds("hypercube 2 ecube", Parameters::default());
}

#[test]
#[ignore = "half a minute: `make test-all`"]
fn rotation_2_one_bit_deeper() {
    holds("hypercube 2 rotation", Parameters { width: 1, depth: 5, ..Parameters::default() });
}

/// What a terminal that failed cannot reach is not asked for.
#[test]
#[ignore = "a minute: `make test-all`"]
fn a_node_that_failed() {
    let parameters = Parameters { width: 2, depth: 2, ..Parameters::default() };
    holds("hypercube 2 ecube without 11", parameters);
}

/// Packets need no header where there is one sink, and no channel at a switch alone.
#[test]
#[ignore = "half a minute: `make test-all`"]
fn one_sink() {
    let parameters = Parameters { width: 2, depth: 2, ..Parameters::default() };
    holds("wired gathered up-down", parameters);
    holds("wired alone shortest", parameters);
}

/// The terminals' own streams and their reset, in the proof of the terminals.
#[test]
#[ignore = "20 s: `make test-all`"]
fn ecube_1_with_named_ports() {
    let (ports, reset) = (PortStyle::Named, ResetStyle::Low);
    let parameters = Parameters { width: 1, depth: 2, ports, reset, ..Parameters::default() };
    holds("hypercube 1 ecube", parameters);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn ecube_1_with_every_register() {
    holds("hypercube 1 ecube", Parameters { pipeline: Pipeline::Output, ..Parameters::default() });
}

/// Packets that ask for their output while the ones before them leave.
#[test]
fn ecube_1_that_asks_ahead() {
    let pipeline = Pipeline::GrantAhead;
    holds("hypercube 1 ecube", Parameters { pipeline, width: 2, ..Parameters::default() });
}

/// Registers on the links: proofs of the links and of queues that have room for what is on them.
#[test]
#[ignore = "minutes: `make test-all`"]
fn ecube_with_link_registers() {
    for (pipeline, link_registers, width) in
        [(Pipeline::None, 1, 2), (Pipeline::Output, 1, 2), (Pipeline::None, 4, 2)]
    {
        let parameters = Parameters { pipeline, link_registers, width, ..Parameters::default() };
        holds("hypercube 2 ecube", parameters);
    }
    holds(
        "hypercube 2 rotation",
        Parameters { link_registers: 1, width: 2, ..Parameters::default() },
    );
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn ecube_3() {
    holds("hypercube 3 ecube", Parameters::default());
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn rotation_3() {
    holds("hypercube 3 rotation", Parameters::default());
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn adaptive_2() {
    holds("hypercube 2 adaptive", Parameters { width: 2, depth: 2, ..Parameters::default() });
}

/// Every proof of these fabrics holds, with words of 2 bits and queues of 2 flits.
fn hold_narrow(fabrics: &[&str]) {
    let parameters = Parameters { width: 2, depth: 2, ..Parameters::default() };
    fabrics.iter().for_each(|fabric| holds(fabric, parameters));
}

/// Without escape channels.
#[test]
#[ignore = "minutes: `make test-all`"]
fn turn_models() {
    hold_narrow(&["mesh 2x2 west-first", "mesh 3x2 odd-even"]);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn adaptive_3() {
    holds("hypercube 3 adaptive", Parameters::default());
    holds("directed-cube 3 adaptive", Parameters::default());
}

/// Injectors that look the coordinates of an address up, and draw.
#[test]
#[ignore = "minutes: `make test-all`"]
fn coordinates_of_any_sides() {
    hold_narrow(&["mesh 3x2 romm", "mesh 3x2 two-phase"]);
}

/// Addresses without a terminal, injectors with a register.
#[test]
#[ignore = "a minute: `make test-all`"]
fn arc_cube_2() {
    holds("arc-cube 2 shortest", Parameters { width: 2, depth: 2, ..Parameters::default() });
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn several_kinds_of_switch() {
    holds("mesh 3x2 dimension-order", Parameters::default());
    holds("torus 4x2 dimension-order", Parameters::default());
    holds("wired mixed shortest", Parameters { width: 2, depth: 2, ..Parameters::default() });
    holds("hypercube 3 rotation without 101", Parameters::default());
    holds("directed-cube 3 static", Parameters::default());
    holds("ccc 3 two-stage", Parameters::default());
    holds("ccc 3 shortest", Parameters::default());
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn dimension_4() {
    for routing in ["ecube", "rotation", "thacker"] {
        holds(&format!("hypercube 4 {routing}"), Parameters::default());
    }
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_field_build_and_deeper_queues() {
    let fields = Parameters { source_id: true, keep: true, user_width: 4, ..Parameters::default() };
    holds("hypercube 2 ecube", fields);
    for builds in [
        Parameters { pipeline: Pipeline::Grant, ..Parameters::default() },
        Parameters { pipeline: Pipeline::Output, ..Parameters::default() },
        Parameters { pipeline: Pipeline::OutputAhead, ..Parameters::default() },
        Parameters { queue: QueueStyle::Shift, mux: MuxStyle::Lut4, ..Parameters::default() },
    ] {
        holds("hypercube 2 ecube", builds);
    }
    let pipeline = Pipeline::Output;
    holds("hypercube 3 rotation", Parameters { pipeline, ..Parameters::default() });
    for depth in [3, 12] {
        let queue = if depth == 3 { QueueStyle::Shift } else { QueueStyle::Ram };
        holds("hypercube 1 ecube", Parameters { depth, pipeline, queue, ..Parameters::default() });
    }
    for depth in [2, 8, 12] {
        holds("hypercube 1 ecube", Parameters { depth, width: 4, ..Parameters::default() });
    }
}

#[test]
fn names_of_properties_are_their_own() {
    for fabric in every_fabric().chain(ADAPTIVE_FABRICS.iter().copied()) {
        let plan = plan_of(fabric, Parameters::default());
        names_are_their_own(fabric, &files(&plan));
    }
}

/// A property has the name of no net, and of no other property: tools refuse such a module.
fn names_are_their_own(fabric: &str, files: &[File]) {
    let property = regex::Regex::new(r"(\w+): (?:assert|assume|cover)\b").unwrap();
    let net =
        regex::Regex::new(r"\b(?:wire|reg|input|output|integer)(?: \[[^\]]*\])? (\w+)").unwrap();
    for file in files.iter().filter(|file| file.name.ends_with("_formal.v")) {
        let mut names: BTreeSet<&str> =
            net.captures_iter(&file.contents).map(|found| found.extract::<1>().1[0]).collect();
        let nets = names.len();
        let labels = property.captures_iter(&file.contents).map(|found| found.extract::<1>().1[0]);
        let taken: Vec<&str> = labels.filter(|label| !names.insert(label)).collect();
        assert!(nets > 5 && names.len() > nets, "{fabric}: {}", file.name);
        assert!(taken.is_empty(), "{fabric}: {}: {taken:?}", file.name);
    }
}

/// Each fault is refuted by the proof that speaks of it.
fn refuted(fabric: &Fabric, faults: &[Fault]) {
    refuted_in(&fabric.folder(), faults);
}

/// Faults of a fabric in a folder: each can be made, and a sample of them is refuted.
fn refuted_in(folder: &Path, faults: &[Fault]) {
    let Some(sby) = require::<Sby>() else { return };
    all_can_be_made(folder, faults.iter().map(|fault| &fault.mutant));
    let run = |fault: &Fault| {
        let copy = fault.mutant.apply(folder)?;
        let file = format!("formal/{}.sby", fault.file);
        match outcome(&sby, copy.path(), &file, fault.task) {
            Outcome::Failed { properties } if !properties.is_empty() => Ok(()),
            other => Err(format!("`{}` is not refuted: {other:?}", fault.mutant.name)),
        }
    };
    jobs::run(&sample("mutants", faults), run).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn mutants_of_the_parts_are_refuted() {
    assert!(faults::PARTS.len() + faults::SWITCH.len() >= 8);
    refuted(&Fabric::hypercube("rotation", 3, Parameters::default()), faults::PARTS);
}

#[test]
fn mutants_that_a_reset_misses_are_refuted() {
    refuted(&Fabric::hypercube("rotation", 3, Parameters::default()), waits::RESETS);
}

#[test]
fn mutants_that_let_wait_are_refuted() {
    refuted(&Fabric::hypercube("rotation", 3, Parameters::default()), waits::WAITS);
}

#[test]
fn mutants_of_priorities_are_refuted() {
    let fabric = "mesh 3x2 dimension-order for one/2:0_*>2_*,two:0_*>2_1,three:*>2_0";
    refuted(&Fabric::of(fabric, Parameters::default()), waits::PRIORITIES);
}

#[test]
fn mutants_of_refusals_are_refuted() {
    refuted(&Fabric::of("ccc 3 two-stage", Parameters::default()), faults::REFUSALS);
}

#[test]
fn mutants_of_the_switch_are_refuted() {
    refuted(&Fabric::hypercube("rotation", 3, Parameters::default()), faults::SWITCH);
}

#[test]
fn mutants_of_the_allocator_are_refuted() {
    refuted(&Fabric::hypercube("adaptive", 2, Parameters::default()), faults::ADAPTIVE);
}

#[test]
fn mutants_of_the_registers_are_refuted() {
    let parameters = Parameters { pipeline: Pipeline::Output, ..Parameters::default() };
    refuted(&Fabric::hypercube("ecube", 2, parameters), faults::REGISTERED);
}

#[test]
fn mutants_of_fronts_are_refuted() {
    let parameters = Parameters { pipeline: Pipeline::GrantAhead, ..Parameters::default() };
    refuted(&Fabric::hypercube("ecube", 2, parameters), faults::AHEAD);
}

#[test]
fn mutants_of_links_are_refuted() {
    let parameters = Parameters { link_registers: 2, ..Parameters::default() };
    refuted(&Fabric::hypercube("ecube", 2, parameters), faults::LINKS);
}

/// Yosys reads a name that nobody declared as a new wire, with a warning at most: no proof.
#[test]
fn an_undeclared_name_and_a_wrong_width_are_no_proof() {
    let Some(sby) = require::<Sby>() else { return };
    let fabric = Fabric::hypercube("ecube", 1, Parameters::default());
    let undeclared = faults::UNDECLARED.apply(&fabric.folder()).unwrap();
    let error = sby::run(&sby.0, undeclared.path(), "formal/queue.sby", "prove_4", LIMIT);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("SymbiYosys"), "{error}");
    let narrow = faults::NARROW.apply(&fabric.folder()).unwrap();
    let outcome = outcome(&sby, narrow.path(), "formal/queue.sby", "prove_4");
    assert!(matches!(outcome, Outcome::Warned { .. }), "{outcome:?}");
}

/// An assumption that nothing meets proves everything: the covers tell.
#[test]
fn a_vacuous_proof_is_seen() {
    let Some(sby) = require::<Sby>() else { return };
    let fabric = Fabric::hypercube("ecube", 1, Parameters::default());
    let vacuous = faults::VACUOUS.apply(&fabric.folder()).unwrap();
    let run = |task| outcome(&sby, vacuous.path(), "formal/arbiter.sby", task);
    assert_eq!(run("prove_2"), Outcome::Passed);
    assert!(matches!(run("cover_2"), Outcome::Failed { .. }));
}
