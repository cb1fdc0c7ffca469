//! Bad input of `generate`: exit code 2, one line that says what would be right, nothing
//! changed on disk.

use crate::common::{refused_in, run_in, small_disk, tree};
use std::fs;
use std::path::Path;
use turnpike_flow::cache::digest;

const CUBE: &str = "generate hypercube --dim 2";

fn holds(folder: &Path, line: &str) {
    let run = run_in(folder, line);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{line}");
}

#[test]
fn names_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    for (options, expected) in [
        ("--name wire", &["'wire'", "keyword"][..]),
        ("--name logic", &["'logic'", "keyword"]),
        ("--name 2cube", &["'2cube'", "identifier"]),
        ("--name a-b", &["'a-b'", "identifier"]),
        ("--name ../x", &["'../x'", "identifier"]),
        ("--width 0", &["--width 0", "1 to 1024"]),
        ("--width 1025", &["--width 1025", "1 to 1024"]),
        ("--depth 1", &["--depth 1", "2 to 1024"]),
        ("--depth 1025", &["--depth 1025", "2 to 1024"]),
        ("--user-width 1025", &["--user-width 1025", "0 to 1024"]),
        ("--width 12 --keep", &["--keep", "multiple of 8"]),
        ("--routing rotaton", &["did you mean 'rotation'?"]),
        ("--routing thacker", &["dimension 4 only"]),
        ("--out", &["--out"]),
        (
            "--selftest ulx3",
            &["'ulx3'", "did you mean 'ulx3s-85f'?", "ice40-hx8k, ", "arty-a7-35t"],
        ),
        ("--selftest ice40-hx8k --width 5", &["--selftest", "--width 5", "--width 6 or more"]),
    ] {
        refused_in(folder.path(), &[(&format!("{CUBE} {options}"), expected)]);
    }
    refused_in(
        folder.path(),
        &[
            ("generate hypercube --dim 0", &["dimension 0", "use 1 to 20"]),
            ("generate hypercube --dim 11", &["dimension 10, not 11"]),
            ("generate hypercube --dim 21", &["dimension 21", "use 1 to 20"]),
            ("generate directed-cube --dim 11", &["dimension 10, not 11"]),
            ("generate ccc --dim 9", &["dimension 8, not 9"]),
            ("generate hypercub --dim 2", &["did you mean 'hypercube'?"]),
            ("generate hypercube --dim 10 --width 65", &["--width 64 or less"]),
            ("generate hypercube --dim 4 --routing rotation --vcs 1", &["--allow-deadlock"]),
        ],
    );
}

#[test]
fn folders_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    for (out, expected) in [
        ("file", &["file is a file", "--out"][..]),
        ("file/below", &["file"]),
        ("file/far/below", &["file"]),
        ("/proc/turnpike", &["/proc"]),
    ] {
        for force in ["", "--force"] {
            let line = format!("{CUBE} --out {out} {force}");
            refused_in(folder.path(), &[(&line, expected)]);
        }
    }
    assert!(!Path::new("/proc/turnpike").exists());
}

#[test]
fn files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let (line, forced) = (format!("{CUBE} --out out"), format!("{CUBE} --out out --force"));
    for line in [&line, &forced] {
        refused_in(folder.path(), &[(line, &["out/notes.txt was not written by turnpike"])]);
    }
    // Beside its own files as well.
    fs::remove_file(out.join("notes.txt")).unwrap();
    holds(folder.path(), &line);
    fs::write(out.join("notes.txt"), "mine").unwrap();
    for line in [&line, &forced] {
        refused_in(folder.path(), &[(line, &["out/notes.txt was not written by turnpike"])]);
    }
}

#[test]
fn files_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let (line, forced) = (format!("{CUBE} --out out"), format!("{CUBE} --out out --force"));
    holds(folder.path(), &line);
    let whole = tree(folder.path());
    // Again over its own output.
    holds(folder.path(), &line);
    assert!(tree(folder.path()) == whole);
    let edited = folder.path().join("out/hypercube_2_ecube.v");
    fs::write(&edited, "mine").unwrap();
    refused_in(folder.path(), &[(&line, &["hypercube_2_ecube.v was edited", "--force"])]);
    holds(folder.path(), &forced);
    assert!(tree(folder.path()) == whole);
    // Another fabric over it takes the old files away.
    let other = run_in(folder.path(), &format!("{line} --name other"));
    let note = "note: out held the fabric hypercube_2_ecube, which is replaced\n";
    assert_eq!((other.code, &*other.stderr), (0, note));
    assert!(!edited.exists());
}

