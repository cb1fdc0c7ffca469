//! What the documents point to is there: relative links, and source files by their paths.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn documents() -> Vec<PathBuf> {
    let names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    let mut documents: Vec<PathBuf> = names.iter().map(|name| root().join(name)).collect();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        documents.extend(path.extension().is_some_and(|e| e == "md").then_some(path));
    }
    documents
}

#[test]
fn relative_links_resolve() {
    let link = regex::Regex::new(r"\]\(([^)#\s]+)(#[^)]*)?\)").unwrap();
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for found in link.captures_iter(&text) {
            if found[1].contains("://") {
                continue;
            }
            let target = document.parent().unwrap().join(&found[1]);
            assert!(target.exists(), "{}: {} leads nowhere", document.display(), &found[1]);
            links += 1;
        }
    }
    assert!(links > 10, "{links} links: is the pattern right?");
}

/// The Rust files of a folder and of those in it.
fn rust_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => rust_in(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Source files named by a path, such as `routing/draw.rs`: the end of the path of one that is there.
#[test]
fn source_files_that_are_named_exist() {
    // The one that a reader is told to add.
    const TO_BE_ADDED: &str = "hdl-gen/network/src/routing/descending.rs";
    let mut there = Vec::new();
    let folders = ["cli", "docs", "flow", "hdl-gen", "search", "sim", "tests"];
    folders.iter().for_each(|folder| rust_in(&root().join(folder), &mut there));
    let named = regex::Regex::new(r"`([a-z][a-z0-9_/-]*/[a-z0-9_]+\.rs)`").unwrap();
    let mut names = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for found in named.captures_iter(&text) {
            let is_there = |path: &PathBuf| path.ends_with(&found[1]);
            let stands = there.iter().any(is_there) || &found[1] == TO_BE_ADDED;
            assert!(stands, "{}: there is no {}", document.display(), &found[1]);
            names += 1;
        }
    }
    assert!(names > 50, "{names} names: is the pattern right?");
}
