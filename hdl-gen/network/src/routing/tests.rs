//! Tests of every relation: it says by the structure of a network whether it routes it.

use super::*;
use crate::topology::TOPOLOGIES;
use std::fs;
use std::path::{Path, PathBuf};

/// The relations of a topology are those of its networks of every size.
#[test]
fn relations_are_those_of_the_topology_at_every_size() {
    let names = |structure| of_structure(structure).map(|kind| kind.name).collect::<Vec<_>>();
    for kind in TOPOLOGIES {
        let expected = names(kind.structure());
        assert!(expected.contains(&kind.default_routing), "{}: {expected:?}", kind.name);
        for size in kind.sizes.small() {
            let network = kind.build(size).unwrap();
            assert_eq!(names(network.structure()), expected, "{} {size}", kind.name);
        }
    }
}

/// The string literals of Rust code, those of remarks left out.
fn literals(code: &str) -> impl Iterator<Item = &str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false if !path.ends_with("tests.rs") => found.push(path),
            false => {}
        }
    }
}

/// No relation asks for the name of a topology: neither by a literal nor by a comparison.
#[test]
fn no_relation_knows_a_topology_by_its_name() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/routing"), &mut files);
    assert!(files.len() > 50, "{} files: is the search right?", files.len());
    let named = |word: &&str| {
        TOPOLOGIES.iter().any(|kind| kind.name == *word || kind.aliases.contains(word))
    };
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        assert_eq!(literals(code).find(named), None, "{}", file.display());
        for compared in ["topology.name() ==", "topology.name() !=", "match topology.name()"] {
            assert!(!code.contains(compared), "{}: {compared}", file.display());
        }
    }
}