/// Two configurations of one network have names and folders of their own; what is there already is
/// known, with more beside it, and as another version left it.
#[test]
fn another_fabric_of_the_network() {
    let folder = tempfile::tempdir().unwrap();
    holds(folder.path(), CUBE);
    let out = folder.path().join("verilog-out/hypercube_2_ecube");
    let whole = tree(&out);
    let other = format!("{CUBE} --width 64 --pipeline 1");
    holds(folder.path(), &other);
    let wide = "hypercube_2_ecube_w64_pipeline1";
    assert!(folder.path().join(format!("verilog-out/{wide}/{wide}_switch.v")).exists());
    assert!(tree(&out) == whole);
    holds(folder.path(), CUBE);
    holds(folder.path(), &format!("{CUBE} --depth 4 --selftest ice40-hx8k"));
    holds(folder.path(), CUBE);
    let [manifest, list] = ["hypercube_2_ecube.json", ".turnpike-files"].map(|f| out.join(f));
    let [now, files] = [&manifest, &list].map(|path| fs::read_to_string(path).unwrap());
    let before = now.replace("\"generator\": \"turnpike 0", "\"generator\": \"turnpike 0.0");
    assert_ne!(before, now);
    fs::write(&list, files.replace(&digest(&now), &digest(&before))).unwrap();
    fs::write(&manifest, before).unwrap();
    holds(folder.path(), CUBE);
    // A name of the user's is the user's to use again.
    holds(folder.path(), &format!("{other} --name wide"));
    holds(folder.path(), &format!("{CUBE} --name wide"));
}

/// The parts of a core's name that FuseSoC does not take, and names that are none in VHDL.
#[test]
fn names_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |options: &str, wrong: &[&str]| {
        refused_in(folder.path(), &[(&format!("{CUBE} {options}"), wrong)]);
    };
    refused("--vendor acme:org", &["'acme:org' is no vendor of a core", "letters, digits"]);
    refused("--library /x", &["'/x' is no library of a core"]);
    refused("--core-version 1.2-rc1", &["'1.2-rc1' is no version", "such as 1.2.0"]);
    refused("--name signal", &["'signal' is a keyword of VHDL", "'signal_fabric'"]);
    refused("--name a__b", &["'a__b'", "VHDL", "use 'a_b'"]);
    let line = "--vendor acme.org --library noc-1 --core-version 1.2.0-r3 --out mine";
    holds(folder.path(), &format!("{CUBE} {line}"));
    let core = fs::read_to_string(folder.path().join("mine/hypercube_2_ecube.core")).unwrap();
    assert!(core.contains("\nname: acme.org:noc-1:hypercube_2_ecube:1.2.0-r3\n"), "{core}");
}

/// Where a file says something else, it is another fabric.
#[test]
fn another_file_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let topology = "turnpike-topology 1\nnode a b\nterminal x a\nterminal y b\nlink a b\n";
    let relation = "turnpike-relation 1\nname mine\ntopology ring\nnodes 3\nby pair\n\
        0 1 x_plus\n0 2 x_minus\n1 0 x_minus\n1 2 x_plus\n2 0 x_plus\n2 1 x_minus\n";
    let given = "generate ring --nodes 3 --routing my.relation";
    for (file, line, text, changed) in [
        ("my.topology", "generate my.topology", topology, format!("{topology}terminal z b\n")),
        ("my.relation", given, relation, relation.replace("0 2 x_minus", "0 2 x_plus")),
    ] {
        write(file, text);
        holds(folder.path(), line);
        // How it is written is not looked at.
        write(file, &text.replace(' ', "  "));
        holds(folder.path(), line);
        write(file, &changed);
        let wrong: &[&str] = &["another fabric of the name", "that was another", "--force"];
        refused_in(folder.path(), &[(line, wrong)]);
        holds(folder.path(), &format!("{line} --force"));
        holds(folder.path(), line);
    }
}

#[test]
fn a_full_disk() {
    let Some(disk) = small_disk(64) else { return };
    let full: &[&str] = &["cannot write", "No space left"];
    refused_in(disk.path(), &[("generate hypercube --dim 4 --out a/b", full)]);
    // Nor is an earlier fabric lost.
    let Some(disk) = small_disk(512) else { return };
    holds(disk.path(), &format!("{CUBE} --out a"));
    let line = "generate hypercube --dim 6 --out a --force";
    refused_in(disk.path(), &[(line, full)]);
}
