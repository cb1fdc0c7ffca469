//! Every crate but that of these tests is a package that holds what it is built of.

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
const UNPUBLISHED: [&str; 2] = ["turnpike-tests", "turnpike-sim-rust-hdl"];

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

/// rust-hdl stays in the tests: who builds the program does not build it.
#[test]
fn the_program_is_built_without_rust_hdl() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tree = |edges: &str| {
        let args = ["tree", "--locked", "--offline", "--package", "turnpike", "--prefix", "none"];
        let mut cargo = Command::new(env!("CARGO"));
        let run = cargo.args(args).args(["--edges", edges]).current_dir(&root).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    assert!(!tree("normal,build").contains("rust-hdl"));
    assert!(tree("normal,build,dev").contains("rust-hdl v"), "its tests have it");
}
