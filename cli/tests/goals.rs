//! `--for`: the options that a goal sets are those given by hand, byte for byte.

use crate::common::{Run, json_in, refused, run_in, tree};
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use turnpike_cli::options::goal::{BEST, Goal};

type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Files that `generate` writes, and what it notes.
fn generated(at: &Path, line: &str) -> (Files, String) {
    let out = tempfile::tempdir_in(at).unwrap();
    let Run { stderr, code, .. } =
        run_in(at, &format!("generate {line} --out {}", out.path().join("x").display()));
    assert_eq!(code, 0, "{line}: {stderr}");
    let files = tree(out.path());
    let named = files
        .into_iter()
        .map(|(path, bytes)| (path.strip_prefix(out.path()).unwrap().to_owned(), bytes));
    (named.collect(), stderr)
}

#[track_caller]
fn is_as(line: &str, by_hand: &str, note: &str) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("c.toml"), "for = \"clock\"\npipeline = 0\n").unwrap();
    let (files, said) = generated(at, line);
    let (wanted, nothing) = generated(at, by_hand);
    assert_eq!((&*said, &*nothing), (&*format!("note: {note}\n"), ""), "{line}");
    assert!(files == wanted, "{line} is not {by_hand}");
}

#[test]
fn a_goal_is_its_options_given_by_hand() {
    assert_eq!(BEST.len(), Goal::value_variants().len());
    for (goal, best) in BEST {
        let word = goal.to_possible_value().unwrap().get_name().to_owned();
        let options: Vec<String> = best.iter().map(ToString::to_string).collect();
        let options = options.join(" ");
        let mesh = "mesh --shape 3x2 --width 8";
        is_as(
            &format!("{mesh} --for {word}"),
            &format!("{mesh} {options}"),
            &format!("--for {word} sets {options}"),
        );
    }
}

/// On the line, in a configuration; whatever the network does not take is left out.
#[test]
fn a_given_option_wins_and_one_that_does_not_go_is_left_out() {
    let ring = "ring --nodes 4 --width 8";
    is_as(
        &format!("{ring} --for clock --pipeline 2"),
        &format!("{ring} --pipeline 2 --link-registers 1 --mux lut4"),
        "--for clock sets --link-registers 1 --mux lut4",
    );
    is_as(
        &format!("{ring} --config c.toml"),
        &format!("{ring} --link-registers 1 --mux lut4"),
        "--for clock sets --link-registers 1 --mux lut4",
    );
    is_as(
        &format!("{ring} --for clock --link-registers 0 --pipeline 0 --mux one-hot"),
        ring,
        "--for clock sets nothing",
    );
    let adaptive = "hypercube --dim 2 --routing adaptive --width 8";
    is_as(
        &format!("{adaptive} --for clock"),
        &format!("{adaptive} --mux lut4"),
        "--for clock sets --mux lut4; this fabric does not take --link-registers 1 or --pipeline 1",
    );
    // A link's registers make the queue behind it deeper.
    let registers = format!("{ring} --queue registers --depth 7");
    is_as(
        &format!("{registers} --for clock"),
        &format!("{registers} --pipeline 1 --mux lut4"),
        "--for clock sets --pipeline 1 --mux lut4; this fabric does not take --link-registers 1",
    );
}

#[test]
fn what_has_no_such_switches_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    for (line, parts) in [
        (
            "generate ocpc --nodes 4 --for clock",
            ["--for does nothing in `generate ocpc`", "leave --for out"],
        ),
        ("verify benes --dim 2 --kind circuit --for area", ["--for does nothing in", "circuit"]),
        ("generate mesh --shape 2x2 --for speed", ["'speed'", "clock, area, latency, throughput"]),
    ] {
        refused(&run_in(folder.path(), line), line, &parts);
    }
}

#[test]
fn verify_and_simulate_take_it() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["verify", "simulate --cycles 50 --warmup 10"] {
        let (command, options) = line.split_once(' ').unwrap_or((line, ""));
        let of = |more: &str| {
            let line = format!("{command} ring --nodes 3 --width 4 {options} {more}");
            json_in(folder.path(), &line)
        };
        assert_eq!(of("--for clock"), of("--link-registers 1 --pipeline 1 --mux lut4"), "{line}");
    }
}
