//! Small fabrics of every kind keep what the trait says of them.

use std::collections::BTreeSet;
use turnpike_emit::Vlnv;
use turnpike_emit::origin::Origin;
use turnpike_emit::whole::Folder;
use turnpike_fabric::board::BOARDS;
use turnpike_fabric::testing::{FEW_FABRICS, plan_deep};
use turnpike_kind::Fabric;
use turnpike_sim_bench::verify::CheckVerdict;

fn small() -> Vec<Box<dyn Fabric>> {
    let switched = FEW_FABRICS.iter().map(|named| Box::new(plan_deep(named, 2)) as Box<dyn Fabric>);
    let circuits = turnpike_circuit::testing::plans().into_iter().step_by(9);
    let slotted = turnpike_slotted::testing::plans().into_iter().step_by(5);
    let busses = turnpike_bus::testing::plans().into_iter().step_by(7);
    switched
        .chain(circuits.map(|plan| Box::new(plan) as Box<dyn Fabric>))
        .chain(slotted.map(|plan| Box::new(plan) as Box<dyn Fabric>))
        .chain(busses.map(|plan| Box::new(plan) as Box<dyn Fabric>))
        .collect()
}

#[test]
fn names_files_and_checks_are_those_of_one_fabric() {
    let mut kinds = BTreeSet::new();
    for fabric in small() {
        let name = fabric.name();
        kinds.insert(fabric.kind());
        assert!(fabric.terminals() > 1, "{name}");
        assert_eq!(fabric.design().unwrap().top().name, name);
        let Folder { files, proofs } = fabric.folder(None, &Vlnv::default()).unwrap();
        let text = |file: &str| {
            let found = files.iter().find(|found| found.name == file);
            &found.unwrap_or_else(|| panic!("{name} has no {file}")).contents
        };
        assert!(text(&format!("{name}.v")).contains(&format!("module {name} ")), "{name}");
        let origin = Origin::read(text(&format!("{name}.json"))).unwrap();
        assert_eq!(origin.configuration, fabric.canonical());
        assert_eq!(origin, fabric.origin(), "{name}");
        for proof in proofs.proofs {
            text(&proof.path);
        }
        let mut begun = Vec::new();
        let checks = fabric.check(&mut |check| begun.push(check));
        assert_eq!(begun, fabric.checks());
        assert_eq!(checks.iter().map(|check| check.check).collect::<Vec<_>>(), begun);
        assert!(checks.iter().all(|check| check.verdict != CheckVerdict::Fails), "{name}");
    }
    assert_eq!(kinds, BTreeSet::from(["bus", "circuit", "slotted", "switched"]));
}

/// A self-test adds its module where a kind has one, and nothing where it has none.
#[test]
fn a_self_test_is_added_where_there_is_one() {
    for fabric in small() {
        let own = fabric.folder(None, &Vlnv::default()).unwrap().files.len();
        let Ok(made) = fabric.folder(Some(&BOARDS[0]), &Vlnv::default()) else { continue };
        assert_eq!(made.files.len() > own, fabric.has_selftest(), "{}", fabric.name());
    }
}
