//! `--routing FILE`: relations that users give.

use crate::common;

use crate::common::{refused_in, run_in, tree};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The example of docs/relations.md: by pair, one node failed.
const AROUND: &str = include_str!("../../docs/examples/around_111.relation");

/// Bit fixing from the left on the 4-cube, by difference.
fn descending() -> String {
    let mut text = "turnpike-relation 1\nname descending\ntopology hypercube\ndimension 4\n\
                    by difference\n"
        .to_owned();
    (1..16u32).for_each(|d| text += &format!("{d:04b} dim{}\n", d.ilog2()));
    text
}

/// A folder with both.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("around_111.relation"), AROUND).unwrap();
    fs::write(folder.path().join("descending.relation"), descending()).unwrap();
    folder
}

/// What a command prints that holds.
#[track_caller]
fn printed(folder: &Path, line: &str) -> String {
    let run = run_in(folder, line);
    assert_eq!(run.code, 0, "{line}: {}{}", run.stderr, run.stdout);
    run.stdout
}

const PAIRS: &str = "hypercube --dim 3 --routing ./around_111.relation";
const DIFFERENCE: &str = "hypercube --dim 4 --routing descending.relation";

#[test]
fn every_command_takes_a_file() {
    let folder = folder();
    let folder = folder.path();
    for (fabric, name, pairs) in [(PAIRS, "around_111", 49), (DIFFERENCE, "descending", 256)] {
        let found = printed(folder, &format!("analyze {fabric} --format json"));
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["routing"], name);
        assert_eq!(found["deadlock_free"], true);
        assert_eq!(found["properties"]["shortest_path"]["holds"], true);
        let found = printed(folder, &format!("verify {fabric}"));
        assert!(found.contains("every check holds"), "{found}");
        assert!(pairs == 256 || found.contains(&format!("{pairs} routes arrive")), "{found}");
        for engine in ["reference", "rtl"] {
            let line = format!("simulate {fabric} --load 0.3 --cycles 300 --engine {engine}");
            let found = printed(folder, &line);
            assert!(found.contains("outcome: drained"), "{found}");
        }
    }
    let found = printed(folder, &format!("route {PAIRS} 011 110"));
    assert!(found.contains("routing around_111: 011 to 110, 2 channels"), "{found}");
    let names = |line: &str| -> Vec<String> {
        let rows = common::rows(&printed(folder, &format!("{line} --format csv")));
        rows.into_iter().map(|mut row| row.remove("routing").unwrap()).collect()
    };
    // Names choose among the relations there are; a file stands beside these.
    assert_eq!(names("compare --dim 4 --routing rotation,ecube"), ["ecube", "rotation"]);
    assert_eq!(names("compare --dim 3..=4 --routing ecube"), ["ecube", "ecube"]);
    let beside = names("compare --dim 4 --routing ecube,descending.relation");
    assert_eq!(beside, ["ecube", "descending"]);
    let found = printed(folder, "compare --dim 3..=4 --routing descending.relation --format csv");
    let rows = common::rows(&found);
    let of = |routing: &str| {
        let row = rows.iter().find(|row| row["routing"] == routing && row["dimension"] == "4");
        let mut row = row.unwrap().clone();
        row.retain(|name, _| !["fabric", "configuration", "routing"].contains(&name.as_str()));
        row
    };
    // The mirror image of `ecube`.
    assert_eq!(of("descending"), of("ecube"));
}

/// A relation of a configuration acts in `compare` as on the command line.
#[test]
fn a_configuration_names_a_file() {
    let folder = folder();
    let config = "topology = \"hypercube\"\ndim = 4\nrouting = \"descending.relation\"\n";
    fs::write(folder.path().join("my.toml"), config).unwrap();
    let found = printed(folder.path(), "analyze --config my.toml --format csv");
    let row = &common::rows(&found)[0];
    assert_eq!((&*row["routing"], &*row["dimension"]), ("descending", "4"), "{found}");
    fs::write(folder.path().join("my.toml"), config.replace("descending.relation", "ecube"))
        .unwrap();
    let compared = printed(folder.path(), "compare --config my.toml --format csv");
    let found: Vec<String> =
        common::rows(&compared).iter().map(|row| row["routing"].clone()).collect();
    assert!(
        found.contains(&"ecube".to_owned()) && !found.contains(&"rotation".to_owned()),
        "{found:?}"
    );
}

