//! Folders that tests write, and that the program writes.

use super::{Run, run_in, tree, turnpike_in};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with these files.
pub fn with_files(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

/// What is in a folder, by paths within it; folders have no contents.
pub fn files_in(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let inside = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    tree(folder).into_iter().map(|(path, contents)| (inside(path), contents)).collect()
}

/// A run that ends well.
pub fn runs(here: &Path, line: &str) -> Run {
    let run = run_in(here, line);
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    run
}

/// Folder `a` of `soc.system`, with a CPU, a UART and a memory on a 2x2 mesh, and its manifest. It is that
/// of these options, and of the words of its own configuration.
pub fn system_as_options(here: &Path, options: &str) -> Value {
    runs(here, "generate soc.system --out a");
    fs::write(here.join("places.csv"), "name,at\ncpu,0_0\nuart,1_0\nddr,0_1\n").unwrap();
    let mesh = "generate mesh --shape 2x2 --places places.csv";
    runs(here, &format!("{mesh} {options} --name soc --out b"));
    let files = files_in(&here.join("a"));
    assert_eq!(files, files_in(&here.join("b")));
    let manifest = fs::read_to_string(here.join("a/soc.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let words = manifest["configuration"].as_str().unwrap();
    fs::copy(here.join("a/flows.csv"), here.join("flows.csv")).unwrap();
    runs(here, &format!("generate {words} --out c"));
    assert_eq!(files, files_in(&here.join("c")));
    manifest
}

/// What `verify` says of `soc.system`, which a command of the network alone takes as well.
pub fn simulated_and_verified(here: &Path) -> String {
    runs(here, "simulate soc.system --cycles 1000");
    runs(here, "verify soc.system").stdout
}

/// Holds that an option changes nothing of a 2x2 mesh with ports of their own.
pub fn changes_nothing(option: &str) -> TempDir {
    let here = with_files(&[]);
    let line = "generate mesh --shape 2x2 --ports named --name soc";
    runs(here.path(), &format!("{line} --out a"));
    runs(here.path(), &format!("{line} {option} --out b"));
    assert_eq!(files_in(&here.path().join("a")), files_in(&here.path().join("b")));
    here
}

/// Manifest of a fabric whose folder is made again from its own words and its own files; `~` stands for
/// a blank within a word.
pub fn made_again(here: &Path, line: &str) -> Value {
    let words = line.split(' ').chain(["--out", "one"]).map(|word| word.replace('~', " "));
    let first = turnpike_in(here, words);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let one = here.join("one");
    let files = files_in(&one);
    let manifest = files.iter().find(|(name, _)| name.extension().is_some_and(|e| e == "json"));
    let manifest: Value = serde_json::from_slice(manifest.unwrap().1.as_ref().unwrap()).unwrap();
    let words = manifest["configuration"].as_str().unwrap();
    let again = run_in(&one, &format!("generate {words} --out ../two"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(files == files_in(&here.join("two")));
    manifest
}
