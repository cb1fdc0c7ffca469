//! Mutants drawn by a seed from the emitted Verilog of every kind of fabric, put to the testbench that
//! is emitted beside it: `tests/tools/mutants`, which docs/tools.md describes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

use turnpike_bus::protocol::{Backoff, Protocol};
use turnpike_bus::{BusPlan, Grid, SplitHash};
use turnpike_circuit::plan::{CircuitPlan, Control};
use turnpike_circuit::testing::baked;
use turnpike_emit::{File, folder};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::testing::{plan_of, sample};
use turnpike_schedule::network::Network;
use turnpike_slotted::testing::slotted_of;
use turnpike_tests::any_kind;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::process::{self, Finished};
use turnpike_tests::require;
use turnpike_tests::yosys::Yosys;

const LIMIT: Duration = Duration::from_secs(3 * 3600);

/// The kinds of fabrics, each with a small one.
const KINDS: [&str; 10] = [
    "switched",
    "adaptive",
    "drawing",
    "memory",
    "baked",
    "self-routing",
    "slotted",
    "ocpc",
    "mob",
    "split-hash",
];

fn switched(named: &'static str) -> Vec<File> {
    let parameters = Parameters { width: 8, ..Parameters::default() };
    any_kind::files(&plan_of(named, parameters))
}

fn circuit_of(network: Network, control: Control) -> Vec<File> {
    let parameters = turnpike_circuit::plan::Parameters { width: 8, ..Default::default() };
    any_kind::files(&CircuitPlan::new("benes", network, parameters, control, None).unwrap())
}

fn bus_of(sides: &[u32]) -> Vec<File> {
    let grid = Grid::new(sides).unwrap();
    let parameters = turnpike_bus::Parameters { width: 8, ..Default::default() };
    any_kind::files(&BusPlan::new(grid, backoff(), parameters, None).unwrap())
}

fn backoff() -> Protocol {
    Protocol::Backoff(Backoff::new(10).unwrap())
}

/// The files of a small fabric of a kind.
fn files(kind: &str) -> Vec<File> {
    let benes = Network::benes(2).unwrap();
    match kind {
        "switched" => switched("hypercube 3 rotation"),
        "adaptive" => switched("hypercube 2 adaptive"),
        "drawing" => switched("hypercube 2 two-phase"),
        "memory" => circuit_of(benes, Control::Memory(4)),
        "baked" => {
            let slots = [vec![1, 0, 3, 2], vec![3, 2, 1, 0], vec![2, 3, 1, 0]];
            let control = Control::Baked(baked(&benes, &slots));
            circuit_of(benes, control)
        }
        "self-routing" => circuit_of(Network::benes(3).unwrap(), Control::SelfRouting),
        "slotted" => {
            let parameters = Parameters { width: 8, ..Parameters::default() };
            let over = plan_of("mesh 3x2 dimension-order", parameters);
            any_kind::files(&slotted_of(over, 1, None))
        }
        "ocpc" => bus_of(&[4]),
        "mob" => bus_of(&[3, 3]),
        "split-hash" => {
            let network = SplitHash::new(4, 2, 2).unwrap();
            let parameters = turnpike_bus::Parameters { width: 8, ..Default::default() };
            let plan = BusPlan::of_split_hash(network, 1, backoff(), parameters, None);
            any_kind::files(&plan.unwrap())
        }
        other => unreachable!("no kind {other}"),
    }
}

fn written(kind: &str) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let at = scratch.path().join("fabric");
    folder::write(&at, &files(kind), false).unwrap();
    (scratch, at)
}

/// Runs the script on a folder.
fn score(folder: &Path, words: &[&str]) -> Finished {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/mutants/run.py");
    let mut command = Command::new("python3");
    command.args(["-B"]).arg(script).arg(folder).args(words);
    process::run(&mut command, LIMIT)
}

/// Two mutants of each kind, of a sample of the kinds. Which they are changes with the Verilog, and a few
/// change nothing: one may live.
#[test]
fn a_few_of_every_kind_of_fabric_are_found() {
    if require::<Icarus>().is_none() {
        return;
    }
    for kind in sample("kinds", &KINDS) {
        let (_scratch, folder) = written(kind);
        let run = score(&folder, &["--count", "2", "--seed", "1", "--least", "50"]);
        assert!(run.success(), "{kind}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(" of 2 mutants"), "{kind}: {}", run.stdout);
    }
}

/// The prover says that a fabric does the same as itself, and of no mutant that the testbench finds.
#[test]
fn the_prover_tells_found_mutants_apart() {
    if require::<Icarus>().is_none() || require::<Yosys>().is_none() {
        return;
    }
    let (_scratch, folder) = written("baked");
    let words = ["--count", "9", "--seed", "3", "--cross", "--proof-limit", "20", "--least", "80"];
    let run = score(&folder, &words);
    assert!(run.success(), "{}{}", run.stdout, run.stderr);
    let told_apart = run.stdout.matches("told apart: ").count();
    assert!(told_apart >= 5, "{}", run.stdout);
}

/// Testbench and proofs of a kind together, but for mutants that are proven to do the same: `least` percent.
fn nearly_all_are_found(kind: &str, least: &str) {
    if require::<Icarus>().is_none() {
        return;
    }
    let (_scratch, folder) = written(kind);
    let run = score(&folder, &["--count", "200", "--seed", "1", "--proofs", "--least", least]);
    println!("{kind}\n{}", run.stdout);
    assert!(run.success(), "{kind}: {}{}", run.stdout, run.stderr);
}

/// A test for each kind of fabric, so that they can be run by themselves, with the least score in percent.
macro_rules! nearly_all {
    ($($test:ident: $kind:literal $least:literal,)*) => {
        $(#[test]
        #[ignore = "up to an hour: `make test-all`"]
        fn $test() {
            nearly_all_are_found($kind, $least);
        })*

        /// Every kind has its test.
        #[test]
        fn every_kind_has_a_test() {
            assert_eq!(KINDS, [$($kind),*]);
        }
    };
}

nearly_all! {
    nearly_all_of_switched: "switched" "98",
    nearly_all_of_adaptive: "adaptive" "98",
    nearly_all_of_drawing: "drawing" "98",
    nearly_all_of_memory: "memory" "98",
    nearly_all_of_baked: "baked" "98",
    nearly_all_of_self_routing: "self-routing" "98",
    nearly_all_of_slotted: "slotted" "98",
    nearly_all_of_ocpc: "ocpc" "98",
    nearly_all_of_mob: "mob" "98",
    nearly_all_of_split_hash: "split-hash" "98",
}

/// The score of a testbench that looks at nothing is 0, and that is not enough.
#[test]
fn a_testbench_that_sees_nothing_has_no_score() {
    if require::<Icarus>().is_none() {
        return;
    }
    let (_scratch, folder) = written("baked");
    let path = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut testbenches = path.filter(|path| path.to_string_lossy().ends_with("_tb.v"));
    let testbench = testbenches.next().unwrap();
    let module = testbench.file_stem().unwrap().to_string_lossy().into_owned();
    let blind = format!(
        "module {module};\n  initial $display(\"PASS: nothing was looked at\");\nendmodule\n"
    );
    fs::write(&testbench, blind).unwrap();
    let run = score(&folder, &["--count", "4", "--seed", "1", "--least", "1"]);
    assert!(!run.success() && run.stdout.contains("0 of 4 mutants"), "{}", run.stdout);
}