/// The folder of a fabric has all that makes it again, byte for byte.
#[test]
fn a_folder_can_be_made_again_from_itself() {
    let folder = folder();
    for (fabric, name, module) in [
        (PAIRS, "around_111", "hypercube_3_around_111_without_111"),
        (DIFFERENCE, "descending", "hypercube_4_descending"),
    ] {
        let folder = folder.path();
        printed(folder, &format!("generate {fabric} --out {name}"));
        let out = folder.join(name);
        let before = tree(&out);
        let manifest = fs::read(out.join(module).with_extension("json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(manifest["relation"]["file"], format!("{name}.relation"));
        assert_eq!(manifest["relation"]["sha256"].as_str().unwrap().len(), 64);
        let configuration = manifest["configuration"].as_str().unwrap();
        assert!(configuration.contains(&format!("--routing {name}.relation ")));
        printed(&out, &format!("generate {configuration} --out ."));
        assert!(tree(&out) == before, "{name}");
    }
    let one = folder.path().join("descending/hypercube_4_descending_switch.v");
    assert!(one.is_file(), "by difference there is one switch");
}

#[test]
fn failed_nodes_and_files() {
    let folder = folder();
    let folder = folder.path();
    printed(folder, &format!("analyze {PAIRS} --failed 111"));
    let found = printed(folder, &format!("analyze {DIFFERENCE} --failed 0101"));
    assert!(found.contains("0101 failed, 15 terminals left"), "{found}");
    refused_in(
        folder,
        &[(
            &format!("analyze {PAIRS} --failed 110"),
            &["'around_111' is for failed nodes of its own, 111", "leave --failed 110 out"],
        )],
    );
}

#[test]
fn bad_files() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty.relation", b"");
    write("binary.relation", b"\x7fELF\x02\x01\0\0");
    write("foreign.relation", b"module top;\nendmodule\n");
    write("next.relation", b"turnpike-relation 2\n");
    let lines: Vec<&str> = AROUND.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at - 1] = line;
        lines.join("\n")
    };
    let first = 1 + lines.iter().position(|line| line.starts_with("000 001")).unwrap();
    write("port.relation", with(first, "000 001 dim3").as_bytes());
    write("label.relation", with(first, "000 2 dim0").as_bytes());
    write("twice.relation", with(first + 1, "000 001 dim0").as_bytes());
    write("missing.relation", with(first, "").as_bytes());
    write("into_failed.relation", AROUND.replace("011 100 dim0", "011 100 dim2").as_bytes());
    let round = AROUND.replace("001 000 dim0", "001 000 dim1");
    write("round.relation", round.replace("011 000 dim0", "011 000 dim1").as_bytes());
    write("own.relation", with(3, "name rotation").as_bytes());
    let large = fs::File::create(folder.path().join("large.relation")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    fs::create_dir(folder.path().join("folder.relation")).unwrap();
    let port = format!("port.relation:{first}: unknown port 'dim3'; did you mean 'dim0'");
    let label = format!("label.relation:{first}: '2' is not a node of this hypercube");
    let twice = format!("there is a hop for 000 001 already, in line {first}");
    let cases: [(&str, &[&str]); 15] = [
        ("none", &["cannot read the relation none.relation", "No such file"]),
        ("folder", &["cannot read the relation folder.relation", "no regular file"]),
        ("large", &["large.relation", "67108865 bytes", "at most 64 MiB"]),
        ("empty", &["empty.relation: the file is empty", "turnpike-relation 1"]),
        ("binary", &["binary.relation:1: this is no text"]),
        ("foreign", &["foreign.relation:1: 'module top;' does not begin a relation file"]),
        ("next", &["next.relation:1: relation files of version '2' are not known"]),
        ("port", &[&port]),
        ("label", &[&label, "3 binary digits"]),
        ("twice", &[&twice]),
        ("missing", &["missing.relation: there is no hop for 000 001; give one"]),
        ("into_failed", &["at 011 for 100: there is no channel by dim2 (111 failed)"]),
        ("round", &["round.relation: routing 'around_111' does not deliver 001 to 000"]),
        ("own", &["own.relation:3: name: 'rotation' is a relation that Turnpike has"]),
        (
            "descending",
            &["descending.relation is for dimension 4, not for dimension 3; use --dim 4"],
        ),
    ];
    for (name, expected) in cases {
        let fabric = format!("hypercube --dim 3 --routing {name}.relation");
        refused_in(folder.path(), &[(&format!("generate {fabric} --out out"), expected)]);
    }
    refused_in(
        folder.path(),
        &[
            (
                "analyze directed-cube --dim 3 --routing around_111.relation",
                &["around_111.relation is for the topology hypercube, not for directed-cube"],
            ),
            (
                "compare --dim 5..=6 --routing descending.relation",
                &["descending.relation is for dimension 4, which is not among those compared"],
            ),
            ("compare --dim 3 --routing rotaton", &["unknown routing 'rotaton'", "'rotation'"]),
            ("compare --dim 3 --routing ecube,dimension-order", &["dimension-order", "hypercube"]),
            (
                "compare --dim 3 --routing around_111.relation,descending.relation",
                &["--routing descending.relation: one file"],
            ),
            (&format!("route {PAIRS} 000 111 --all"), &["--all", "--routing"]),
        ],
    );
}
