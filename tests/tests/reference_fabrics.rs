//! The fabric kept in `verilog-out/` is what the generator writes, byte for byte.
//!
//! A difference is either a change to the generator that nobody meant, or one that has to be
//! seen in review: `make reference` writes the fabric anew. It is small, and a module's file
//! changes with that module alone; what it does not show is in `hdl-gen/emit/tests/golden/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::Digest;
use turnpike_analysis::network::Network;
use turnpike_emit::folder;
use turnpike_emit::formal::FOLDER;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_tests::any_kind::files;

/// Every reference fabric. A new one is a line here and in `.gitignore`.
const FABRICS: &[(&str, u32)] = &[("ecube", 2)];

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verilog-out").join(name)
}

/// The files of a folder and of that of the proofs, without what tools make there.
fn names(folder: &Path) -> BTreeSet<String> {
    let files = |folder: PathBuf| {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let entries = entries.map(Result::unwrap).filter(|entry| entry.path().is_file());
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let proofs = files(folder.join(FOLDER)).into_iter().map(|name| format!("{FOLDER}/{name}"));
    files(folder.to_owned()).into_iter().chain(proofs).collect()
}

/// The first line that differs, counted from 1.
fn first_difference(kept: &str, made: &str) -> usize {
    1 + kept.lines().zip(made.lines()).take_while(|(a, b)| a == b).count()
}

fn hold(routing: &str, dimension: u32) {
    let network = Network::new("hypercube", dimension, Some(routing), None).unwrap();
    let plan = FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap();
    let kept = kept(&plan.name);
    let remedy = "if that is meant: `make reference`";
    if std::env::var_os("TURNPIKE_BLESS").is_some() {
        folder::write(&kept, &files(&plan), true).unwrap();
    }
    // Written, too, so that the list of files with their digests is compared as well.
    let base = tempfile::tempdir().unwrap();
    let made = base.path().join(&plan.name);
    folder::write(&made, &files(&plan), false).unwrap();
    for name in &names(&made) {
        let shown = format!("verilog-out/{}/{name}", plan.name);
        let new = fs::read_to_string(made.join(name)).unwrap();
        let old = fs::read_to_string(kept.join(name))
            .unwrap_or_else(|e| panic!("{shown}: {e}; {remedy}"));
        let line = first_difference(&old, &new);
        assert!(old == new, "{shown}:{line} is not what the generator writes; {remedy}");
    }
    let extra: Vec<String> = names(&kept).difference(&names(&made)).cloned().collect();
    assert!(extra.is_empty(), "verilog-out/{}: no longer written: {extra:?}; {remedy}", plan.name);
}

/// A digest at the head of a file is of that file, so that a change to one module is seen in one.
#[test]
fn the_digest_of_a_file_is_its_own() {
    let files = |parameters| {
        let network = Network::new("hypercube", 2, Some("ecube"), None).unwrap();
        files(&FabricPlan::new(Arc::new(network), parameters, None).unwrap())
    };
    let (plain, keep) = (Parameters::default(), Parameters { keep: true, ..Default::default() });
    let digest = |file: &turnpike_emit::File| {
        let at = file.contents.split_once(", digest ").map(|(_, rest)| rest[..16].to_owned());
        assert!(at.is_some() || !file.name.ends_with(".v"), "{} has no digest", file.name);
        at
    };
    let (plain, keep) = (files(plain), files(keep));
    let mut seen = BTreeMap::new();
    for file in plain.iter().chain(&keep) {
        let Some(digest) = digest(file) else { continue };
        let zeros = file.contents.replacen(&digest, "0000000000000000", 1);
        let hash = sha2::Sha256::digest(zeros);
        let wanted: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, wanted, "{}", file.name);
        let other = seen.insert(digest, &file.contents).unwrap_or(&file.contents);
        assert_eq!(other, &file.contents, "another file than {} has its digest", file.name);
    }
}

#[test]
fn reference_fabrics_are_what_the_generator_writes() {
    FABRICS.iter().for_each(|&(routing, dimension)| hold(routing, dimension));
}
