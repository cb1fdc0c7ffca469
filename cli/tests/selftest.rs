//! `generate --selftest`: what it adds, and that it adds to the fabric and changes nothing.

use crate::common::folders::files_in;
use crate::common::run_in;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn generate(folder: &Path, options: &str) -> (Files, String) {
    let line = format!("generate hypercube --dim 2 --out {options}");
    let run = run_in(folder, &line);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
    let out = folder.join(options.split(' ').next().unwrap());
    (files_in(&out), run.stdout)
}

fn text(files: &Files, name: &str) -> String {
    String::from_utf8(files[Path::new(name)].clone().expect("a file")).unwrap()
}

#[test]
fn it_adds_files_and_leaves_the_fabric_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, _) = generate(folder.path(), "plain");
    for (board, device, constraints, rules) in [
        ("ice40-hx8k", "iCE40HX8K-CT256", "pcf", "--hx8k --package ct256 --freq 12 "),
        ("ulx3s-85f", "LFE5U-85F-6BG381C", "lpf", "--85k --package CABGA381 --speed 6 --freq 25 "),
        ("arty-a7-35t", "xc7a35ticsg324-1L", "xdc", "-source $(SELFTEST).tcl "),
    ] {
        let (files, said) = generate(folder.path(), &format!("{board} --selftest {board}"));
        assert!(said.contains("self-test for the ") && said.contains("`make bitstream`"), "{said}");
        assert!(said.contains(device), "{said}");
        let changed = plain.iter().filter(|(name, text)| files[*name] != **text);
        let changed: Vec<&str> = changed.map(|(name, _)| name.to_str().unwrap()).collect();
        let own = ["Makefile", "hypercube_2_ecube.core", "hypercube_2_ecube.json"];
        assert_eq!(changed, [&[".turnpike-files"], &own[..]].concat(), "beside what lists files");
        assert!(text(&files, "Makefile").contains(rules), "{board}");
        let pins = text(&files, &format!("hypercube_2_ecube_selftest.{constraints}"));
        assert!(pins.contains(device), "{pins}");

        let manifest: serde_json::Value = serde_json::from_str(&text(&files, own[2])).unwrap();
        let selftest = &manifest["selftest"];
        assert_eq!((&selftest["board"], &selftest["device"]), (&board.into(), &device.into()));
        let listed = selftest["files"].as_array().unwrap();
        let core = text(&files, own[1]);
        let list = text(&files, "hypercube_2_ecube_selftest.f");
        assert_eq!(listed.len(), 6);
        for file in listed.iter().map(|file| file.as_str().unwrap()) {
            assert!(files.contains_key(Path::new(file)), "{file}");
            assert!(core.contains(&format!("- {file}\n")), "{file} in the core");
            assert!(list.lines().any(|line| line == file), "{file} in the list");
        }
        let words = manifest["configuration"].as_str().unwrap();
        assert!(words.ends_with(&format!("--selftest {board}")), "{words}");
        // The words of the manifest make the same folder.
        let again = words.strip_prefix("hypercube --dim 2 ").unwrap();
        let (repeated, _) = generate(folder.path(), &format!("{board}_again {again}"));
        assert!(repeated == files, "{board}");
    }
}

/// The same of a bus fabric: the words of its manifest make the same folder.
#[test]
fn it_adds_files_to_bus_fabrics() {
    let folder = tempfile::tempdir().unwrap();
    let bus = |out: &str, words: &str| {
        let line = format!("generate {words} --out {out}");
        let run = run_in(folder.path(), &line);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
        (files_in(&folder.path().join(out)), run.stdout)
    };
    let (plain, _) = bus("plain", "mob --shape 3x2");
    let (files, said) = bus("board", "mob --shape 3x2 --selftest ulx3s-85f");
    assert!(said.contains("self-test for the ULX3S"), "{said}");
    let changed = plain.iter().filter(|(name, text)| files[*name] != **text);
    let changed: Vec<&str> = changed.map(|(name, _)| name.to_str().unwrap()).collect();
    let own = [".turnpike-files", "Makefile", "mob_3x2_backoff.core", "mob_3x2_backoff.json"];
    assert_eq!(changed, own, "beside what lists files");
    assert!(text(&files, "Makefile").contains("sim-selftest: "));
    let manifest: serde_json::Value = serde_json::from_str(&text(&files, own[3])).unwrap();
    assert_eq!(manifest["selftest"]["board"], "ulx3s-85f");
    assert_eq!(manifest["selftest"]["files"].as_array().unwrap().len(), 6);
    let words = manifest["configuration"].as_str().unwrap();
    assert!(words.ends_with(" --selftest ulx3s-85f"), "{words}");
    let (again, _) = bus("again", words);
    assert!(again == files, "{words}");
}
