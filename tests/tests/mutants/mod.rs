//! Mutants of the emitted Verilog: a fabric with one fault put in by hand is caught, and the
//! fabric without it passes the very same checks.

mod checks;
mod drawn;
mod faults;
mod networks;
mod resets;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use turnpike_fabric::plan::{MuxStyle, Parameters, Pipeline, QueueStyle};
use turnpike_fabric::testing::sample;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::mutate::{Mutant, all_can_be_made};

use checks::{Bench, MutantVerdict, Subject, check};

/// Mutants that are at work at the same time.
const WORKERS: usize = 2;

/// Puts a fabric and its mutants to the checks; prints who caught what.
fn campaign(subject: &Subject, mutants: &[Mutant]) {
    caught(subject, mutants, false, MutantVerdict::is_caught);
}

/// The same, where `seen` says who must see it. With `all` no check is left out.
fn caught(subject: &Subject, mutants: &[Mutant], all: bool, seen: fn(&MutantVerdict) -> bool) {
    let Some(bench) = Bench::new() else { return };
    let name = subject.fabric.plan.canonical();
    all_can_be_made(&subject.fabric.folder(), mutants);
    let mutants = &sample("mutants", mutants)[..];
    let clean = check(&bench, subject, &subject.fabric.folder(), true);
    assert!(clean.is_clean(), "{name}, without a fault: {clean:?}");
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let copy = mutant.apply(&subject.fabric.folder()).unwrap_or_else(|e| panic!("{e}"));
            let verdict = check(&bench, subject, copy.path(), all);
            verdicts.lock().unwrap().insert(mutant.name, verdict);
        }
    };
    thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    let verdicts = verdicts.into_inner().unwrap();
    assert_eq!(verdicts.len(), mutants.len(), "two mutants of one name");
    println!("{}", table(&name, mutants, &verdicts, all));
    let missed: Vec<&str> =
        mutants.iter().map(|m| m.name).filter(|m| !seen(&verdicts[m])).collect();
    assert!(missed.is_empty(), "{name}: not caught: {missed:?}");
}

fn table(name: &str, mutants: &[Mutant], of: &BTreeMap<&str, MutantVerdict>, all: bool) -> String {
    let mut rows = format!("{name}\n{:<52} {:<14} testbench | lockstep\n", "mutant", "lint");
    let cell = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    for mutant in mutants {
        let v = &of[mutant.name];
        let ran =
            if v.testbench.is_some() && !all { "not run".to_owned() } else { cell(&v.lockstep) };
        let (lint, bench) = (cell(&v.lint), cell(&v.testbench));
        rows += &format!("{:<52} {lint:<14} {bench} | {ran}\n", mutant.name);
    }
    rows
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn rotation_3() {
    let subject = Subject::new("hypercube 3 rotation", Parameters::default());
    campaign(&subject, faults::ROTATION_3);
}

/// The testbench sees each by itself, whatever the lockstep sees.
#[test]
fn resets_and_times() {
    let subject = Subject::new("hypercube 3 rotation", Parameters::default());
    caught(&subject, &[resets::RESETS, resets::TIMES].concat(), false, |v| v.testbench.is_some());
}

/// And the lockstep does.
#[test]
#[ignore = "two minutes: `make test-all`"]
fn resets_and_times_in_lockstep() {
    let subject = Subject::new("hypercube 3 rotation", Parameters::default());
    caught(&subject, &[resets::RESETS, resets::TIMES].concat(), true, |v| v.lockstep.is_some());
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn rotation_4() {
    let subject = Subject::new("hypercube 4 rotation", Parameters::default());
    campaign(&subject, faults::ROTATION_4);
}

#[test]
fn ecube_3() {
    let subject = Subject::new("hypercube 3 ecube", Parameters::default());
    campaign(&subject, faults::ECUBE_3);
}

/// Those of the tests that are ignored: the text that they change is there, with or without tools.
#[test]
fn every_mutant_can_be_made() {
    for (named, mutants) in [
        ("hypercube 3 rotation", faults::ROTATION_3),
        ("hypercube 4 rotation", faults::ROTATION_4),
        ("directed-cube 3 static", networks::DIRECTED_CUBE_3),
        ("ccc 3 two-stage", networks::CCC_3),
        ("ccc 3 shortest", networks::CCC_3_SHORTEST),
    ] {
        let fabric = Fabric::of(named, Parameters::default());
        all_can_be_made(&fabric.folder(), mutants);
    }
}

#[test]
#[ignore = "half a minute: `make test-all`"]
fn directed_cube_3() {
    let subject = Subject::new("directed-cube 3 static", Parameters::default());
    campaign(&subject, networks::DIRECTED_CUBE_3);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn adaptive_2() {
    let subject = Subject::new("hypercube 2 adaptive", Parameters::default());
    campaign(&subject, networks::ADAPTIVE_2);
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn ccc_3() {
    let subject = Subject::new("ccc 3 two-stage", Parameters::default());
    campaign(&subject, networks::CCC_3);
    let subject = Subject::new("ccc 3 shortest", Parameters::default());
    campaign(&subject, networks::CCC_3_SHORTEST);
}

#[test]
fn options() {
    let options =
        Parameters { source_id: true, keep: true, user_width: 4, ..Parameters::default() };
    campaign(&Subject::new("hypercube 2 ecube", options), faults::OPTIONS);
}

#[test]
#[ignore = "a minute: `make test-all`"]
fn registered() {
    let (pipeline, queue, mux) = (Pipeline::Output, QueueStyle::Registers, MuxStyle::Lut4);
    let parameters = Parameters { pipeline, queue, mux, ..Parameters::default() };
    campaign(&Subject::new("hypercube 3 rotation", parameters), faults::REGISTERED);
}

#[test]
fn ahead() {
    let parameters = Parameters { pipeline: Pipeline::GrantAhead, ..Parameters::default() };
    campaign(&Subject::new("hypercube 2 ecube", parameters), faults::AHEAD);
}

#[test]
fn there_are_enough_of_them() {
    let lists = [faults::ROTATION_3, faults::ROTATION_4, faults::ECUBE_3, faults::OPTIONS];
    let all: usize = lists.iter().map(|list| list.len()).sum();
    assert!(all >= 18, "{all}");
}
