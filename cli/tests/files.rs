//! The files that options name: what is there is replaced only where Turnpike wrote it and nobody
//! changed it since, or with `--force`. And what a run that is ended leaves behind.

use crate::common;

use crate::common::{Run, refused, run_with, script, tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The commands that write a file, with the files.
const WRITERS: &[(&str, &[&str])] = &[
    ("simulate hypercube --dim 1 --engine rtl --cycles 20 --warmup 0 --vcd x.vcd", &["x.vcd"]),
    ("search hypercube --dim 2 --save x.relation", &["x.relation"]),
    (
        concat!(
            "design mesh --shape 4x4 --save x.relation --flows ",
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/examples/soc.flows.csv"
        ),
        &["x.relation"],
    ),
    (
        concat!(
            "place mesh --shape 4x4 --save x.csv --flows ",
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/examples/vopd.flows.csv"
        ),
        &["x.csv"],
    ),
    (
        "search hypercube --dim 2 --any-failure fixed --detour 2 --save x.relation",
        &["x.relation", "x-without-10.relation"],
    ),
    (
        "search hypercube --dim 8 --symmetric rotations --minimal-rotations --balanced per-step \
         --imbalance 1 --proof x.drat",
        &["x.drat", "x.drat.cnf"],
    ),
    ("compare --across --dim 2 --svg x.svg", &["x.svg"]),
    ("analyze hypercube --dim 2 --svg x.svg", &["x.svg"]),
    ("tables butterflies --svg x.svg", &["x.svg"]),
    ("export ring --nodes 4 --out x.topology", &["x.topology"]),
    ("init x.system", &["x.system"]),
];

/// Options of files that are read.
const READ: &[&str] = &["config", "ends", "flows", "messages", "places", "trace"];

/// With a home of its own, where Turnpike notes what it wrote.
fn run_in(folder: &Path, line: &str) -> Run {
    let home = folder.join("home");
    let variables = [("XDG_CACHE_HOME", home.to_str().unwrap())];
    run_with(&folder.join("here"), line, &variables)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("here")).unwrap();
    folder
}

#[test]
fn a_file_of_somebody_else_is_kept() {
    for (line, files) in WRITERS {
        let folder = folder();
        let here = folder.path().join("here");
        let again = || {
            let run = run_in(folder.path(), line);
            assert!(run.code < 2, "{line}: {}", run.stderr);
            assert_eq!(run.stderr, "", "{line}");
        };
        again();
        let written = tree(&here);
        for file in *files {
            assert!(written.contains_key(&here.join(file)), "{line}: {file} is not there");
        }
        // Over its own.
        again();
        assert!(tree(&here).keys().eq(written.keys()), "{line}: more is left");
        for file in *files {
            let path = here.join(file);
            fs::write(&path, "mine").unwrap();
            let before = tree(&here);
            let edited = run_in(folder.path(), line);
            refused(&edited, line, &[file, "was edited since turnpike wrote it", "--force"]);
            assert!(tree(&here) == before, "{line}");
            let forced = run_in(folder.path(), &format!("{line} --force"));
            assert!(forced.code < 2, "{line}: {}", forced.stderr);
            assert_ne!(fs::read(&path).unwrap(), b"mine", "{line}");
        }
        // Nobody knows whose it is.
        fs::remove_dir_all(folder.path().join("home")).unwrap();
        let unknown = run_in(folder.path(), line);
        refused(&unknown, line, &["turnpike did not write it", "--force"]);
    }
}

/// A new option that names a file to write has `--force` beside it, or this fails.
#[test]
fn whatever_writes_a_file_can_be_forced() {
    let mut found = 0;
    for command in turnpike_cli::command().get_subcommands() {
        let mut arguments = command.get_arguments();
        let names_a_file = |arg: &&clap::Arg| {
            let path = arg.get_value_names().is_some_and(|names| names.iter().any(|n| n == "FILE"));
            path && !READ.contains(&arg.get_id().as_str())
        };
        if let Some(arg) = arguments.find(names_a_file) {
            found += 1;
            let force = command.get_arguments().any(|arg| arg.get_id() == "force");
            assert!(force, "{} has {} and no --force", command.get_name(), arg.get_id());
        }
    }
    assert!(found >= 3);
}

fn start(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnpike"));
    command.args(line.split_whitespace()).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The temporary folders in this one.
fn temporary(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let ours =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".turnpike");
    paths.filter(ours).collect()
}

const LONG: &str =
    "simulate hypercube --dim 3 --engine rtl --cycles 1000000 --warmup 0 --vcd x.vcd";

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_waveform_that_is_interrupted_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), LONG);
    until("the start", || !temporary(folder.path()).is_empty());
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(tree(folder.path()).is_empty(), "{:?}", tree(folder.path()).keys());
}

/// FuseSoC looks into every folder but one that holds FUSESOC_IGNORE.
#[test]
fn what_a_killed_run_leaves_is_found_by_nobody_and_goes_with_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), LONG);
    until("the start", || !temporary(folder.path()).is_empty());
    let left = temporary(folder.path());
    until("the mark", || left.iter().all(|path| path.join("FUSESOC_IGNORE").is_file()));
    // A run beside it leaves it alone.
    let generate = || {
        let out = folder.path().join("out");
        let run = common::run_in(folder.path(), "generate hypercube --dim 1 --out out");
        assert_eq!((run.code, out.is_dir()), (0, true), "{}", run.stderr);
    };
    generate();
    assert_eq!(temporary(folder.path()), left);
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert_eq!(temporary(folder.path()), left);
    generate();
    assert!(temporary(folder.path()).is_empty());
}

/// SymbiYosys that passes at once, but for one task that never ends.
fn sby(folder: &Path, slow: &str) -> String {
    script(folder, "sby", &format!("case \"$*\" in {slow}) exec /bin/sleep 60;; esac; exit 0"))
}

fn formal(folder: &Path, slow: &str, format: &str) -> Run {
    let sby = sby(folder, slow);
    let temporary = folder.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let line = format!("verify hypercube --dim 1 --formal --limit 1 --format {format}");
    let variables = [("TURNPIKE_SBY", &*sby), ("TMPDIR", temporary.to_str().unwrap())];
    let run = run_with(folder, &line, &variables);
    assert!(tree(&temporary).is_empty(), "{:?}", tree(&temporary).keys());
    run
}

#[test]
fn a_proof_that_takes_too_long_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let run = formal(folder.path(), "*queue.sby*prove*", "text");
    assert_eq!((run.code, &*run.stderr), (3, ""), "{}", run.stdout);
    for part in ["TIME LIMIT", "NOT DECIDED: 1 row(s) not within --limit 1 s; raise it"] {
        assert!(run.stdout.contains(part), "no '{part}' in {}", run.stdout);
    }
    assert!(!run.stdout.contains("trace"), "{}", run.stdout);
    let run = formal(folder.path(), "*queue.sby*prove*", "json");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &json["holds"]), (3, &serde_json::Value::Null));
    assert!(json["proofs"].as_array().unwrap().iter().all(|row| row["trace"].is_null()));
    let run = formal(folder.path(), "nothing", "text");
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
}
