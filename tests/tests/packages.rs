//! Every crate but that of these tests is a package that holds what it is built of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The files of a package, as cargo would put them there.
fn files(name: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let args = ["package", "--list", "--allow-dirty", "--locked", "--offline", "--package", name];
    let run = Command::new(env!("CARGO")).args(args).current_dir(root).output().unwrap();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn templates_and_constraints_are_in_the_packages_that_need_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let of = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let names = paths.filter(|path| path.is_file());
        names
            .map(|path| format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap()))
            .collect::<Vec<_>>()
    };
    let (templates, constraints) =
        ([of("templates"), of("templates/formal")].concat(), of("constraints"));
    assert!(templates.len() > 15 && constraints.len() > 3);
    let emit = files("turnpike-emit");
    for file in templates.iter().chain(&constraints) {
        assert!(emit.contains(file), "turnpike-emit lacks {file}");
    }
    let fabric = files("turnpike-fabric");
    for file in &constraints {
        assert!(fabric.contains(file), "turnpike-fabric lacks {file}");
    }
}

#[test]
fn pages_and_scripts_are_in_the_package_of_the_program() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    let program = files("turnpike");
    for folder in ["page", "slurm"] {
        for entry in std::fs::read_dir(templates.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("templates/{folder}/{name}");
            assert!(program.contains(&path), "turnpike lacks {path}");
        }
    }
}

/// Crates that only tests depend on.
const UNPUBLISHED: [&str; 3] = ["turnpike-features", "turnpike-tests", "turnpike-sim-rust-hdl"];

/// A dependency by path alone could not be packaged.
#[test]
fn every_crate_has_a_version_to_depend_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let own = manifest.lines().filter(|line| line.starts_with("turnpike-"));
    for line in own.filter(|line| !UNPUBLISHED.iter().any(|name| line.starts_with(name))) {
        assert!(line.contains("version = \""), "{line}");
        let name = line.split(' ').next().unwrap();
        assert!(files(name).contains(&"src/lib.rs".to_owned()), "{name}");
    }
    assert!(files("turnpike").contains(&"src/main.rs".to_owned()));
}

/// What cargo prints of the packages below some, as `edges` lead there.
fn tree(of: &[&str], edges: &str, format: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe"]).args(of);
    let run =
        cargo.args(["--edges", edges, "--format", format]).current_dir(&root).output().unwrap();
    assert!(run.status.success(), "{of:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

/// Whichever crates are tested, a package has one set of features, so that it is built once. For the
/// compiler's own plug-ins there may be another.
#[test]
fn features_are_the_same_whatever_is_tested() {
    let sets = |of: &[&str]| {
        let mut sets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in tree(of, "normal,build,dev", "{p}|{f}").lines() {
            // A blank line stands between two packages of the workspace.
            let Some((package, features)) = line.split_once('|') else { continue };
            let name = package.split(" (").next().unwrap().to_owned();
            sets.entry(name).or_default().insert(features.to_owned());
        }
        sets
    };
    let all = sets(&["--workspace"]);
    let members = tree(&["--workspace", "--depth", "0"], "normal", "{p}");
    let names = members.lines().filter_map(|line| line.split(' ').next());
    let mut tested = 0;
    for name in names.filter(|name| !name.is_empty()) {
        for (package, features) in sets(&["--package", name]) {
            assert!(
                features.is_subset(&all[&package]),
                "-p {name}: {package} has {features:?}, not {:?}: add it to tests/features/Cargo.toml",
                all[&package]
            );
        }
        tested += 1;
    }
    assert!(tested > 15, "{tested}");
}

/// rust-hdl stays in the tests: who builds the program does not build it.
#[test]
fn the_program_is_built_without_rust_hdl() {
    assert!(!tree(&["--package", "turnpike"], "normal,build", "{p}").contains("rust-hdl"));
    let benches = tree(&["--package", "turnpike-sim-bench"], "normal,build,dev", "{p}");
    assert!(benches.contains("rust-hdl v"), "the tests of the testbenches have it");
}
