//! The library crates do not speak the words of the command line: their errors say what is wrong,
//! and `cli/src/words/` says it in options.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the library crates.
const LIBRARIES: &[&str] = &["hdl-gen", "sim", "flow", "search"];

/// Files that hold options all the same, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("hdl-gen/fabric/src/plan/mod.rs", "the canonical configuration"),
    ("hdl-gen/bus/src/canonical.rs", "the canonical configuration"),
    ("hdl-gen/circuit/src/plan.rs", "the canonical configuration"),
    ("hdl-gen/network/src/topology/size.rs", "a size in the canonical configuration"),
    ("hdl-gen/emit/src/lib.rs", "why a folder holds a fabric that may deadlock, in its files"),
    ("hdl-gen/emit/src/selftest.rs", "the canonical configuration of a folder, with a self-test"),
    ("hdl-gen/emit/src/origin.rs", "the same, read back"),
    ("hdl-gen/fabric/src/board.rs", "options of nextpnr"),
    ("flow/src/target.rs", "options of nextpnr"),
    ("flow/src/session.rs", "options of nextpnr"),
    ("flow/src/tool.rs", "options of the open tools"),
    ("sim/bench/src/verilated/build.rs", "options of Verilator"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            // Tests may say what a user would.
            true if !["tests", "benches", "target"].contains(&name.as_str()) => {
                sources(&path, found)
            }
            false if name.ends_with(".rs") && name != "tests.rs" => found.push(path),
            _ => {}
        }
    }
}

/// The lines of a file that hold an option outside of remarks and tests.
fn options(text: &str) -> Vec<&str> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let option = regex::Regex::new(r#"(^|[\s"'`({])--[a-z]"#).unwrap();
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| option.is_match(line)).collect()
}

#[test]
fn libraries_name_no_options() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    LIBRARIES.iter().for_each(|folder| sources(&top.join(folder), &mut files));
    assert!(files.len() > 100);
    let mut excepted = Vec::new();
    for file in files {
        let name = file.strip_prefix(top).unwrap().to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap();
        let found = options(&text);
        match EXCEPTIONS.iter().any(|(exception, _)| *exception == name) {
            true if !found.is_empty() => excepted.push(name),
            true => {}
            false => assert!(found.is_empty(), "{name}: {found:?}: word it in cli/src/words/"),
        }
    }
    assert_eq!(excepted.len(), EXCEPTIONS.len(), "an exception that is none: {excepted:?}");
}

#[test]
fn an_option_is_found() {
    assert_eq!(options("    #[error(\"leave --failed out\")]").len(), 1);
    assert_eq!(options("    range(\"--width\", 1)").len(), 1);
    assert!(options("    /// As `--width`.\n    let a = b - -c;").is_empty());
}
