//! Folders that tests write, and that the program writes.

use super::{run_in, tree, turnpike_in};
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
